/** Saved states as callers see them: kept over a restart, dropped with what an erasure removes, and never in the way. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { EventStore, StatePart } from './event-store.js';
import { openLocked } from './sqljs-store.js';
import { FAKE_DIRECTORY, FakeDisk } from './testing/fake-disk.js';
import { forgetting, history, rememberingLog, SCOPE, scopeRecord, transaction } from './testing/histories.js';

const unlocked = { check: async () => undefined, release: async () => undefined };
const STATE = `${FAKE_DIRECTORY}/state-1.facts`;
const log = rememberingLog();

const open = (disk: FakeDisk) => openLocked({ directory: FAKE_DIRECTORY, log }, disk.files, unlocked);

async function withHistory(transactions = 3): Promise<{ disk: FakeDisk; store: EventStore }> {
  const disk = new FakeDisk();
  const store = await open(disk);
  await store.createScope(scopeRecord);
  for (let txn = 1; txn <= transactions; txn += 1) await store.append(SCOPE, [transaction(txn)]);
  return { disk, store };
}

const parts = (name: string): StatePart[] => [
  { header: { kind: 'scope', name }, numbers: Int32Array.of(1, -2, 0x7fffffff) },
  { header: ['ü'], numbers: new Int32Array(0) },
];

async function* streamed(all: readonly StatePart[]): AsyncGenerator<StatePart> {
  yield* all;
}

const save = (store: EventStore, txn: number, name = 'first') => store.saveState(SCOPE, txn, streamed(parts(name)));

it.each(['nothing', 'half', 'all'] as const)(
  'has the state before or after, and no rest, after a crash at any operation of a save (%s done)',
  async (done) => {
    const { disk: counted, store: whole } = await withHistory();
    await save(whole, 2);
    counted.operations = 0;
    await save(whole, 3, 'second');
    const { operations } = counted;
    await whole.close();
    for (let atOperation = 1; atOperation <= operations; atOperation += 1) {
      for (const cause of ['killed', 'power lost'] as const) {
        const { disk, store } = await withHistory();
        await save(store, 2);
        disk.expect({ atOperation, done, kind: 'crash' });
        await save(store, 3, 'second').catch(() => undefined);
        const next = disk.afterwards(cause);
        const again = await open(next);
        expect([parts('first'), parts('second')]).toContainEqual(await again.savedState(SCOPE));
        expect(next.paths().filter((path) => path.endsWith('.new'))).toEqual([]);
        await again.close();
      }
    }
  },
);

it('leaves the last state when the disk refuses another, and saves later', async () => {
  const { disk, store } = await withHistory();
  await save(store, 2);
  disk.expect({ atOperation: 2, done: 'half', kind: 'full' });
  await expect(save(store, 3, 'second')).rejects.toThrow(/disk is full/);
  expect(await store.savedState(SCOPE)).toEqual(parts('first'));
  expect(await save(store, 3, 'second')).toBe(true);
  await store.close();
});

it('ignores and removes a state that is damaged anywhere', async () => {
  const { disk, store } = await withHistory();
  await save(store, 3);
  await store.close();
  const whole = disk.bytes(STATE);
  const damages = [
    ...Array.from(whole.keys(), (at) => whole.with(at, (whole[at] ?? 0) ^ 0x10)),
    ...Array.from(whole.keys(), (length) => whole.subarray(0, length)),
  ];
  const again = await open(disk);
  for (const damage of damages) {
    disk.put(STATE, damage);
    expect(await again.savedState(SCOPE)).toBeUndefined();
    expect(disk.paths()).not.toContain(STATE);
  }
  await again.close();
});

it('ignores a state that is ahead of the history, as after a backup was restored', async () => {
  const { disk, store } = await withHistory(5);
  await save(store, 5);
  await store.close();
  const { disk: restored, store: older } = await withHistory(4);
  restored.put(STATE, disk.bytes(STATE));
  expect(await older.savedState(SCOPE)).toBeUndefined();
  await older.append(SCOPE, [transaction(5)]);
  expect(await older.savedState(SCOPE)).toBeUndefined();
  await older.close();
});

it('has no state with erased values: neither the last one, nor one being saved, nor an older one after that', async () => {
  const { disk, store } = await withHistory();
  await save(store, 3);
  let resume = () => {};
  const held = new Promise<void>((resolve) => {
    resume = resolve;
  });
  async function* slow(): AsyncGenerator<StatePart> {
    yield* parts('second');
    await held;
    yield* parts('second');
  }
  const saving = store.saveState(SCOPE, 3, slow());
  const erasing = store.append(SCOPE, [forgetting(4, 1)], { erasure: { individuals: ['#i1'], plainPositions: {} } });
  await nextTurn();
  resume();
  expect(await saving).toBe(false);
  await erasing;
  expect(disk.paths().filter((path) => path.includes('/state-'))).toEqual([]);
  expect(await save(store, 3)).toBe(false);
  expect(await save(store, 4)).toBe(true);
  await store.close();
});

it('refuses an erasure if the state cannot be removed', async () => {
  const { disk, store } = await withHistory();
  await save(store, 3);
  const remove = disk.files.remove;
  const refused = () => Promise.reject(Object.assign(new Error('not permitted'), { code: 'EPERM' }));
  Object.assign(disk.files, { remove: (path: string) => (path === STATE ? refused() : remove(path)) });
  const erase = () =>
    store.append(SCOPE, [forgetting(4, 1)], { erasure: { individuals: ['#i1'], plainPositions: {} } });
  await expect(erase()).rejects.toThrow(/permission is denied/);
  expect(await history(store)).toEqual([1, 2, 3].map((txn) => transaction(txn)));
  Object.assign(disk.files, { remove });
  await erase();
  expect(disk.paths()).not.toContain(STATE);
  await store.close();
});
