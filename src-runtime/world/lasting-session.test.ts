/** Requests that come, and that wait for their turn to write, while the module is replaced. */

import { expect, it } from 'vitest';
import type { JsonValue } from '../api/schemas.js';
import { unhurried } from '../base/ports.js';
import { StorageError } from '../storage/event-store.js';
import { openMemoryStore } from '../storage/index.js';
import type { Session } from './runtime.js';
import { changedStore } from './testing/changed-store.js';
import { ALL, FRAME, startWorld } from './testing/start-world.js';

const SHOP = `module shop
pub concept Item { name: Text unique }
pub derive named(i: Item, name: Text) when Item(i), let name = i.name
pub mutation add(name: Text) { insert Item { name: name } }
`;
const add = (name: string): [string, Record<string, JsonValue>] => ['shop::add', { name }];
const KEPT = { dryRun: false, granted: [] } as const;
const ANY = { layers: ['stored', 'derived', 'firings'], relation: undefined } as const;
const TRIED = { steps: [{ mutation: 'shop::add', args: { name: 'tried' } }] };

const WRITES: readonly [name: string, write: (session: Session) => Promise<unknown>][] = [
  ['a mutation', (s) => s.mutate(...add('b'), KEPT, unhurried)],
  [
    'a text',
    (s) =>
      s.mutateAdhoc({ source: 'mutation m() { insert Item { name: "b" } }', module: undefined }, {}, KEPT, unhurried),
  ],
  ['a batch', (s) => s.batch(TRIED.steps, KEPT, unhurried)],
  ['an import', (s) => s.import('shop::add', [{ name: 'b' }], { ...KEPT, keys: {} }, unhurried)],
  [
    'what a call would lead to',
    (s) => s.explain('shop::Item', ['#i1'], unhurried, { after: { call: TRIED, granted: [] } }),
  ],
  ['a transaction that is undone', (s) => s.undoTransaction(2, { dryRun: false }, unhurried)],
  ['a new fork', (s) => s.createFork({ id: 'second', from: 'what-if' })],
  ['an abort', (s) => s.abort()],
  ['a label', (s) => s.label('What if?')],
  ['a promotion', (s) => s.promote({ dryRun: false }, unhurried)],
  ['the preview of a promotion', (s) => s.promotion(ANY, ALL, unhurried)],
  ['its counts', (s) => s.promotionCounts(ANY, unhurried)],
  ['bringing a fork up to date', (s) => s.update({ id: 'newer', dryRun: false }, unhurried)],
  ['the preview of that', (s) => s.incoming(ANY, ALL, unhurried)],
  ['the counts of that', (s) => s.incomingCounts(ANY, unhurried)],
  ['a pick', (s) => s.pick({ from: 'main', txn: 3, dryRun: false }, unhurried)],
];

it.each(WRITES)('%s comes to what it would, under the new module', async (_, write) => {
  const world = await startWorld(SHOP);
  const main = await world.runtime.enter(FRAME);
  await main.createFork({ id: 'what-if' });
  const session = await world.runtime.enter({ ...FRAME, forks: [{ from: 'path', fork: 'what-if' }] });
  await session.mutate(...add('a'), KEPT, unhurried);
  await main.mutate(...add('of main'), KEPT, unhurried);
  await world.load(`${SHOP}pub query all() -> [Item] { select i where Item(i) }\n`);
  await expect(write(session)).resolves.toBeDefined();
});

const TENANTS = SHOP.replace('module shop', 'module shop\ncontext tenantId: Text');
const asTenant = (tenantId: string) => ({ ...FRAME, headerContext: { tenantId } });
const WITH_PRICES = TENANTS.replace('name: Text unique', 'name: Text unique, price: Decimal?');

it('a tenant who comes for the first time meanwhile has a scope of the new module', async () => {
  const memory = await openMemoryStore();
  let whileRecording = (): void => {};
  const store = changedStore(memory, {
    adoptSchema: (adoption) => {
      whileRecording();
      return memory.adoptSchema(adoption);
    },
  });
  const world = await startWorld(TENANTS, { store });
  await (await world.runtime.enter(asTenant('north'))).mutate(...add('a'), KEPT, unhurried);
  let came: Promise<Session> | undefined;
  whileRecording = () => {
    came = Promise.resolve(world.runtime.enter(asTenant('south')));
  };
  await world.load(WITH_PRICES);
  await (await came)?.mutate(...add('b'), KEPT, unhurried);
  const again = await world.runtime.enter(asTenant('south'));
  const { result } = await again.queryAdhoc(
    { source: 'query q() -> [Decimal?] { select i.price where Item(i) }', module: undefined },
    {},
    ALL,
    unhurried,
  );
  expect(result).toEqual([null]);
});

it('what fits the new module is written on where that cannot be loaded, as facts of others could not be set aside', async () => {
  const memory = await openMemoryStore();
  const store = changedStore(memory, {
    adoptSchema: () => Promise.reject(new StorageError('the disk is full', 'failed')),
  });
  const world = await startWorld(TENANTS, { store });
  await (await world.runtime.enter(asTenant('north'))).mutate(...add('a'), KEPT, unhurried);
  const south = await world.runtime.enter(asTenant('south'));
  const needsPrices = TENANTS.replace('name: Text unique', 'name: Text unique, price: Decimal').replace(
    '{ name: name }',
    '{ name: name, price: 1 }',
  );
  await expect(world.load(needsPrices, { setAside: true })).rejects.toThrow('the disk is full');
  await expect(south.mutate(...add('b'), KEPT, unhurried)).resolves.toBeDefined();
});

it('a scope that could not be opened for it can be opened later', async () => {
  const memory = await openMemoryStore();
  const first = await startWorld(TENANTS, { store: memory });
  await (await first.runtime.enter(asTenant('north'))).mutate(...add('a'), KEPT, unhurried);
  let isBroken = true;
  const store = changedStore(memory, {
    forks: (scopeId: string) =>
      isBroken ? Promise.reject(new StorageError('cannot be read', 'failed')) : memory.forks(scopeId),
  });
  const world = await startWorld(TENANTS, { store });
  await expect(world.load(WITH_PRICES)).rejects.toThrow('cannot be read');
  isBroken = false;
  await expect(Promise.resolve(world.runtime.enter(asTenant('north')))).resolves.toBeDefined();
});
