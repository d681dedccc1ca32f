/** Opens what `entail import` reads: a file, or standard input. */

import { open } from 'node:fs/promises';
import { reasonOf } from '../project/file-failures.js';
import { CommandFailure, STANDARD_INPUT, type Terminal } from './terminal.js';

export interface ImportSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Undefined for a pipe. */
  readonly size: number | undefined;
  /** How much of a file is read, from 0 to 1. */
  share(): number | undefined;
}

/** V8 keeps longer strings apart, where it collects them late. */
const CHUNK_BYTES = 2 ** 16;

export async function openSource(file: string, terminal: Terminal): Promise<ImportSource> {
  if (file === STANDARD_INPUT) return { bytes: terminal.input(), size: undefined, share: () => undefined };
  try {
    const handle = await open(file);
    const found = await handle.stat();
    if (found.isDirectory()) {
      await handle.close();
      throw new CommandFailure(`${file} is a folder. Name a file in it.`);
    }
    const size = found.isFile() ? found.size : undefined;
    const bytes = handle.createReadStream({ highWaterMark: CHUNK_BYTES });
    return { bytes, size, share: () => size && bytes.bytesRead / size };
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure(`Cannot read ${file}: ${reasonOf(cause)}`, { cause });
  }
}

export type DatabaseKind = 'parquet' | 'sqlite';

/** Undefined for a file of text, and for one that cannot be opened, about which `openSource` says more. */
export async function databaseKind(file: string): Promise<DatabaseKind | undefined> {
  const handle = file === STANDARD_INPUT ? undefined : await open(file).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    const start = buffer.toString('latin1', 0, bytesRead);
    if (start.startsWith('PAR1')) return 'parquet';
    return start === 'SQLite format 3\0' ? 'sqlite' : undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
