/** After a crash or failure at any file operation, acknowledged writes are kept, and others are kept as a whole or not at all. */

import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { recover } from './commit-log.js';
import { asStorageError } from './errors.js';
import { type EventStore, StorageError, type StoredTransaction } from './event-store.js';
import type { Files } from './files.js';
import { openLocked } from './sqljs-store.js';
import { CRASHES, FAKE_DIRECTORY, FakeDisk, type Incident } from './testing/fake-disk.js';
import {
  closing,
  forgetting,
  forkRecord,
  history,
  redacted,
  rememberingLog,
  SCOPE,
  scopeRecord,
  transaction,
} from './testing/histories.js';

const TRANSACTIONS = 12;
const unlocked = { check: async () => undefined, release: async () => undefined };

/** A new database of the store has 44 KiB. With 20,000 bytes a checkpoint seals it as it is; with 1, each row becomes a segment. */
const LAYOUTS = [
  ['in one file', undefined],
  ['in sealed segments', 20_000],
  ['divided into segments', 1],
] as const;

let segmentBytes: number | undefined;

/** With so low a threshold the sequence goes through several checkpoints. */
function openOn(disk: FakeDisk, checkpointAfterBytes = 700): Promise<EventStore> {
  const options = { directory: FAKE_DIRECTORY, log: rememberingLog(), checkpointAfterBytes };
  return openLocked({ ...options, ...(segmentBytes !== undefined && { segmentBytes }) }, disk.files, unlocked);
}

function laysOut(bytes: number | undefined): void {
  beforeAll(() => {
    segmentBytes = bytes;
  });
  afterAll(() => {
    segmentBytes = undefined;
  });
}

/** Runs the sequence until the disk dies. Returns the last acknowledged transaction, or -1 if not even the scope was acknowledged. */
async function runUntilDeath(disk: FakeDisk): Promise<number> {
  let acknowledged = -1;
  let store: EventStore | undefined;
  try {
    store = await openOn(disk);
    await store.createScope(scopeRecord);
    acknowledged = 0;
    for (let txn = 1; txn <= TRANSACTIONS; txn += 1) {
      await store.append(SCOPE, [transaction(txn)]);
      acknowledged = txn;
    }
    await store.close();
  } catch {
    await store?.close().catch(() => undefined);
  }
  return acknowledged;
}

async function countOperations(): Promise<number> {
  const disk = new FakeDisk();
  expect(await runUntilDeath(disk)).toBe(TRANSACTIONS);
  expect(disk.paths().some((path) => /events-00000[3-9]-\w+\.sqlite$/.test(path))).toBe(true);
  expect(disk.paths().some((path) => path.includes('/history-'))).toBe(segmentBytes !== undefined);
  return disk.operations;
}

async function checkRecovery(disk: FakeDisk, acknowledged: number): Promise<void> {
  const store = await openOn(disk);
  if ((await store.scope(SCOPE)) === undefined) {
    expect(acknowledged).toBe(-1);
    await store.createScope(scopeRecord);
  }
  const found = await history(store);
  // The running append may have become durable without an acknowledgement.
  expect(found.length).toBeGreaterThanOrEqual(Math.max(acknowledged, 0));
  expect(found.length).toBeLessThanOrEqual(acknowledged + 1);
  expect(found).toEqual(found.map((_, index) => transaction(index + 1)));

  const next = transaction(found.length + 1);
  await store.append(SCOPE, [next]);
  await store.close();
  const again = await openOn(disk);
  expect(await history(again)).toEqual([...found, next]);
  await again.close();
}

describe.each(LAYOUTS)('a history %s', (_, bytes) => {
  laysOut(bytes);

  it.each(CRASHES)(
    'loses no acknowledged append in a crash at any operation of appends and checkpoints (%s done, process %j)',
    async (done, causes) => {
      const operations = await countOperations();
      for (let atOperation = 1; atOperation <= operations; atOperation += 1) {
        const disk = new FakeDisk({ atOperation, done, kind: 'crash' });
        const acknowledged = await runUntilDeath(disk);
        for (const cause of causes) {
          await checkRecovery(disk.afterwards(cause), acknowledged).catch((error: unknown) => {
            throw new Error(`${cause} at operation ${atOperation} of ${operations}`, { cause: error });
          });
        }
      }
    },
  );

  it.each(CRASHES)('loses nothing after a second crash at any operation of recovery (%s done)', async (done) => {
    const first = new FakeDisk({
      atOperation: Math.floor((await countOperations()) * 0.6),
      done: 'half',
      kind: 'crash',
    });
    const acknowledged = await runUntilDeath(first);
    for (let atOperation = 1; atOperation <= 13; atOperation += 1) {
      const second = first.afterwards('killed');
      second.expect({ atOperation, done, kind: 'crash' });
      await openOn(second)
        .then((store) => store.close())
        .catch(() => undefined);
      await checkRecovery(second.afterwards('killed'), acknowledged);
    }
  });
});

it('refuses a journal that is cut short anywhere, names file and offset, and changes nothing', async () => {
  const { disk, store } = await storeWith(
    [1, 2, 3].map((txn) => transaction(txn)),
    100_000,
  );
  await store.close();
  const journal = `${FAKE_DIRECTORY}/events-000001.journal`;
  const whole = disk.bytes(journal);
  for (let length = 0; length < whole.length; length += 1) {
    const cut = disk.afterwards('killed');
    cut.put(journal, whole.subarray(0, length));
    const { commitsAfter } = await recover({ files: cut.files, directory: FAKE_DIRECTORY, warn: () => undefined });
    expect(() => commitsAfter(0), `cut to ${length} bytes`).toThrow(/events-000001\.journal is damaged at offset \d+/);
    expect(Buffer.compare(cut.bytes(journal), whole.subarray(0, length))).toBe(0);
  }
});

describe.each(LAYOUTS.slice(0, 2))('a history %s', (_, bytes) => {
  laysOut(bytes);

  describe('a full disk', () => {
    it.each(['nothing', 'half', 'all'] as const)(
      'leaves nothing of a refused append, which can be retried, at any operation (%s done)',
      async (done) => {
        const operations = await countOperations();
        for (let atOperation = 1; atOperation <= operations; atOperation += 1) {
          const disk = new FakeDisk();
          const store = await openOn(disk);
          await store.createScope(scopeRecord);
          disk.expect({ atOperation, done, kind: 'full' });
          for (let txn = 1; txn <= TRANSACTIONS; txn += 1) await appendInspite(store, txn);
          expect(await history(store)).toHaveLength(TRANSACTIONS);
          await store.close().catch(() => undefined);
          const again = await openOn(disk.afterwards('killed'));
          expect(await history(again)).toEqual(
            Array.from({ length: TRANSACTIONS }, (_, index) => transaction(index + 1)),
          );
          await again.close();
        }
      },
    );

    it('has a separate remedy for too many open files', () => {
      const refused = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      expect(asStorageError(refused, 'write the history').message).toBe(
        'Could not write the history: this process has too many files open; raise its limit of open files and try again (EMFILE)',
      );
    });

    it('rejects with a StorageError that says so', async () => {
      const disk = new FakeDisk();
      const store = await openOn(disk);
      await store.createScope(scopeRecord);
      const incident: Incident = { atOperation: 1, done: 'half', kind: 'full' };
      disk.expect(incident);
      const why = 'the disk is full; free at least 2 MB and try again';
      await expect(store.append(SCOPE, [transaction(1)])).rejects.toMatchObject({
        name: 'StorageError',
        why,
        reason: 'failed',
        message: 'Could not write the history: the disk is full; free at least 2 MB and try again (ENOSPC)',
      });
      disk.expect(incident);
      await expect(store.probe(), 'a probe rejects with the same reason').rejects.toMatchObject({
        reason: 'unreachable',
        why,
      });
      await store.close();
    });
  });
});

describe('a probe', () => {
  it.each<[what: string, failing: (files: Files) => Partial<Files>]>([
    ['a sync', ({ create }) => ({ create: async (path) => ({ ...(await create(path)), sync: () => refused() }) })],
    ['a rename', () => ({ rename: () => refused() })],
    ['a sync of the directory', () => ({ syncDirectory: () => refused() })],
  ])(
    'rejects as unreachable while %s fails, leaves nothing behind, and resolves once it works again',
    async (_, failing) => {
      const disk = new FakeDisk();
      let files = disk.files;
      const switched: Files = {
        ...files,
        create: (path) => files.create(path),
        rename: (from, to) => files.rename(from, to),
        syncDirectory: (path) => files.syncDirectory(path),
      };
      const store = await openLocked({ directory: FAKE_DIRECTORY, log: rememberingLog() }, switched, unlocked);
      const paths = disk.paths();
      files = { ...disk.files, ...failing(disk.files) };
      await expect(store.probe()).rejects.toMatchObject({ name: 'StorageError', reason: 'unreachable' });
      await expect(store.probe()).rejects.toMatchObject({ name: 'StorageError', reason: 'unreachable' });
      expect(disk.paths()).toEqual(paths);
      files = disk.files;
      await expect(store.probe()).resolves.toBeUndefined();
      expect(disk.paths()).toEqual(paths);
      await store.close();
    },
  );

  it('syncs at most once a second, and once for concurrent calls', async () => {
    const disk = new FakeDisk();
    const store = await openOn(disk);
    const syncsOf = async (nowMs: number) => {
      clock.mockReturnValue(nowMs);
      const before = disk.synced.length;
      await Promise.all([store.probe(), store.probe()]);
      return disk.synced.length - before;
    };
    const clock = vi.spyOn(performance, 'now');
    onTestFinished(() => clock.mockRestore());
    expect([await syncsOf(5_000), await syncsOf(5_999), await syncsOf(6_000)]).toEqual([1, 0, 1]);
    await store.close();
  });
});

function refused(): Promise<never> {
  return Promise.reject(Object.assign(new Error('input/output error'), { code: 'EIO' }));
}

/** Appends. If the append is refused, expects no trace of it, and retries. */
async function appendInspite(store: EventStore, txn: number): Promise<void> {
  try {
    await store.append(SCOPE, [transaction(txn)]);
  } catch {
    expect(await history(store)).toHaveLength(txn - 1);
    await store.append(SCOPE, [transaction(txn)]);
  }
}

/** A store with this history. Operations of its disk are counted from here on. */
async function storeWith(
  transactions: readonly StoredTransaction[],
  checkpointAfterBytes?: number,
): Promise<{ disk: FakeDisk; store: EventStore }> {
  const disk = new FakeDisk();
  const store = await openOn(disk, checkpointAfterBytes);
  await store.createScope(scopeRecord);
  for (const written of transactions) await store.append(SCOPE, [written]);
  disk.operations = 0;
  return { disk, store };
}

describe.each(LAYOUTS)('a history %s', (_, bytes) => {
  laysOut(bytes);

  describe('forgetting', () => {
    const ERASURE = { individuals: ['#i2'], plainPositions: { name: [1] } };
    const before = [1, 2, 3, 4].map((txn) => transaction(txn));
    const after = [transaction(1), redacted(2), transaction(3), transaction(4), forgetting(5, 2)];

    const forget = (store: EventStore) => store.append(SCOPE, [forgetting(5, 2)], { erasure: ERASURE });

    async function countForgetting(): Promise<number> {
      const { disk, store } = await storeWith(before);
      await forget(store);
      const { operations } = disk;
      await store.close();
      return operations;
    }

    /** Whether any file holds the name that transaction 2 gave. */
    function isNamed(disk: FakeDisk): boolean {
      return disk.paths().some((path) => Buffer.from(disk.bytes(path)).includes('Zoë 2.'));
    }

    it.each(CRASHES)(
      'erases completely, with no erased value left, or not at all, at a crash in any operation (%s done, process %j)',
      async (done, causes) => {
        const operations = await countForgetting();
        expect(operations).toBeGreaterThan(8);
        for (let atOperation = 1; atOperation <= operations; atOperation += 1) {
          const { disk, store } = await storeWith(before);
          disk.expect({ atOperation, done, kind: 'crash' });
          const acknowledged = await forget(store).then(
            () => true,
            () => false,
          );
          await store.close().catch(() => undefined);
          for (const cause of causes) {
            const next = disk.afterwards(cause);
            const again = await openOn(next);
            const found = await history(again);
            if (acknowledged) expect(found).toEqual(after);
            expect([before, after]).toContainEqual(found);
            expect(isNamed(next)).toBe(found.length === before.length);
            const following = transaction(found.length + 1);
            await again.append(SCOPE, [following]);
            await again.close();
            expect(await history(await openOn(next))).toEqual([...found, following]);
          }
        }
      },
    );

    describe.each(['nothing', 'half', 'all'] as const)('when %s of a file operation is done', (done) => {
      it('is refused without effect, or erases completely, if any operation meets a full disk', async () => {
        const operations = await countForgetting();
        for (let atOperation = 1; atOperation <= operations; atOperation += 1) {
          const { disk, store } = await storeWith(before);
          disk.expect({ atOperation, done, kind: 'full' });
          await forget(store).catch(async () => {
            expect(await history(store)).toEqual(before);
            await forget(store);
          });
          expect(await history(store)).toEqual(after);
          expect(isNamed(disk)).toBe(false);
          await store.append(SCOPE, [transaction(6)]);
          await store.close().catch(() => undefined);
          for (const cause of ['killed', 'power lost'] as const) {
            const next = disk.afterwards(cause);
            const again = await openOn(next);
            expect(await history(again)).toEqual([...after, transaction(6)]);
            expect(isNamed(next)).toBe(false);
            await again.close();
          }
        }
      });
    });
  });

  describe('a disk that fails for a while', () => {
    const ERASURE = { individuals: ['#i2'], plainPositions: { name: [1] } };
    const before = [1, 2, 3].map((txn) => transaction(txn));
    const rewrites = {
      forgetting: {
        write: (store: EventStore) => store.append(SCOPE, [forgetting(4, 2)], { erasure: ERASURE }),
        after: [transaction(1), redacted(2), transaction(3), forgetting(4, 2)],
      },
      appending: {
        write: (store: EventStore) => store.append(SCOPE, [transaction(4)]),
        after: [...before, transaction(4)],
      },
    };

    describe.each(['forgetting', 'appending'] as const)('while %s', (kind) => {
      const { write, after } = rewrites[kind];

      it.each(['nothing', 'all'] as const)(
        'reports an unknown outcome only if the write may be kept, allows reads, and accepts the write later (%s of the first operation done)',
        async (done) => {
          const { disk: counted, store: whole } = await storeWith(before);
          await write(whole);
          const { operations } = counted;
          await whole.close();
          const outcomes = new Set<string>();
          for (let atOperation = 1; atOperation <= operations; atOperation += 1) {
            const { disk, store } = await storeWith(before);
            disk.expect({ atOperation, done, kind: 'full', operations: Number.POSITIVE_INFINITY });
            const failure = await write(store).then(
              () => undefined,
              (error: unknown) => error,
            );
            const place = `refused from operation ${atOperation} of ${operations} on`;
            const found = await history(await openOn(disk.afterwards('killed')));
            if (failure === undefined) {
              expect([place, found]).toEqual([place, after]);
            } else if (failure instanceof StorageError && failure.isUnknown) {
              expect(failure.message).toMatch(/; it may have been kept$/);
              outcomes.add(found.length === before.length ? 'unknown, not kept' : 'unknown, kept');
            } else {
              expect([place, found]).toEqual([place, before]);
              outcomes.add('not kept');
            }
            // Reads continue. While the outcome is unknown, other writes are refused before they write anything.
            expect([place, await history(store)]).toEqual([place, failure === undefined ? after : before]);
            if (failure !== undefined) {
              const isUnknown = !(failure instanceof StorageError && failure.isUnknown);
              await expect(store.append(SCOPE, [transaction(4)]), place).rejects.toMatchObject({ isUnknown });
              await expect(store.probe(), place).rejects.toThrow(/disk is full/);
            }
            disk.expect(undefined);
            await store.probe();
            expect([place, await history(await openOn(disk.afterwards('killed')))]).toEqual([
              place,
              failure === undefined ? after : before,
            ]);
            if (failure !== undefined) await write(store);
            await store.append(SCOPE, [transaction(5)]);
            expect([place, await history(store)]).toEqual([place, [...after, transaction(5)]]);
            await store.close();
            expect([place, await history(await openOn(disk.afterwards('killed')))]).toEqual([
              place,
              [...after, transaction(5)],
            ]);
          }
          expect([...outcomes]).toContain('unknown, kept');
        },
      );
    });
  });
});

describe('promoting', () => {
  const promoted = { ...forkRecord(2), status: 'promoted', closedAt: closing(2, 'promoted').closedAt };

  async function prepare(store: EventStore): Promise<EventStore> {
    await store.createScope(scopeRecord);
    await store.append(SCOPE, [transaction(1)]);
    await store.createFork(SCOPE, forkRecord(2));
    await store.append(SCOPE, [transaction(3, 'what-if')]);
    return store;
  }

  async function prepared(): Promise<{ disk: FakeDisk; store: EventStore }> {
    const disk = new FakeDisk();
    const store = await prepare(await openOn(disk));
    disk.operations = 0;
    return { disk, store };
  }

  const promote = (store: EventStore) => store.closeFork(SCOPE, closing(2, 'promoted'), transaction(4));

  async function state(store: EventStore) {
    return [await store.forks(SCOPE), await history(store), await history(store, 'what-if')];
  }

  const before = [[forkRecord(2)], [transaction(1)], [transaction(3, 'what-if')]];
  const after = [[promoted], [transaction(1), transaction(4)], [transaction(3, 'what-if')]];

  async function countPromoting(): Promise<number> {
    const { disk, store } = await prepared();
    await promote(store);
    await store.close();
    return disk.operations;
  }

  it.each(CRASHES)(
    'changes the parent and closes the fork, or neither, after a crash at any operation (%s done, process %j)',
    async (done, causes) => {
      const operations = await countPromoting();
      expect(operations).toBeGreaterThan(2);
      for (let atOperation = 1; atOperation <= operations; atOperation += 1) {
        const { disk, store } = await prepared();
        disk.expect({ atOperation, done, kind: 'crash' });
        const acknowledged = await promote(store).then(
          () => true,
          () => false,
        );
        await store.close().catch(() => undefined);
        for (const cause of causes) {
          const again = await openOn(disk.afterwards(cause));
          const found = await state(again);
          if (acknowledged) expect(found).toEqual(after);
          expect([before, after]).toContainEqual(found);
          await again.append(SCOPE, [transaction((await again.lastNumbers(SCOPE)).txn + 1)]);
          await again.close();
        }
      }
    },
  );

  it('leaves fork and parent unchanged on a full disk, and can be retried', async () => {
    const disk = new FakeDisk();
    const store = await prepare(
      await openLocked({ directory: FAKE_DIRECTORY, log: rememberingLog() }, disk.files, unlocked),
    );
    disk.expect({ atOperation: 1, done: 'half', kind: 'full' });
    disk.operations = 0;
    await expect(promote(store)).rejects.toThrow(/disk is full/);
    expect(await state(store)).toEqual(before);
    await promote(store);
    expect(await state(store)).toEqual(after);
    await store.close();
  });
});

it('syncs once for transactions that are appended together, however large', async () => {
  const disk = new FakeDisk();
  const store = await openLocked({ directory: FAKE_DIRECTORY, log: rememberingLog() }, disk.files, unlocked);
  await store.createScope(scopeRecord);
  const before = disk.synced.length;
  await store.append(
    SCOPE,
    [1, 2, 3].map((txn) => transaction(txn, 'main', 3_000_000)),
  );
  expect(disk.synced.length - before).toBe(1);
  await store.close();
});

it('syncs once for concurrent appends', async () => {
  const disk = new FakeDisk();
  const store = await openLocked({ directory: FAKE_DIRECTORY, log: rememberingLog() }, disk.files, unlocked);
  await store.createScope(scopeRecord);
  const before = disk.synced.length;
  await Promise.all(Array.from({ length: 100 }, (_, index) => store.append(SCOPE, [transaction(index + 1)])));
  expect(disk.synced.length - before).toBe(1);
  expect(await history(store)).toHaveLength(100);
  await store.close();
});

describe.each(LAYOUTS.slice(0, 2))('a history %s', (_, bytes) => {
  laysOut(bytes);

  describe('renaming', () => {
    const before = [1, 2, 3].map((txn) => transaction(txn));
    const after = before.map(({ events, ...rest }) => ({
      ...rest,
      events: events.map((event) => (event.kind === 'setField' ? { ...event, field: 'called' } : event)),
    }));
    const rename = (store: EventStore) =>
      store.adoptSchema({ scopeIds: [SCOPE], renaming: { paths: { name: 'called' }, values: {} }, schemaHash: 'h2' });

    it.each(CRASHES)(
      'keeps all new names with their schema, or none, after a kill at any operation (%s done)',
      async (done) => {
        const { disk: counted, store: whole } = await storeWith(before);
        await rename(whole);
        expect(counted.operations).toBeGreaterThan(3);
        for (let atOperation = 1; atOperation <= counted.operations; atOperation += 1) {
          const { disk, store } = await storeWith(before);
          disk.expect({ atOperation, done, kind: 'crash' });
          const acknowledged = await rename(store).then(
            () => true,
            () => false,
          );
          await store.close().catch(() => undefined);
          const again = await openOn(disk.afterwards('killed'));
          const found = { events: await history(again), schema: (await again.scope(SCOPE))?.schemaHash };
          const renamed = { events: after, schema: 'h2' };
          if (acknowledged) expect(found).toEqual(renamed);
          expect([{ events: before, schema: 'h1' }, renamed]).toContainEqual(found);
          await again.close();
        }
        await whole.close();
      },
    );
  });
});
