/** Damage is reported with its file and place, and nothing is changed. */

import { expect, it } from 'vitest';
import { openForReading, openLocked } from './sqljs-store.js';
import { FAKE_DIRECTORY, FakeDisk } from './testing/fake-disk.js';
import { history, rememberingLog, SCOPE, scopeRecord, transaction } from './testing/histories.js';
import { verifyDirectory } from './verify-directory.js';

const unlocked = { check: async () => undefined, release: async () => undefined };

/** A closed store with a checkpoint, a journal and some segments. */
async function closedDisk(): Promise<FakeDisk> {
  const disk = new FakeDisk();
  const options = { directory: FAKE_DIRECTORY, log: rememberingLog(), checkpointAfterBytes: 700, segmentBytes: 1 };
  const store = await openLocked(options, disk.files, unlocked);
  await store.createScope(scopeRecord);
  for (let txn = 1; txn <= 9; txn += 1) await store.append(SCOPE, [transaction(txn)]);
  await store.close();
  const again = await openLocked({ ...options, checkpointAfterBytes: 1_000_000 }, disk.files, unlocked);
  await again.append(SCOPE, [transaction(10)]);
  await again.close();
  return disk;
}

const verify = (disk: FakeDisk) => verifyDirectory(disk.files, FAKE_DIRECTORY);
const flipped = (bytes: Uint8Array, at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 0x10);

it('finds nothing in whole directories, also an empty one', async () => {
  expect(await verify(await closedDisk())).toEqual([]);
  expect(await verify(new FakeDisk())).toEqual([]);
});

it.each([
  ['journal', /events-\d+\.journal$/],
  ['checkpoint', /events-\d+-\w+\.sqlite$/],
  ['segment', /history-\d+-\w+\.sqlite$/],
])('names a damaged %s and the offset', async (_, name) => {
  const disk = await closedDisk();
  const file = disk.paths().find((path) => name.test(path)) ?? '';
  const before = flipped(disk.bytes(file), 60);
  disk.put(file, before);
  const [damage, ...others] = await verify(disk);
  expect(others).toEqual([]);
  expect(damage).toMatchObject({ file, offset: expect.any(Number) });
  expect(damage?.problem).toContain(`${file} is damaged at offset ${damage?.offset}`);
  expect(disk.bytes(file)).toEqual(before);
});

it('names every damaged or missing segment', async () => {
  const disk = await closedDisk();
  const [first = '', second = '', ...rest] = disk.paths().filter((path) => path.includes('/history-'));
  expect(rest).not.toEqual([]);
  disk.put(first, disk.bytes(first).subarray(0, 5_000));
  await disk.files.remove(second);
  expect(await verify(disk)).toMatchObject([
    { file: first, offset: 5_000 },
    { file: second, offset: undefined },
  ]);
});

it('reads the rest of a damaged history, and writes nothing', async () => {
  const disk = await closedDisk();
  const [segment = ''] = disk.paths().filter((path) => path.includes('/history-'));
  const journal = disk.paths().find((path) => path.endsWith('.journal')) ?? '';
  disk.put(segment, flipped(disk.bytes(segment), 60));
  disk.put(journal, flipped(disk.bytes(journal), 60));
  const before = disk.paths();
  const damaged: (string | undefined)[] = [];
  const store = await openForReading(FAKE_DIRECTORY, ({ place }) => damaged.push(place), disk.files);
  const read = (await history(store)).map(({ txn }) => txn);
  await store.close();
  expect(damaged).toEqual([journal, segment]);
  // The journal held the last transaction, the segment the first ones.
  expect(read).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  expect(disk.paths()).toEqual(before);
});
