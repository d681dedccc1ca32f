/** The tuples of a stored or derived relation, and how many of them there are. */

import { z } from 'zod';
import { listedFactSchema, listSiblings, relationCountSchema, successSchema } from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import { listingShape, wishOf } from './listing.js';
import { type App, deadlineOf, frame, pagingOf, type ServerContext } from './server-context.js';

export function registerRelations(app: App, context: ServerContext): void {
  app.get(
    '/v1/relations/:path',
    {
      schema: {
        summary: 'Facts of one relation',
        description:
          'Columns are the endpoints and, through a reference, the stored fields of its class: `tenant.name`.',
        params: z.object({ path: z.string().describe('Qualified path.') }),
        querystring: z.strictObject(listingShape),
        response: { 200: successSchema(z.array(listedFactSchema), listSiblings) },
      },
    },
    async (request) => {
      const wish = wishOf(request.query, ['labels', 'origin']);
      const paging = pagingOf(context, request.query);
      const session = await context.runtime.enter(requestFrame(request));
      const page = await session.relation(request.params.path, paging, deadlineOf(context, request), wish);
      return { ...page, ...frame(context, request) };
    },
  );

  app.get(
    '/v1/counts',
    {
      schema: {
        summary: 'How many facts each relation, class, field and check has',
        description: 'Evaluates nothing: what is derived is counted as far as something has evaluated it before.',
        querystring: z.strictObject({}),
        response: { 200: successSchema(z.array(relationCountSchema)) },
      },
    },
    async (request) => {
      const session = await context.runtime.enter(requestFrame(request));
      return { result: await session.counts(), ...frame(context, request) };
    },
  );
}
