/** A logged request as text: commands, titles, file names, times and sizes. */

import { contextFieldOfHeader, FORK_HEADER } from '../../../src-runtime/api/headers.js';
import type { RecordedBody, RequestDetail, RequestSummary } from '../../../src-runtime/api/schemas/request-log.js';
import { parseWithAllDigits } from '../../../src-runtime/base/exact-json.js';
import { nodeHeader } from '../../model/calls/call-code.js';
import { shellQuoted } from '../../model/calls/curl.js';
import type { GlyphKind } from '../../ui/glyph.js';

/** Headers to send again; clients create the others. */
const SENT_HEADERS = /^(accept|content-type|last-event-id|x-(fork-id|tenant-id|principal-id|context-.*))$/;

/** Whether a header sets the fork or context. */
export function isOfContext(name: string): boolean {
  return name === FORK_HEADER || contextFieldOfHeader(name) !== undefined;
}

export function sentHeaders({ headers }: RequestDetail): [string, string][] {
  return Object.entries(headers).filter(([name]) => SENT_HEADERS.test(name));
}

/** A curl command. The token comes from the environment. Flags keep curl from expanding brackets and from reading `@` files. */
export function curlText(request: RequestDetail, origin: string | undefined): string {
  const address =
    origin === undefined ? `"$ENTAIL_URL"${shellQuoted(request.path)}` : shellQuoted(origin + request.path);
  const body = request.body === null ? [] : [`--data-raw ${shellQuoted(request.body.text)}`];
  return [
    `curl -sSg -X ${request.method} ${address}`,
    '-H "authorization: Bearer $ENTAIL_TOKEN"',
    ...sentHeaders(request).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...body,
  ].join(' \\\n  ');
}

/** A `fetch` call for Node. The token comes from the environment. */
export function fetchText(request: RequestDetail, origin: string | undefined): string {
  const address =
    origin === undefined ? `process.env.ENTAIL_URL + ${quoted(request.path)}` : quoted(origin + request.path);
  const headers = [
    `    authorization: 'Bearer ' + process.env.ENTAIL_TOKEN,`,
    ...sentHeaders(request).map(([name, value]) => `    ${quoted(name)}: ${nodeHeader(value, quoted)},`),
  ];
  return [
    `const response = await fetch(${address}, {`,
    `  method: ${quoted(request.method)},`,
    '  headers: {',
    ...headers,
    '  },',
    ...(request.body === null ? [] : [`  body: ${quoted(request.body.text)},`]),
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}

/** A JavaScript string literal. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Glyph of a response status. */
export function glyphOfStatus({ status, unfinished }: Pick<RequestSummary, 'status' | 'unfinished'>): GlyphKind {
  if (unfinished === true) return 'pending';
  return status >= 500 ? 'blocking' : status >= 400 ? 'warning' : 'good';
}

/** The path without `/v1`. */
export function routeText(path: string): string {
  return readablePath(path).replace(/^\/v1\//, '');
}

export function isDryRun({ path }: Pick<RequestSummary, 'path'>): boolean {
  return /[?&]dryRun=true(&|$)/.test(path);
}

export function readablePath(path: string): string {
  try {
    return decodeURI(path).replaceAll('%3A', ':').replaceAll('%23', '#');
  } catch {
    return path;
  }
}

/** `lease::sign` and an id → `sign-0Gk3xA.repro.json`. */
export function bundleFileName({ subject, path, requestId }: RequestSummary, extension: string): string {
  const last = (subject ?? path.split('?', 1)[0] ?? '').split(/::|\//).at(-1) ?? '';
  const name = last.replace(/[^\p{L}\p{N}._-]+/gu, '-') || 'request';
  return `${name}-${requestId.slice(0, 6).replace(/[^A-Za-z0-9]+$/, '')}${extension}`;
}

/** `0.4 ms`, `12 ms`, `1.24 s`. */
export function timeText(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

export const ERASED_WORDS = 'The log dropped all bodies when an individual was erased.';

/** The JSON value of a complete body, with all digits; undefined otherwise. */
export function bodyValue(body: RecordedBody | null): unknown {
  if (body === null || body.cut) return undefined;
  try {
    return parseWithAllDigits(body.text);
  } catch {
    return undefined;
  }
}
