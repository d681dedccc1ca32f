/** Requests and responses of an import: many runs of one mutation in one transaction. */

import { z } from 'zod';
import { firingSchema, membersSchema, mutationSiblings, requiredPath, textsByName } from './schemas.js';

export const importRequestSchema = z
  .object({
    mutation: requiredPath,
    rows: z.array(membersSchema).min(1).describe('The arguments of each run, by parameter name.'),
    keys: textsByName()
      .optional()
      .describe('By parameter, the field that identifies individuals in the rows, e.g. { "lease": "code" }.'),
    context: membersSchema.optional().describe('Context fields that headers do not carry.'),
    fork: z.string().optional(),
  })
  .strict()
  .meta({ id: 'ImportRequest' });
export type ImportRequest = z.input<typeof importRequestSchema>;

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
