/** Restores a backup into an empty folder. */

import { randomUUID } from 'node:crypto';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type BackupCounts, restoreBackup } from '../storage/backup.js';
import { systemCode } from '../storage/errors.js';
import { StorageError } from '../storage/event-store.js';
import { openSqlJsStore, type StorageLog } from '../storage/index.js';
import { rename } from '../storage/rename.js';

/**
 * Restores beside the folder first and renames at the end, so an interrupted restore leaves no half history there. Throws a
 * StorageError if the folder is not empty, or the backup is damaged. `name` is the name of the backup in messages.
 */
export async function restoreInto(
  folder: string,
  backup: AsyncIterable<Uint8Array>,
  name: string,
  log: StorageLog,
): Promise<BackupCounts> {
  const target = resolve(folder);
  const isThere = await requireEmpty(target);
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
