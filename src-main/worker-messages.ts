/** The messages between the main process and the worker thread that runs the runtime. */

import type { RuntimeAddress } from './forward.js';

/** The options of the worker, passed as its `workerData`. */
export interface WorkerOptions {
  readonly files: readonly string[];
  /** Undefined for a repro bundle, which is served in memory. */
  readonly dataDirectory: string | undefined;
  readonly logFile: string;
  readonly version: string;
  readonly token: string;
  /** 0 uses any free port. */
  readonly port: number;
}

/** Sent once by the worker, when it serves or when it could not start. */
export type WorkerReport =
  | ({ readonly kind: 'ready' } & RuntimeAddress)
  | { readonly kind: 'refused'; readonly message: string };

/** Sent by the main process: finish running requests, then end. */
export const CLOSE = 'close';
