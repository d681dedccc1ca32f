/** The few things that storage asks of a file system, as a port, so that tests can make each of them fail. */

import { constants, statSync, writeSync } from 'node:fs';
import { access, type FileHandle, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from './errors.js';

export interface OpenFile {
  /** Writes all of `bytes` at `position`; after a rejection an unknown part of them may be there. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Resolves once everything written survives a loss of power. */
  sync(): Promise<void>;
  /** Tells this file from every other, whatever its name. */
  identity(): Promise<string>;
  /** Sets the permissions exactly; `create` leaves out those that the process keeps from new files. */
  setMode(mode: number): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  /** Creates the directory and its parents where they are missing. */
  makeDirectory(path: string): Promise<void>;
  list(directory: string): Promise<readonly string[]>;
  read(path: string): Promise<Uint8Array>;
  /** Opens an empty file, whether or not one was there. Only its owner may read it unless `mode` says otherwise. */
  create(path: string, mode?: number): Promise<OpenFile>;
  /** Opens a file that exists, for writing. */
  open(path: string): Promise<OpenFile>;
  /** Replaces what is at `to`. */
  rename(from: string, to: string): Promise<void>;
  /** Nothing happens where there is no such file. */
  remove(path: string): Promise<void>;
  /** Resolves once the names created, replaced and removed in the directory survive a loss of power. */
  syncDirectory(path: string): Promise<void>;
  /**
   * The file that a write to this name ends up in, behind its links, with its permissions; those are undefined where there
   * is no such file. Rejects where the file may not be written.
   */
  target(path: string): Promise<{ readonly path: string; readonly mode: number | undefined }>;
  /** Identity of the file or directory under this name, undefined where there is none. */
  identity(path: string): Promise<string | undefined>;
}

/** As for `identityAt`: the system's cache takes so much in less time than a trip to a thread and back. */
const AT_ONCE_BYTES = 64 * 1024;

/** What file systems say that have no directories to sync, such as network shares. */
const UNSYNCABLE_CODES = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS']);

/** The real file system. */
export const nodeFiles: Files = {
  makeDirectory,
  list: (directory) => readdir(directory),
  read: (path) => readFile(path),
  create: async (path, mode = 0o600) => openFile(await open(path, 'w', mode)),
  open: async (path) => openFile(await open(path, 'r+')),
  rename,
  remove: (path) => rm(path, { force: true }),
  syncDirectory,
  target,
  identity: async (path) => identityAt(path),
};

/**
 * Identity of what has this name, undefined where nothing has. Asked before every commit: the system knows the answer, and a
 * trip to a thread and back takes many times as long as to ask it here.
 */
export function identityAt(path: string): string | undefined {
  try {
    const entry = statSync(path, { bigint: true, throwIfNoEntry: false });
    return entry && identityOf(entry);
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Node's own way of making parents never ends where a file system, such as /proc, takes no new names. */
async function makeDirectory(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make().catch(async (error: unknown) => {
      if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
      await makeDirectory(dirname(path));
      await make();
    });
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    throw error;
  }
  await syncDirectory(dirname(path));
}

export function identityOf(entry: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${entry.dev}:${entry.ino}`;
}

function openFile(handle: FileHandle): OpenFile {
  return {
    async write(bytes, position) {
      let written = bytes.length <= AT_ONCE_BYTES ? writeSync(handle.fd, bytes, 0, bytes.length, position) : 0;
      while (written < bytes.length) {
        const result = await handle.write(bytes, written, bytes.length - written, position + written);
        written += result.bytesWritten;
      }
    },
    truncate: (length) => handle.truncate(length),
    sync: () => handle.sync(),
    identity: async () => identityOf(await handle.stat({ bigint: true })),
    async setMode(mode) {
      if ((await handle.stat()).mode !== mode) await handle.chmod(mode);
    },
    close: () => handle.close(),
  };
}

async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directory for syncing; NTFS journals its names itself.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  await closeAfter(handle, async () => {
    await handle.sync().catch((error: unknown) => {
      if (!UNSYNCABLE_CODES.has(systemCode(error) ?? '')) throw error;
    });
  });
}

async function target(path: string): Promise<{ readonly path: string; readonly mode: number | undefined }> {
  const found = await realpath(path).catch(() => path);
  try {
    await access(found, constants.W_OK);
    return { path: found, mode: (await stat(found)).mode };
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    return { path: found, mode: undefined };
  }
}

/** Closes the file after the work. A file that cannot be closed must not hide why the work failed. */
export async function closeAfter<T>(file: { close(): Promise<void> }, work: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
  await file.close();
  return result;
}
