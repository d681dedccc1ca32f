/** Requests with a key: when one runs again. */

import { expect, it } from 'vitest';
import { ApiError } from '../../api/errors.js';
import { noDeadline } from '../../base/ports.js';
import { holdDisk } from '../testing/held-disk.js';
import { FRAME, startWorld, type TestWorld } from '../testing/start-world.js';

const MODULE = `module m
pub concept Node { name: Text unique }
pub query names() -> [Text] { select n.name where Node(n) }
pub mutation add(name: Text) -> Node { return insert Node { name: name } }
`;

const DAY_MS = 24 * 60 * 60 * 1000;

async function add({ runtime }: TestWorld, name: string) {
  const session = await runtime.enter(FRAME);
  const options = { dryRun: false, granted: [], requestKey: { key: 'a', request: 'hash' } };
  const { result, txn } = await session.mutate('m::add', { name }, options, noDeadline);
  return { result, txn };
}

it('runs a request again 24 hours later', async () => {
  let nowMs = Date.parse('2026-01-31T10:00:00.000Z');
  const world = await startWorld(MODULE, { clock: { now: () => nowMs } });
  const first = await add(world, 'one');
  nowMs += DAY_MS;
  expect(await add(world, 'two')).toEqual(first);
  nowMs += 1;
  expect(await add(world, 'two')).toMatchObject({ txn: 2 });
  expect(await world.query('m::names')).toEqual(['one', 'two']);
});

it('answers a repeated request once the first is durable, with its error if the disk refuses it', async () => {
  const disk = await holdDisk();
  const world = await startWorld(MODULE, { store: disk.store });
  await world.query('m::names');
  disk.hold();
  const settled: string[] = [];
  const noted = async (name: string) => {
    const end = await add(world, name).then(
      ({ txn }) => `txn ${txn}`,
      (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
    );
    settled.push(`${name}: ${end}`);
  };
  const sent = [noted('one'), noted('two')];
  await disk.settle();
  expect([disk.stopped, settled]).toEqual([1, []]);
  await disk.answer('refuse');
  await Promise.all(sent);
  expect(settled).toEqual(['one: SVC_RUNTIME_STORAGE_ERROR', 'two: SVC_RUNTIME_STORAGE_ERROR']);
  const again = [noted('three'), noted('four')];
  await disk.settle();
  await disk.answer('keep');
  await Promise.all(again);
  expect(settled.slice(2)).toEqual(['three: txn 1', 'four: txn 1']);
});
