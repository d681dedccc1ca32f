/** What callers can rely on when a history lies in many files. */

import { describe, expect, it } from 'vitest';
import { openDatabase } from './database.js';
import { type EventStore, redactor, type StoredTransaction } from './event-store.js';
import { sizeWarnings } from './sealing.js';
import { openLocked } from './sqljs-store.js';
import { FAKE_DIRECTORY, FakeDisk } from './testing/fake-disk.js';
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

const unlocked = { check: async () => undefined, release: async () => undefined };

/** Each row of the history becomes a segment at the next checkpoint, which comes after a few transactions. */
function open(disk: FakeDisk, segmentBytes = 1, checkpointAfterBytes = 700): Promise<EventStore> {
  const log = rememberingLog();
  return openLocked({ directory: FAKE_DIRECTORY, log, checkpointAfterBytes, segmentBytes }, disk.files, unlocked);
}

const segmentsOf = (disk: FakeDisk) => disk.paths().filter((path) => path.includes('/history-'));

async function backwards(store: EventStore, fork = 'main', before = 10_000): Promise<[number, boolean][]> {
  const found: [number, boolean][] = [];
  for await (const { txn, isLast } of store.readBack(SCOPE, fork, before)) found.push([txn, isLast]);
  return found;
}

/** Transactions on two forks; the fifth has seven parts of 32 KiB. */
const LONG = longTransaction(5, 3_000, 9);
const MAIN = [transaction(1), transaction(2), LONG, transaction(6_000), transaction(6_001)];
const FORK = [transaction(4, 'what-if'), transaction(7_000, 'what-if')];

async function written(segmentBytes?: number): Promise<{ disk: FakeDisk; store: EventStore }> {
  const disk = new FakeDisk();
  const store = await open(disk, segmentBytes);
  await store.createScope(scopeRecord);
  await store.append(SCOPE, [transaction(1)]);
  await store.append(SCOPE, [transaction(2)]);
  await store.createFork(SCOPE, forkRecord(3));
  await store.append(SCOPE, [transaction(4, 'what-if')]);
  await store.append(SCOPE, [LONG]);
  for (const copied of [transaction(6_000), transaction(6_001), transaction(7_000, 'what-if')]) {
    await store.appendCopy(SCOPE, [copied]);
  }
  return { disk, store };
}

describe.each([
  ['one segment a row', 1],
  ['one segment a checkpoint', 20_000],
] as const)('with %s', (_, segmentBytes) => {
  async function check(store: EventStore): Promise<void> {
    expect(await history(store)).toEqual(MAIN);
    expect(await history(store, 'main', 2)).toEqual(MAIN.slice(2));
    expect(await history(store, 'what-if')).toEqual(FORK);
    expect(await backwards(store)).toEqual([
      [6_001, true],
      [6_000, true],
      [5, false],
      [2, true],
      [1, true],
    ]);
    expect(await backwards(store, 'what-if', 7_000)).toEqual([[4, true]]);
    const seqs: number[] = [];
    for await (const { txn, events } of store.read(SCOPE, 'main', 2, 2_000)) {
      if (txn === 5) seqs.push(...events.map(({ seq }) => seq));
    }
    // The first part always comes with the transaction. Later parts up to the event are left out.
    expect(seqs.length).toBeLessThan(2_500);
    expect(seqs.slice(-1_000)).toEqual(LONG.events.slice(-1_000).map(({ seq }) => seq));
  }

  it('reads the history forwards and backwards, before and after a restart', async () => {
    const { disk, store } = await written(segmentBytes);
    await check(store);
    await store.close();
    expect(segmentsOf(disk).length).toBeGreaterThan(segmentBytes === 1 ? 8 : 1);
    const again = await open(disk, segmentBytes);
    await check(again);
    await again.append(SCOPE, [transaction(7_001)]);
    expect(await again.lastNumbers(SCOPE)).toEqual({ txn: 7_001, seq: 14_002 });
    await again.close();
  });

  it('reads on while an erasure replaces the segments', async () => {
    const { disk, store } = await written(segmentBytes);
    await store.close();
    const again = await open(disk, segmentBytes);
    const erasure = { individuals: ['#i1'], plainPositions: {} };
    const reading = history(again);
    await again.append(SCOPE, [forgetting(7_001, 1)], { erasure });
    expect((await reading).map(({ txn }) => txn).slice(0, 5)).toEqual(MAIN.map(({ txn }) => txn));
    const erased = [...MAIN.map((each) => ({ ...each, events: each.events.map(redactor(erasure)) }))];
    expect(await history(again)).toEqual([...erased, forgetting(7_001, 1)]);
    expect(await history(again, 'what-if')).toEqual(FORK);
    await again.close();
    const reopened = await open(disk, segmentBytes);
    expect(await history(reopened)).toEqual([...erased, forgetting(7_001, 1)]);
    await reopened.close();
  });

  it('keeps segments without the erased individual', async () => {
    const { disk, store } = await written(segmentBytes);
    await store.append(SCOPE, [transaction(7_001)]);
    await store.close();
    const again = await open(disk, segmentBytes, 1_000_000);
    const before = segmentsOf(disk);
    await again.append(SCOPE, [forgetting(7_002, 4)], { erasure: { individuals: ['#i4'], plainPositions: {} } });
    const after = segmentsOf(disk);
    expect(after.filter((path) => !before.includes(path))).toHaveLength(1);
    expect(after).toHaveLength(before.length);
    await again.close();
  });

  it('keeps the order of a long transaction when some of its segments are rewritten', async () => {
    const { disk, store } = await written(segmentBytes);
    const events = LONG.events.map((event) =>
      event.seq === 1_000 ? { ...event, tuple: ['@lease::acme', 'Note'] } : event,
    ) as StoredTransaction['events'];
    const [long, end] = [
      { ...LONG, txn: 7_001, events: events.map((each) => ({ ...each, seq: each.seq + 20_000 })) },
      2,
    ];
    await store.append(SCOPE, [long]);
    await store.append(SCOPE, [
      { ...transaction(7_002), events: [{ ...events[0], seq: 30_000 }] } as StoredTransaction,
    ]);
    const values = { 'lease::noted': { 0: { '@lease::acme': '@lease::bank' } } };
    await store.adoptSchema({ scopeIds: [SCOPE], renaming: { paths: {}, values }, schemaHash: 'h2' });
    await store.close();
    const again = await open(disk, segmentBytes);
    const found = (await history(again)).at(-end);
    expect(found?.events.map(({ seq }) => seq)).toEqual(long.events.map(({ seq }) => seq));
    expect(JSON.stringify(found).split('@lease::bank')).toHaveLength(2);
    await again.close();
  });
});

it('keeps the history of an archived scope readable, and that of its successor apart', async () => {
  const { disk, store } = await written();
  const setAside = [{ scopeId: SCOPE, asideId: 'aside' }];
  await store.adoptSchema({ schemaHash: 'h2', scopeIds: [], setAside });
  await store.append(SCOPE, [transaction(7_001)]);
  await store.append(SCOPE, [transaction(7_002, 'main', 1_000)]);
  await store.close();
  const again = await open(disk);
  expect(await history(again, 'main', 0, 'aside')).toEqual(MAIN);
  expect((await history(again)).map(({ txn }) => txn)).toEqual([7_001, 7_002]);
  await again.close();
});

it('divides the database of an older format when it is opened', async () => {
  const { disk: source, store } = await written(1_000_000);
  await store.close();
  const checkpoint = source.paths().find((path) => path.endsWith('.sqlite')) ?? '';
  const database = await openDatabase({ file: checkpoint, bytes: source.bytes(checkpoint) });
  expect(database.segments()).toEqual([]);
  database.close();
  expect(segmentsOf(source)).toEqual([]);
  const again = await open(source, 1_000);
  expect(await history(again)).toEqual(MAIN);
  await again.close();
  expect(segmentsOf(source).length).toBeGreaterThan(3);
  const reopened = await open(source, 1_000);
  expect(await history(reopened)).toEqual(MAIN);
  expect(await reopened.forks(SCOPE)).toEqual([forkRecord(3)]);
  await reopened.closeFork(SCOPE, closing(3, 'aborted'));
  await reopened.close();
});

it('serves from memory what the disk refused to seal, and seals it later', async () => {
  const disk = new FakeDisk();
  const store = await open(disk, 20_000);
  await store.createScope(scopeRecord);
  const { files } = disk;
  const create = files.create;
  const full = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
  Object.assign(files, { create: (path: string) => (path.includes('/history-') ? full() : create(path)) });
  for (let txn = 1; txn <= 9; txn += 1) await store.append(SCOPE, [transaction(txn)]);
  const all = Array.from({ length: 9 }, (_, index) => transaction(index + 1));
  expect(await history(store)).toEqual(all);
  expect(segmentsOf(disk)).toEqual([]);
  expect(store.warnings).toEqual([expect.stringMatching(/refused files of older history; 1 MiB wait in memory/)]);
  expect(await history(await open(disk.afterwards('killed'), 20_000))).toEqual(all);
  Object.assign(files, { create });
  for (let txn = 10; txn <= 14; txn += 1) await store.append(SCOPE, [transaction(txn)]);
  await store.close();
  expect(segmentsOf(disk).length).toBeGreaterThan(1);
  expect(store.warnings).toEqual([]);
  expect(await history(await open(disk, 20_000))).toHaveLength(14);
});

it('warns of limits before they are reached', () => {
  const mebibyte = 1024 * 1024;
  const small = { memoryBytes: 1_400 * mebibyte, unwrittenBytes: 0, checkpointBytes: 40 * mebibyte };
  expect(sizeWarnings(small)).toEqual([]);
  expect(sizeWarnings({ ...small, memoryBytes: 1_600 * mebibyte, checkpointBytes: 60 * mebibyte })).toEqual([
    'The history has 1,600 MiB of the 2,048 that fit into memory. Start with a data directory to keep more.',
    'A checkpoint has 60 MiB of scopes, forks and segments, and stops the server for as many milliseconds.',
  ]);
});

describe('a damaged segment', () => {
  it('is named when the directory is opened, if it is missing', async () => {
    const { disk, store } = await written();
    await store.close();
    const [first = ''] = segmentsOf(disk);
    await disk.files.remove(first);
    await expect(open(disk)).rejects.toThrow(`${first} is missing; nothing was changed`);
  });

  it.each([
    ['is cut short', (bytes: Uint8Array) => bytes.subarray(0, 5_000), 'damaged at offset 5000'],
    [
      'has a flipped bit',
      (bytes: Uint8Array) => bytes.with(5_000, (bytes[5_000] ?? 0) ^ 4),
      'do not match the checksum',
    ],
  ] as const)('is named when it is read, if it %s; other forks are read', async (_, damage, message) => {
    const { disk, store } = await written();
    await store.close();
    const [first = ''] = segmentsOf(disk);
    disk.put(first, damage(disk.bytes(first)));
    const again = await open(disk);
    await expect(history(again)).rejects.toThrow(message);
    await expect(history(again)).rejects.toThrow(first);
    expect(await history(again, 'what-if')).toEqual(FORK);
    await again.close();
  });
});
