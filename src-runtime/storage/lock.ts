/** One process, and one store in it, for each data directory: a lock file that a killed process cannot leave behind for good. */

import { randomUUID } from 'node:crypto';
import { fstatSync, readdirSync } from 'node:fs';
import { type FileHandle, link, open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemCode } from './errors.js';
import { StorageError } from './event-store.js';
import { identityAt, identityOf } from './files.js';

export interface DirectoryLock {
  /** Rejects where the lock is no longer ours, the directory being gone or somebody having removed the file. */
  check(): Promise<void>;
  release(): Promise<void>;
}

/** What the lock file says of its holder. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Tells the process from a later one with the same id; null where the system does not say. */
  readonly started: string | null;
  /** Identity of the file that it holds, which a copy of the directory does not have; null where it does not say. */
  readonly file: string | null;
}

const LOCK_NAME = 'lock';
const ATTEMPTS = 5;

/** Descriptors to look through where the system does not list the open ones. */
const DESCRIPTORS_MAX = 2048;

/** Takes the directory's lock. Rejects with a StorageError that names the holder where another store has it. */
export async function takeLock(directory: string): Promise<DirectoryLock> {
  const path = join(directory, LOCK_NAME);
  const aside = join(directory, `${LOCK_NAME}.${process.pid}.${randomUUID()}`);
  const handle = await open(aside, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(await thisProcess(handle))}\n`);
    await handle.sync();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // A link is made whole or not at all, so that nobody ever reads half a lock.
      if (await linked(aside, path)) return await held(directory, path, handle);
      await removeIfStale(directory, path);
    }
    throw inUse(directory, 'another process', 'try again');
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  } finally {
    // What cannot be removed must not hide why the lock was not taken.
    await rm(aside, { force: true }).catch(() => undefined);
  }
}

/** The file stays open for as long as the lock is held: that is how this process, in whichever thread, knows its own. */
async function held(directory: string, path: string, handle: FileHandle): Promise<DirectoryLock> {
  const own = identityOf(await handle.stat({ bigint: true }));
  const isOurs = () => identityAt(path) === own;
  return {
    async check() {
      if (isOurs()) return;
      throw new StorageError(
        `The data directory ${directory} or its lock file was removed or replaced while in use; restore it and start again`,
        'unreachable',
      );
    },
    async release() {
      if (isOurs()) await rm(path, { force: true });
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

/** Returns once the lock file is out of the way. Rejects where its holder lives, or cannot be asked. */
async function removeIfStale(directory: string, path: string): Promise<void> {
  const stale = identityAt(path);
  if (stale === undefined) return;
  const holder = await readHolder(path);
  // Given back while it was read, or in somebody else's hands by now.
  if (identityAt(path) !== stale) return;
  if (holder === undefined) {
    throw inUse(directory, 'a process that its lock file does not tell', `remove ${path} if there is none`);
  }
  if (holder.host !== hostname()) {
    throw inUse(directory, `process ${holder.pid} on ${holder.host}`, `remove ${path} if that is gone`);
  }
  if (await isAlive(holder, path)) throw inUse(directory, `process ${holder.pid}`, 'stop it');
  // Renamed before it goes: where somebody else was quicker, what was renamed is their new lock, and gets its name back.
  const aside = `${path}.${process.pid}.${randomUUID()}`;
  await rename(path, aside).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
  });
  if (identityAt(aside) === stale) await rm(aside, { force: true });
  else await rename(aside, path).catch(() => undefined);
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { pid, host, started, file } = value as Record<keyof Holder, unknown>;
    if (typeof pid !== 'number' || typeof host !== 'string') return undefined;
    return { pid, host, started: textOrNull(started), file: textOrNull(file) };
  } catch {
    return undefined;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

async function thisProcess(handle: FileHandle): Promise<Holder> {
  const file = identityOf(await handle.stat({ bigint: true }));
  return { pid: process.pid, host: hostname(), started: (await startOf(process.pid)) ?? null, file };
}

/** True where the holder lives and holds this very file. */
async function isAlive(holder: Holder, path: string): Promise<boolean> {
  if (holder.file !== null && holder.file !== identityAt(path)) return false;
  // A worker thread that crashed leaves its lock to a process that lives on; its open files are closed, though.
  if (holder.pid === process.pid) return isOpenInThisProcess(identityAt(path));
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
  }
  const started = await startOf(holder.pid);
  return holder.started === null || started === undefined || started === holder.started;
}

/** When a process started, in the system's own terms, or undefined where it does not say. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    // The command's name comes second, in parentheses, and may hold spaces; the start time is field 22.
    const ticks = text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
    return `${boot}/${ticks}`;
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
