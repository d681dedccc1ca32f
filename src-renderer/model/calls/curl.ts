/** A call as a command line that anyone can run: the token comes from the environment and never stands in it. */

import { headerOfContextField } from '../../../src-runtime/api/headers.js';
import { isWrite, routeOf, type SentCall } from './calls.js';
import { MAIN } from './place.js';

/** `baseUrl` undefined where the page does not know the server's address: it comes from the environment too. */
export function curlOf(call: SentCall, baseUrl: string | undefined): string {
  const { address, headers, body } = httpOf(call);
  return [
    `curl -sS -X POST ${baseUrl === undefined ? `"$ENTAIL_URL${address}"` : shellQuoted(`${baseUrl}${address}`)}`,
    '-H "authorization: Bearer $ENTAIL_TOKEN"',
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    `--data-binary ${shellQuoted(JSON.stringify(body))}`,
  ].join(' \\\n  ');
}

interface HttpRequest {
  /** Path and query string. */
  readonly address: string;
  /** Without the token. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: object;
}

/** What is sent, always by POST. */
export function httpOf(call: SentCall): HttpRequest {
  const { path, body } = routeOf(call.request);
  const context = Object.entries(call.context)
    .filter(([, value]) => value !== '')
    .map(([field, value]) => [headerOfContextField(field), value] as const);
  return {
    address: `${path}${call.dryRun && isWrite(call.request) ? '?dryRun=true' : ''}`,
    headers: [
      ['content-type', 'application/json'],
      ...(call.fork === MAIN ? [] : [['x-fork-id', call.fork] as const]),
      ...context,
    ],
    body,
  };
}

/** One word for a POSIX shell, whatever is in it. */
export function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
