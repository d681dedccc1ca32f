/**
 * The sources that the server was started with, for the workbench to edit. They are saved where they were read; no other
 * file of the machine can be named.
 */

import { z } from 'zod';
import {
  moduleChangeSchema,
  moduleSourcesSchema,
  saveSourcesRequestSchema,
  saveSourcesResultSchema,
} from '../../api/schemas/module-schemas.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import type { SourceOnDisk } from '../modules/module-source.js';
import { type App, frame, type ServerContext } from './server-context.js';

export function registerSources(app: App, context: ServerContext): void {
  const { loader, runtime } = context;

  /** Of a file that this server never read, the module that was loaded last has the text. */
  function withLoadedText(source: SourceOnDisk): SourceOnDisk {
    if ((source.deleted === undefined && source.unreadable === undefined) || source.text !== '') return source;
    const loaded = runtime.module().sources.find(({ file }) => file === source.file);
    return { ...source, text: loaded?.text ?? '' };
  }

  app.get(
    '/v1/module/sources',
    {
      schema: {
        summary: 'The source files as they are on disk',
        description:
          'A file that does not exist any more is listed with `deleted` and its last text. Saving it writes it again. One that exists and cannot be read is listed with the reason in `unreadable`; saving it replaces it.',
        response: { 200: successSchema(moduleSourcesSchema) },
      },
    },
    async (request) => {
      const files = (await loader.source?.readOrDeleted()) ?? [];
      return { result: { files: files.map(withLoadedText) }, ...frame(context, request) };
    },
  );

  app.get(
    '/v1/module/change',
    {
      schema: {
        summary: 'What the last load of a module changed',
        description:
          'Declarations that came, went and differ, and what is derived on main that did; null for the first module that the server loaded.',
        response: { 200: successSchema(moduleChangeSchema.nullable()) },
      },
    },
    async (request) => ({ result: await runtime.moduleChange(requestFrame(request)), ...frame(context, request) }),
  );

  app.put(
    '/v1/module/sources',
    {
      config: { capability: 'reload' },
      schema: {
        summary: 'Save source files and reload the module',
        description:
          'Writes the files, then compiles and reloads. A text that does not compile is saved all the same and answered with reloaded: false and its diagnostics; the prior module keeps serving. A dry run writes and reloads nothing, and tells what doing so would change or why it would be refused. With setAside, a scope whose facts the module does not fit is kept under another id and begins empty, instead of a refusal. With renames, facts of what is only called otherwise come along, with all their history; nothing is saved then where the module does not fit.',
        querystring: z.strictObject({
          dryRun: z.enum(['true', 'false']).default('false'),
          setAside: z.enum(['true', 'false']).default('false'),
        }),
        body: saveSourcesRequestSchema,
        response: { 200: successSchema(saveSourcesResultSchema) },
      },
    },
    async (request) => {
      const { files, renames, whole = false } = request.body;
      const at = requestFrame(request);
      const isDry = request.query.dryRun === 'true';
      const result = isDry
        ? await loader.preview(files, at, { isWhole: whole, ...(renames && { renames }) })
        : await loader.save(files, at, {
            isWhole: whole,
            setAside: request.query.setAside === 'true',
            ...(renames && { renames }),
          });
      return { result, ...frame(context, request) };
    },
  );
}
