/** Collections of calls, kept as plain files beside the module. */

import { z } from 'zod';
import { fileNameSchema } from '../../api/file-names.js';
import {
  collectionSchema,
  collectionsSchema,
  saveCollectionRequestSchema,
} from '../../api/schemas/collection-schemas.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { createCollectionStore } from '../modules/collections.js';
import { type App, frame, type ServerContext } from './server-context.js';

const params = z.object({ name: fileNameSchema });

export function registerCollections(app: App, context: ServerContext): void {
  const collections = createCollectionStore(context.loader.source?.folder);

  app.get(
    '/v1/module/collections',
    {
      schema: {
        summary: 'The collections of calls beside the module',
        description: 'Every NAME.calls.json in the folder of the module, by name; 200 at most.',
        response: { 200: successSchema(collectionsSchema) },
      },
    },
    async (request) => ({ result: { collections: await collections.list() }, ...frame(context, request) }),
  );

  app.put(
    '/v1/module/collections/:name',
    {
      config: { capability: 'reload' },
      schema: {
        summary: 'Save a collection',
        description: 'Writes the file whole. One that changed since it was read is left alone.',
        params,
        body: saveCollectionRequestSchema,
        response: { 200: successSchema(collectionSchema) },
      },
    },
    async (request) => {
      const { calls, revision } = request.body;
      return { result: await collections.save(request.params.name, calls, revision), ...frame(context, request) };
    },
  );

  app.delete(
    '/v1/module/collections/:name',
    {
      config: { capability: 'reload' },
      schema: {
        summary: 'Delete a collection',
        params,
        querystring: z.strictObject({ revision: z.string() }),
        response: { 200: successSchema(z.null()) },
      },
    },
    async (request) => {
      await collections.remove(request.params.name, request.query.revision);
      return { result: null, ...frame(context, request) };
    },
  );
}
