/** Runs several calls as one transaction. */

import { z } from 'zod';
import { batchRequestSchema, batchStepResultSchema } from '../../api/schemas/batch-schemas.js';
import { mutationQueryShape, successSchema } from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import { mutateOptions, requireBatchSteps } from './call-schemas.js';
import { type App, deadlineOf, frame, type Place, type ServerContext } from './server-context.js';

export function registerBatch(app: App, context: ServerContext, { path: place, params }: Place): void {
  app.post(
    `${place}/batch`,
    {
      schema: {
        summary: 'Run queries, mutations and functions as one transaction',
        params,
        body: batchRequestSchema,
        querystring: z.strictObject(mutationQueryShape),
        response: { 200: successSchema(z.array(batchStepResultSchema)) },
      },
    },
    async (request) => {
      const { steps } = request.body;
      requireBatchSteps(context, steps, '$.steps');
      const session = await context.runtime.enter(requestFrame(request, request.body));
      const options = mutateOptions(request);
      return {
        result: await session.batch(steps, options, deadlineOf(context, request)),
        ...frame(context, request),
      };
    },
  );
}
