/** Writes what a server streams to a file, and says how it failed. */

import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { rename } from '../storage/rename.js';
import { reasonOf } from './file-failures.js';

/** Writes beside the file, which is replaced once it is complete. A device or a pipe is written directly. */
export async function writeBeside(file: string, write: (sink: Writable) => Promise<void>): Promise<void> {
  const known = await stat(file).catch(() => undefined);
  const isDevice = known !== undefined && !known.isFile();
  const written = isDevice ? file : `${file}.part`;
  try {
    await write(createWriteStream(written, { flush: !isDevice }));
    if (!isDevice) await rename(written, file);
  } catch (error) {
    if (!isDevice) await rm(written, { force: true });
    throw error;
  }
}

/** Why a stream to a file, or without one to stdout, ended early. `what` is `export` or `backup`. */
export function brokenOff(what: string, cause: unknown, isStopped: boolean, output: string | undefined): string {
  const outcome = output === undefined ? 'The output is incomplete.' : `${output} was not written.`;
  if (isStopped) return `Stopped. ${outcome}`;
  // A system call on the file failed. Fetch reports a lost connection in another way.
  if (cause instanceof Error && 'syscall' in cause) return `Cannot write ${output ?? 'to stdout'}: ${reasonOf(cause)}`;
  return `The server broke off the ${what} before its end; its request log shows why. ${outcome}`;
}
