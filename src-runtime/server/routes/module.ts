/** The loaded module: what it is, and the two ways to replace it while the server runs. */

import { z } from 'zod';
import { artifactDocumentSchema, type ModuleInfo, moduleInfoSchema } from '../../api/schemas/module-schemas.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { ARTIFACT_CONTENT_TYPE } from '../http/body.js';
import { badRequest } from '../http/envelope.js';
import { type App, frame, type ServerContext } from './server-context.js';

const response = { 200: successSchema(moduleInfoSchema) };

export function registerModule(app: App, context: ServerContext): void {
  const { runtime, loader } = context;
  const info = (): ModuleInfo => ({ ...runtime.module(), held: loader.source?.isHeld ?? false });

  app.get('/v1/module', { schema: { summary: 'The loaded module', response } }, async (request) => ({
    result: info(),
    ...frame(context, request),
  }));

  app.get(
    '/v1/module/artifact',
    {
      schema: {
        summary: 'The loaded artifact, whole',
        description: 'As PUT /v1/module and `entail serve` take it.',
        response: { 200: successSchema(artifactDocumentSchema) },
      },
    },
    async (request) => ({ result: { ...runtime.artifact() }, ...frame(context, request) }),
  );

  app.put(
    '/v1/module',
    {
      config: { capability: 'reload', body: 'artifact' },
      schema: {
        summary: 'Hot reload with an artifact',
        description: 'The body is an artifact: the bytes that `entail build` writes.',
        consumes: [ARTIFACT_CONTENT_TYPE],
        body: z.unknown(),
        response,
      },
    },
    async (request) => {
      const { body } = request;
      if (!(body instanceof Uint8Array)) throw badRequest('The body is empty; send an artifact.');
      await loader.put(body);
      return { result: info(), ...frame(context, request) };
    },
  );

  app.post(
    '/v1/module/reload',
    {
      config: { capability: 'reload' },
      schema: { summary: 'Read again what the server was started with', response },
    },
    async (request) => {
      await loader.reload();
      return { result: info(), ...frame(context, request) };
    },
  );
}
