/** Restores a backup into an empty database. */

import { type BackupCounts, restoreBackup } from '../backup.js';
import type { StorageLog } from '../errors.js';
import { StorageError } from '../event-store.js';
import { connect } from './connections.js';
import { prepareDatabase } from './migrations.js';
import { storeOn } from './postgres-store.js';
import type { StatementName } from './sql.js';

/**
 * A restore that is broken off leaves a mark, so that no server opens half a history, and the next restore starts over. Throws a
 * StorageError if the database is not empty, or the backup is damaged. `name` is the name of the backup in messages.
 */
export async function restoreIntoPostgres(
  url: string,
  backup: AsyncIterable<Uint8Array>,
  name: string,
  log: StorageLog,
): Promise<BackupCounts> {
  const { isHalfRestored } = await prepareDatabase(url);
  const connections = await connect({ url, poolSize: 2 });
  const store = storeOn(connections, url, log);
  const clear = () =>
    connections.retried(async (session) => {
      for (const statement of CLEARING) await session.run(statement);
    });
  try {
    if (isHalfRestored) await clear();
    else if ((await store.scopes()).length > 0) {
      throw new StorageError('The database is not empty. Name an empty one', 'failed');
    }
    await connections.run('addMeta', ['restoring', '1']);
    try {
      const counts = await restoreBackup(backup, name, store);
      await connections.run('removeMeta', ['restoring']);
      return counts;
    } catch (error) {
      await clear();
      await connections.run('removeMeta', ['restoring']);
      throw error;
    }
  } catch (error) {
    throw connections.failure(error);
  } finally {
    await store.close();
  }
}

const CLEARING: readonly StatementName[] = ['clearEntries', 'clearForks', 'clearScopes'];
