/** Deriving a fork: every rule evaluated, what that found and took, and its trace. */

import { z } from 'zod';
import { derivedProjectionSchema, deriveTraceEntrySchema } from '../../api/schemas/fork-schemas.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import {
  type App,
  deadlineOf,
  frame,
  pagingOf,
  pagingShape,
  forkParams as params,
  placeBody,
  type ServerContext,
} from './server-context.js';

export function registerDerive(app: App, context: ServerContext): void {
  const response = { 200: successSchema(derivedProjectionSchema) };
  app.post(
    '/v1/forks/:fork/derive',
    {
      schema: {
        summary: 'Evaluate every rule and keep what that found',
        description: 'The body may be left out.',
        params,
        body: placeBody,
        response,
      },
    },
    async (request) => {
      const session = await context.runtime.enter(requestFrame(request, request.body ?? {}));
      return { result: await session.derive(deadlineOf(context, request)), ...frame(context, request) };
    },
  );
  app.get(
    '/v1/forks/:fork/derived',
    { schema: { summary: 'What the last derive found', params, response } },
    async (request) => {
      const session = await context.runtime.enter(requestFrame(request));
      return { result: await session.derived(), ...frame(context, request) };
    },
  );
  app.get(
    '/v1/forks/:fork/derive/trace',
    {
      schema: {
        summary: 'The last derive, round by round',
        params,
        querystring: z.strictObject(pagingShape),
        response: {
          200: successSchema(z.array(deriveTraceEntrySchema), {
            cut: z.boolean().describe('Only the first runs were kept.'),
            nextCursor: z.string().optional(),
          }),
        },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await context.runtime.enter(requestFrame(request));
      return { ...(await session.deriveTrace(paging, deadlineOf(context, request))), ...frame(context, request) };
    },
  );
}
