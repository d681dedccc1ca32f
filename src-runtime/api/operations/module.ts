/** The loaded module, its sources, and replacing it while the server runs. */

import { z } from 'zod';
import {
  artifactDocumentSchema,
  moduleChangeSchema,
  moduleInfoSchema,
  moduleSourcesSchema,
  saveSourcesRequestSchema,
  saveSourcesResultSchema,
  servedSchemaSchema,
} from '../schemas/module-schemas.js';
import { ARTIFACT, defineOperation, result } from './define-operation.js';
import { flag } from './parameters.js';

const reading = { runsOn: 'server', capability: null, writes: false } as const;
// Not a write, because a load is not a transaction. It waits for writers itself.
const loading = { runsOn: 'server', capability: 'reload', writes: false } as const;

export const module = {
  module: defineOperation({
    method: 'GET',
    path: '/v1/module',
    summary: 'The loaded module',
    ...reading,
    response: result(moduleInfoSchema),
  }),
  artifact: defineOperation({
    method: 'GET',
    path: '/v1/module/artifact',
    summary: 'The whole loaded artifact',
    description: 'As PUT /v1/module and `entail serve` take it.',
    ...reading,
    response: result(artifactDocumentSchema),
  }),
  schema: defineOperation({
    method: 'GET',
    path: '/v1/schema',
    summary: 'All declarations',
    ...reading,
    response: result(servedSchemaSchema),
  }),
  putModule: defineOperation({
    method: 'PUT',
    path: '/v1/module',
    summary: 'Hot reload with an artifact',
    description: 'The body is an artifact: the bytes that `entail build` writes.',
    ...loading,
    body: ARTIFACT,
    response: result(moduleInfoSchema),
  }),
  reloadModule: defineOperation({
    method: 'POST',
    path: '/v1/module/reload',
    summary: 'Reload the files that the server was started with',
    ...loading,
    response: result(moduleInfoSchema),
  }),
  sources: defineOperation({
    method: 'GET',
    path: '/v1/module/sources',
    summary: 'The source files as they are on disk',
    description:
      'A deleted file is listed with `deleted` and its last text; saving writes it again. A file that cannot be read is listed with the reason in `unreadable`; saving replaces it.',
    ...reading,
    response: result(moduleSourcesSchema),
  }),
  saveSources: defineOperation({
    method: 'PUT',
    path: '/v1/module/sources',
    summary: 'Save source files and reload the module',
    description:
      'Writes the files, then compiles and reloads. A text that does not compile is saved too: the response has reloaded: false and the diagnostics, and the prior module keeps serving. A dry run writes and reloads nothing; it returns what would change, or why it would be refused. With setAside, a scope whose facts do not fit the module is archived under another id and starts empty. With renames, the facts of renamed declarations keep their history; nothing is saved if the module does not fit.',
    ...loading,
    runsOn: 'scope',
    query: z.strictObject({ dryRun: flag(), setAside: flag() }),
    body: saveSourcesRequestSchema,
    response: result(saveSourcesResultSchema),
  }),
  moduleChange: defineOperation({
    method: 'GET',
    path: '/v1/module/change',
    summary: 'What the last load of a module changed',
    description:
      'Declarations that were added, removed or changed, and conclusions on main that changed. Null for the first module that the server loaded.',
    ...reading,
    runsOn: 'scope',
    response: result(moduleChangeSchema.nullable()),
  }),
};
