/** Individuals as entities, all of a class or one by its id. */

import { z } from 'zod';
import { entitySchema, successSchema } from '../../api/schemas.js';
import { requestFrame } from '../request-frame.js';
import { type App, frame, pacerOf, pagingOf, pagingShape, type ServerContext } from '../server-context.js';

export function registerIndividuals(app: App, context: ServerContext): void {
  const { runtime } = context;

  app.get(
    '/v1/individuals',
    {
      schema: {
        summary: 'Entities',
        querystring: z.strictObject({
          class: z.string().optional().describe('Qualified path of a concept or define.'),
          ...pagingShape,
        }),
        response: { 200: successSchema(z.array(entitySchema), { nextCursor: z.string().optional() }) },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await runtime.enter(requestFrame(request));
      const page = await session.individuals(request.query.class, paging, pacerOf(context));
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
      return { result: await session.individual(request.params.id, pacerOf(context)), ...frame(context, request) };
    },
  );
}
