/** Damage is reported with its file and place, and nothing is changed. */

import { expect, it } from 'vitest';
import { openLocked } from './sqljs-store.js';
import { FAKE_DIRECTORY, FakeDisk } from './testing/fake-disk.js';
import { rememberingLog, SCOPE, scopeRecord, transaction } from './testing/histories.js';
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
