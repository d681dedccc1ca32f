/** The worker thread that runs the runtime, so that a long derivation never blocks windows and menus. */

import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { bufferLines, projectOptions, startRuntime } from '../src-runtime/server/index.js';
import { logFile } from './log-file.js';
import { CLOSE, type WorkerOptions, type WorkerReport } from './worker-messages.js';

const options = workerData as WorkerOptions;
const port = parentPort;
if (port === null) throw new Error('runtime-worker runs as a worker thread of the desktop application only.');

const report = (message: WorkerReport): void => port.postMessage(message);
const log = pino({ level: 'info' }, bufferLines(logFile(options.logFile).write));

try {
  const runtime = await startRuntime({
    host: '127.0.0.1',
    port: options.port,
    token: options.token,
    ...(await projectOptions(options.project)),
    projects: {
      current: options.project,
      home: options.home,
      opensPaths: true,
      open: (project) => report({ kind: 'open', project }),
    },
    // The workbench also opens on a module that does not compile, and shows its diagnostics.
    onLoadFailure: 'serve',
    watch: true,
    version: options.version,
    log,
  });
  port.on('message', (message) => {
    if (message !== CLOSE) return;
    runtime.close().then(
      () => port.close(),
      (error: unknown) => {
        log.error(error, 'closing failed');
        process.exit(1);
      },
    );
  });
  report({ kind: 'ready', url: runtime.url, token: runtime.token });
} catch (error) {
  log.error(error, 'start failed');
  report({ kind: 'refused', message: error instanceof Error ? error.message : String(error) });
  port.close();
}
