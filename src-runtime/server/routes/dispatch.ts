/** Invokes declared public callables: queries, mutations and pure functions. */

import { dispatchRequestSchema, jsonSchema, successSchema } from '../../api/schemas/schemas.js';
import { andThen } from '../../base/ports.js';
import { requestFrame } from '../http/request-frame.js';
import { mutateOptions, mutationCall, queryCall, wireWritten } from './call-schemas.js';
import { type App, deadlineOf, frame, type Place, pagingOf, type ServerContext } from './server-context.js';

export function registerDispatch(app: App, context: ServerContext, { path: place, params }: Place): void {
  const { runtime } = context;

  app.post(
    `${place}/dispatch/query`,
    {
      schema: {
        summary: 'Run a query',
        params,
        body: dispatchRequestSchema,
        ...queryCall,
      },
    },
    // Most answers are there at once, and a promise on the way would cost a good part of what they do.
    (request) => {
      const { path, args } = request.body;
      const paging = pagingOf(context, request.query);
      const session = runtime.enter(requestFrame(request, request.body));
      const page = andThen(session, (entered) => entered.query(path, args, paging, deadlineOf(context, request)));
      return andThen(page, ({ result, nextCursor }) => ({ result, nextCursor, ...frame(context, request) }));
    },
  );

  app.post(
    `${place}/dispatch/mutation`,
    {
      schema: {
        summary: 'Run a mutation',
        params,
        body: dispatchRequestSchema,
        ...mutationCall,
      },
    },
    async (request) => {
      const { path, args } = request.body;
      const session = await runtime.enter(requestFrame(request, request.body));
      const answer = await session.mutate(path, args, mutateOptions(request), deadlineOf(context, request));
      return { ...wireWritten(answer), ...frame(context, request) };
    },
  );

  app.post(
    `${place}/dispatch/compute`,
    {
      schema: {
        summary: 'Evaluate a function',
        params,
        body: dispatchRequestSchema,
        response: { 200: successSchema(jsonSchema) },
      },
    },
    async (request) => {
      const { path, args } = request.body;
      const session = await runtime.enter(requestFrame(request, request.body));
      return { result: await session.compute(path, args, deadlineOf(context, request)), ...frame(context, request) };
    },
  );
}
