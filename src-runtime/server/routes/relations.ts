/** The tuples of a stored or derived relation. */

import { z } from 'zod';
import { factSchema, successSchema } from '../../api/schemas.js';
import { requestFrame } from '../request-frame.js';
import { type App, frame, pacerOf, pagingOf, pagingShape, type ServerContext } from '../server-context.js';

export function registerRelations(app: App, context: ServerContext): void {
  app.get(
    '/v1/relations/:path',
    {
      schema: {
        summary: 'Facts of one relation',
        params: z.object({ path: z.string().describe('Qualified path.') }),
        querystring: z.strictObject(pagingShape),
        response: { 200: successSchema(z.array(factSchema), { nextCursor: z.string().optional() }) },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await context.runtime.enter(requestFrame(request));
      const page = await session.relation(request.params.path, paging, pacerOf(context));
      return { ...page, ...frame(context, request) };
    },
  );
}
