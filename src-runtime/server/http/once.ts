/**
 * Requests that are to run once. A browser that is answered 408 on a connection it has used before takes that for the end of an
 * idle connection and sends the request again by itself, on every such connection that it has: a request past its time would run
 * six times, and be waited for as long. Whoever cannot keep its browser from that says in `x-entail-once` which request it is, by
 * an id that no other has: once it was out of time, it gets that answer again, at once.
 */

import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../../api/errors.js';
import { ONCE_HEADER } from '../../api/headers.js';

/** Those that were out of time last; they are sent again within milliseconds. */
const KEPT_MAX = 100;

export interface Once {
  /** The answer that this very request has had; undefined where it is to be run. */
  answered(request: FastifyRequest): ApiError | undefined;
  note(request: FastifyRequest, error: ApiError): void;
}

export function createOnce(): Once {
  const kept = new Map<string, ApiError>();
  return {
    answered(request) {
      const key = keyOf(request);
      return key === undefined ? undefined : kept.get(key);
    },
    note(request, error) {
      const key = error.code === 'SVC_RUNTIME_REQUEST_TIMEOUT' ? keyOf(request) : undefined;
      if (key === undefined) return;
      kept.set(key, error);
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT_MAX) break;
        kept.delete(oldest);
      }
    },
  };
}

function keyOf({ headers, method, raw }: FastifyRequest): string | undefined {
  const id = headers[ONCE_HEADER];
  return typeof id === 'string' && id !== '' ? `${id} ${method} ${raw.url}` : undefined;
}
