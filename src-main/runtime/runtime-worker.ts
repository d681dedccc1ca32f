/** The worker thread that runs the runtime, so that a long derivation never blocks windows and menus. */

import { type MessagePort, parentPort } from 'node:worker_threads';
import { pino } from 'pino';
import {
  bufferLines,
  DEFAULT_GRANT,
  ListenError,
  projectOptions,
  type RunningRuntime,
  type StartOptions,
  StorageError,
  startRuntime,
} from '../../src-runtime/server/index.js';
import { logFile } from '../log-file.js';
import { runTask } from './data-tasks.js';
import { CLOSE, type DataTask, type WorkerOptions, type WorkerReport } from './worker-messages.js';

if (parentPort === null) throw new Error('runtime-worker runs as a worker thread of the desktop application only.');
serveUntilClosed(parentPort);

/** Starts at the first message. */
function serveUntilClosed(port: MessagePort): void {
  let close: () => Promise<void> = async () => port.close();
  port.on('message', (message: WorkerOptions | DataTask | typeof CLOSE) => {
    if (message === CLOSE) void close();
    else if ('task' in message) void runTask(message, port);
    else close = start(message, port);
  });
}

/** Reports when the runtime is ready, or why it cannot start. Call the result to end the runtime, and with it the thread. */
function start(options: WorkerOptions, port: MessagePort): () => Promise<void> {
  const report = (message: WorkerReport): void => port.postMessage(message);
  const log = pino({ level: options.choices.logLevel ?? 'info' }, bufferLines(logFile(options.logFile).write));
  const starting = startProject(options, log, report);
  starting.then(
    ({ url, token }) => report({ kind: 'ready', url, token }),
    (error: unknown) => {
      log.error(error, 'start failed');
      const place = error instanceof StorageError ? error.place : undefined;
      report({ kind: 'refused', message: error instanceof Error ? error.message : String(error), place });
      port.close();
    },
  );
  return async () => {
    const runtime = await starting.catch(() => undefined);
    try {
      await runtime?.close();
      port.close();
    } catch (error) {
      log.error(error, 'closing failed');
      process.exit(1);
    }
  };
}

async function startProject(
  options: WorkerOptions,
  log: NonNullable<StartOptions['log']>,
  report: (message: WorkerReport) => void,
): Promise<RunningRuntime> {
  const { limits, grant = DEFAULT_GRANT, adhoc, logRequests } = options.choices;
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
  return await startRuntime(start).catch((error: unknown) => {
    if (options.port === 0 || !(error instanceof ListenError)) throw error;
    log.warn(error, 'another free port is used');
    return startRuntime({ ...start, port: 0 });
  });
}
