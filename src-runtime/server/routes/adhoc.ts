/** Runs queries, derives and mutations that are sent as text. */

import { z } from 'zod';
import {
  adhocRequestSchema,
  jsonSchema,
  mutationQueryShape,
  mutationSiblings,
  successSchema,
} from '../../api/schemas.js';
import { requestFrame } from '../request-frame.js';
import {
  type App,
  frame,
  mutateOptions,
  type Place,
  pacerOf,
  pagingOf,
  pagingShape,
  type ServerContext,
  wireWritten,
} from '../server-context.js';

export function registerAdhoc(app: App, context: ServerContext, { path: place, params }: Place): void {
  const { runtime } = context;

  app.post(
    `${place}/query/adhoc`,
    {
      schema: {
        summary: 'Run a query or a derive that is sent as text',
        params,
        body: adhocRequestSchema,
        querystring: z.strictObject(pagingShape),
        response: { 200: successSchema(jsonSchema, { nextCursor: z.string().optional() }) },
      },
    },
    async (request) => {
      const { source, args } = request.body;
      const paging = pagingOf(context, request.query);
      const pacer = pacerOf(context);
      runtime.prepareAdhoc('query', source);
      const session = await runtime.enter(requestFrame(request, request.body));
      return { ...(await session.queryAdhoc(source, args, paging, pacer)), ...frame(context, request) };
    },
  );

  app.post(
    `${place}/mutation/adhoc`,
    {
      schema: {
        summary: 'Run a mutation that is sent as text',
        params,
        body: adhocRequestSchema,
        querystring: z.strictObject(mutationQueryShape),
        response: { 200: successSchema(jsonSchema, mutationSiblings) },
      },
    },
    async (request) => {
      const { source, args } = request.body;
      const pacer = pacerOf(context);
      runtime.prepareAdhoc('mutation', source);
      const session = await runtime.enter(requestFrame(request, request.body));
      const answer = await session.mutateAdhoc(source, args, mutateOptions(request), pacer);
      return { ...wireWritten(answer), ...frame(context, request) };
    },
  );
}
