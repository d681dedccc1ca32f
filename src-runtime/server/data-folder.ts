/** Looks after data folders that no server has open: what they hold, whether they are sound, and new folders from damaged ones and backups. */

import { randomUUID } from 'node:crypto';
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { noDeadline } from '../base/ports.js';
import { compile } from '../compiler/index.js';
import { type ProjectFile, writeFiles } from '../project/write-project.js';
import { type BackupCounts, backupLines, restoreBackup } from '../storage/backup.js';
import { systemCode } from '../storage/errors.js';
import { type Overview, StorageError } from '../storage/event-store.js';
import { nodeFiles } from '../storage/files.js';
import { openForReading, openSqlJsStore, type StorageLog } from '../storage/index.js';
import { takeLock } from '../storage/lock.js';
import { rename } from '../storage/rename.js';
import { type Damage, verifyDirectory } from '../storage/verify-directory.js';
import { checkScope, type ScopeReport } from '../world/state/check-scope.js';
import { programOf } from '../world/wire/artifact-program.js';
import { createLastModule } from './modules/last-module.js';
import type { SourceFile } from './modules/module-source.js';
import { DEFAULT_LIMITS, type Log } from './options.js';

/** What a folder holds. */
export interface DataInfo {
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly changedAt: Date }[];
  readonly scopes: Overview['scopes'];
  /** The names of the sources that were served last. */
  readonly sources: readonly string[];
  readonly damage: readonly Damage[];
}

export interface DataReport {
  readonly damage: readonly Damage[];
  /** By scope. Undefined if the files are damaged, or no module is known. */
  readonly scopes: readonly (ScopeReport & { readonly tenant: string })[] | undefined;
}

/** A server may have the folder open. */
export async function dataInfo(directory: string, log: Log): Promise<DataInfo> {
  const names = await dataFiles(directory);
  const files = await Promise.all(
    names.map(async (name) => {
      const { size, mtime } = await stat(join(directory, name));
      return { name, bytes: size, changedAt: mtime };
    }),
  );
  const damage: Damage[] = [];
  const store = await openForReading(directory, ({ place, offset, message }) =>
    damage.push({ file: place ?? directory, offset, problem: message }),
  );
  const { scopes } = await store.overview();
  await store.close();
  const last = await createLastModule(directory, log).read();
  return { files, scopes, sources: last?.files.map(({ file }) => file) ?? [], damage };
}

/**
 * Verifies all files, then each scope against its module: the given sources, or those that were served last. Changes nothing. Throws a
 * StorageError if a server has the folder open.
 */
export async function checkData(
  directory: string,
  sources: readonly SourceFile[] | undefined,
  log: Log,
): Promise<DataReport> {
  await dataFiles(directory);
  return unused(directory, async () => {
    const damage = await verifyDirectory(nodeFiles, directory);
    const texts = sources ?? (await createLastModule(directory, log).read())?.files;
    const artifact = texts && compile(texts).artifact;
    if (damage.length > 0 || artifact === undefined) return { damage, scopes: undefined };
    const program = programOf(artifact);
    const store = await openForReading(directory, refused);
    try {
      const scopes: (ScopeReport & { tenant: string })[] = [];
      for (const record of await store.scopes()) {
        const { factsPerRule } = DEFAULT_LIMITS;
        scopes.push({
          tenant: record.tenant,
          ...(await checkScope(program, store, record, { factsPerRule }, noDeadline)),
        });
      }
      return { damage, scopes };
    } finally {
      await store.close();
    }
  });
}

/** The problems that a check found, one sentence each. */
export function findingsOf({ damage, scopes = [] }: DataReport): readonly string[] {
  return [
    ...damage.map(({ problem }) => foundIn(problem)),
    ...scopes.flatMap(({ tenant, hidden, differences, faults }) => [
      ...(hidden.count > 0
        ? [`${tenant}: ${hidden.count} events do not fit the module or the events before them, e.g. ${hidden.example}`]
        : []),
      ...differences.map(
        ({ fork, relation, missing, surplus }) =>
          `${tenant}, fork ${fork}: ${relation} differs from its evaluation: ${missing} facts missing, ${surplus} too many`,
      ),
      ...faults.map(({ relation, message }) => `${tenant}: ${relation} cannot be evaluated: ${message}`),
    ]),
  ];
}

/** The sentence without what a start of the server would advise. */
export function foundIn(problem: string): string {
  return problem.replace(/; nothing was changed\..*$/s, '');
}

function refused(damage: StorageError): never {
  throw damage;
}

/**
 * Copies the readable history of a damaged folder into a new one, and changes nothing in the damaged one. Returns what the copy lacks.
 * Throws a StorageError if no checkpoint is readable.
 */
export async function repairData(
  directory: string,
  folder: string,
  log: StorageLog,
): Promise<{ readonly counts: BackupCounts; readonly lost: readonly Damage[] }> {
  await dataFiles(directory);
  return unused(directory, async () => {
    const lost: Damage[] = [];
    const store = await openForReading(directory, ({ place, offset, message }) =>
      lost.push({ file: place ?? directory, offset, problem: message }),
    );
    try {
      const lines = async function* () {
        for await (const line of backupLines(store)) yield Buffer.from(line);
      };
      return { counts: await restoreInto(folder, lines(), directory, log), lost };
    } finally {
      await store.close();
    }
  });
}

/**
 * Restores into a folder, or into a database with `postgres://`. An interrupted restore leaves no half history there. Throws a
 * StorageError if the target is not empty, or the backup is damaged. `name` is the name of the backup in messages.
 */
export async function restoreInto(
  place: string,
  backup: AsyncIterable<Uint8Array>,
  name: string,
  log: StorageLog,
): Promise<BackupCounts> {
  if (/^postgres(ql)?:/i.test(place)) {
    const { restoreIntoPostgres } = await import('../storage/postgres/restore.js');
    return restoreIntoPostgres(place, backup, name, log);
  }
  const target = resolve(place);
  const isThere = await requireEmpty(target);
  // Beside the folder first, which gets its name at the end.
  const aside = join(dirname(target), `.entail-restore-${randomUUID()}`);
  try {
    const store = await openSqlJsStore({ directory: aside, log });
    let counts: BackupCounts;
    try {
      counts = await restoreBackup(backup, name, store);
    } finally {
      await store.close();
    }
    if (isThere) await rmdir(target);
    await rename(aside, target);
    return counts;
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Creates a project in a new or empty folder: the sources, with the history of a backup as their facts. Throws a StorageError like
 * `restoreInto`.
 */
export async function restoreProject(
  folder: string,
  sources: readonly ProjectFile[],
  backup: AsyncIterable<Uint8Array>,
  name: string,
  log: StorageLog,
): Promise<BackupCounts> {
  await requireEmpty(folder);
  const counts = await restoreInto(join(folder, '.entail'), backup, name, log);
  await writeFiles(folder, sources);
  return counts;
}

/** Whether the folder exists. */
async function requireEmpty(folder: string): Promise<boolean> {
  try {
    if ((await readdir(folder)).length === 0) return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return false;
    if (code === 'ENOTDIR') throw new StorageError(`${folder} is a file. Name a folder`, 'failed');
    throw error;
  }
  throw new StorageError(`${folder} is not empty. Name a new or an empty folder`, 'failed');
}

/** The names of its files. Throws a StorageError for a folder that holds no facts. */
async function dataFiles(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    const isMissing = systemCode(error) === 'ENOENT';
    throw new StorageError(`${directory} ${isMissing ? 'does not exist' : 'cannot be read'}`, 'failed', {
      cause: error,
    });
  });
  const stored = names.filter((name) => /^(events|history|state)-/.test(name)).sort();
  if (stored.some((name) => name.startsWith('events-'))) return stored;
  const inside = names.includes('.entail') ? `. Name ${join(directory, '.entail')}` : '';
  throw new StorageError(`${directory} holds no facts${inside}`, 'failed');
}

/** Holds the lock of the folder. A folder that cannot be written to has no server either. */
async function unused<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const lock = await takeLock(directory).catch((error: unknown) => {
    if (['EROFS', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return undefined;
    // Without its place: another folder is no way out here.
    if (error instanceof StorageError) throw new StorageError(error.message, error.reason, { cause: error });
    throw error;
  });
  try {
    return await work();
  } finally {
    await lock?.release();
  }
}
