/** What the command line is given of the world outside: its streams, its environment, and the signals that end it. */

import type { EventEmitter } from 'node:events';
import { orphaned } from './orphan.js';
import { stopSignal } from './stop-signals.js';

export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether somebody reads stderr as it is written, and not a file or a program. */
  readonly isAttended: boolean;
  /** Whether diagnostics on stderr may have colour. */
  readonly colour: boolean;
  /** The same of results on stdout. */
  readonly colourOut: boolean;
  /** What is piped in. */
  input(): AsyncIterable<Uint8Array>;
  out(text: string): void;
  error(text: string): void;
  /** Resolves when the process is told to stop, or when the npm that ran it is gone. */
  stopRequested(): Promise<void>;
}

/** The command cannot go on. The message is one line that says what and what to do; it ends with exit code 1. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
}

/** Arguments that mean nothing or do not go together, so that the command cannot begin; it ends with exit code 2. */
export class WrongUsage extends CommandFailure {
  override readonly name = 'WrongUsage';
}

export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) outliveReader(stream);
  return {
    environment: process.env,
    isAttended: process.stderr.isTTY === true,
    colour: wantsColour(process.env, process.stderr.isTTY === true),
    colourOut: wantsColour(process.env, process.stdout.isTTY === true),
    input: () => process.stdin,
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
    stopRequested: () =>
      new Promise((resolve) => {
        void stopSignal(process).then(resolve);
        if (process.env['npm_lifecycle_event'] === 'entail') void orphaned(() => process.ppid).then(resolve);
      }),
  };
}

/** Who reads may have enough, as `head` has: what is written behind that is for nobody, and no fault. */
export function outliveReader(stream: EventEmitter): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** `NO_COLOR` with any value forbids colour, `FORCE_COLOR` other than 0 asks for it; else a terminal gets it. */
export function wantsColour(environment: Terminal['environment'], isTerminal: boolean): boolean {
  if (environment['NO_COLOR']) return false;
  const forced = environment['FORCE_COLOR'];
  return forced === undefined ? isTerminal : forced !== '0' && forced !== 'false';
}
