/** The log of requests: the last ones that this server answered, and each with its bodies. */

import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ApiError } from '../../api/errors.js';
import {
  type RequestFilter,
  type RequestSummary,
  requestDetailSchema,
  requestFilterShape,
  requestListSiblings,
  requestSummarySchema,
} from '../../api/schemas/request-log.js';
import { successSchema } from '../../api/schemas/schemas.js';
import { createCursors } from '../../world/state/cursor.js';
import { badRequest } from '../http/envelope.js';
import type { StreamFeed } from '../http/event-stream.js';
import type { RequestLog } from '../log/request-log.js';
import { createLiveStreams, lastEventId, wantsStream } from '../operations/live-streams.js';
import { type App, frame, pagingOf, pagingShape, type ServerContext } from './server-context.js';

export function registerRequests(app: App, context: ServerContext): void {
  const { requests, settings } = context;
  const cursors = createCursors(randomBytes(32));
  const streams = createLiveStreams(app, context.runtime);

  app.get(
    '/v1/requests',
    {
      schema: {
        summary: 'The last requests, newest first',
        description:
          'Those that this server answered since it started, as many as it keeps. With "Accept: text/event-stream" those that end from now on, as they end, or those after the one that the header Last-Event-ID names; the id of a message is the seq of its request. Reading this log is not logged.',
        querystring: z.strictObject({
          ...requestFilterShape,
          after: z
            .string()
            .regex(/^[0-9]{1,15}$/, 'must be a whole number')
            .optional()
            .describe('Only those with a higher seq.'),
          ...pagingShape,
        }),
        response: {
          200: {
            content: {
              'application/json': {
                schema: successSchema(z.array(requestSummarySchema), {
                  ...requestListSiblings,
                  nextCursor: z.string().optional(),
                }),
              },
              'text/event-stream': { schema: z.string() },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { limit, page, after, ...filter } = request.query;
      if (wantsStream(request, ['limit', 'page', 'after'])) {
        return streams.send(request, reply, feedOf(requests, filter, lastEventId(request, 'request')));
      }
      const paging = pagingOf(context, { limit, page });
      const bound = ['/v1/requests', JSON.stringify({ after, ...filter })];
      const beforeSeq = page === undefined ? Number.POSITIVE_INFINITY : Number(cursors.read(bound, page));
      const rowsMax = paging.limit ?? settings.limits.rows;
      const result: RequestSummary[] = [];
      let nextCursor: string | undefined;
      for (const row of requests.list(filter, { beforeSeq, afterSeq: Number(after ?? 0) })) {
        if (result.length === rowsMax) {
          if (limit === undefined && page === undefined) throw tooMany(rowsMax);
          nextCursor = cursors.issue(bound, result.at(-1)?.seq ?? 0);
          break;
        }
        result.push(row);
      }
      return {
        result,
        ...(nextCursor !== undefined && { nextCursor }),
        log: requests.state,
        ...frame(context, request),
      };
    },
  );

  app.get(
    '/v1/requests/:requestId',
    {
      schema: {
        summary: 'One request with its bodies',
        params: z.object({ requestId: z.string() }),
        response: { 200: successSchema(requestDetailSchema) },
      },
    },
    async (request) => {
      const found = requests.find(request.params.requestId);
      if (found === undefined) throw noSuchRequest(request.params.requestId, requests.state.requestsMax);
      return { result: found, ...frame(context, request) };
    },
  );
}

function feedOf(requests: RequestLog, filter: RequestFilter, after: number | undefined): StreamFeed<RequestSummary> {
  let seq = after ?? requests.state.lastSeq;
  return {
    get seq() {
      return seq;
    },
    async *news() {
      const range = { beforeSeq: Number.POSITIVE_INFINITY, afterSeq: seq };
      // Also where it was asked for what lies ahead, which a server that has started anew has numbered before.
      seq = requests.state.lastSeq;
      const rows = [...requests.list(filter, range)].reverse();
      if (rows.length > 0) yield rows;
    },
    onWrite: (callback) => requests.onNote(callback),
  };
}

function tooMany(rowsMax: number): ApiError {
  return new ApiError(
    'SVC_RUNTIME_RESULT_TOO_LARGE',
    `The log has more than ${rowsMax} requests; narrow the request, or page it with "?limit=${Math.min(1000, rowsMax)}".`,
    { rowsMax },
  );
}

function noSuchRequest(requestId: string, requestsMax: number): ApiError {
  const shown = requestId.length > 128 ? `${requestId.slice(0, 128)}…` : requestId;
  const why =
    requestsMax === 0
      ? 'this server was started with --log-requests 0 and keeps none.'
      : `the server keeps the last ${requestsMax}; GET /v1/requests lists them.`;
  return badRequest(`There is no request "${shown}" in the log; ${why}`, { path: 'requestId' });
}
