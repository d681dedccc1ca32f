/**
 * The requests of the page that its runtime is working on. If the runtime runs out of memory, the oldest of them is named as the cause,
 * and identical requests are refused for a few seconds, because the page repeats some automatically.
 */

import type { ErrorCode } from '../../src-runtime/api/errors.js';

export interface RunningRequests {
  /** Forwards a request, unless it repeats one that ran out of memory a moment ago. */
  run(request: Request, forward: (request: Request) => Promise<Response>): Promise<Response>;
  /** After the runtime ran out of memory: names the request that it ran, and refuses its repeats. Undefined without one. */
  blame(): string | undefined;
}

interface Running {
  readonly method: string;
  readonly url: string;
  body: string;
  /** The connection closed without a response, which happens before the end of the runtime is reported. */
  isLost: boolean;
}

/** The page refreshes its lists within seconds of a restart. Later requests are the user's. */
const REFUSED_MS = 15_000;

/** The page polls these, and they are small. */
const POLLED = new Set(['/v1/health', '/v1/events', '/v1/requests']);

export function runningRequests(nowMs: () => number = () => performance.now()): RunningRequests {
  let running: readonly Running[] = [];
  let blamed: { readonly request: Running; readonly atMs: number } | undefined;

  async function isRepeat({ method, url }: Request, text: () => Promise<string>): Promise<boolean> {
    if (blamed === undefined || nowMs() - blamed.atMs > REFUSED_MS) return false;
    const { request } = blamed;
    return request.method === method && request.url === url && request.body === (await text());
  }

  return {
    async run(request, forward) {
      const text = () => request.clone().text();
      if (await isRepeat(request, text)) return refusal();
      const own: Running = { method: request.method, url: request.url, body: '', isLost: false };
      if (request.body !== null) {
        const keep = (body: string): void => {
          own.body = body;
        };
        text().then(keep, () => undefined);
      }
      running = [...running, own];
      const response = await forward(request);
      if (response.type === 'error' && !request.signal.aborted) own.isLost = true;
      // With a response, the runtime that lost the others is gone.
      else running = running.filter((each) => each !== own && !each.isLost);
      return response;
    },
    blame() {
      const request = running.find(({ url }) => !POLLED.has(new URL(url).pathname));
      running = [];
      blamed = request && { request, atMs: nowMs() };
      return request && nameOf(request);
    },
  };
}

/** Method, path and callable. */
function nameOf({ method, url, body }: Running): string {
  const callable = /"path"\s*:\s*"([^"]+)"/.exec(body)?.[1] ?? /\b(?:query|derive|mutation)\s+(\w+)/.exec(body)?.[1];
  const path = decodeURIComponent(new URL(url).pathname);
  return `${method} ${path}${callable === undefined ? '' : ` (${callable})`}`;
}

/** An error envelope, which the page does not retry. */
function refusal(): Response {
  const error = {
    code: 'SVC_RUNTIME_RESULT_TOO_LARGE',
    message:
      'The server ran out of memory on this request, so it is not sent again automatically. Narrow it, or run it again in a few seconds.',
    details: { reason: 'memory' },
  } satisfies { code: ErrorCode; message: string; details: object };
  return Response.json({ error, requestId: '', moduleHash: '' }, { status: 413 });
}
