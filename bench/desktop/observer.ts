/**
 * The application that `bench:desktop` starts. It loads the measured application and prints when its window is interactive: for
 * Entail, when the editor accepts input and the status line says that the text is in sync with the server.
 */

import { pathToFileURL } from 'node:url';
import { app } from 'electron';

export type Moment = 'ready' | 'shown' | 'interactive';

const edits = process.env['BENCH_EDITS'] === 'true';

app.once('ready', () => print('ready', Date.now()));
app.once('browser-window-created', (_event, window) => {
  if (window.isVisible()) print('shown', Date.now());
  else window.once('show', () => print('shown', Date.now()));
  // Before the application's own code in the page, so that it does not wait behind that.
  window.webContents.once('dom-ready', () => {
    void window.webContents
      .executeJavaScript(`(${interactive})(${edits})`)
      .then((at: number) => print('interactive', at));
  });
});

await import(pathToFileURL(process.env['BENCH_ENTRY'] ?? '').href);

function print(moment: Moment, at: number): void {
  process.stdout.write(`moment ${moment} ${at}\n`);
}

/** Runs in the page. Resolves with the time of the first frame after everything is there. */
function interactive(isEditorWanted: boolean): Promise<number> {
  const isThere = (): boolean =>
    !isEditorWanted ||
    (document.querySelector('.cm-content[contenteditable="true"]') !== null &&
      document.querySelector('footer')?.textContent.includes('In sync with server') === true);
  return new Promise((resolve) => {
    const look = (): void => {
      if (isThere()) resolve(performance.timeOrigin + performance.now());
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
