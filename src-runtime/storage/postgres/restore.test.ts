/** Moves whole histories into PostgreSQL and out of it, where it is installed. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupLines, restoreBackup } from '../backup.js';
import { type EventStore, openSqlJsStore } from '../index.js';
import {
  closing,
  forkRecord,
  longTransaction,
  rememberingLog,
  SCOPE,
  scopeRecord,
  transaction,
} from '../testing/histories.js';
import { testDatabase } from '../testing/postgres.js';
import { programs } from '../testing/postgres-cluster.js';
import { openPostgresStore } from './postgres-store.js';
import { restoreIntoPostgres } from './restore.js';

const log = rememberingLog();

describe.runIf(programs)('a restore into PostgreSQL', () => {
  it('moves a folder into a database and back, with backups of equal bytes', async () => {
    const { url } = await testDatabase();
    const backup = await inFolder(async (store) => {
      await fill(store);
      return textOf(store);
    });
    expect(await restoreIntoPostgres(url, chunksOf(backup), 'b', log)).toMatchObject({ scopes: 3, forks: 1 });
    const database = await openPostgresStore({ url, log });
    const moved = await textOf(database);
    await database.close();
    expect(moved).toBe(backup);
    const back = await inFolder(async (store) => {
      await restoreBackup(chunksOf(moved), 'b', store);
      return textOf(store);
    });
    expect(back).toBe(backup);
  });

  it('leaves the database empty if the backup is damaged, and refuses one that is not empty', async () => {
    const { url } = await testDatabase();
    const backup = await inFolder(async (store) => {
      await fill(store);
      return textOf(store);
    });
    const cut = backup.slice(0, backup.lastIndexOf('{"kind":"end"'));
    await expect(restoreIntoPostgres(url, chunksOf(cut), 'b', log)).rejects.toThrow(/^b is cut short/);
    await restoreIntoPostgres(url, chunksOf(backup), 'b', log);
    await expect(restoreIntoPostgres(url, chunksOf(backup), 'b', log)).rejects.toThrow(/^The database is not empty\./);
  });

  it('starts over after it was killed, before which no server opens the database', async () => {
    const { url, query } = await testDatabase();
    const store = await openPostgresStore({ url, log });
    await fill(store);
    const backup = await textOf(store);
    await store.close();
    await query(`INSERT INTO entail_meta VALUES ('restoring', '1')`);
    await expect(openPostgresStore({ url, log })).rejects.toThrow(/^A restore into the database was broken off/);
    await restoreIntoPostgres(url, chunksOf(backup), 'b', log);
    const again = await openPostgresStore({ url, log });
    expect(await textOf(again)).toBe(backup);
    await again.close();
  });
});

/** Scopes with an archive, a fork, a long transaction and an erasure. */
async function fill(store: EventStore): Promise<void> {
  await store.createScope({ ...scopeRecord, scopeId: 'a1', tenant: 'other' });
  await store.append('a1', [transaction(1)]);
  await store.adoptSchema({ schemaHash: 'h2', scopeIds: [], setAside: [{ scopeId: 'a1', asideId: 'a1.1' }] });
  await store.createScope(scopeRecord);
  await store.append(SCOPE, [transaction(1)]);
  await store.createFork(SCOPE, { ...forkRecord(2), label: 'First' }, transaction(3, 'what-if'));
  await store.append(SCOPE, [longTransaction(4, 3_000, 7)]);
  const forgotten = { kind: 'forgetIndividual', seq: 4_000, id: '#i3', concept: 'lease::Person' } as const;
  await store.append(SCOPE, [{ ...transaction(5), events: [forgotten] }], {
    erasure: { individuals: ['#i3'], plainPositions: {} },
  });
  await store.closeFork(SCOPE, closing(2, 'promoted'), { ...transaction(6), events: [] });
}

async function inFolder<T>(work: (store: EventStore) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'entail-restore-'));
  const store = await openSqlJsStore({ directory, log });
  try {
    return await work(store);
  } finally {
    await store.close();
    await rm(directory, { recursive: true });
  }
}

async function textOf(store: EventStore): Promise<string> {
  let text = '';
  for await (const line of backupLines(store)) text += line;
  return text;
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
