/** What every route is handed: the runtime, and the few things that all answers have in common. */

import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { membersSchema } from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import type { Paging } from '../../world/contract/requests.js';
import { badRequest } from '../http/envelope.js';
import { type TimeBudget, cancellationOf, createTimeBudget, createDeadline } from '../http/deadline.js';

export type { App, ServerContext } from '../operations/call.js';

import type { ServerContext } from '../operations/call.js';

/** Where a route that runs on a fork is found: plain, for `main` or the fork of a header, and under the fork's own path. */
export interface Place {
  readonly path: '/v1' | '/v1/forks/:fork';
  readonly params: typeof plainParams | typeof forkParams;
}

const plainParams = z.object({});
export const forkParams = z.object({ fork: z.string().describe('Id of a fork; `main` always is one.') });

export const PLACES: readonly Place[] = [
  { path: '/v1', params: plainParams },
  { path: '/v1/forks/:fork', params: forkParams },
];

/** The body of a request that needs none, but may say there where it runs. */
export const placeBody = z.strictObject({ context: membersSchema.optional(), fork: z.string().optional() }).nullish();

/** The members that every success body has beside its result. */
export function frame({ runtime }: ServerContext, request: FastifyRequest): { requestId: string; moduleHash: string } {
  return { requestId: request.id, moduleHash: runtime.moduleHash };
}

/** The budget of the request that is about to be worked on. It ends early where the client disconnects. */
export function deadlineOf({ settings }: ServerContext, request: FastifyRequest): Deadline {
  return createDeadline(settings.limits.timeoutMs, { isCancelled: cancellationOf(request) });
}

/** The same, to be given out in parts. */
export function timeBudgetOf({ settings }: ServerContext, request: FastifyRequest): TimeBudget {
  return createTimeBudget(settings.limits.timeoutMs, cancellationOf(request));
}

export const pagingShape = {
  limit: z
    .string()
    .regex(/^[0-9]{1,15}$/, 'must be a whole number')
    .optional()
    .describe('Rows in one page.'),
  page: z.string().optional().describe('The nextCursor of the page before.'),
};

interface PagingQuery {
  readonly limit?: string | undefined;
  readonly page?: string | undefined;
}

export function pagingOf({ settings }: ServerContext, { limit, page }: PagingQuery): Paging {
  const rows = limit === undefined ? undefined : Number(limit);
  if (rows !== undefined && (rows < 1 || rows > settings.limits.rows)) {
    throw badRequest(`Expected a number from 1 to ${settings.limits.rows}, got ${limit} ($.limit).`, {
      path: '$.limit',
    });
  }
  return { limit: rows, page };
}
