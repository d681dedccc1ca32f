/** A call as a command line that anyone can run: the token comes from the environment and never stands in it. */

import { headerOfContextField } from '../../src-runtime/api/headers.js';
import { isWrite, routeOf, type SentCall } from './calls.js';
import { MAIN } from './place.js';

/** `baseUrl` undefined where the page does not know the server's address: it comes from the environment too. */
export function curlOf(call: SentCall, baseUrl: string | undefined): string {
  const { path, body } = routeOf(call.request);
  const search = call.dryRun && isWrite(call.request) ? '?dryRun=true' : '';
  const address = baseUrl === undefined ? `"$ENTAIL_URL${path}${search}"` : shellQuoted(`${baseUrl}${path}${search}`);
  const context = Object.entries(call.context)
    .filter(([, value]) => value !== '')
    .map(([field, value]) => `${headerOfContextField(field)}: ${value}`);
  const headers = [
    'content-type: application/json',
    ...(call.fork === MAIN ? [] : [`x-fork-id: ${call.fork}`]),
    ...context,
  ];
  return [
    `curl -sS -X POST ${address}`,
    '-H "authorization: Bearer $ENTAIL_TOKEN"',
    ...headers.map((header) => `-H ${shellQuoted(header)}`),
    `--data-binary ${shellQuoted(JSON.stringify(body))}`,
  ].join(' \\\n  ');
}

/** One word for a POSIX shell, whatever is in it. */
export function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
