/** A `fetch` for clients of several servers: a write whose connection is lost is sent again, and still runs once. */

import { ADDRESSES } from './client.js';
import { KEY_HEADER } from './headers.js';
import type { Operations } from './operations/index.js';

type TakingKey = {
  [Name in keyof Operations]: Operations[Name] extends { readonly takesKey: true } ? Name : never;
}[keyof Operations];

/** The client cannot take them from the definitions, which would load Zod; the compiler compares them. */
const TAKING_KEY: Readonly<Record<TakingKey, true>> = { mutation: true, mutateAdhoc: true, batch: true };

const REPEATED = new Set(Object.keys(TAKING_KEY).map((name) => ADDRESSES[name as TakingKey].split(' ', 2).join(' ')));

/** What a load balancer responds if it lost its server. The server's own responses are JSON. */
const LOST_STATUSES: readonly number[] = [502, 503, 504];

/**
 * Sends each request of an operation that takes an Idempotency-Key with one. If the connection is lost before the whole response has
 * arrived, sends it once more.
 */
export function repeatingFetch(newKey: () => string, send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const isRepeated = REPEATED.has(`${init?.method} ${new URL(String(input)).pathname}`);
    if (!isRepeated) return send(input, init);
    const keyed = { ...init, headers: { ...(init?.headers as Record<string, string>), [KEY_HEADER]: newKey() } };
    const attempt = async () => {
      const response = await send(input, keyed);
      return new Response(await response.arrayBuffer(), response);
    };
    const first = await attempt().catch((error: unknown) => {
      if (init?.signal?.aborted === true) throw error;
    });
    return first === undefined || isLost(first) ? attempt() : first;
  };
}

function isLost({ status, headers }: Response): boolean {
  return LOST_STATUSES.includes(status) && headers.get('content-type')?.startsWith('application/json') !== true;
}
