/**
 * The registry of error codes, for clients that explain a code. It is as long as it is for everybody, so that the row cap, which
 * bounds what is read of facts, does not keep it from being read whole.
 */

import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ERROR_CODES, ERROR_REGISTRY } from '../../api/errors.js';
import { errorRowSchema } from '../../api/schemas/health-schemas.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { createCursors } from '../../world/state/cursor.js';
import { type App, frame, pagingOf, pagingShape, type ServerContext } from './server-context.js';

export function registerErrors(app: App, context: ServerContext): void {
  const rows = ERROR_CODES.map((code) => ({ code, ...ERROR_REGISTRY[code] }));
  const cursors = createCursors(randomBytes(32));
  const asked = '/v1/errors';

  app.get(
    asked,
    {
      schema: {
        summary: 'All error codes',
        // Not strict: a list that anybody may ask for takes what it always took.
        querystring: z.object(pagingShape),
        response: { 200: successSchema(z.array(errorRowSchema), { nextCursor: z.string().optional() }) },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const start = paging.page === undefined ? 0 : Number(cursors.read(asked, paging.page));
      const end = start + (paging.limit ?? rows.length);
      return {
        result: rows.slice(start, end),
        ...(end < rows.length && { nextCursor: cursors.issue(asked, end) }),
        ...frame(context, request),
      };
    },
  );
}
