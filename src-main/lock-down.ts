/** What no page of this application may do: leave the workbench, open windows, embed other pages, or be granted permissions. */

import { app, type Session } from 'electron';
import { WORKBENCH_ORIGIN } from './workbench-address.js';

/** Applies to every page of the application. Call it before the first page is created. */
export function lockDownPages(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-frame-navigate', (event) => {
      if (!isWorkbench(event.url) || !event.isMainFrame) event.preventDefault();
    });
    contents.on('will-redirect', (event) => {
      if (!isWorkbench(event.url)) event.preventDefault();
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

/** The page may write to the clipboard, for its copy buttons; no other permission is granted. */
export function lockDownPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    answer(permission === 'clipboard-sanitized-write' && isWorkbench(requestingUrl));
  });
  session.setPermissionCheckHandler(
    (_contents, permission, origin) => permission === 'clipboard-sanitized-write' && isWorkbench(origin),
  );
  session.setDevicePermissionHandler(() => false);
}

function isWorkbench(url: string): boolean {
  return url === WORKBENCH_ORIGIN || url.startsWith(`${WORKBENCH_ORIGIN}/`);
}
