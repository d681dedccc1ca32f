/** The request of an explanation: a tuple, and the state to explain it in. */

import { z } from 'zod';
import { batchStepSchema } from './batch-schemas.js';
import { pickRequestSchema } from './fork-schemas.js';
import { importRequestSchema } from './import-schemas.js';
import { saveSourcesRequestSchema } from './module-schemas.js';
import { adhocRequestSchema, count, membersSchema } from './schemas.js';

const keepShape = {
  keep: z
    .union([z.literal('parent'), z.array(z.tuple([z.string(), z.string()]))])
    .optional()
    .describe('Conflicts in which the value of the fork that is written to is kept, as of a promotion.'),
};

const triedSchema = z
  .union([
    z.strictObject({ steps: z.array(batchStepSchema).min(1) }),
    z.strictObject(adhocRequestSchema.pick({ source: true, module: true, args: true }).shape),
    z.strictObject({
      import: z.strictObject(importRequestSchema.pick({ mutation: true, rows: true, keys: true }).shape),
    }),
    z.strictObject({
      promote: z.string().describe('A fork of the one that is asked, whose changes it would have.'),
      ...keepShape,
    }),
    z.strictObject({
      update: z.literal(true).describe('The fork that is asked is brought up to date.'),
      ...keepShape,
    }),
    z.strictObject({ pick: z.strictObject(pickRequestSchema.pick({ from: true, txn: true }).shape), ...keepShape }),
    z.strictObject({ undo: count.describe('A transaction in the history of the fork that is asked.') }),
    z.strictObject(saveSourcesRequestSchema.pick({ files: true, whole: true }).shape),
    z.strictObject({ undoPromotion: z.string().describe('A fork that has been promoted to the one that is asked.') }),
  ])
  .describe(
    'What is tried first, as by a dry run: steps of a batch, a mutation sent as text, an import, what is done with forks, or the saving of sources, by whose rules it is asked then. Asks about the facts as they would be, and keeps nothing.',
  );

export const explainRequestSchema = z
  .object({
    relation: z.string().describe('Qualified path of a relation, concept, define, field or check.'),
    tuple: z.array(z.unknown()).describe('One wire value per endpoint.'),
    given: z
      .object({ clause: z.number().int().min(0), values: membersSchema })
      .strict()
      .optional()
      .describe(
        'Where the tuple does not hold: values of variables of one of its clauses, which is then asked with these.',
      ),
    before: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('A transaction in the history of the fork: asks about the facts as they were before it.'),
    moduleHash: z
      .string()
      .optional()
      .describe(
        'The module that the running one has replaced, `from` of what it changed: asks about the facts as they were just before that, by its rules.',
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
