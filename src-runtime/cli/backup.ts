/** `entail backup` and `entail restore`: the history of all scopes as a file, and back. */

import { createReadStream } from 'node:fs';
import { reasonOf } from '../project/file-failures.js';
import { BackupFailure, saveBackup } from '../project/save-backup.js';
import { type ConnectionOptions, withServer } from './connect.js';
import { shownName } from './import-source.js';
import { CommandFailure, STANDARD_INPUT, type Terminal } from './terminal.js';

export interface BackupOptions extends ConnectionOptions {
  readonly output: string;
  /** A time. */
  readonly compactBefore?: string;
}

export function backupCommand(url: string, options: BackupOptions, terminal: Terminal): Promise<number> {
  return withServer(url, options, terminal, async (_client, clientOptions) => {
    const stop = new AbortController();
    void terminal.stopRequested().then(() => stop.abort());
    try {
      await saveBackup(clientOptions, options.output, stop.signal, options.compactBefore);
    } catch (cause) {
      throw cause instanceof BackupFailure ? new CommandFailure(cause.message, { cause }) : cause;
    }
    return 0;
  });
}

/** Prints one line of JSON: the folder or the database, and what it holds now. */
export async function restoreCommand(file: string, target: string, terminal: Terminal): Promise<number> {
  const name = file === STANDARD_INPUT ? 'Standard input' : file;
  const log = { info: () => undefined, warn: (_fields: object, message: string) => terminal.error(`${message}\n`) };
  // A backup needs no server.
  const { restoreInto } = await import('../server/index.js');
  const counts = await restoreInto(target, bytesOf(file, terminal), name, log);
  terminal.out(`${JSON.stringify({ data: shownName(target), ...counts })}\n`);
  return 0;
}

async function* bytesOf(file: string, terminal: Terminal): AsyncGenerator<Uint8Array, void, undefined> {
  if (file === STANDARD_INPUT) {
    yield* terminal.input();
    return;
  }
  try {
    yield* createReadStream(file);
  } catch (cause) {
    throw new CommandFailure(`Cannot read ${file}: ${reasonOf(cause)}`, { cause });
  }
}
