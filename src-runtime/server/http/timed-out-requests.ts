/**
 * Prevents automatic retries of requests that timed out. A browser takes a 408 on a reused connection for the end of an idle
 * connection, and retries the request on each of its connections: the request would run six times. A client that sends a unique id
 * in `x-entail-once` gets the same 408 again at once.
 */

import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../../api/errors.js';
import { ONCE_HEADER } from '../../api/headers.js';

/** Retries arrive within milliseconds, so a few timeouts are enough. */
const TIMED_OUT_MAX = 100;

export interface TimedOutRequests {
  /** The error that this request got before; undefined if it has to run. */
  errorOf(request: FastifyRequest): ApiError | undefined;
  note(request: FastifyRequest, error: ApiError): void;
}

export function createTimedOutRequests(): TimedOutRequests {
  const timedOut = new Map<string, ApiError>();
  return {
    errorOf(request) {
      const key = keyOf(request);
      return key === undefined ? undefined : timedOut.get(key);
    },
    note(request, error) {
      const key = error.code === 'SVC_RUNTIME_REQUEST_TIMEOUT' ? keyOf(request) : undefined;
      if (key === undefined) return;
      timedOut.set(key, error);
      for (const oldest of timedOut.keys()) {
        if (timedOut.size <= TIMED_OUT_MAX) break;
        timedOut.delete(oldest);
      }
    },
  };
}

function keyOf({ headers, method, raw }: FastifyRequest): string | undefined {
  const id = headers[ONCE_HEADER];
  return typeof id === 'string' && id !== '' ? `${id} ${method} ${raw.url}` : undefined;
}
