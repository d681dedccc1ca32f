/** Requests and responses of an import: one mutation or insert for each row, in one transaction. */

import { z } from 'zod';
import {
  firingSchema,
  importSourceSchema,
  type JsonValue,
  membersSchema,
  mutationSiblings,
  requiredPath,
  textsByName,
} from './schemas.js';

/** Not checked cell by cell, because the runtime does that when it reads the cells. */
const rowSchema: z.ZodType<ImportedRow, ImportedRow> = z
  .any()
  .check(({ value, issues }) => {
    if (typeof value !== 'object' || value === null) {
      issues.push({ code: 'invalid_type', expected: 'record', input: value });
    }
  })
  .meta({ description: 'Arguments by name, or cells in the order of `columns`.' });

export type ImportedRow = Readonly<Record<string, JsonValue>> | readonly JsonValue[];

const importedRowsSchema = z.strictObject({
  mutation: requiredPath.optional(),
  into: z
    .string()
    .optional()
    .describe('In place of a mutation, the concept or stored relation that each row is inserted into.'),
  rows: z
    .array(rowSchema)
    .min(1)
    .describe('For each row the arguments by parameter, or the values by field or endpoint.'),
  columns: z
    .array(z.string())
    .optional()
    .describe('The parameters, fields or endpoints of the cells of rows that are lists.'),
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
    rejects: z
      .boolean()
      .optional()
      .describe('Leaves failing rows out and returns them in `failures`, instead of failing as a whole.'),
    source: importSourceSchema
      .optional()
      .describe('Stored with the transaction, so that an interrupted import of several parts can continue.'),
  })
  .refine(hasOneTarget, ONE_TARGET)
  .meta({ id: 'ImportRequest' });
export type ImportRequest = z.input<typeof importRequestSchema>;

/** In an explanation, which runs it as a dry run. */
export const triedImportSchema = importedRowsSchema.refine(hasOneTarget, ONE_TARGET);

/** The summary of an import. */
export const importSummarySchema = z
  .object({
    rows: z.number().int().describe('The number of rows that were imported.'),
    events: z.number().int(),
    warnings: z.number().int(),
    rejected: z.number().int().optional().describe('With `rejects`: the number of rows that were left out.'),
  })
  .meta({ id: 'ImportSummary' });
export type ImportSummary = z.infer<typeof importSummarySchema>;

const importFailureSchema = z
  .object({ row: z.number().int(), code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) })
  .meta({ id: 'ImportFailure' });

export const importSiblings = {
  txn: mutationSiblings.txn,
  warnings: z.array(firingSchema).describe('New violations of warning checks; the first 100.'),
  effects: mutationSiblings.effects,
  failures: z
    .array(importFailureSchema)
    .optional()
    .describe('With `rejects`: the rows that were left out, in order. Rows count from 0.'),
  names: z
    .record(z.string(), z.string())
    .optional()
    .describe('In a dry run: labels, by id, of individuals in the warnings that it would create.'),
};

/** A failing row in the `failures` or `details.failures` of an import; rows count from 0. */
export interface ImportFailure {
  readonly row: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}
