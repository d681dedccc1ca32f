/** A scope exported whole, page by page. */

import { z } from 'zod';
import { snapshotSchema } from '../../api/schemas/fork-schemas.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import { type App, deadlineOf, frame, pagingOf, pagingShape, type ServerContext } from './server-context.js';

export function registerSnapshot(app: App, context: ServerContext): void {
  app.get(
    '/v1/snapshot',
    {
      schema: {
        summary: 'Schema and facts of the scope',
        querystring: z.strictObject({
          include: z.literal('derived').optional().describe('Also what follows from the stored facts.'),
          ...pagingShape,
        }),
        response: { 200: successSchema(snapshotSchema, { nextCursor: z.string().optional() }) },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await context.runtime.enter(requestFrame(request));
      const options = { derived: request.query.include === 'derived' };
      return { ...(await session.snapshot(options, paging, deadlineOf(context, request))), ...frame(context, request) };
    },
  );
}
