/** The messages between the main process and the worker thread that runs the runtime. */

import type { ServerChoices } from '../../src-renderer/host/host.js';
import type { NextProject } from '../../src-runtime/server/index.js';
import type { RuntimeAddress } from './forward.js';

/** The first message to the worker, which then starts. */
export interface WorkerOptions {
  readonly project: NextProject;
  /** The folder of new projects. */
  readonly home: string;
  readonly logFile: string;
  readonly version: string;
  /** Of this application, for one start. */
  readonly token: string;
  /** Of other programs, with the same capabilities. */
  readonly outsideToken: string;
  readonly choices: Omit<ServerChoices, 'port' | 'memoryMb' | 'updateFeed' | 'projects'>;
  /** 0 uses any free port. So does a port that another program uses. */
  readonly port: number;
}

/** Sent by the worker: it serves, it could not start, at `place` because of a file or folder of facts, or a request asks for another project. */
export type WorkerReport =
  | ({ readonly kind: 'ready' } & RuntimeAddress)
  | { readonly kind: 'refused'; readonly message: string; readonly place?: string | undefined }
  | { readonly kind: 'open'; readonly project: NextProject };

/** Instead of `WorkerOptions`: work on a folder that no runtime has open. The thread ends after it. */
export type DataTask =
  /** Creates a project in `folder`: the sources of another, with the facts of a backup. */
  | { readonly task: 'restore'; readonly backup: string; readonly folder: string; readonly sources: NextProject }
  | { readonly task: 'check'; readonly folder: string }
  /** Copies what is readable into a new folder. */
  | { readonly task: 'repair'; readonly folder: string; readonly into: string };

/** The result of each task. */
export interface DataResults {
  readonly restore: { readonly transactions: number };
  readonly check: {
    /** The problems, one sentence each. */
    readonly findings: readonly string[];
    /** A file is damaged. */
    readonly isDamaged: boolean;
    readonly files: number;
    /** Undefined if the facts were not compared with a module. */
    readonly facts: number | undefined;
  };
  readonly repair: { readonly transactions: number; readonly events: number; readonly lost: readonly string[] };
}

export type DataReply =
  | { readonly kind: 'done'; readonly result: DataResults[DataTask['task']] }
  | { readonly kind: 'failed'; readonly message: string };

/** Sent by the main process: finish running requests, then end. */
export const CLOSE = 'close';
