/** The firings of checks as they stand now, and how many each check has. */

import { z } from 'zod';
import { checkStateSchema, firingSchema, successSchema } from '../../api/schemas/schemas.js';
import { requestFrame } from '../http/request-frame.js';
import {
  type App,
  deadlineOf,
  frame,
  type Place,
  pagingOf,
  pagingShape,
  type ServerContext,
  timeBudgetOf,
} from './server-context.js';

export function registerChecks(app: App, context: ServerContext, { path, params }: Place): void {
  app.get(
    `${path}/checks`,
    {
      schema: {
        summary: 'Current firings',
        params,
        querystring: z.strictObject({ check: z.string().optional().describe('Qualified path.'), ...pagingShape }),
        response: { 200: successSchema(z.array(firingSchema), { nextCursor: z.string().optional() }) },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await context.runtime.enter(requestFrame(request));
      const page = await session.checks(request.query.check, paging, deadlineOf(context, request));
      return { ...page, ...frame(context, request) };
    },
  );

  app.get(
    `${path}/checks/states`,
    {
      schema: {
        summary: 'How often each check fires',
        description:
          'Every check, those that hold for everything too. One that cannot be evaluated tells its failure beside the others.',
        params,
        querystring: z.strictObject(pagingShape),
        response: { 200: successSchema(z.array(checkStateSchema), { nextCursor: z.string().optional() }) },
      },
    },
    async (request) => {
      const paging = pagingOf(context, request.query);
      const session = await context.runtime.enter(requestFrame(request));
      const page = await session.checkStates(paging, timeBudgetOf(context, request).half);
      return { ...page, ...frame(context, request) };
    },
  );
}
