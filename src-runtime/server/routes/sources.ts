/**
 * The sources that the server was started with, for the workbench to edit. They are saved where they were read; no other
 * file of the machine can be named.
 */

import { ApiError } from '../../api/errors.js';
import {
  moduleSourcesSchema,
  saveSourcesRequestSchema,
  saveSourcesResultSchema,
  successSchema,
} from '../../api/schemas.js';
import { SourceFileError } from '../module-source.js';
import { type App, frame, type ServerContext } from '../server-context.js';

export function registerSources(app: App, context: ServerContext): void {
  const { loader } = context;

  app.get(
    '/v1/module/sources',
    {
      schema: {
        summary: 'The source files as they are on disk',
        response: { 200: successSchema(moduleSourcesSchema) },
      },
    },
    async (request) => {
      try {
        return { result: { files: [...((await loader.source?.read()) ?? [])] }, ...frame(context, request) };
      } catch (cause) {
        if (!(cause instanceof SourceFileError)) throw cause;
        throw new ApiError(
          'SVC_RUNTIME_STORAGE_ERROR',
          'A source file cannot be read; bring it back, the log says which.',
          {},
          { cause },
        );
      }
    },
  );

  app.put(
    '/v1/module/sources',
    {
      config: { capability: 'reload' },
      schema: {
        summary: 'Save source files and reload the module',
        description:
          'Writes the files, then compiles and reloads. A text that does not compile is saved all the same and answered with reloaded: false and its diagnostics; the prior module keeps serving.',
        body: saveSourcesRequestSchema,
        response: { 200: successSchema(saveSourcesResultSchema) },
      },
    },
    async (request) => ({ result: await loader.save(request.body.files), ...frame(context, request) }),
  );
}
