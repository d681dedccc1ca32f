/** What an explanation is asked of: a tuple, and the state that it is asked in. */

import { z } from 'zod';
import { batchStepSchema } from './batch-schemas.js';
import { adhocRequestSchema, jsonSchema } from './schemas.js';

export const explainRequestSchema = z
  .object({
    relation: z.string().describe('Qualified path of a relation, concept, define, field or check.'),
    tuple: z.array(z.unknown()).describe('One wire value per endpoint.'),
    given: z
      .object({ clause: z.number().int().min(0), values: z.record(z.string(), jsonSchema) })
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
    after: z
      .union([
        z.strictObject({ steps: z.array(batchStepSchema).min(1) }),
        z.strictObject(adhocRequestSchema.pick({ source: true, module: true, args: true }).shape),
      ])
      .optional()
      .describe(
        'Calls that are tried first, as by a dry run: steps of a batch, or one mutation sent as text. Asks about the facts as they would be, and keeps nothing.',
      ),
    context: z.record(z.string(), jsonSchema).optional(),
    fork: z.string().optional(),
  })
  .strict()
  .refine(({ after, before, moduleHash }) => after === undefined || (before ?? moduleHash) === undefined, {
    error: 'cannot have "after" beside "before" or "moduleHash"',
  })
  .meta({ id: 'ExplainRequest' });
export type ExplainRequest = z.input<typeof explainRequestSchema>;
