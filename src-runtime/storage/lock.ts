/** Lock file of a data directory: one process, and one store in it. The lock of a killed process is taken over. */

import { randomUUID } from 'node:crypto';
import { fstatSync, readdirSync } from 'node:fs';
import { type FileHandle, link, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemCode } from './errors.js';
import { StorageError } from './event-store.js';
import { identityAt, identityOf } from './files.js';

export interface DirectoryLock {
  /** Rejects if the directory is gone, or the lock file was removed or replaced. */
  check(): Promise<void>;
  release(): Promise<void>;
}

/** The holder of the lock, as recorded in the lock file. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Tells the process from a later one with the same id; null if the system does not know. */
  readonly started: string | null;
  /** Identity of the lock file, which differs in a copy of the directory; null in older lock files. */
  readonly file: string | null;
  /** The second name of the file, if that records the holder and not the content. */
  readonly name?: string;
}

const LOCK_NAME = 'lock';
const ATTEMPTS = 5;

/** The disk is full. */
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT']);

/** How many descriptors to check if the system does not list the open ones. */
const DESCRIPTORS_MAX = 2048;

/**
 * Takes the directory's lock. Rejects with a StorageError that names the holder if another store has it. A full disk takes names but
 * no bytes; the lock then works without content, so that the history can be read.
 */
export async function takeLock(
  directory: string,
  write: (handle: FileHandle, text: string) => Promise<void> = writeSynced,
): Promise<DirectoryLock> {
  const path = join(directory, LOCK_NAME);
  const aside = join(directory, await asideName());
  const handle = await open(aside, 'wx', 0o600);
  let isHeldByName = false;
  try {
    try {
      await write(handle, `${JSON.stringify(await thisProcess(handle))}\n`);
    } catch (error) {
      if (!FULL_CODES.has(systemCode(error) ?? '')) throw error;
      await handle.truncate(0);
      isHeldByName = true;
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // A link is atomic, so no reader sees half a lock.
      if (await linked(aside, path)) return await held(directory, isHeldByName ? [path, aside] : [path], handle);
      await removeIfStale(directory, path);
    }
    isHeldByName = false;
    throw inUse(directory, 'another process', 'try again');
  } catch (error) {
    isHeldByName = false;
    await handle.close().catch(() => undefined);
    throw error;
  } finally {
    // A failed removal must not hide why the lock was not taken.
    if (!isHeldByName) await rm(aside, { force: true }).catch(() => undefined);
  }
}

async function writeSynced(handle: FileHandle, text: string): Promise<void> {
  await handle.writeFile(text);
  await handle.sync();
}

/** A name that records the holder, for a lock file that is empty because the disk was full. */
async function asideName(): Promise<string> {
  const started = encodeURIComponent((await startOf(process.pid)) ?? '');
  return `${LOCK_NAME}.${process.pid}.${encodeURIComponent(hostname())}.${started}.${randomUUID()}`;
}

/** The file stays open while the lock is held, so that each thread of this process can recognize the lock as its own. */
async function held(directory: string, paths: readonly string[], handle: FileHandle): Promise<DirectoryLock> {
  const own = identityOf(await handle.stat({ bigint: true }));
  const isOurs = (path: string) => identityAt(path) === own;
  return {
    async check() {
      if (paths.every(isOurs)) return;
      throw new StorageError(
        `The data directory ${directory} or its lock file was removed or replaced while in use; restore it and start again`,
        'unreachable',
      );
    },
    async release() {
      for (const path of paths) if (isOurs(path)) await rm(path, { force: true });
      await handle.close();
    },
  };
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock file if its holder is gone. Rejects if the holder lives or cannot be identified. */
async function removeIfStale(directory: string, path: string): Promise<void> {
  const stale = identityAt(path);
  if (stale === undefined) return;
  const holder = await readHolder(directory, path);
  // It was released during the read, or has a new holder.
  if (identityAt(path) !== stale) return;
  if (holder === undefined) {
    throw inUse(directory, 'an unknown process', `remove ${path} if no process uses it`);
  }
  if (holder !== 'nobody' && holder.host !== hostname()) {
    throw inUse(directory, `process ${holder.pid} on ${holder.host}`, `remove ${path} if that is gone`);
  }
  if (holder !== 'nobody') {
    if (await isAlive(holder, path)) throw inUse(directory, `process ${holder.pid}`, 'stop it');
    if (holder.name !== undefined) await rm(join(directory, holder.name), { force: true });
  }
  // Renamed before it is removed: if another process was faster, this is its new lock, and gets its name back.
  const aside = `${path}.${process.pid}.${randomUUID()}`;
  await rename(path, aside).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
  });
  if (identityAt(aside) === stale) await rm(aside, { force: true });
  else await rename(aside, path).catch(() => undefined);
}

/** Undefined if the file does not record it. Locks are linked after they are written, so the second name of an empty one records it. */
async function readHolder(directory: string, path: string): Promise<Holder | 'nobody' | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    if (text === '') return (await holderByName(directory, path)) ?? 'nobody';
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { pid, host, started, file } = value as Record<keyof Holder, unknown>;
    if (typeof pid !== 'number' || typeof host !== 'string') return undefined;
    return { pid, host, started: textOrNull(started), file: textOrNull(file) };
  } catch {
    return undefined;
  }
}

async function holderByName(directory: string, path: string): Promise<Holder | undefined> {
  const identity = identityAt(path);
  for (const name of await readdir(directory)) {
    if (!name.startsWith(`${LOCK_NAME}.`) || identityAt(join(directory, name)) !== identity) continue;
    // A host name may contain dots.
    const [, pid, ...rest] = name.split('.');
    const started = decodeURIComponent(rest.at(-2) ?? '');
    const host = decodeURIComponent(rest.slice(0, -2).join('.'));
    return { pid: Number(pid), host, started: started === '' ? null : started, file: null, name };
  }
  return undefined;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

async function thisProcess(handle: FileHandle): Promise<Holder> {
  const file = identityOf(await handle.stat({ bigint: true }));
  return { pid: process.pid, host: hostname(), started: (await startOf(process.pid)) ?? null, file };
}

/** Whether the holder lives and holds this very file. */
async function isAlive(holder: Holder, path: string): Promise<boolean> {
  if (holder.file !== null && holder.file !== identityAt(path)) return false;
  // A crashed worker thread leaves its lock to a process that lives on, but its open files are closed.
  if (holder.pid === process.pid) return isOpenInThisProcess(identityAt(path));
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
  }
  // A killed process whose parent has not collected it yet is still listed, but holds nothing.
  if ((await statusOf(holder.pid))?.[0] === 'Z') return false;
  const started = await startOf(holder.pid);
  return holder.started === null || started === undefined || started === holder.started;
}

/** When a process started, in the system's own unit; undefined if the system does not know. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const ticks = (await statusOf(pid))?.[19];
    return ticks === undefined ? undefined : `${boot}/${ticks}`;
  } catch {
    return undefined;
  }
}

/** The fields of a process in /proc from its state on (field 3), or undefined if the system has none. The start time is field 22. */
async function statusOf(pid: number): Promise<readonly string[] | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command's name comes second, in parentheses, and may hold spaces.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function isOpenInThisProcess(identity: string | undefined): boolean {
  return openDescriptors().some((descriptor) => {
    try {
      return identityOf(fstatSync(descriptor, { bigint: true })) === identity;
    } catch {
      return false;
    }
  });
}

function openDescriptors(): readonly number[] {
  try {
    return readdirSync('/dev/fd').map(Number);
  } catch {
    return Array.from({ length: DESCRIPTORS_MAX }, (_, descriptor) => descriptor);
  }
}

function inUse(directory: string, holder: string, remedy: string): StorageError {
  return new StorageError(
    `The data directory ${directory} is in use by ${holder}; ${remedy} or choose another --data directory`,
    'failed',
  );
}
