/** `entail backup` and `entail restore`: the history of all scopes as a file, and back. */

import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { reasonOf, rename, restoreInto } from '../server/index.js';
import { type ConnectionOptions, withServer } from './connect.js';
import { STANDARD_INPUT } from './files.js';
import { CommandFailure, type Terminal, WrongUsage } from './terminal.js';

export interface BackupOptions extends ConnectionOptions {
  readonly output: string;
}

/** Writes beside the file first and renames at the end, so an interrupted backup leaves the old one. */
export function backupCommand(url: string, options: BackupOptions, terminal: Terminal): Promise<number> {
  const { output } = options;
  return withServer(url, options, terminal, async (client) => {
    const stream = Readable.fromWeb((await client.backup()) as ReadableStream<Uint8Array>);
    const aside = `${output}.${process.pid}.tmp`;
    let end = '';
    async function* noted() {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        end = (end + Buffer.from(chunk).toString('latin1')).slice(-END_BYTES);
        yield chunk;
      }
    }
    try {
      await pipeline(noted, createWriteStream(aside, { flush: true }));
      requireEnd(end);
      await rename(aside, output);
    } catch (cause) {
      await rm(aside, { force: true });
      if (cause instanceof CommandFailure) throw cause;
      const isWriting = cause instanceof Error && 'path' in cause;
      if (isWriting) throw new CommandFailure(`Cannot write ${output}: ${reasonOf(cause)}`, { cause });
      throw new CommandFailure(`${BROKEN_OFF}. ${output} was not written. Try again.`, { cause });
    }
    return 0;
  });
}

/** More than the last line of a backup. */
const END_BYTES = 1_024;
const BROKEN_OFF = 'The server ended the backup early';

function requireEnd(end: string): void {
  if (end.slice(end.trimEnd().lastIndexOf('\n') + 1).startsWith('{"kind":"end"')) return;
  throw new Error(BROKEN_OFF);
}

/** Prints one line of JSON: the folder, and what it holds now. */
export async function restoreCommand(file: string, target: string, terminal: Terminal): Promise<number> {
  if (/^postgres(ql)?:/.test(target)) {
    throw new WrongUsage('Entail stores facts in folders. Name a new or an empty folder instead of a database.');
  }
  const name = file === STANDARD_INPUT ? 'Standard input' : file;
  const log = { info: () => undefined, warn: (_fields: object, message: string) => terminal.error(`${message}\n`) };
  const counts = await restoreInto(target, bytesOf(file, terminal), name, log);
  terminal.out(`${JSON.stringify({ data: target, ...counts })}\n`);
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
