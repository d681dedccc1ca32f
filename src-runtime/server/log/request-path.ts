/** The path of a request: its target without query string and fragment. */

import type { IncomingMessage } from 'node:http';

export function pathOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const fragment = path.indexOf('#');
  return fragment < 0 ? path : path.slice(0, fragment);
}
