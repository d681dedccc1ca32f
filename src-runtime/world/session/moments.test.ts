/** Which state a moment names: by number, by time, and after the facts of a scope were archived. */

import { expect, it } from 'vitest';
import type { Moment } from '../../api/schemas/moment.js';
import { noDeadline } from '../../base/ports.js';
import { openMemoryStore } from '../../storage/index.js';
import { changedStore } from '../testing/changed-store.js';
import { ALL, FRAME, failureOf, startWorld, type TestWorld } from '../testing/start-world.js';

const SHOP = `module shop
pub concept Item { name: Text }
pub mutation add(name: Text) { insert Item { name: name } }
pub query names() -> [Text] { select i.name where Item(i) order by i.name }
`;
const SECOND = 1_000;

async function namesAt({ runtime }: TestWorld, asOf: Moment) {
  const session = await runtime.enter({ ...FRAME, asOf });
  return (await session.query('shop::names', {}, ALL, noDeadline)).result;
}

it('finds the last transaction at a time', async () => {
  let now = 0;
  const world = await startWorld(SHOP, { clock: { now: () => now } });
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    now += 10 * SECOND;
    await world.mutate('shop::add', { name });
  }
  const found = [];
  for (const seconds of [0, 9, 10, 19, 30, 45, 50]) {
    found.push(((await namesAt(world, { kind: 'time', ms: seconds * SECOND })) as string[]).join(''));
  }
  expect(found).toEqual(['', '', 'a', 'a', 'abc', 'abcd', 'abcde']);
  const future = await failureOf(namesAt(world, { kind: 'time', ms: 50 * SECOND + 1 }));
  expect(future.message).toContain('1970-01-01T00:00:50.001Z, which is in the future');
});

it('refuses a moment whose facts are archived', async () => {
  const world = await startWorld(SHOP);
  await world.mutate('shop::add', { name: 'a' });
  await world.mutate('shop::add', { name: 'b' });
  const priced = SHOP.replace('name: Text }', 'name: Text, price: Int }').replace(
    'name: name }',
    'name: name, price: 1 }',
  );
  await world.load(priced, { setAside: true });
  expect(await namesAt(world, { kind: 'transaction', txn: 2 })).toEqual([]);
  await world.mutate('shop::add', { name: 'c' });
  for (const txn of [0, 1, 2]) {
    const refused = await failureOf(namesAt(world, { kind: 'transaction', txn }));
    expect([refused.code, refused.message]).toEqual([
      'SVC_RUNTIME_VALIDATION_FAILED',
      expect.stringContaining('archived'),
    ]);
  }
  expect(await namesAt(world, { kind: 'transaction', txn: 3 })).toEqual(['c']);
});

it('reads a moment again if its facts were renamed before they were replayed', async () => {
  const world = await startWorld(SHOP);
  await world.mutate('shop::add', { name: 'a' });
  await world.mutate('shop::add', { name: 'b' });
  const past = await world.runtime.enter({ ...FRAME, asOf: { kind: 'transaction', txn: 1 } });
  await world.load(SHOP.replaceAll('Item', 'Thing'), { renames: [{ from: 'shop::Item', to: 'shop::Thing' }] });
  expect((await past.query('shop::names', {}, ALL, noDeadline)).result).toEqual(['a']);
});

it('replays a moment once, and a later one on top of it', async () => {
  const memory = await openMemoryStore();
  let reads = 0;
  const store = changedStore(memory, {
    read: (scopeId, fork, afterTxn, afterSeq) => {
      if (afterTxn === 0) reads += 1;
      return memory.read(scopeId, fork, afterTxn, afterSeq);
    },
  });
  const world = await startWorld(SHOP, { store });
  for (const name of ['a', 'b', 'c']) await world.mutate('shop::add', { name });
  reads = 0;
  const at = async (txn: number) => ((await namesAt(world, { kind: 'transaction', txn })) as string[]).join('');
  expect([await at(1), await at(1), await at(2), await at(1), await at(3)]).toEqual(['a', 'a', 'ab', 'a', 'abc']);
  expect(reads).toBe(1);
});
