/** Environments, kept as plain files beside the module. */

import { z } from 'zod';
import { fileNameSchema } from '../../api/file-names.js';
import {
  environmentSchema,
  environmentsSchema,
  saveEnvironmentRequestSchema,
} from '../../api/schemas/environment-schemas.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { createEnvironmentStore } from '../modules/environments.js';
import { type App, frame, type ServerContext } from './server-context.js';

const params = z.object({ name: fileNameSchema });

export function registerEnvironments(app: App, context: ServerContext): void {
  const environments = createEnvironmentStore(context.loader.source?.folder);

  app.get(
    '/v1/module/environments',
    {
      schema: {
        summary: 'The environments beside the module',
        description: 'Every NAME.environment.json in the folder of the module, by name; 200 at most.',
        response: { 200: successSchema(environmentsSchema) },
      },
    },
    async (request) => ({ result: { environments: await environments.list() }, ...frame(context, request) }),
  );

  app.put(
    '/v1/module/environments/:name',
    {
      config: { capability: 'reload' },
      schema: {
        summary: 'Save an environment',
        description: 'Writes the file whole. One that changed since it was read is left alone.',
        params,
        body: saveEnvironmentRequestSchema,
        response: { 200: successSchema(environmentSchema) },
      },
    },
    async (request) => {
      const { variables, revision } = request.body;
      return { result: await environments.save(request.params.name, variables, revision), ...frame(context, request) };
    },
  );

  app.delete(
    '/v1/module/environments/:name',
    {
      config: { capability: 'reload' },
      schema: {
        summary: 'Delete an environment',
        params,
        querystring: z.strictObject({ revision: z.string() }),
        response: { 200: successSchema(z.null()) },
      },
    },
    async (request) => {
      await environments.remove(request.params.name, request.query.revision);
      return { result: null, ...frame(context, request) };
    },
  );
}
