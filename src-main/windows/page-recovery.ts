/** Recovers a page whose process crashed or hangs. If reloading did not help, or would lose running work, the user decides. */

import type { MessageBoxOptions, WebContents } from 'electron';

/** After a second crash within this time the page is not reloaded automatically, which could repeat forever. */
const CRASH_PAUSE_MS = 10_000;

/** The part of Electron's `WebContents` that is used here. */
export type RecoverablePage = Pick<WebContents, 'on' | 'reload' | 'forcefullyCrashRenderer'>;

export interface RecoveryHost {
  /** Resolves with the index of the button, or that of `cancelId` once the signal aborts. */
  ask(question: MessageBoxOptions): Promise<number>;
  openLogs(): void;
  quit(): void;
  nowMs(): number;
}

export function recoverPage(page: RecoverablePage, host: RecoveryHost): void {
  let lastCrashMs = Number.NEGATIVE_INFINITY;
  /** Closes the question about a page that hangs. */
  let hanging: AbortController | undefined;
  let isReloadWanted = false;

  page.on('render-process-gone', (_event, { reason }) => {
    hanging?.abort();
    if (reason === 'clean-exit') return;
    const isAgain = host.nowMs() - lastCrashMs < CRASH_PAUSE_MS;
    lastCrashMs = host.nowMs();
    if (isReloadWanted || !isAgain) {
      isReloadWanted = false;
      page.reload();
      return;
    }
    void askAfterCrash(page, host, reason);
  });

  page.on('unresponsive', () => {
    if (hanging !== undefined) return;
    const asked = new AbortController();
    hanging = asked;
    void host.ask({ ...HANG_QUESTION, signal: asked.signal }).then((button) => {
      hanging = undefined;
      if (button !== 1 || asked.signal.aborted) return;
      isReloadWanted = true;
      // A hanging process does not respond to a reload.
      page.forcefullyCrashRenderer();
    });
  });
  page.on('responsive', () => hanging?.abort());
}

/** Opening the logs is not an answer yet. */
async function askAfterCrash(page: RecoverablePage, host: RecoveryHost, reason: string): Promise<void> {
  const button = await host.ask(crashQuestion(reason));
  if (button === 0) return page.reload();
  if (button === 2) return host.quit();
  host.openLogs();
  await askAfterCrash(page, host, reason);
}

function crashQuestion(reason: string): MessageBoxOptions {
  return {
    type: 'error',
    title: 'Entail',
    message: 'The page stopped twice within ten seconds.',
    detail: `Reason: ${reason}. Stored facts and unsaved texts are kept. Reload the page, or quit and start again. The log says what happened.`,
    buttons: ['Reload', 'Open Logs', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
}

const HANG_QUESTION: MessageBoxOptions = {
  type: 'warning',
  title: 'Entail',
  message: 'The page does not respond.',
  detail: 'Wait until it is done, or reload it. Unsaved texts are kept, except for the last moment.',
  buttons: ['Wait', 'Reload'],
  defaultId: 0,
  cancelId: 0,
  noLink: true,
};
