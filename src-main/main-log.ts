/** The log of the main process: errors, crashes of pages and runtimes, and the files that help to explain them. */

import { join } from 'node:path';
import { app, crashReporter, shell } from 'electron';
import { logFile } from './log-file.js';

/** Errors are rare, so a small file goes back a long way. */
const BYTES_MAX = 1024 * 1024;

let write: (lines: string) => void = () => undefined;

/** Call it before anything can fail. Crash dumps stay on this machine. */
export function startMainLog(): void {
  crashReporter.start({ uploadToServer: false });
  write = logFile(join(app.getPath('logs'), 'main.log'), BYTES_MAX).write;
  // Electron still reports the error to the user.
  process.on('uncaughtExceptionMonitor', (error, origin) => logError(error, origin));
  process.on('unhandledRejection', (error) => logError(error, 'unhandledRejection'));
  app.on('render-process-gone', (_event, _contents, { reason, exitCode }) => {
    logError(new Error(`The process of a page ended: ${reason} (exit code ${exitCode})`), 'render-process-gone');
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason !== 'clean-exit')
      logError(new Error(`${type} ended: ${reason} (exit code ${exitCode})`), 'child-process-gone');
  });
}

/** Appends one line of JSON. `origin` says what failed. */
function logError(error: unknown, origin: string): void {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  const line = { time: new Date().toISOString(), level: 'error', pid: process.pid, origin, msg: message, stack };
  write(`${JSON.stringify(line)}\n`);
}

/** Shows the logs in the file manager of the system. */
export function openLogsFolder(): void {
  void shell.openPath(app.getPath('logs'));
}
