/** The client of this page: same origin, the host's token, and on every request about facts the page's context. */

import { createClient } from '../../src-runtime/api/client.js';
import { host } from '../host/current-host.js';

export type { MutationSuccess, PageOf, Success } from '../../src-runtime/api/client.js';

export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** What the page calls itself in the log of requests. */
export const CLIENT_NAME = 'workbench';

export const api = createClient({
  baseUrl: '',
  name: CLIENT_NAME,
  ...(host.token === undefined ? {} : { token: host.token }),
});
