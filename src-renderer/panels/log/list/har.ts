/** Logged requests as an HTTP archive (HAR 1.2). */

import type { RecordedBody, RequestDetail } from '../../../../src-runtime/api/schemas/request-log.js';

export const HAR_EXTENSION = '.har';

interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** In order of arrival. `origin` is prefixed to each path. The log has no tokens. */
export function harOf(requests: readonly RequestDetail[], origin: string, version: string): object {
  const entries = requests.toSorted((left, right) => left.seq - right.seq).map((request) => entryOf(request, origin));
  return { log: { version: '1.2', creator: { name: 'Entail', version }, entries } };
}

function entryOf(request: RequestDetail, origin: string): object {
  const { at, ms, method, path, headers, body, status, answerHeaders, answer, bytes, requestId, erased } = request;
  const http = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
  return {
    startedDateTime: at,
    time: ms,
    request: {
      ...http,
      method,
      url: origin + path,
      headers: pairs(headers),
      queryString: [...new URLSearchParams(path.split('?')[1] ?? '')].map(([name, value]) => ({ name, value })),
      ...(body !== null && { postData: { mimeType: typeOf(headers), text: body.text, ...cutNote(body) } }),
      bodySize: body?.bytes ?? 0,
    },
    response: {
      ...http,
      status,
      statusText: '',
      headers: pairs(answerHeaders),
      content: {
        size: bytes,
        mimeType: typeOf(answerHeaders),
        ...(answer !== null && { text: answer.text, ...cutNote(answer) }),
      },
      redirectURL: '',
      bodySize: bytes,
    },
    cache: {},
    timings: timingsOf(request),
    comment: erased === true ? `${requestId}: bodies dropped when an individual was erased` : requestId,
  };
}

/** HAR timings: send, wait and receive add up to the total. Server phases are custom fields with a `_` prefix. */
function timingsOf({ ms, phases = [] }: RequestDetail): Readonly<Record<string, number>> {
  const msOf = (wanted: string): number => phases.find(({ phase }) => phase === wanted)?.ms ?? 0;
  const [send, receive] = [msOf('receiving'), msOf('sending')];
  const own = phases.map(({ phase, ms: each }) => [`_${phase}`, each] as const);
  return { send, wait: Math.max(0, ms - send - receive), receive, ...Object.fromEntries(own) };
}

function pairs(headers: Readonly<Record<string, string>>): HarPair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function typeOf(headers: Readonly<Record<string, string>>): string {
  return headers['content-type'] ?? 'application/json';
}

function cutNote({ cut, text, bytes }: RecordedBody): { readonly comment?: string } {
  return cut ? { comment: `Truncated by the log: ${text.length} characters of ${bytes} bytes.` } : {};
}
