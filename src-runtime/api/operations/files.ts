/** Files beside the module: collections of calls, and environments. */

import { z } from 'zod';
import { fileNameSchema } from '../file-names.js';
import { collectionSchema, collectionsSchema, saveCollectionRequestSchema } from '../schemas/collection-schemas.js';
import { environmentSchema, environmentsSchema, saveEnvironmentRequestSchema } from '../schemas/environment-schemas.js';
import { defineOperation, result } from './define-operation.js';

const params = z.object({ name: fileNameSchema });
const query = z.strictObject({ revision: z.string() });
const reading = { runsOn: 'server', capability: null, writes: false } as const;
const saving = { runsOn: 'server', capability: 'reload', writes: false } as const;

export const files = {
  collections: defineOperation({
    method: 'GET',
    path: '/v1/module/collections',
    summary: 'The collections of calls beside the module',
    description: 'Every NAME.calls.json in the folder of the module, by name; 200 at most.',
    ...reading,
    response: result(collectionsSchema),
  }),
  saveCollection: defineOperation({
    method: 'PUT',
    path: '/v1/module/collections/:name',
    summary: 'Save a collection',
    description: 'Writes the whole file, unless it has changed since it was read.',
    ...saving,
    params,
    body: saveCollectionRequestSchema,
    response: result(collectionSchema),
  }),
  deleteCollection: defineOperation({
    method: 'DELETE',
    path: '/v1/module/collections/:name',
    summary: 'Delete a collection',
    ...saving,
    params,
    query,
    response: result(z.null()),
  }),
  environments: defineOperation({
    method: 'GET',
    path: '/v1/module/environments',
    summary: 'The environments beside the module',
    description: 'Every NAME.environment.json in the folder of the module, by name; 200 at most.',
    ...reading,
    response: result(environmentsSchema),
  }),
  saveEnvironment: defineOperation({
    method: 'PUT',
    path: '/v1/module/environments/:name',
    summary: 'Save an environment',
    description: 'Writes the whole file, unless it has changed since it was read.',
    ...saving,
    params,
    body: saveEnvironmentRequestSchema,
    response: result(environmentSchema),
  }),
  deleteEnvironment: defineOperation({
    method: 'DELETE',
    path: '/v1/module/environments/:name',
    summary: 'Delete an environment',
    ...saving,
    params,
    query,
    response: result(z.null()),
  }),
};
