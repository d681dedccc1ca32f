/** Lists, finds and follows the requests in the log. */

import { ApiError } from '../../api/errors.js';
import type { Operations } from '../../api/operations/index.js';
import type { RequestDetail, RequestSummary } from '../../api/schemas/request-log.js';
import { badRequest } from '../http/envelope.js';
import type { StreamFeed } from '../http/event-stream.js';
import type { Call, ServerContext } from './call.js';

type Requests = Operations['requests'];

/** Throws RESULT_TOO_LARGE, and INVALID_CURSOR. */
export function listRequests({ context, query, paging }: Call<Requests>) {
  const { requests, settings, cursors } = context;
  const { limit, page, after = 0, ...filter } = query;
  const bound = ['/v1/requests', JSON.stringify({ after, ...filter })];
  const beforeSeq = page === undefined ? Number.POSITIVE_INFINITY : Number(cursors.read(bound, page));
  const rowsMax = paging.limit ?? settings.limits.rows;
  const result: RequestSummary[] = [];
  let nextCursor: string | undefined;
  for (const row of requests.list(filter, { beforeSeq, afterSeq: after })) {
    if (result.length === rowsMax) {
      if (limit === undefined && page === undefined) throw tooMany(rowsMax);
      nextCursor = cursors.issue(bound, result.at(-1)?.seq ?? 0);
      break;
    }
    result.push(row);
  }
  return { result, ...(nextCursor !== undefined && { nextCursor }), log: requests.state };
}

/** Throws VALIDATION_FAILED. */
export function findRequest({ requests }: ServerContext, requestId: string): RequestDetail {
  const found = requests.find(requestId);
  if (found === undefined) throw noSuchRequest(requestId, requests.state.requestsMax);
  return found;
}

export function followRequests(
  { context, query }: Call<Requests>,
  after: number | undefined,
): StreamFeed<RequestSummary> {
  const { requests } = context;
  let seq = after ?? requests.state.lastSeq;
  return {
    get seq() {
      return seq;
    },
    async *unread() {
      const range = { beforeSeq: Number.POSITIVE_INFINITY, afterSeq: seq };
      // A client may ask for a later number than there is: after a restart, numbers begin again.
      seq = requests.state.lastSeq;
      const rows = [...requests.list(query, range)].reverse();
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
