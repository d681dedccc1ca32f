/** The API client of this page: same origin, the host's token, an id for each request. */

import { createClient } from '../../src-runtime/api/client.js';
import { WORKBENCH_CLIENT } from '../../src-runtime/api/request-filter.js';
import type { ClientOptions } from '../../src-runtime/api/transport.js';
import { host } from '../host/current-host.js';
import { currentMoment } from '../model/calls/place.js';
import { createOnceIds } from '../state/once-ids.js';
import { prefetch, untilRefused } from './page-fetch.js';

export type { MutationSuccess, PageOf, Success } from '../../src-runtime/api/client.js';

export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** A source as the server lists it. */
export interface SourceOnDisk extends SourceFile {
  /** The file was deleted; `text` is the last that the server read. */
  readonly deleted?: true | undefined;
  /** Why the file cannot be read; `text` is the last that the server read. */
  readonly unreadable?: string | undefined;
}

/** The server's limit of rows in one response; undefined until its health is known. */
let rowsMax: number | undefined;

export function learnRowsMax(rows: number): void {
  rowsMax = rows;
}

export const clientOptions: ClientOptions = {
  baseUrl: '',
  name: WORKBENCH_CLIENT,
  onceId: createOnceIds(),
  rowsMax: () => rowsMax,
  asOf: currentMoment.get,
  // On the desktop the host adds the token, and a new one once the runtime has restarted.
  fetch: host.kind === 'browser' ? untilRefused(prefetch.fetch) : prefetch.fetch,
  ...(host.token === undefined ? {} : { token: host.token }),
};

export const api = createClient(clientOptions);
