/** Lists and records in stored facts: individuals in them, history, forks, renames, and saved states. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CAPABILITIES } from '../api/capabilities.js';
import type { Entity, JsonValue } from '../api/schemas/schemas.js';
import { noDeadline } from '../base/ports.js';
import { MAIN_FORK } from '../storage/event-store.js';
import { openSqlJsStore } from '../storage/index.js';
import { rememberingLog } from '../storage/testing/histories.js';
import { enter } from './testing/firm.js';
import { ALL, FRAME, failureOf, startWorld, type TestWorld } from './testing/start-world.js';

const CLUB = `module club
enum Level { low, high }
pub concept Person { name: Text, friends: [Person]?, tags: [Text] = ["new"] }
pub concept Team { lead: { who: Person, since: Int?, note: Text } }
pub relation round(no: Int, order: [Person], levels: [Level], scores: [Decimal])
pub derive plays(p: Person, no: Int) when round(no, order, _, _), p in order
pub query rounds() -> [{ no: Int, order: [Text], levels: [Level], scores: [Decimal] }] {
  select { no: no, order: [order[0].name ?? "?", order[1].name ?? "?"], levels: levels, scores: s } where round(no, order, levels, s)
}
pub query people() -> [{ name: Text, friends: Int?, tags: [Text] }] {
  select { name: p.name, friends: if exists(p.friends) then length(p.friends) else none, tags: p.tags } where Person(p) order by p.name
}
pub mutation add(name: Text, friends: [Person]?) -> Person { return insert Person { name: name, friends: friends } }
pub mutation play(no: Int, order: [Person], scores: [Decimal]) { insert round(no, order, [high, low], scores) }
pub mutation lead(p: Person, note: Text) -> Team { return insert Team { lead: { who: p, since: none, note: note } } }
pub mutation befriend(p: Person, friends: [Person]?) { set p.friends = friends }
pub mutation unplay(order: [Person]) { delete round(_, order, _, _) }
pub mutation remove(p: Person) { delete p }
pub mutation erase(p: Person) { forget p }
`;

async function club(options: Parameters<typeof startWorld>[1] = {}) {
  const world = await startWorld(CLUB, options);
  const add = async (name: string, friends: JsonValue = null) =>
    ((await world.mutate('club::add', { name, friends })).result as Entity).$id;
  const ada = await add('Ada');
  const bob = await add('Bob', [ada]);
  await add('Cleo', []);
  await world.mutate('club::play', { no: 1, order: [ada, bob], scores: ['1.50', 2] });
  await world.mutate('club::play', { no: 2, order: [bob, bob], scores: [] });
  return { world, ada, bob };
}

async function historyOf({ store }: TestWorld): Promise<string> {
  const events: unknown[] = [];
  for (const { scopeId } of await store.scopes()) {
    for await (const part of store.read(scopeId, MAIN_FORK, 0)) events.push(...part.events);
  }
  return JSON.stringify(events);
}

const facts = (world: TestWorld) => Promise.all([world.query('club::rounds'), world.query('club::people')]);

it('stores, deletes by value, and reads them again after a restart', async () => {
  const { world, ada, bob } = await club();
  expect(await facts(world)).toEqual([
    [
      { no: 1, order: ['Ada', 'Bob'], levels: ['high', 'low'], scores: ['1.5', '2'] },
      { no: 2, order: ['Bob', 'Bob'], levels: ['high', 'low'], scores: [] },
    ],
    [
      { name: 'Ada', friends: null, tags: ['new'] },
      { name: 'Bob', friends: 1, tags: ['new'] },
      { name: 'Cleo', friends: 0, tags: ['new'] },
    ],
  ]);
  const again = await startWorld(CLUB, { store: world.store });
  expect(await facts(again)).toEqual(await facts(world));
  await again.mutate('club::unplay', { order: [ada, bob] });
  expect(await again.query('club::rounds')).toMatchObject([{ no: 2 }]);
});

it('requires the individuals in a list to exist', async () => {
  const { world, ada } = await club();
  const failure = await failureOf(world.mutate('club::play', { no: 3, order: [ada, '#i99'], scores: [] }));
  expect(failure.code).toBe('SVC_RUNTIME_VALIDATION_FAILED');
  expect(failure.message).toContain('order[1]');
});

it('deletes the tuples whose lists mention a deleted individual, and clears optional fields', async () => {
  const { world, ada } = await club();
  await world.mutate('club::remove', { p: ada });
  expect(await facts(world)).toEqual([
    [{ no: 2, order: ['Bob', 'Bob'], levels: ['high', 'low'], scores: [] }],
    [
      { name: 'Bob', friends: null, tags: ['new'] },
      { name: 'Cleo', friends: 0, tags: ['new'] },
    ],
  ]);
  expect(await facts(await startWorld(CLUB, { store: world.store }))).toEqual(await facts(world));
});

it('refuses to delete an individual in a record that a required field has', async () => {
  const { world, ada } = await club();
  await world.mutate('club::lead', { p: ada, note: 'x' });
  const failure = await failureOf(world.mutate('club::remove', { p: ada }));
  expect(failure.details).toMatchObject({ diagnostics: [{ check: 'club::Team.lead' }] });
});

it('erases the values that mention a forgotten individual, and no text that looks like one', async () => {
  const { world, ada, bob } = await club();
  const team = ((await world.mutate('club::lead', { p: bob, note: ada })).result as Entity).$id;
  await (await world.runtime.enter(FRAME)).createFork({ id: 'what-if' });
  await world.mutate('club::erase', { p: ada });
  const text = await historyOf(world);
  expect(text).not.toContain(`["${ada}","${bob}"]`);
  expect(text).not.toContain('1.5');
  expect(text).toContain(`"note":"${ada}"`);
  const fork = await enter(world, 'what-if');
  const rounds = await fork.query('club::rounds', {}, ALL, noDeadline);
  expect(rounds.result).toMatchObject([{ no: 2 }]);
  const again = await startWorld(CLUB, { store: world.store });
  expect(await facts(again)).toEqual(await facts(world));
  expect(await (await again.runtime.enter(FRAME)).individual(team, noDeadline)).toMatchObject({
    lead: { who: bob, note: ada },
  });
});

it('imports them, with individuals by a key, and reports the element that does not fit', async () => {
  const { world, ada, bob } = await club();
  const session = await world.runtime.enter(FRAME);
  const imported = (rows: readonly Record<string, JsonValue>[]) =>
    session.importRows(
      { mutation: 'club::play' },
      rows,
      { dryRun: false, granted: CAPABILITIES, keys: { order: 'name' } },
      noDeadline,
    );
  await imported([
    { no: 3, order: ['Bob', 'Ada'], scores: ['0.5'] },
    { no: 4, order: [], scores: [] },
  ]);
  const { result } = await session.relation('club::round', ALL, noDeadline);
  expect(result.map(({ tuple }) => tuple).slice(2)).toEqual([
    [3, [bob, ada], ['high', 'low'], ['0.5']],
    [4, [], ['high', 'low'], []],
  ]);
  const failure = await failureOf(imported([{ no: 5, order: ['Bob', 'Zoe'], scores: [] }]));
  expect(failure.details).toMatchObject({ path: '$.args.order[1]', expected: 'the name of a Person' });
});

it('lists and explains the facts that mention an individual in a list', async () => {
  const { world, ada } = await club();
  const session = await world.runtime.enter(FRAME);
  const mentions = await session.mentions('stored', ada, ALL, noDeadline);
  expect(mentions.result.map(({ relation }) => relation)).toEqual([
    'club::Person',
    'club::Person.friends',
    'club::Person.name',
    'club::Person.tags',
    'club::round',
  ]);
  expect(await session.explain('club::plays', [ada, 1], noDeadline)).toMatchObject({
    holds: true,
    proof: { premises: [{ tuple: [1, [ada, '#i2'], ['high', 'low'], ['1.5', '2']] }, {}] },
  });
});

it('compares, rebases and promotes a fork that changes them', async () => {
  const { world, ada, bob } = await club();
  const main = await world.runtime.enter(FRAME);
  await main.createFork({ id: 'what-if' });
  const fork = await enter(world, 'what-if');
  await fork.mutate('club::play', { no: 3, order: [bob, ada], scores: [] }, { dryRun: false, granted: [] }, noDeadline);
  await world.mutate('club::unplay', { order: [bob, bob] });
  await (await enter(world, 'what-if')).promote({ dryRun: false }, noDeadline);
  expect(await world.query('club::rounds')).toMatchObject([{ no: 1 }, { no: 3, order: ['Bob', 'Ada'] }]);
});

it('reports a list that both sides changed, keeps one side whole, and reverts to the list of before', async () => {
  const { world, ada, bob } = await club();
  const main = await world.runtime.enter(FRAME);
  await main.createFork({ id: 'what-if' });
  const fork = await enter(world, 'what-if');
  const run = { dryRun: false, granted: [] };
  await fork.mutate('club::befriend', { p: bob, friends: [bob, ada] }, run, noDeadline);
  await world.mutate('club::befriend', { p: bob, friends: [] });
  const asked = { dryRun: true, keep: 'all' } as const;
  const field = { individual: bob, field: 'club::Person.friends', base: [ada], fork: [bob, ada], parent: [] };
  expect((await fork.promote(asked, noDeadline)).conflicts).toMatchObject([{ ...field, kept: 'parent' }]);
  const promoted = await fork.promote({ dryRun: false }, noDeadline);
  expect(promoted).toMatchObject({ conflicts: [{ ...field, kept: 'fork' }], events: [{ value: [bob, ada] }] });
  const undone = await (await world.runtime.enter(FRAME)).undoTransaction(
    promoted.txn ?? 0,
    { dryRun: false },
    noDeadline,
  );
  expect(undone.events).toMatchObject([{ kind: 'setField', field: 'club::Person.friends', value: [] }]);
});

it('renames enum members and individuals inside lists', async () => {
  const { world } = await club();
  await world.load(CLUB.replace('{ low, high }', '{ low, top }').replace('[high, low]', '[top, low]'), {
    renames: [{ from: 'club::Level.high', to: 'club::Level.top' }],
  });
  expect(await world.query('club::rounds')).toMatchObject([{ levels: ['top', 'low'] }, { levels: ['top', 'low'] }]);
  expect(await historyOf(world)).not.toContain('"high"');
});

it('saves them with a state, and opens from it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'entail-lists-'));
  const source = `module m
pub relation r(l: [Int], p: { x: Decimal, y: Text? })
pub query all(l: [Int]) -> [{ x: Decimal, y: Text? }] { select p where r(l, p) }
pub mutation fill(from: Int, to: Int) { for n in range(from, to) { insert r([n, n + 1], { x: n * 0.5, y: none }) } }
`;
  try {
    const world = await startWorld(source, { store: await openSqlJsStore({ directory, log: rememberingLog() }) });
    await world.mutate('m::fill', { from: 0, to: 6_000 });
    await world.mutate('m::fill', { from: 6_000, to: 12_000 });
    await world.runtime.close();
    const again = await startWorld(source, { store: await openSqlJsStore({ directory, log: rememberingLog() }) });
    expect(await again.query('m::all', { l: [11_999, 12_000] })).toEqual([{ x: '5999.5', y: null }]);
    await again.mutate('m::fill', { from: 11_999, to: 12_001 });
    expect(await again.query('m::all', { l: [11_999, 12_000] })).toHaveLength(1);
    await again.runtime.close();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
