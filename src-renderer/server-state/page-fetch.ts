/** The page's `fetch`: prefetched responses, and no requests with a token that the server has refused. */

import { ONCE_HEADER } from '../../src-runtime/api/headers.js';

export interface Prefetch {
  /** Sends nothing if the page has already sent a request, because the responses would arrive too late. */
  start(paths: readonly string[], headers: Headers): void;
  /** The body of a successful prefetch, without consuming it; undefined for anything else. */
  peek(path: string): Promise<unknown>;
  /** `fetch`, but the first request with the path and headers of a prefetch consumes its response. */
  readonly fetch: typeof fetch;
}

export function createPrefetch(send: typeof fetch): Prefetch {
  const started = new Map<string, { readonly response: Promise<Response>; readonly headers: Headers }>();
  let isLate = false;
  return {
    start(paths, headers) {
      if (isLate) return;
      for (const path of paths) {
        const response = send(path, { headers });
        started.set(path, { response, headers });
        // A failure is reported to the request that takes the response, if one does.
        response.catch(() => undefined);
      }
    },
    async peek(path) {
      try {
        const response = await started.get(path)?.response;
        return response?.ok === true ? await response.clone().json() : undefined;
      } catch {
        return undefined;
      }
    },
    fetch(input, init) {
      isLate = true;
      const path = typeof input === 'string' && (init?.method ?? 'GET') === 'GET' ? input : '';
      const prefetched = started.get(path);
      if (prefetched === undefined || !isSame(prefetched.headers, init?.headers ?? {})) return send(input, init);
      started.delete(path);
      return prefetched.response;
    },
  };
}

type Headers = Readonly<Record<string, string>>;

/** Another fork or tenant makes another request; the id that each request has does not. */
function isSame(prefetched: Headers, headers: HeadersInit): boolean {
  const { [ONCE_HEADER]: _id, ...others } = headers as Headers;
  const names = Object.keys(others);
  return names.length === Object.keys(prefetched).length && names.every((name) => prefetched[name] === others[name]);
}

export const prefetch = createPrefetch((input, init) => fetch(input, init));

/** `fetch` until a response refuses the token, which cannot change while the page is loaded. All later requests get that response. */
export function untilRefused(send: typeof fetch): typeof fetch {
  let refusal: Response | undefined;
  return async (input, init) => {
    if (refusal !== undefined) return refusal.clone();
    const response = await send(input, init);
    if (response.status === 403 && (await isAboutToken(response.clone()))) refusal = response.clone();
    return response;
  };
}

async function isAboutToken(response: Response): Promise<boolean> {
  try {
    const body = (await response.json()) as { readonly error?: { readonly details?: { readonly reason?: unknown } } };
    return body.error?.details?.reason === 'token';
  } catch {
    return false;
  }
}
