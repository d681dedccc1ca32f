/** Requests and responses of an import: one mutation or insert for each row, in one transaction. */

import { z } from 'zod';
import { firingSchema, membersSchema, mutationSiblings, requiredPath, textsByName } from './schemas.js';

const importedRowsSchema = z.strictObject({
  mutation: requiredPath.optional(),
  into: z
    .string()
    .optional()
    .describe('In place of a mutation, the concept or stored relation that each row is inserted into.'),
  rows: z
    .array(membersSchema)
    .min(1)
    .describe('For each row the arguments by parameter, or the values by field or endpoint.'),
  keys: textsByName()
    .optional()
    .describe('By parameter, the field that identifies individuals in the rows, e.g. { "lease": "code" }.'),
});

/** One of them, as the schema checks. */
export interface ImportTarget {
  readonly mutation?: string | undefined;
  readonly into?: string | undefined;
}

const hasOneTarget = ({ mutation, into }: ImportTarget): boolean => (mutation === undefined) !== (into === undefined);
const ONE_TARGET = { error: 'must have exactly one of mutation and into', abort: true };

export const importRequestSchema = importedRowsSchema
  .extend({
    context: membersSchema.optional().describe('Context fields that headers do not carry.'),
    fork: z.string().optional(),
  })
  .refine(hasOneTarget, ONE_TARGET)
  .meta({ id: 'ImportRequest' });
export type ImportRequest = z.input<typeof importRequestSchema>;

/** In an explanation, which runs it as a dry run. */
export const triedImportSchema = importedRowsSchema.refine(hasOneTarget, ONE_TARGET);

/** The summary of an import. */
export const importSummarySchema = z
  .object({ rows: z.number().int(), events: z.number().int(), warnings: z.number().int() })
  .meta({ id: 'ImportSummary' });
export type ImportSummary = z.infer<typeof importSummarySchema>;

export const importSiblings = {
  txn: mutationSiblings.txn,
  warnings: z.array(firingSchema).describe('New violations of warning checks; the first 100.'),
  effects: mutationSiblings.effects,
  names: z
    .record(z.string(), z.string())
    .optional()
    .describe('In a dry run: labels, by id, of individuals in the warnings that it would create.'),
};

/** A failing row in the `details.failures` of an import; rows count from 0. */
export interface ImportFailure {
  readonly row: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}
