/** Lock file of a data directory: one process, and one store in it. The lock of a killed process is taken over. */

import { randomUUID } from 'node:crypto';
import { fstatSync, readdirSync } from 'node:fs';
import { type FileHandle, link, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { FULL_CODES, systemCode } from './errors.js';
import { StorageError } from './event-store.js';
import { identityAt, identityOf } from './files.js';
import { startOf, startTimeOf, statusOf } from './process-start.js';
import { rename } from './rename.js';

/** What the lock needs of the system, so that tests can stand in for others. */
export interface LockSystem {
  write(handle: FileHandle, text: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  /** Undefined if the system does not tell. */
  startTimeOf(pid: number): Promise<Date | undefined>;
  /** As a lock file records it; undefined without \`/proc\`. */
  startOf(pid: number): Promise<string | undefined>;
}

const nodeSystem: LockSystem = { write: writeSynced, link, startTimeOf, startOf };

export interface DirectoryLock {
  /** Rejects if the directory is gone, or the lock file was removed or replaced. */
  check(): void;
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

/** The file system has no hard links: FAT, exFAT and some network shares. */
const NO_LINK_CODES = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EISDIR', 'UNKNOWN']);

/** Without hard links a reader may see a lock before its content. A younger empty lock is being written. */
const WRITING_MS = 2_000;

/** File systems and \`ps\` round times to seconds. */
const ROUNDING_MS = 2_000;

/** How many descriptors to check if the system does not list the open ones. */
const DESCRIPTORS_MAX = 2048;

/**
 * Takes the directory's lock. Rejects with a StorageError that names the holder if another store has it. A full disk takes names but
 * no bytes; the lock then works without content, so that the history can be read.
 */
export async function takeLock(directory: string, given: Partial<LockSystem> = {}): Promise<DirectoryLock> {
  const system = { ...nodeSystem, ...given };
  const path = join(directory, LOCK_NAME);
  const aside = join(directory, await asideName(system));
  const handle = await open(aside, 'wx', 0o600);
  let isHeldByName = false;
  let hasLinks = true;
  try {
    try {
      await system.write(handle, await contentOf(handle, system));
    } catch (error) {
      if (!FULL_CODES.has(systemCode(error) ?? '')) throw error;
      await handle.truncate(0);
      isHeldByName = true;
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // A link is atomic, so no reader sees half a lock.
      const outcome: 'linked' | 'exists' | 'no links' = hasLinks ? await linked(aside, path, system) : 'no links';
      if (outcome === 'linked') return await held(directory, isHeldByName ? [path, aside] : [path], handle);
      hasLinks = outcome !== 'no links';
      const created = hasLinks ? undefined : await createWithoutLink(path, system);
      if (created !== undefined) {
        await handle.close();
        isHeldByName = false;
        return await held(directory, [path], created);
      }
      await removeIfStale(directory, path, hasLinks, system);
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

/** Undefined if the lock file exists. */
async function createWithoutLink(path: string, system: LockSystem): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'wx', 0o600);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return undefined;
    throw error;
  }
  try {
    await system.write(handle, await contentOf(handle, system));
    return handle;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeSynced(handle: FileHandle, text: string): Promise<void> {
  await handle.writeFile(text);
  await handle.sync();
}

/** A name that records the holder, for a lock file that is empty because the disk was full. */
async function asideName(system: LockSystem): Promise<string> {
  const started = encodeURIComponent((await system.startOf(process.pid)) ?? '');
  return `${LOCK_NAME}.${process.pid}.${encodeURIComponent(hostname())}.${started}.${randomUUID()}`;
}

/** The file stays open while the lock is held, so that each thread of this process can recognize the lock as its own. */
async function held(directory: string, paths: readonly string[], handle: FileHandle): Promise<DirectoryLock> {
  const own = identityOf(await handle.stat({ bigint: true }));
  const isOurs = (path: string) => identityAt(path) === own;
  return {
    check() {
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

async function linked(from: string, to: string, system: LockSystem): Promise<'linked' | 'exists' | 'no links'> {
  try {
    await system.link(from, to);
    return 'linked';
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (code === 'EEXIST') return 'exists';
    if (NO_LINK_CODES.has(code)) return 'no links';
    throw error;
  }
}

/** Removes the lock file if its holder is gone. Rejects if the holder lives or cannot be identified. */
async function removeIfStale(directory: string, path: string, hasLinks: boolean, system: LockSystem): Promise<void> {
  const stale = identityAt(path);
  if (stale === undefined) return;
  const holder = await readHolder(directory, path);
  // It was released during the read, or has a new holder.
  if (identityAt(path) !== stale) return;
  const remove = `remove ${path} if no Entail uses the folder`;
  if (!hasLinks && (holder === undefined || holder === 'nobody') && (await ageMsOf(path)) < WRITING_MS) {
    throw inUse(directory, 'another process', 'try again');
  }
  if (holder === undefined) throw inUse(directory, 'an unknown process', remove);
  if (holder !== 'nobody') {
    if (holder.host !== hostname()) {
      throw inUse(directory, `process ${holder.pid} on ${holder.host}`, `remove ${path} if that is gone`);
    }
    const life = await lifeOf(holder, path, system);
    if (life === 'alive') throw inUse(directory, `another Entail (process ${holder.pid})`, 'stop it');
    // The id may belong to another program by now, which nobody should stop.
    if (life === 'unknown') throw inUse(directory, 'another Entail, or was left locked by one that crashed', remove);
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

async function ageMsOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? Number.POSITIVE_INFINITY : Date.now() - found.mtimeMs;
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

/** The content of a lock file of this process. */
async function contentOf(handle: FileHandle, system: LockSystem): Promise<string> {
  const file = identityOf(await handle.stat({ bigint: true }));
  const started = (await system.startOf(process.pid)) ?? null;
  const holder: Holder = { pid: process.pid, host: hostname(), started, file };
  return `${JSON.stringify(holder)}\n`;
}

/** Whether the holder lives and holds this very file. */
async function lifeOf(holder: Holder, path: string, system: LockSystem): Promise<'alive' | 'gone' | 'unknown'> {
  if (holder.file !== null && holder.file !== identityAt(path)) return 'gone';
  // A crashed worker thread leaves its lock to a process that lives on, but its open files are closed.
  if (holder.pid === process.pid) return isOpenInThisProcess(identityAt(path)) ? 'alive' : 'gone';
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return 'gone';
  }
  // A killed process whose parent has not collected it yet is still listed, but holds nothing.
  if ((await statusOf(holder.pid))?.[0] === 'Z') return 'gone';
  const started = await system.startOf(holder.pid);
  if (holder.started !== null && started !== undefined) return started === holder.started ? 'alive' : 'gone';
  return await lifeByTime(holder.pid, path, system);
}

/**
 * Without `/proc`: a process that started after the lock was written has only got the id of the holder, as after a power cut. If the
 * clock was set forward in between, a lock in use may be taken over; its holder then notices before its next write.
 */
async function lifeByTime(pid: number, path: string, system: LockSystem): Promise<'alive' | 'gone' | 'unknown'> {
  const started = await system.startTimeOf(pid);
  const written = await stat(path).catch(() => undefined);
  if (written === undefined) return 'gone';
  if (started === undefined) return 'unknown';
  return started.getTime() > written.mtimeMs + ROUNDING_MS ? 'gone' : 'alive';
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
  return new StorageError(`The data directory ${directory} is in use by ${holder}; ${remedy}`, 'failed', {
    place: directory,
  });
}
