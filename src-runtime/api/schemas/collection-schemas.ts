/** The wire forms of collections: saved calls in plain files beside the module. */

import { z } from 'zod';
import { batchStepSchema } from './batch-schemas.js';
import { membersSchema, textsByName } from './schemas.js';
import { ADHOC_SOURCE_MAX, VARIABLE_NAME } from './wire-constants.js';

const path = z.string().min(1).describe('Qualified path of the callable.').optional();

/** One call with everything that it sends: a dispatch, an ad-hoc text or a batch. */
const savedCallSchema = z
  .strictObject({
    name: z.string().min(1).max(200).describe('What it is called in the list.'),
    note: z.string().max(10_000).optional(),
    query: path,
    mutation: path,
    compute: path,
    adhoc: z.string().min(1).max(ADHOC_SOURCE_MAX).describe('A query, derive or mutation as text.').optional(),
    module: z.string().min(1).describe('Of a text: the module that it stands in, of several.').optional(),
    steps: z.array(batchStepSchema).describe('Of a batch.').optional(),
    args: membersSchema.optional(),
    context: textsByName().describe('Context fields that it is sent with.').optional(),
    fork: z.string().optional(),
    sets: textsByName(z.string().regex(VARIABLE_NAME))
      .optional()
      .describe(
        'Variables for the calls after it in a run of the whole file, each by the path of its value: `result.$id`.',
      ),
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
    name: z.string().describe('The name of its file, without `.calls.json`.'),
    revision: z.string().describe('Names the content of the file; goes back with what replaces it.'),
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
    revision: z.string().nullable().describe('That of the file as it was read; null for one that does not exist yet.'),
  })
  .meta({ id: 'SaveCollectionRequest' });
export type SaveCollectionRequest = z.input<typeof saveCollectionRequestSchema>;
