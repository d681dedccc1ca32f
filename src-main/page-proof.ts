/**
 * Marks the requests of the workbench page. Chromium sends neither Origin nor Referer to an application's own scheme, so that a
 * handler cannot identify the page; the session can, and adds a header that no page knows, and the window.
 */

import type { WebRequest } from 'electron';
import { WORKBENCH_ORIGIN } from './workbench-address.js';

export const PAGE_PROOF = 'x-workbench-page';

/** The id of the page's contents, also for the navigation that loads the page. */
export const PAGE_WINDOW = 'x-workbench-window';

/** The part of Electron's session that is used here. */
export interface ProvingSession {
  readonly webRequest: Pick<WebRequest, 'onBeforeSendHeaders'>;
}

/** Requests of workers bypass the session, so they have no proof. The page's workers only compile and need none. */
export function provePage(session: ProvingSession, proof: string): void {
  session.webRequest.onBeforeSendHeaders({ urls: [`${WORKBENCH_ORIGIN}/*`] }, (details, answer) => {
    const { requestHeaders, frame, webContentsId } = details;
    const headers = Object.entries(requestHeaders).filter(([name]) => !OURS.includes(name.toLowerCase()));
    if (webContentsId !== undefined) headers.push([PAGE_WINDOW, String(webContentsId)]);
    if (frame?.origin === WORKBENCH_ORIGIN) headers.push([PAGE_PROOF, proof]);
    answer({ requestHeaders: Object.fromEntries(headers) });
  });
}

const OURS = [PAGE_PROOF, PAGE_WINDOW];
