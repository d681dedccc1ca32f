/**
 * Forwards a request of the page to the runtime and streams its response back. The token is added here; the page never has it.
 * Without a response the page gets a network error, so that it can report it.
 */

import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { PAGE_PROOF, PAGE_WINDOW } from '../page-proof.js';

export interface RuntimeAddress {
  /** The bare origin, such as `http://127.0.0.1:4800`. */
  readonly url: string;
  readonly token: string;
}

/** Headers that belong to one connection, that speak of the page's origin, or that are ours to set. */
const NOT_FORWARDED = new Set([
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  PAGE_PROOF,
  PAGE_WINDOW,
]);

/** Statuses for which the Response constructor accepts no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

export async function forward(request: Request, runtime: RuntimeAddress | undefined): Promise<Response> {
  if (runtime === undefined) return Response.error();
  try {
    return responseOf(await send(request, runtime));
  } catch {
    return Response.error();
  }
}

function send(request: Request, runtime: RuntimeAddress): Promise<IncomingMessage> {
  const { pathname, search } = new URL(request.url);
  const headers: OutgoingHttpHeaders = { authorization: `Bearer ${runtime.token}` };
  request.headers.forEach((value, name) => {
    if (!NOT_FORWARDED.has(name) && !name.startsWith('sec-')) headers[name] = value;
  });
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(new URL(pathname + search, runtime.url), {
      method: request.method,
      headers,
      signal: request.signal,
      // A new connection for each request: a reused connection that the runtime closes in the meantime would fail the next request.
      agent: false,
    });
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    if (request.body === null) {
      outgoing.end();
    } else {
      const body = Readable.fromWeb(request.body as unknown as NodeReadableStream);
      body.once('error', (error) => outgoing.destroy(error));
      body.pipe(outgoing);
    }
  });
}

function responseOf(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 502;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (NOT_FORWARDED.has(name) || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  if (WITHOUT_BODY.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(incoming) as unknown as ReadableStream, { status, headers });
}
