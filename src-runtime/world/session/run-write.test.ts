/** Requests that arrive, or wait to write, while the module is replaced. */

import { expect, it } from 'vitest';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { type Deadline, noDeadline, RequestCancelled } from '../../base/ports.js';
import { StorageError } from '../../storage/event-store.js';
import { openMemoryStore } from '../../storage/index.js';
import { changedStore } from '../testing/changed-store.js';
import type { TestSession as Session } from '../testing/session-methods.js';
import { ALL, FRAME, startWorld } from '../testing/start-world.js';

const SHOP = `module shop
pub concept Item { name: Text unique }
pub derive named(i: Item, name: Text) when Item(i), let name = i.name
pub mutation add(name: Text) { insert Item { name: name } }
`;
const add = (name: string): [string, Record<string, JsonValue>] => ['shop::add', { name }];
const KEPT = { dryRun: false, granted: [] } as const;
const ANY = { layers: ['stored', 'derived', 'firings'], relation: undefined } as const;
const TRIED = { steps: [{ mutation: 'shop::add', args: { name: 'tried' } }] };

const WRITES: readonly [name: string, write: (session: Session, deadline: Deadline) => Promise<unknown>][] = [
  ['a mutation', (s, deadline) => s.mutate(...add('b'), KEPT, deadline)],
  [
    'a text',
    (s, deadline) =>
      s.mutateAdhoc({ source: 'mutation m() { insert Item { name: "b" } }', module: undefined }, {}, KEPT, deadline),
  ],
  ['a batch', (s, deadline) => s.batch(TRIED.steps, KEPT, deadline)],
  [
    'an import',
    (s, deadline) => s.importRows({ mutation: 'shop::add' }, [{ name: 'b' }], { ...KEPT, keys: {} }, deadline),
  ],
  [
    'an explanation after a call',
    (s, deadline) => s.explain('shop::Item', ['#i1'], deadline, { after: { call: TRIED, granted: [] } }),
  ],
  ['the revert of a transaction', (s, deadline) => s.undoTransaction(2, { dryRun: false }, deadline)],
  ['a new fork', (s, deadline) => s.createFork({ id: 'second', from: 'what-if' }, deadline)],
  ['a discard', (s, deadline) => s.abort(deadline)],
  ['a label', (s, deadline) => s.label('What if?', deadline)],
  ['a promotion', (s, deadline) => s.promote({ dryRun: false }, deadline)],
  ['the preview of a promotion', (s, deadline) => s.previewPromotion(ANY, ALL, deadline)],
  ['the counts of a promotion', (s, deadline) => s.countPromotion(ANY, deadline)],
  ['a rebase', (s, deadline) => s.update({ id: 'newer', dryRun: false }, deadline)],
  ['the preview of a rebase', (s, deadline) => s.previewRebase(ANY, ALL, deadline)],
  ['the counts of a rebase', (s, deadline) => s.countRebase(ANY, deadline)],
  ['a cherry-pick', (s, deadline) => s.pick({ from: 'main', txn: 3, dryRun: false }, deadline)],
];

/** A fork with a transaction, of a parent with another. */
async function startForked() {
  const world = await startWorld(SHOP);
  const main = await world.runtime.enter(FRAME);
  await main.createFork({ id: 'what-if' });
  const session = await world.runtime.enter({ ...FRAME, forks: [{ from: 'path', fork: 'what-if' }] });
  await session.mutate(...add('a'), KEPT, noDeadline);
  await main.mutate(...add('of main'), KEPT, noDeadline);
  return { world, main, session };
}

it.each(WRITES)('runs %s again under the new module', async (_, write) => {
  const { world, session } = await startForked();
  await world.load(`${SHOP}pub query all() -> [Item] { select i where Item(i) }\n`);
  await expect(write(session, noDeadline)).resolves.toBeDefined();
});

it.each(WRITES)('does not start %s if its client disconnects while it waits', async (_, write) => {
  const { main, session } = await startForked();
  const state = async () => [(await main.events(ALL, noDeadline)).result, (await main.forks(ALL, noDeadline)).result];
  const before = await state();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const earlier = main.mutate(...add('earlier'), { ...KEPT, dryRun: true }, { checkpoint: () => held });
  let isCancelled = false;
  const waiting = write(session, {
    checkpoint() {
      if (isCancelled) throw new RequestCancelled();
      return undefined;
    },
  });
  isCancelled = true;
  release();
  await earlier;
  await expect(waiting).rejects.toThrow(RequestCancelled);
  expect(await state()).toEqual(before);
});

const TENANTS = SHOP.replace('module shop', 'module shop\ncontext tenantId: Text');
const asTenant = (tenantId: string) => ({ ...FRAME, headerContext: { tenantId } });
const WITH_PRICES = TENANTS.replace('name: Text unique', 'name: Text unique, price: Decimal?');

it('gives a new tenant a scope of the new module during a load', async () => {
  const memory = await openMemoryStore();
  let whileRecording = (): void => {};
  const store = changedStore(memory, {
    adoptSchema: (adoption) => {
      whileRecording();
      return memory.adoptSchema(adoption);
    },
  });
  const world = await startWorld(TENANTS, { store });
  await (await world.runtime.enter(asTenant('north'))).mutate(...add('a'), KEPT, noDeadline);
  let entering: Promise<Session> | undefined;
  whileRecording = () => {
    entering = Promise.resolve(world.runtime.enter(asTenant('south')));
  };
  await world.load(WITH_PRICES);
  await (await entering)?.mutate(...add('b'), KEPT, noDeadline);
  const again = await world.runtime.enter(asTenant('south'));
  const { result } = await again.queryAdhoc(
    { source: 'query q() -> [Decimal?] { select i.price where Item(i) }', module: undefined },
    {},
    ALL,
    noDeadline,
  );
  expect(result).toEqual([null]);
});

it('keeps writing under the old module if the load fails after archiving', async () => {
  const memory = await openMemoryStore();
  const store = changedStore(memory, {
    adoptSchema: () => Promise.reject(new StorageError('the disk is full', 'failed')),
  });
  const world = await startWorld(TENANTS, { store });
  await (await world.runtime.enter(asTenant('north'))).mutate(...add('a'), KEPT, noDeadline);
  const south = await world.runtime.enter(asTenant('south'));
  const needsPrices = TENANTS.replace('name: Text unique', 'name: Text unique, price: Decimal').replace(
    '{ name: name }',
    '{ name: name, price: 1 }',
  );
  await expect(world.load(needsPrices, { setAside: true })).rejects.toThrow('the disk is full');
  await expect(south.mutate(...add('b'), KEPT, noDeadline)).resolves.toBeDefined();
});

it('opens a scope later if it could not be opened during the load', async () => {
  const memory = await openMemoryStore();
  const first = await startWorld(TENANTS, { store: memory });
  await (await first.runtime.enter(asTenant('north'))).mutate(...add('a'), KEPT, noDeadline);
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
