/** Rewrites a request so that it has no side effects. */

import type { RequestDetail } from '../../../../src-runtime/api/schemas/request-log.js';
import { ownAddress } from '../own-address.js';

/**
 * The path to send: unchanged for reads, with `dryRun` for writes; undefined if neither is possible. The path is untrusted, so it
 * is resolved as a browser would.
 */
export function harmlessPath({ method, path: written }: Pick<RequestDetail, 'method' | 'path'>): string | undefined {
  const address = ownAddress(written);
  if (address === undefined) return undefined;
  const { pathname: route, search } = new URL(address, 'http://localhost');
  const path = route + search;
  if (method === 'GET' || (method === 'POST' && READS.test(route))) return path;
  if (!(method === 'POST' && DRY_RUNS.test(route)) && !(method === 'PUT' && route === '/v1/module/sources'))
    return undefined;
  return withParameter(path, 'dryRun');
}

/** Sets a query parameter to true. */
export function withParameter(path: string, name: string): string {
  const [route = '', query = ''] = path.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set(name, 'true');
  return `${route}?${parameters}`;
}

const READS = /\/(dispatch\/(query|compute)|query\/adhoc|explain|tests\/run)$/;
const DRY_RUNS =
  /\/(dispatch\/mutation|mutation\/adhoc|batch|import|promote|promote\/undo|pick|transactions\/\d+\/undo)$/;
