/** What every route is handed: the runtime, and the few things that all answers have in common. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Capability } from '../../api/schemas/health-schemas.js';
import { membersSchema } from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import type { Paging } from '../../world/contract/requests.js';
import type { Runtime } from '../../world/contract/runtime.js';
import type { BodyKind } from '../http/body.js';
import { cancellationOf, createDeadline, createTimeBudget, type TimeBudget } from '../http/deadline.js';
import { badRequest } from '../http/envelope.js';
import type { RequestLog } from '../log/request-log.js';
import type { ModuleLoader } from '../modules/loader.js';
import type { ServerSettings } from '../options.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    capability?: Capability;
    body?: BodyKind;
  }
  interface FastifyRequest {
    /** What its token carries; not set outside the API, where none is asked for. */
    carried: readonly Capability[];
  }
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface ServerContext {
  readonly runtime: Runtime;
  readonly loader: ModuleLoader;
  readonly settings: ServerSettings;
  readonly requests: RequestLog;
  readonly startedAtMs: number;
}

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
