/** The file operations of the store, as a port, so that tests can make each of them fail. */

import { constants, fdatasyncSync, statSync, writeSync } from 'node:fs';
import { access, type FileHandle, mkdir, open, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MaybePromise } from '../base/ports.js';
import { systemCode } from './errors.js';
import { rename } from './rename.js';

export interface OpenFile {
  /** Writes all of `bytes` at `position`. After a rejection an unknown part of them is written. */
  write(bytes: Uint8Array, position: number): MaybePromise<void>;
  truncate(length: number): Promise<void>;
  /** Returns or resolves once all writes survive a power loss. `mayBlock` allows to wait for a fast disk on this thread. */
  sync(mayBlock?: boolean): MaybePromise<void>;
  /** Identifies the file, independent of its name. */
  identity(): Promise<string>;
  /** Sets the permissions exactly; `create` applies the umask of the process. */
  setMode(mode: number): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  /** Creates the directory and its parents if they are missing. */
  makeDirectory(path: string): Promise<void>;
  list(directory: string): Promise<readonly string[]>;
  read(path: string): Promise<Uint8Array>;
  /** Opens an empty file, and replaces an existing one. The default `mode` lets only the owner read it. */
  create(path: string, mode?: number): Promise<OpenFile>;
  /** Opens an existing file for writing. */
  open(path: string): Promise<OpenFile>;
  /** Replaces a file at `to`. */
  rename(from: string, to: string): Promise<void>;
  /** Does nothing if the file is missing. */
  remove(path: string): Promise<void>;
  /** Resolves once created, replaced and removed names survive a power loss. */
  syncDirectory(path: string): Promise<void>;
  /**
   * The file behind the links of this name, with its permissions, which are undefined if the file is missing. Rejects if the file is
   * not writable.
   */
  target(path: string): Promise<{ readonly path: string; readonly mode: number | undefined }>;
  /** Identity of the file or directory with this name, if there is one. */
  identity(path: string): MaybePromise<string | undefined>;
}

/** Up to this size a synchronous write to the system's cache is faster than the thread pool. */
const AT_ONCE_BYTES = 64 * 1024;

/**
 * A fast sync takes less on this thread than with the thread pool and back. After one that took longer than this, the thread pool does
 * it for a while: a slow disk must not block, and on a busy machine a thread that mostly sleeps is scheduled many times sooner.
 */
const BLOCKING_SYNC_MS_MAX = 2;
const BLOCKING_PAUSE_MS = 250;

/** Errors of file systems that cannot sync directories, such as network shares. */
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
  identity: identityAt,
};

/**
 * Identity of the file with this name, if there is one. Synchronous, because it runs before every commit and the thread pool would take
 * many times as long.
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

/** Node's recursive `mkdir` never ends on a file system that takes no new names, such as /proc. */
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
  let blockingFromMs = 0;
  return {
    write(bytes, position) {
      const written = bytes.length <= AT_ONCE_BYTES ? writeSync(handle.fd, bytes, 0, bytes.length, position) : 0;
      return written < bytes.length ? writeRest(handle, bytes, written, position) : undefined;
    },
    truncate: (length) => handle.truncate(length),
    sync(mayBlock = false) {
      const startedMs = performance.now();
      if (!mayBlock || startedMs < blockingFromMs) return handle.datasync();
      fdatasyncSync(handle.fd);
      const endedMs = performance.now();
      if (endedMs - startedMs > BLOCKING_SYNC_MS_MAX) blockingFromMs = endedMs + BLOCKING_PAUSE_MS;
      return undefined;
    },
    identity: async () => identityOf(await handle.stat({ bigint: true })),
    async setMode(mode) {
      if ((await handle.stat()).mode !== mode) await handle.chmod(mode);
    },
    close: () => handle.close(),
  };
}

async function writeRest(handle: FileHandle, bytes: Uint8Array, from: number, position: number): Promise<void> {
  for (let written = from; written < bytes.length; ) {
    const result = await handle.write(bytes, written, bytes.length - written, position + written);
    written += result.bytesWritten;
  }
}

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory for syncing; NTFS journals names itself.
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

/** Closes the file after the work. A failed close must not hide why the work failed. */
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

/**
 * Writes a file under another name, syncs it and renames it, so that a crash leaves the old file or the whole new one. `mayRename` is
 * called before the new file is in force, and may give it up.
 */
export async function writeAtomically(
  files: Files,
  path: string,
  write: (file: OpenFile) => MaybePromise<void>,
  mayRename: () => boolean = () => true,
): Promise<void> {
  const aside = `${path}.new`;
  try {
    const file = await files.create(aside);
    await closeAfter(file, async () => {
      await write(file);
      await file.sync();
    });
    if (!mayRename()) {
      await files.remove(aside);
      return;
    }
    await files.rename(aside, path);
    await files.syncDirectory(dirname(path));
  } catch (error) {
    await files.remove(aside).catch(() => undefined);
    throw error;
  }
}
