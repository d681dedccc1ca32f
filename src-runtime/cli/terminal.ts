/** What commands use of the process: streams, environment, stop signals, and the files installed beside it. */

import type { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { orphaned, type StopReason, stopSignal } from './stop-signals.js';

/** Means standard input, and is its file name in diagnostics. */
export const STANDARD_INPUT = '-';

export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether stderr is a terminal. */
  readonly isAttended: boolean;
  /** Whether diagnostics on stderr may have colour. */
  readonly colour: boolean;
  /** Whether results on stdout may have colour. */
  readonly colourOut: boolean;
  /** Standard input. */
  input(): AsyncIterable<Uint8Array>;
  out(text: string): void;
  /** Writes to stdout. Resolves when there is room for more; rejects once the reader has closed the pipe. */
  write(bytes: Uint8Array): Promise<void>;
  error(text: string): void;
  /** Resolves on a stop signal, or when the npm that started the process has ended. */
  stopRequested(): Promise<StopReason>;
}

/** An expected failure of a command, with exit code 1. The message is one line: what happened, and what to do. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
}

/** Invalid or conflicting arguments, with exit code 2. */
export class WrongUsage extends CommandFailure {
  override readonly name = 'WrongUsage';
}

/** The installed program. */
export interface Installation {
  readonly version: string;
  /** Folder of the built page; undefined if it was not built. */
  readonly page: string | undefined;
  /** The sample module that `entail workbench` copies. */
  readonly sample?: string;
}

/** The page and the sample as they lie around the folder of the running bundle. */
export function findInstallation(bundleFolder: string, version: string): Installation {
  const page = join(bundleFolder, '../renderer');
  return {
    version,
    page: existsSync(join(page, 'index.html')) ? page : undefined,
    sample: join(bundleFolder, '../../resources/modules/lease.entail'),
  };
}

export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) ignoreClosedPipe(stream);
  return {
    environment: process.env,
    isAttended: process.stderr.isTTY === true,
    colour: wantsColour(process.env, process.stderr.isTTY === true),
    colourOut: wantsColour(process.env, process.stdout.isTTY === true),
    input: () => process.stdin,
    out: (text) => void process.stdout.write(text),
    write: (bytes) =>
      new Promise((resolve, reject) => {
        process.stdout.write(bytes, (error) => (error == null ? resolve() : reject(error)));
      }),
    error: (text) => void process.stderr.write(text),
    stopRequested: () =>
      new Promise((resolve) => {
        void stopSignal(process).then(resolve);
        if (process.env['npm_lifecycle_event'] === 'entail') void orphaned(() => process.ppid).then(resolve);
      }),
  };
}

/** Ignores EPIPE: a reader such as `head` may close the pipe early. */
export function ignoreClosedPipe(stream: EventEmitter): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Any `NO_COLOR` forbids colour, a `FORCE_COLOR` other than 0 forces it; otherwise a terminal has it. */
export function wantsColour(environment: Terminal['environment'], isTerminal: boolean): boolean {
  if (environment['NO_COLOR']) return false;
  const forced = environment['FORCE_COLOR'];
  return forced === undefined ? isTerminal : forced !== '0' && forced !== 'false';
}
