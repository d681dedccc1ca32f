/** What is stored about one individual, what follows about it, and why. */

import { z } from 'zod';
import { explanationSchema } from '../../api/schemas/explanation-schemas.js';
import { factSchema, listedFactSchema, successSchema } from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import { proofsShape } from './explain.js';
import { type App, deadlineOf, frame, pagingOf, pagingShape, type ServerContext } from './server-context.js';

const params = z.object({ id: z.string().describe('`#i3`, or a declared name as `@module::name`.') });
const querystring = z.strictObject(pagingShape);
const more = { nextCursor: z.string().optional() };

export function registerMentions(app: App, context: ServerContext): void {
  app.get(
    '/v1/stored/individuals/:id',
    {
      schema: {
        summary: 'The stored facts that mention an individual',
        description: 'Each says whether the module declares it or a transaction stored it.',
        params,
        querystring,
        response: { 200: successSchema(z.array(listedFactSchema), more) },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await context.runtime.enter(requestFrame(request));
      const page = await session.storedMentions(request.params.id, paging, deadlineOf(context, request));
      return { ...page, ...frame(context, request) };
    },
  );

  app.get(
    '/v1/derived/individuals/:id',
    {
      schema: {
        summary: 'The derived facts that mention an individual',
        params,
        querystring,
        response: { 200: successSchema(z.array(factSchema), more) },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await context.runtime.enter(requestFrame(request));
      const page = await session.mentions(request.params.id, paging, deadlineOf(context, request));
      return { ...page, ...frame(context, request) };
    },
  );

  app.get(
    '/v1/derived/individuals/:id/explain',
    {
      schema: {
        summary: 'The proofs of the derived facts that mention an individual',
        description: 'The proofs share the node limit; one that it cuts says so.',
        params,
        querystring: querystring.extend(proofsShape),
        response: { 200: successSchema(z.array(explanationSchema), more) },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await context.runtime.enter(requestFrame(request));
      const wish = { proofs: Number(request.query.proofs) };
      const page = await session.explainMentions(request.params.id, paging, deadlineOf(context, request), wish);
      return { ...page, ...frame(context, request) };
    },
  );
}
