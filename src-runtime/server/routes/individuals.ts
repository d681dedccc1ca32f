/** Individuals as entities, all of a class or one by its id. */

import { z } from 'zod';
import { entitySchema, listSiblings, successSchema } from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import { listingShape, wishOf } from './listing.js';
import { type App, deadlineOf, frame, pagingOf, type ServerContext } from './server-context.js';

export function registerIndividuals(app: App, context: ServerContext): void {
  const { runtime } = context;

  app.get(
    '/v1/individuals',
    {
      schema: {
        summary: 'Entities',
        description: 'With a class, columns are `$id` and its stored fields; through a reference those of its class.',
        querystring: z.strictObject({
          class: z.string().optional().describe('Qualified path of a concept or define.'),
          ...listingShape,
        }),
        response: { 200: successSchema(z.array(entitySchema), listSiblings) },
      },
    },
    async (request) => {
      const wish = wishOf(request.query, ['labels']);
      const paging = pagingOf(context, request.query);
      const session = await runtime.enter(requestFrame(request));
      const page = await session.individuals(request.query.class, paging, deadlineOf(context, request), wish);
      return { ...page, ...frame(context, request) };
    },
  );

  app.get(
    '/v1/individuals/:id',
    {
      schema: {
        summary: 'One entity',
        params: z.object({ id: z.string().describe('`#i3`, or a declared name as `@module::name`.') }),
        response: { 200: successSchema(entitySchema) },
      },
    },
    async (request) => {
      const session = await runtime.enter(requestFrame(request));
      return {
        result: await session.individual(request.params.id, deadlineOf(context, request)),
        ...frame(context, request),
      };
    },
  );
}
