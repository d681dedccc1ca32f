/** A worker thread that runs the runtime: its address, its end, and why it ended. */

import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { NextProject } from '../../src-runtime/server/index.js';
import type { RuntimeAddress } from './forward.js';
import { CLOSE, type WorkerOptions, type WorkerReport } from './worker-messages.js';

export type Refusal = Extract<WorkerReport, { readonly kind: 'refused' }>;

/** Without a refusal or fault it was stopped on request. */
export interface WorkerEnd {
  readonly refusal: Refusal | undefined;
  readonly fault: string | undefined;
  /** How long it was ready; undefined if it never was. */
  readonly readyMs: number | undefined;
}

export interface RunningWorker {
  /** Undefined until it is ready. */
  readonly address: RuntimeAddress | undefined;
  readonly ended: Promise<WorkerEnd>;
  /** Lets running requests finish, for a while. */
  close(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): void;
}

interface WorkerEvents {
  onReady(address: RuntimeAddress): void;
  /** A request asks for another project. */
  onOpen(project: NextProject): void;
  /** The reason in words. Called while the requests that it was working on are still known. */
  faultOf(error: NodeJS.ErrnoException): string;
}

/** The time that a runtime has to finish its running requests when it is stopped. */
const CLOSE_MS = 5_000;

export function runWorker(worker: Worker, options: WorkerOptions, events: WorkerEvents): RunningWorker {
  let address: RuntimeAddress | undefined;
  let readyAt: number | undefined;
  let refusal: Refusal | undefined;
  let fault: string | undefined;
  worker.on('message', (report: WorkerReport) => {
    if (report.kind === 'refused') refusal = report;
    else if (report.kind === 'open') events.onOpen(report.project);
    else {
      readyAt = performance.now();
      address = { url: report.url, token: report.token };
      events.onReady(address);
    }
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    fault = events.faultOf(error);
  });
  const ended = new Promise<WorkerEnd>((resolve) => {
    worker.once('exit', () => {
      resolve({ refusal, fault, readyMs: readyAt === undefined ? undefined : performance.now() - readyAt });
    });
  });
  worker.postMessage(options);
  const kill = (): void => void worker.terminate().catch(() => undefined);
  return {
    get address() {
      return address;
    },
    ended,
    async close() {
      worker.postMessage(CLOSE);
      const impatience = setTimeout(kill, CLOSE_MS);
      await ended;
      clearTimeout(impatience);
    },
    kill,
  };
}

/**
 * Loads the code of a worker ahead, while Electron itself still starts. The result returns the worker once. After that, or if loading
 * failed, it returns undefined.
 */
export function prepareWorker(file: string, resourceLimits: ResourceLimits): () => Worker | undefined {
  let prepared: Worker | undefined = new Worker(file, { resourceLimits });
  const forget = (): void => {
    prepared = undefined;
  };
  // The next worker fails in the same way, and reports it.
  prepared.on('error', forget);
  prepared.once('exit', forget);
  return () => {
    const worker = prepared?.off('error', forget);
    forget();
    return worker;
  };
}
