/** The path of a request: its target without query string and fragment. */

import type { IncomingMessage } from 'node:http';

export function pathOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}
