/** Opens what `entail import` reads: a file, or standard input. */

import { open } from 'node:fs/promises';
import { reasonOf } from '../server/index.js';
import { STANDARD_INPUT } from './files.js';
import { CommandFailure, type Terminal } from './terminal.js';

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
