/** The worker thread that runs the runtime, so that a long derivation never blocks windows and menus. */

import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import {
  bufferLines,
  DEFAULT_GRANT,
  ListenError,
  projectOptions,
  type StartOptions,
  StorageError,
  startRuntime,
} from '../../src-runtime/server/index.js';
import { logFile } from '../log-file.js';
import { CLOSE, type WorkerOptions, type WorkerReport } from './worker-messages.js';

const options = workerData as WorkerOptions;
const port = parentPort;
if (port === null) throw new Error('runtime-worker runs as a worker thread of the desktop application only.');

const report = (message: WorkerReport): void => port.postMessage(message);
const { limits, grant = DEFAULT_GRANT, adhoc, logRequests, logLevel = 'info' } = options.choices;
const log = pino({ level: logLevel }, bufferLines(logFile(options.logFile).write));

try {
  const start: StartOptions = {
    host: '127.0.0.1',
    port: options.port,
    token: options.token,
    furtherTokens: [{ token: options.outsideToken, grant }],
    grant,
    ...(limits !== undefined && { limits }),
    ...(adhoc !== undefined && { adhoc }),
    ...(logRequests !== undefined && { logRequests }),
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
  };
  const runtime = await startRuntime(start).catch((error: unknown) => {
    if (options.port === 0 || !(error instanceof ListenError)) throw error;
    log.warn(error, 'another free port is used');
    return startRuntime({ ...start, port: 0 });
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
  const place = error instanceof StorageError ? error.place : undefined;
  report({ kind: 'refused', message: error instanceof Error ? error.message : String(error), place });
  port.close();
}
