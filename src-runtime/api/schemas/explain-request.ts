/** The request of an explanation: a tuple, and the state to explain it in. */

import { z } from 'zod';
import { batchStepSchema } from './batch-schemas.js';
import { pickRequestSchema } from './fork-schemas.js';
import { triedImportSchema } from './import-schemas.js';
import { saveSourcesRequestSchema } from './module-schemas.js';
import { adhocRequestSchema, count, membersSchema } from './schemas.js';

const keepShape = {
  keep: z
    .union([z.literal('parent'), z.array(z.tuple([z.string(), z.string()]))])
    .optional()
    .describe('Conflicting fields that keep the value of the fork that is written to, as in a promotion.'),
};

const triedSchema = z
  .union([
    z.strictObject({ steps: z.array(batchStepSchema).min(1) }),
    z.strictObject(adhocRequestSchema.pick({ source: true, module: true, args: true }).shape),
    z.strictObject({ import: triedImportSchema }),
    z.strictObject({
      promote: z.string().describe('A child fork whose changes are applied.'),
      ...keepShape,
    }),
    z.strictObject({
      update: z.literal(true).describe('Rebases the fork of the request.'),
      ...keepShape,
    }),
    z.strictObject({ pick: z.strictObject(pickRequestSchema.pick({ from: true, txn: true }).shape), ...keepShape }),
    z.strictObject({ undo: count.describe('A transaction in the history of the fork of the request.') }),
    z.strictObject(saveSourcesRequestSchema.pick({ files: true, whole: true }).shape),
    z.strictObject({ undoPromotion: z.string().describe('A fork that was promoted to the fork of the request.') }),
  ])
  .describe(
    'Runs this first, as a dry run: steps of a batch, an ad-hoc mutation, an import, an operation on forks, or a save of sources, whose rules then apply. Explains the resulting state, and rolls back.',
  );

export const explainRequestSchema = z
  .object({
    relation: z.string().describe('Qualified path of a relation, concept, define, field or check.'),
    tuple: z.array(z.unknown()).describe('One wire value for each endpoint.'),
    given: z
      .object({ clause: z.number().int().min(0), values: membersSchema })
      .strict()
      .optional()
      .describe(
        'If the tuple does not hold: values for variables of one of its clauses, which is explained with them.',
      ),
    before: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('A transaction in the history of the fork: explains the state before it.'),
    moduleHash: z
      .string()
      .optional()
      .describe(
        'The previous module, `from` in the changes of the current one: explains the state just before the reload, with its rules.',
      ),
    after: triedSchema.optional(),
    context: membersSchema.optional(),
    fork: z.string().optional(),
  })
  .strict()
  .refine(({ after, before, moduleHash }) => after === undefined || (before ?? moduleHash) === undefined, {
    error: 'cannot have "after" beside "before" or "moduleHash"',
  })
  .meta({ id: 'ExplainRequest' });
export type ExplainRequest = z.input<typeof explainRequestSchema>;
