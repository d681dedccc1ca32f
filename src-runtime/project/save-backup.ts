/** Saves the backup of a server as a file. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BACKUP_END_BYTES, openBackup, requireWholeBackup } from '../api/stream-client.js';
import type { ClientOptions } from '../api/transport.js';
import { brokenOff, writeBeside } from './write-beside.js';

/**
 * `compactBefore` is a time. An interrupted backup leaves the old file. Throws ApiFailure or ConnectionFailure before its first line, and
 * BackupFailure after.
 */
export async function saveBackup(
  options: ClientOptions,
  file: string,
  signal: AbortSignal,
  compactBefore?: string,
): Promise<void> {
  const stream = await openBackup(options, { signal, ...(compactBefore !== undefined && { compactBefore }) });
  const received = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
  try {
    await writeBeside(file, (sink) => pipeline(received, checked, sink));
  } catch (cause) {
    throw new BackupFailure(brokenOff('backup', cause, signal.aborted, file), { cause });
  }
}

/** The backup could not be written, or the server broke it off. */
export class BackupFailure extends Error {
  override readonly name = 'BackupFailure';
}

/** Throws if the last line is missing. */
async function* checked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let end = Buffer.alloc(0);
  for await (const chunk of chunks) {
    end = Buffer.concat([end, chunk.subarray(-BACKUP_END_BYTES)]).subarray(-BACKUP_END_BYTES);
    yield chunk;
  }
  requireWholeBackup(end.toString('latin1'));
}
