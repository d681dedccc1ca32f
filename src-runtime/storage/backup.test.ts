/** What a backup holds, and what is refused as one. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupLines, restoreBackup } from './backup.js';
import { type EventStore, openMemoryStore, openSqlJsStore, type StoredTransaction } from './index.js';
import {
  closing,
  forgetting,
  forkRecord,
  history,
  longTransaction,
  rememberingLog,
  SCOPE,
  scopeRecord,
  transaction,
} from './testing/histories.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'entail-backup-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('restores scopes, forks, long transactions and erased individuals, and a backup of the copy has equal bytes', async () => {
  const store = await filledStore();
  const backup = await textOf(store);
  const copy = await openSqlJsStore({ directory, log: rememberingLog() });
  expect(await restoreBackup(chunksOf(backup, 1000), 'b', copy)).toMatchObject({
    scopes: 2,
    forks: 1,
    transactions: 5,
  });
  expect(await textOf(copy)).toBe(backup);
  for (const fork of ['main', 'what-if']) expect(await history(copy, fork)).toEqual(await history(store, fork));
  expect(await copy.lastNumbers(SCOPE)).toEqual(await store.lastNumbers(SCOPE));
  await copy.close();
});

it('has no line that grows with a transaction', async () => {
  const store = await filledStore();
  const longest = Math.max(...(await textOf(store)).split('\n').map(({ length }) => length));
  expect(longest).toBeLessThan(40_000);
});

it('leaves out what is written after it has begun', async () => {
  const store = await filledStore();
  const whole = await textOf(store);
  const lines = backupLines(store);
  const { value: first } = await lines.next();
  await lines.next();
  await lines.next();
  await store.append(SCOPE, [{ ...transaction(7), events: [] }]);
  expect((await all(lines)).length).toBe(whole.split('\n').length - 1 - 3);
  expect(first).toBe(whole.slice(0, whole.indexOf('\n') + 1));
});

it('stops if stored history is rewritten', async () => {
  const store = await filledStore();
  const lines = backupLines(store);
  await lines.next();
  await lines.next();
  const forgets = {
    ...forgettingLast(7),
    events: [{ ...forgetting(7, 1).events[0], seq: 3_001 }],
  } as StoredTransaction;
  await store.append(SCOPE, [forgets], { erasure: { individuals: ['#i1'], plainPositions: {} } });
  await expect(all(lines).then(() => 'a backup')).rejects.toThrow(/^The history was rewritten while it was copied/);
});

it.each([
  ['another file', () => 'name,age\nAda,36\n', 'b is no backup of Entail'],
  ['an empty file', () => '', 'b is no backup of Entail'],
  [
    'a newer version',
    (text: string) => text.replace('"version":1', '"version":2'),
    /^b has version 2, and this Entail reads version 1/,
  ],
  ['a cut', (text: string) => text.slice(0, text.lastIndexOf('{"kind":"end"')), /^b is cut short after line \d+\./],
  ['a cut within a line', (text: string) => text.slice(0, 5000), /^b is damaged in line \d+$/],
  [
    'a changed value',
    (text: string) => text.replace('Zoë', 'Zoe'),
    /^b is damaged: its lines do not match its checksum/,
  ],
  ['a line behind the end', (text: string) => `${text}{}\n`, /^b is damaged in line \d+$/],
])('refuses %s', async (_what, change, message) => {
  const changed = change(await textOf(await filledStore()));
  await expect(restoreBackup(chunksOf(changed, 4096), 'b', await openMemoryStore())).rejects.toThrow(message);
});

async function filledStore(): Promise<EventStore> {
  const store = await openMemoryStore();
  await store.createScope(scopeRecord);
  await store.append(SCOPE, [transaction(1)]);
  await store.createFork(SCOPE, { ...forkRecord(2), label: 'First' }, transaction(3, 'what-if'));
  await store.append(SCOPE, [longTransaction(4, 2_000, 7)]);
  await store.append(SCOPE, [forgettingLast(5)], { erasure: { individuals: ['#i3'], plainPositions: {} } });
  await store.closeFork(SCOPE, closing(2, 'promoted'), { ...transaction(6), events: [] });
  await store.createScope({ ...scopeRecord, scopeId: 'a', tenant: 'other' });
  return store;
}

/** Forgets the individual of the fork's transaction, with a number behind all events. */
function forgettingLast(txn: number): StoredTransaction {
  const { events, ...rest } = forgetting(txn, 3);
  return { ...rest, events: events.map((event) => ({ ...event, seq: 3_000 })) };
}

async function textOf(store: EventStore): Promise<string> {
  return (await all(backupLines(store))).join('');
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
