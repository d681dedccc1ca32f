/** The few things that storage asks of a file system, as a port, so that tests can make each of them fail. */

import { statSync, writeSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
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
  close(): Promise<void>;
}

export interface Files {
  /** Creates the directory and its parents where they are missing. */
  makeDirectory(path: string): Promise<void>;
  list(directory: string): Promise<readonly string[]>;
  read(path: string): Promise<Uint8Array>;
  /** Opens an empty file, whether or not one was there. */
  create(path: string): Promise<OpenFile>;
  /** Opens a file that exists, for writing. */
  open(path: string): Promise<OpenFile>;
  /** Replaces what is at `to`. */
  rename(from: string, to: string): Promise<void>;
  /** Nothing happens where there is no such file. */
  remove(path: string): Promise<void>;
  /** Resolves once the names created, replaced and removed in the directory survive a loss of power. */
  syncDirectory(path: string): Promise<void>;
  /** Identity of the file or directory under this name, undefined where there is none. */
  identity(path: string): Promise<string | undefined>;
}

/** As for `identityAt`: the system's cache takes so much in less time than a trip to a thread and back. */
const AT_ONCE_BYTES = 64 * 1024;

/** The real file system. What it creates only its owner may read. */
export const nodeFiles: Files = {
  makeDirectory,
  list: (directory) => readdir(directory),
  read: (path) => readFile(path),
  create: async (path) => openFile(await open(path, 'w', 0o600)),
  open: async (path) => openFile(await open(path, 'r+')),
  rename,
  remove: (path) => rm(path, { force: true }),
  syncDirectory,
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
    close: () => handle.close(),
  };
}

async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directory for syncing; NTFS journals its names itself.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
