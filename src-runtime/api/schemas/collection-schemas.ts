/** The wire forms of collections: saved calls in plain files beside the module. */

import { z } from 'zod';
import { batchStepSchema } from './batch-schemas.js';
import { membersSchema, textsByName } from './schemas.js';
import { ADHOC_SOURCE_MAX, VARIABLE_NAME } from './wire-constants.js';

const path = z.string().min(1).describe('Qualified path of the callable.').optional();

/** One call with everything that it sends: a dispatch, an ad-hoc text or a batch. */
const savedCallSchema = z
  .strictObject({
    name: z.string().min(1).max(200).describe('The name in the list.'),
    note: z.string().max(10_000).optional(),
    query: path,
    mutation: path,
    compute: path,
    adhoc: z.string().min(1).max(ADHOC_SOURCE_MAX).describe('A query, derive or mutation as text.').optional(),
    module: z.string().min(1).describe('For a text: its module, if several are loaded.').optional(),
    steps: z.array(batchStepSchema).describe('For a batch.').optional(),
    args: membersSchema.optional(),
    context: textsByName().describe('Context fields to send.').optional(),
    fork: z.string().optional(),
    sets: textsByName(z.string().regex(VARIABLE_NAME))
      .optional()
      .describe('Variables for later calls in a run of the whole file, each by the path of its value: `result.$id`.'),
  })
  .refine(
    ({ query, mutation, compute, adhoc, steps }) =>
      [query, mutation, compute, adhoc, steps].filter((part) => part !== undefined).length === 1,
    { error: 'must have exactly one of query, mutation, compute, adhoc and steps', abort: true },
  )
  .refine(({ adhoc, module }) => module === undefined || adhoc !== undefined, {
    error: 'has a module only beside an adhoc text',
  })
  .meta({ id: 'SavedCall' });
export type SavedCall = z.infer<typeof savedCallSchema>;

/** The whole content of a `*.calls.json`. */
export const collectionFileSchema = z.strictObject({
  format: z.literal('entail-calls'),
  formatVersion: z.literal(1),
  calls: z.array(savedCallSchema).max(10_000),
});
export type CollectionFile = z.infer<typeof collectionFileSchema>;

/** If a file cannot be read as a collection, `problem` says why, and there are no calls. */
export const collectionSchema = z
  .object({
    name: z.string().describe('The name of the file, without `.calls.json`.'),
    revision: z.string().describe("The revision of the file's content; send it back to replace the file."),
    calls: z.array(savedCallSchema),
    problem: z.string().optional(),
  })
  .meta({ id: 'Collection' });
export type Collection = z.infer<typeof collectionSchema>;

export const collectionsSchema = z.object({ collections: z.array(collectionSchema) });
export type Collections = z.infer<typeof collectionsSchema>;

export const saveCollectionRequestSchema = z
  .strictObject({
    calls: z.array(savedCallSchema).max(10_000),
    revision: z.string().nullable().describe('The revision that was read; null for a new file.'),
  })
  .meta({ id: 'SaveCollectionRequest' });
export type SaveCollectionRequest = z.input<typeof saveCollectionRequestSchema>;
