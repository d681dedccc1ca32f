/** Requests and responses of a batch: several calls in one transaction. */

import { z } from 'zod';
import { jsonSchema, membersSchema, mutationSiblings, requiredPath } from './schemas.js';

const callablePath = requiredPath.optional();

export const batchStepSchema = z
  .object({
    query: callablePath,
    mutation: callablePath,
    compute: callablePath,
    args: membersSchema
      .default({})
      .describe(
        'Arguments by parameter name; `{ "$step": 0 }` anywhere in them is replaced by the result of that step.',
      ),
  })
  .strict()
  .refine(
    ({ query, mutation, compute }) => [query, mutation, compute].filter((path) => path !== undefined).length === 1,
    { error: 'must have exactly one of query, mutation and compute', abort: true },
  )
  .meta({ id: 'BatchStep' });
export type BatchStep = z.output<typeof batchStepSchema>;

export const batchRequestSchema = z
  .object({
    steps: z.array(batchStepSchema),
    context: membersSchema.optional().describe('Context fields that headers do not carry.'),
    fork: z.string().optional(),
  })
  .strict()
  .meta({ id: 'BatchRequest' });
export type BatchRequest = z.input<typeof batchRequestSchema>;

/** The result of a step; the other fields only for a mutation. */
export const batchStepResultSchema = z
  .object({ result: jsonSchema, ...z.object(mutationSiblings).partial().shape })
  .meta({ id: 'BatchStepResult' });
export type BatchStepResult = z.infer<typeof batchStepResultSchema>;
