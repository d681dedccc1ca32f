/** Opens what `entail import` reads: a file, or standard input. */

import { open } from 'node:fs/promises';
import { reasonOf } from '../server/index.js';
import { STANDARD_INPUT } from './files.js';
import { CommandFailure, type Terminal } from './terminal.js';

export interface ImportSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Undefined for a pipe. */
  readonly size: number | undefined;
}

/** Larger chunks do not read faster, and their rows take more memory at a time. */
const CHUNK_BYTES = 2 ** 18;

export async function openSource(file: string, terminal: Terminal): Promise<ImportSource> {
  if (file === STANDARD_INPUT) return { bytes: terminal.input(), size: undefined };
  try {
    const handle = await open(file);
    const found = await handle.stat();
    if (found.isDirectory()) {
      await handle.close();
      throw new CommandFailure(`${file} is a folder. Name a file in it.`);
    }
    const size = found.isFile() ? found.size : undefined;
    return { bytes: handle.createReadStream({ highWaterMark: CHUNK_BYTES }), size };
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure(`Cannot read ${file}: ${reasonOf(cause)}`, { cause });
  }
}
