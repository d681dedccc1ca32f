/** Forks in the world: behaviour that routes cannot show. */

import { expect, it } from 'vitest';
import type { Entity, JsonValue } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import { SteppedWork } from '../../base/testing/stepped-work.js';
import { StorageError } from '../../storage/event-store.js';
import { openMemoryStore } from '../../storage/index.js';
import { changedStore } from '../testing/changed-store.js';
import { ALL, FRAME, failureOf, startWorld, type TestWorld } from '../testing/start-world.js';

const SHOP = `module shop
pub enum Kind { small, large }
pub concept Item { name: Text, price: Decimal, kind: Kind = small, note: Text? }
pub relation beside(a: Item, b: Item)
pub derive near(a: Item, b: Item) when beside(a, b)
pub mutation add(name: Text, price: Decimal) -> Item { return insert Item { name: name, price: price } }
pub mutation enlarge(i: Item) { set i.kind = large }
pub mutation place(a: Item, b: Item) { insert beside(a, b) }
pub mutation describe(i: Item, note: Text?) { set i.note = note }
pub mutation remove(i: Item) { delete i }
`;

const at = (fork: string) => ({ ...FRAME, forks: [{ from: 'path', fork }] }) as const;

async function shop(options: Parameters<typeof startWorld>[1] = {}) {
  const world = await startWorld(SHOP, options);
  const first = await write(world, 'main', 'add', { name: 'first', price: '1' });
  const session = await world.runtime.enter(FRAME);
  await session.createFork({ id: 'what-if' });
  return { world, first };
}

/** Returns the id of an individual in the result. */
async function write({ runtime }: TestWorld, fork: string, name: string, args: Record<string, JsonValue>) {
  const session = await runtime.enter(at(fork));
  const { result } = await session.mutate(`shop::${name}`, args, { dryRun: false, granted: [] }, noDeadline);
  return (result as Entity | null)?.$id ?? '';
}

it('refuses a reload for facts of open forks, each counted once, not of closed forks', async () => {
  const { world, first } = await shop();
  const second = await write(world, 'what-if', 'add', { name: 'second', price: '2' });
  await write(world, 'what-if', 'place', { a: first, b: second });
  await write(world, 'what-if', 'enlarge', { i: second });
  await (await world.runtime.enter(FRAME)).createFork({ id: 'inner', from: 'what-if' });
  await (await world.runtime.enter(at('inner'))).abort();
  const refused = async (text: string) => (await failureOf(world.load(text))).details['incompatibilities'];
  const withoutPlace = SHOP.replace(/.*(beside|place).*\n/g, '');
  expect(await refused(withoutPlace)).toEqual([{ declaration: 'shop::beside', reason: 'was removed', facts: 1 }]);
  const withoutLarge = SHOP.replace('small, large', 'small').replace(/.*enlarge.*\n/, '');
  expect(await refused(withoutLarge)).toEqual([
    { declaration: 'shop::Item.kind', reason: 'mentions large, which is no longer a Kind', facts: 1 },
  ]);
  expect(
    await refused(
      SHOP.replace('note: Text?', 'note: Text')
        .replace('price: price }', 'price: price, note: name }')
        .replace(/.*describe.*\n/, ''),
    ),
  ).toMatchObject([{ declaration: 'shop::Item.note', facts: 2 }]);
  const refined = SHOP.replace('price: Decimal,', 'price: Decimal where value < 2,');
  expect(await refused(refined)).toMatchObject([{ declaration: 'shop::Item.price', facts: 1 }]);
  await (await world.runtime.enter(at('what-if'))).abort();
  await world.load(refined);
  const closed = await world.runtime.enter(at('what-if'));
  expect((await closed.relation('shop::near', ALL, noDeadline)).result).toMatchObject([{ tuple: [first, second] }]);
});

it('counts violations of a new multiplicity once, even if every fork has them', async () => {
  const { world, first } = await shop();
  const second = await write(world, 'main', 'add', { name: 'second', price: '2' });
  for (const b of [first, second]) await write(world, 'main', 'place', { a: first, b });
  await (await world.runtime.enter(FRAME)).createFork({ id: 'inner' });
  const functional = SHOP.replace('relation beside(a: Item, b: Item)', 'relation beside(a: Item, b: Item [0..1])');
  const { details } = await failureOf(world.load(functional));
  expect(details['incompatibilities']).toMatchObject([{ facts: 1 }]);
});

it('finishes reading a fork that is closed during the request', async () => {
  const { world, first } = await shop();
  await write(world, 'what-if', 'describe', { i: first, note: 'mine' });
  const session = await world.runtime.enter(at('what-if'));
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let proceed = () => {};
  const gate = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const reading = session.diffForks('main', { layers: ['stored', 'derived'], relation: undefined }, ALL, {
    checkpoint: () => {
      begun();
      return gate;
    },
  });
  await hasBegun;
  await session.abort();
  await write(world, 'main', 'describe', { i: first, note: 'theirs' });
  proceed();
  expect((await reading).result).toMatchObject([{ only: 'left', tuple: [first, 'mine'] }]);
});

it('runs writers of all forks one at a time, with unique numbers', async () => {
  const { world } = await shop();
  const forks = ['main', 'what-if', 'main', 'what-if', 'what-if'];
  const ids = await Promise.all(forks.map((fork) => write(world, fork, 'add', { name: fork, price: '1' })));
  expect(ids).toEqual(['#i2', '#i3', '#i4', '#i5', '#i6']);
  const [{ scopeId } = { scopeId: '' }] = await world.store.scopes();
  const numbers: number[] = [];
  for (const fork of ['main', 'what-if']) {
    for await (const { txn } of world.store.read(scopeId, fork, 0)) numbers.push(txn);
  }
  expect(numbers.sort()).toEqual([1, 3, 4, 5, 6, 7]);
});

it('creates, promotes and aborts no fork if the disk refuses, and allows a retry', async () => {
  const memory = await openMemoryStore();
  let isBroken = false;
  const refusing =
    (name: 'createFork' | 'closeFork') =>
    (...args: never[]) =>
      isBroken
        ? Promise.reject(new StorageError('full', 'failed'))
        : (memory[name] as (...given: never[]) => Promise<void>).bind(memory)(...args);
  const store = changedStore(memory, { createFork: refusing('createFork'), closeFork: refusing('closeFork') });
  const { world } = await shop({ store });
  await write(world, 'what-if', 'add', { name: 'mine', price: '1' });
  const records = async () => (await (await world.runtime.enter(FRAME)).forks(ALL, noDeadline)).result;
  const before = await records();
  const main = await world.runtime.enter(FRAME);
  const fork = await world.runtime.enter(at('what-if'));
  const works = [
    () => main.createFork({ id: 'other' }),
    () => fork.promote({ dryRun: false }, noDeadline),
    () => main.createFork({ id: 'third' }),
  ];
  isBroken = true;
  for (const work of [...works, () => fork.abort()]) {
    await expect(work()).rejects.toThrow();
    expect(await records()).toEqual(before);
    expect((await main.individuals(undefined, ALL, noDeadline)).result).toHaveLength(1);
  }
  isBroken = false;
  for (const work of works) await work();
  expect((await records()).map(({ id, status }) => `${id} ${status}`)).toEqual([
    'main open',
    'what-if promoted',
    'other open',
    'third open',
  ]);
  expect((await main.individuals(undefined, ALL, noDeadline)).result).toHaveLength(2);
});

it('promotes a fork as it is in memory, although another server writes to it meanwhile', async () => {
  const memory = await openMemoryStore();
  let meanwhile = async () => {};
  const store = changedStore(memory, {
    async *read(...args) {
      await meanwhile();
      yield* memory.read(...args);
    },
  });
  const { world } = await shop({ store });
  const mine = await write(world, 'what-if', 'add', { name: 'mine', price: '1' });
  const fork = await world.runtime.enter(at('what-if'));
  const other = await startWorld(SHOP, { store: memory });
  meanwhile = async () => void (await write(other, 'what-if', 'remove', { i: mine }));
  const { events } = await fork.promote({ dryRun: true }, noDeadline);
  expect(events.map(({ kind }) => kind)).toEqual(['insertIndividual', 'setField', 'setField', 'setField']);
});

it('shows each of ten nested forks the facts of its parent, also after a restart', async () => {
  const { world } = await shop();
  for (let depth = 1; depth <= 10; depth++) {
    const from = depth === 1 ? 'what-if' : `deep-${depth - 1}`;
    await (await world.runtime.enter(FRAME)).createFork({ id: `deep-${depth}`, from });
    await write(world, `deep-${depth}`, 'add', { name: `at ${depth}`, price: '1' });
    await write(world, from, 'add', { name: 'later', price: '1' });
  }
  const names = async ({ runtime }: TestWorld, fork: string) => {
    const { result } = await (await runtime.enter(at(fork))).individuals(undefined, ALL, noDeadline);
    return result.map((item) => item['name']);
  };
  const expected = ['first', ...Array.from({ length: 10 }, (_, index) => `at ${index + 1}`)];
  expect(await names(world, 'deep-10')).toEqual(expected);
  const again = await startWorld(SHOP, { store: world.store });
  expect(await names(again, 'deep-10')).toEqual(expected);
  expect(await names(again, 'deep-3')).toEqual(['first', 'at 1', 'at 2', 'at 3', 'later']);
});

it('reports a fixed creation time for main, and the time of its first transaction afterwards', async () => {
  const clock = { now: () => (time += 1_000) };
  let time = 0;
  const world = await startWorld(SHOP, { clock });
  const createdAt = async () => (await (await world.runtime.enter(FRAME)).forkInfo()).createdAt;
  const first = await createdAt();
  expect(await createdAt()).toBe(first);
  await write(world, 'main', 'add', { name: 'first', price: '1' });
  const written = await createdAt();
  expect(written).not.toBe(first);
  expect(await createdAt()).toBe(written);
});

it('measures a derive in fractions of milliseconds', async () => {
  const { world } = await shop();
  const { rules, ms } = await (await world.runtime.enter(at('what-if'))).derive(noDeadline);
  const times = rules.map((rule) => rule.ms);
  expect(times.every((time) => time > 0 && time % 0.25 === 0)).toBe(true);
  expect(ms).toBe(times.reduce((sum, time) => sum + time, 0));
});

it.each([
  ['derived before closing', Number.POSITIVE_INFINITY],
  ['derived while closing', 0],
])('keeps the projection of open forks, and of the last closed ones, %s', async (_, checkpoints) => {
  const { world } = await shop();
  const main = await world.runtime.enter(FRAME);
  const ids = Array.from({ length: 22 }, (_, i) => `closed-${i}`);
  await (await world.runtime.enter(at('what-if'))).derive(noDeadline);
  for (const id of ids) {
    await main.createFork({ id });
    const session = await world.runtime.enter(at(id));
    const deriving = new SteppedWork(async (deadline) => void (await session.derive(deadline)));
    await deriving.advance(checkpoints);
    await session.abort();
    await deriving.finish();
  }
  const projectionOf = async (id: string) => (await world.runtime.enter(at(id))).derived().catch(({ code }) => code);
  expect(await projectionOf('what-if')).toMatchObject({ fork: 'what-if' });
  expect(await projectionOf('closed-1')).toBe('SVC_RUNTIME_FORK_NOT_DERIVED');
  expect(await projectionOf('closed-2')).toMatchObject({ fork: 'closed-2' });
  expect(await projectionOf('closed-21')).toMatchObject({ fork: 'closed-21' });
});
