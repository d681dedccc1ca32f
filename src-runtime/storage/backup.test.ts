/** What a backup holds, and what is refused as one. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Json } from '../artifact/types.js';
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

it('replaces what was written before a time by the facts of then, numbered up to the last event', async () => {
  const copy = await compactedCopy(await agedStore(), '2026-01-04');
  const [first, ...others] = await history(copy);
  expect(first).toMatchObject({ txn: 4, at: on(3), cause: { kind: 'compaction' }, principal: null });
  expect(first?.events).toEqual([
    { kind: 'insertIndividual', seq: 5, id: '#i1', concept: 'lease::Person' },
    { kind: 'insertFact', seq: 6, relation: 'lease::noted', tuple: ['#i1', KEPT] },
    { kind: 'setField', seq: 7, id: '#i1', field: 'name', value: 'Zoë, renamed' },
    // Its id must not be used again.
    { kind: 'redacted', seq: 8, id: '#i3' },
  ]);
  expect(others.map(({ txn }) => txn)).toEqual([6]);
  expect((await copy.forks(SCOPE)).map(({ fork, txn }) => [fork, txn])).toEqual([['open', 5]]);
  expect(await copy.lastNumbers(SCOPE)).toEqual({ txn: 6, seq: 9 });
});

it('keeps the history from the first fork on that was open at the time', async () => {
  const store = await agedStore();
  const copy = await compactedCopy(store, '2026-01-02');
  expect((await history(copy)).map(({ txn, cause }) => [txn, cause.kind])).toEqual([
    [1, 'compaction'],
    [4, 'adhoc'],
    [6, 'adhoc'],
  ]);
  expect(await history(copy, 'closed')).toEqual(await history(store, 'closed'));
});

/** A record with a list, as a fact may have. */
const KEPT = { words: ['kept', 'twice'], by: '#i1' };

/** Transactions on the first days of the year. 2 and 5 create forks, and the first of them is closed on the third day. */
async function agedStore(): Promise<EventStore> {
  const store = await openMemoryStore();
  await store.createScope(scopeRecord);
  const adhoc = (txn: number, day: number, events: StoredTransaction['events'], fork = 'main'): StoredTransaction => ({
    ...{ fork, txn, at: on(day), cause: { kind: 'adhoc' }, principal: 'ada', events },
  });
  const noted = (kind: 'insertFact' | 'deleteFact', seq: number, note: Json) =>
    ({ kind, seq, relation: 'lease::noted', tuple: ['#i1', note] }) as const;
  const person = { id: '#i1', concept: 'lease::Person' };
  await store.append(SCOPE, [
    adhoc(1, 1, [
      { kind: 'insertIndividual', seq: 1, ...person },
      { kind: 'setField', seq: 2, id: '#i1', field: 'name', value: 'Zoë' },
      noted('insertFact', 3, KEPT),
      noted('insertFact', 4, ['deleted', { by: '#i1' }]),
    ]),
  ]);
  const inFork = adhoc(3, 2, [{ kind: 'insertIndividual', seq: 5, id: '#i3', concept: 'lease::Person' }], 'closed');
  await store.createFork(SCOPE, { ...forkRecord(2, 'closed'), baseSeq: 4 }, inFork);
  const renamed = { kind: 'setField', seq: 7, id: '#i1', field: 'name', value: 'Zoë, renamed' } as const;
  await store.append(SCOPE, [
    adhoc(4, 3, [
      noted('deleteFact', 6, ['deleted', { by: '#i1' }]),
      renamed,
      { kind: 'setField', seq: 8, id: '#i1', field: 'note', value: null },
    ]),
  ]);
  await store.closeFork(SCOPE, { ...closing(2, 'aborted', 'closed'), closedAt: '2026-01-03T12:00:00.000Z' });
  await store.createFork(SCOPE, { ...forkRecord(5, 'open'), baseSeq: 8 });
  await store.append(SCOPE, [adhoc(6, 5, [noted('insertFact', 9, 'later')])]);
  return store;
}

function on(day: number): string {
  return `2026-01-0${day}T08:00:00.000Z`;
}

async function compactedCopy(store: EventStore, before: string): Promise<EventStore> {
  const copy = await openMemoryStore();
  const backup = (await all(backupLines(store, Date.parse(before)))).join('');
  await restoreBackup(chunksOf(backup, 1000), 'b', copy);
  return copy;
}

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
