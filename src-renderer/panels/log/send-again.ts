/** Sends a logged request again under a new id. */

import { headerBytes } from '../../../src-runtime/api/headers.js';
import { WORKBENCH_CLIENT } from '../../../src-runtime/api/request-filter.js';
import type { RequestDetail } from '../../../src-runtime/api/schemas/request-log.js';
import { host } from '../../host/current-host.js';
import { ownAddress } from './own-address.js';
import { sentHeaders } from './request-text.js';

/** Excludes truncated requests, streams and invalid paths. */
export function canSendAgain({ path, body, erased, headers }: RequestDetail): boolean {
  const isStream = (headers['accept'] ?? '').includes('text/event-stream');
  return ownAddress(path) !== undefined && body?.cut !== true && erased !== true && !isStream;
}

/** Returns the new request id, whatever the status. */
export async function sendAgain(request: RequestDetail): Promise<string> {
  return (await fetchAgain(request, request.path)).requestId;
}

export interface NewResponse {
  readonly status: number;
  readonly text: string;
  readonly requestId: string;
}

/** The response to the request at `path`, which may have another query string. */
export async function fetchAgain(request: RequestDetail, path: string): Promise<NewResponse> {
  const address = ownAddress(path);
  if (address === undefined) throw new Error(`${path} is not a path of this server.`);
  const headers: Record<string, string> = { 'x-entail-client': WORKBENCH_CLIENT };
  for (const [name, value] of sentHeaders(request)) headers[name] = headerBytes(value);
  if (host.token !== undefined) headers['authorization'] = `Bearer ${host.token}`;
  const response = await fetch(address, {
    method: request.method,
    headers,
    ...(request.body !== null && { body: request.body.text }),
  });
  const text = await response.text();
  return { status: response.status, text, requestId: response.headers.get('x-request-id') ?? request.requestId };
}
