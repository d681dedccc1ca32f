/** Runs one mutation for many rows of arguments as one transaction. */

import { z } from 'zod';
import { importRequestSchema, importSiblings, importSummarySchema } from '../../api/schemas/import-schemas.js';
import { mutationQueryShape, successSchema } from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import { mutateOptions } from './call-schemas.js';
import { type App, deadlineOf, frame, type Place, type ServerContext } from './server-context.js';

export function registerImport(app: App, context: ServerContext, { path: place, params }: Place): void {
  app.post(
    `${place}/import`,
    {
      schema: {
        summary: 'Run one mutation for many rows as one transaction',
        description:
          'All rows or none. A failure has the code of the first row that fails, and tells of the others in `details.failures`.',
        params,
        body: importRequestSchema,
        querystring: z.strictObject(mutationQueryShape),
        response: { 200: successSchema(importSummarySchema, importSiblings) },
      },
    },
    async (request) => {
      const { mutation, rows, keys = {} } = request.body;
      const session = await context.runtime.enter(requestFrame(request, request.body));
      const options = { ...mutateOptions(request), keys };
      const { warnings, ...answer } = await session.import(mutation, rows, options, deadlineOf(context, request));
      return { ...answer, warnings: [...warnings], ...frame(context, request) };
    },
  );
}
