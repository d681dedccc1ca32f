/**
 * Marks the requests of the workbench page. Chromium sends neither Origin nor Referer to an application's own scheme, so that a
 * handler cannot identify the page; the session can, and adds a header that no page knows.
 */

import type { WebRequest } from 'electron';
import { WORKBENCH_ORIGIN } from './workbench-address.js';

export const PAGE_PROOF = 'x-workbench-page';

/** The part of Electron's session that is used here. */
export interface ProvingSession {
  readonly webRequest: Pick<WebRequest, 'onBeforeSendHeaders'>;
}

/** Requests of workers bypass the session, so they have no proof. The page's workers only compile and need none. */
export function provePage(session: ProvingSession, proof: string): void {
  session.webRequest.onBeforeSendHeaders({ urls: [`${WORKBENCH_ORIGIN}/*`] }, ({ requestHeaders, frame }, answer) => {
    const headers = Object.entries(requestHeaders).filter(([name]) => name.toLowerCase() !== PAGE_PROOF);
    const isPage = frame?.origin === WORKBENCH_ORIGIN;
    answer({ requestHeaders: Object.fromEntries(isPage ? [...headers, [PAGE_PROOF, proof]] : headers) });
  });
}
