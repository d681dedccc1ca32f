/** A call as a curl command, which reads the token from the environment. */

import { headerOfContextField } from '../../../src-runtime/api/headers.js';
import { isWrite, routeOf, type SentCall } from './calls.js';
import { MAIN } from './place.js';

/** If the page does not know the server's URL, `baseUrl` is undefined and read from the environment too. */
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

/** The request body; the method is always POST. */
export function httpOf(call: SentCall): HttpRequest {
  const { path, body } = routeOf(call.request);
  const context = Object.entries(call.context)
    .filter(([, value]) => value !== '')
    .map(([field, value]) => [headerOfContextField(field), value] as const);
  return {
    address: `${path}${queryOf(call)}`,
    headers: [
      ['content-type', 'application/json'],
      ...(call.fork === MAIN ? [] : [['x-fork-id', call.fork] as const]),
      ...context,
    ],
    body,
  };
}

function queryOf({ request, dryRun, asOf }: SentCall): string {
  if (isWrite(request)) return dryRun ? '?dryRun=true' : '';
  return asOf === undefined ? '' : `?asOf=${asOf}`;
}

/** Quotes any text as one word for a POSIX shell. */
export function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
