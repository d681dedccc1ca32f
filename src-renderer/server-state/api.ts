/** The client of this page: same origin, the host's token, and on every request about facts the page's context. */

import { createClient } from '../../src-runtime/api/client.js';
import { WORKBENCH_CLIENT } from '../../src-runtime/api/request-filter.js';
import { host } from '../host/current-host.js';
import { createOnceIds } from '../state/once-ids.js';
import { earlyAnswers } from './early-answers.js';
import { untilRefused } from './until-refused.js';

export type { MutationSuccess, PageOf, Success } from '../../src-runtime/api/client.js';

export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** As the server lists it. */
export interface SourceOnDisk extends SourceFile {
  /** The file does not exist any more; `text` is the last that the server read of it. */
  readonly deleted?: true | undefined;
  /** Why the file, which exists, cannot be read; `text` is as for a deleted file. */
  readonly unreadable?: string | undefined;
}

/** The most rows that the server lists at once, once its health has told it: it may have been told to list few. */
let rowsMax: number | undefined;

export function learnRowsMax(rows: number): void {
  rowsMax = rows;
}

export const api = createClient({
  baseUrl: '',
  name: WORKBENCH_CLIENT,
  onceId: createOnceIds(),
  rowsMax: () => rowsMax,
  // On the desktop the host adds the token, and another one once the runtime has started anew.
  fetch: host.kind === 'browser' ? untilRefused(earlyAnswers.fetch) : earlyAnswers.fetch,
  ...(host.token === undefined ? {} : { token: host.token }),
});
