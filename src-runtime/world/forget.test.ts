/** `forget` removes the data of an individual from responses, history and files. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Capability } from '../api/schemas/health-schemas.js';
import type { Entity, JsonValue } from '../api/schemas/schemas.js';
import { noDeadline } from '../base/ports.js';
import { SteppedWork } from '../base/testing/stepped-work.js';
import { type EventStore, MAIN_FORK, StorageError, type StoredEvent } from '../storage/event-store.js';
import { openMemoryStore, openSqlJsStore } from '../storage/index.js';
import { changedStore } from './testing/changed-store.js';
import { ALL, FRAME, failureOf, startWorld, type TestWorld } from './testing/start-world.js';

const STAFF = `module staff
pub concept Person { name: Text, note: Text?, boss: Person? }
pub concept Badge { holder: Person }
pub relation knows(person: Person, topic: Text)
pub relation mentors(mentor: Person, pupil: Person)
pub derive expert(p: Person) when knows(p, _)
pub individual root: Person { name: "Root" }
pub query people() -> [Person] { select p where Person(p), p != @root order by p.name }
pub mutation add(name: Text, note: Text?, boss: Person?) -> Person {
  return insert Person { name: name, note: note, boss: boss }
}
pub mutation learn(p: Person, topic: Text) { insert knows(p, topic) }
pub mutation mentor(a: Person, b: Person) { insert mentors(a, b) }
pub mutation report(p: Person, to: Person?) { set p.boss = to }
pub mutation issue(p: Person) -> Badge { return insert Badge { holder: p } }
pub mutation erase(p: Person) { forget p }
pub mutation eraseDeeply(p: Person) { if p.name != "" { for q in (select x where Person(x), x == p) { erase(q) } } }
pub mutation renameAndErase(p: Person, to: Text) { set p.name = to insert knows(p, to) delete p forget p forget p }
pub mutation eraseRoot(p: Person) { forget p }
`;

async function staff(options: Parameters<typeof startWorld>[1] = {}) {
  const world = await startWorld(STAFF, options);
  const add = async (name: string, more: Record<string, JsonValue> = {}) =>
    ((await world.mutate('staff::add', { name, ...more })).result as Entity).$id;
  const ada = await add('Secret Ada', { note: 'hidden' });
  const bob = await add('Bob', { note: ada, boss: ada });
  await world.mutate('staff::learn', { p: ada, topic: 'secret jam' });
  await world.mutate('staff::learn', { p: bob, topic: 'bread' });
  await world.mutate('staff::mentor', { a: ada, b: bob });
  return { world, ada, bob };
}

async function eventsOf({ store }: TestWorld): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (const { scopeId } of await store.scopes()) {
    for await (const { events: more } of store.read(scopeId, MAIN_FORK, 0)) events.push(...more);
  }
  return events;
}

const everything = async (world: TestWorld) =>
  JSON.stringify([await eventsOf(world), await world.query('staff::people')]);

it('deletes the individual, and leaves placeholders in the history', async () => {
  const { world, ada, bob } = await staff();
  const answer = await world.mutate('staff::erase', { p: ada });
  expect(JSON.stringify(answer)).not.toMatch(/[Ss]ecret|hidden/);
  expect(answer.events.map(({ kind }) => kind)).toContain('forgetIndividual');
  expect(await world.query('staff::people')).toMatchObject([{ $id: bob, note: ada, boss: null }]);
  const events = await eventsOf(world);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ kind }) => kind === 'redacted').length).toBeGreaterThan(4);
  expect(await everything(world)).not.toMatch(/[Ss]ecret|hidden/);
});

it('keeps the explanations of other facts', async () => {
  const { world, ada, bob } = await staff();
  const explained = async () => (await world.runtime.enter(FRAME)).explain('staff::expert', [bob], noDeadline);
  const before = await explained();
  await world.mutate('staff::erase', { p: ada });
  expect(await explained()).toEqual(before);
  expect(before).toMatchObject({ proof: { premises: [{ kind: 'stored', event: { kind: 'insertFact' } }] } });
});

it('persists across a restart, and reuses no ids', async () => {
  const { world, ada, bob } = await staff();
  const { $id: last } = (await world.mutate('staff::add', { name: 'Last' })).result as Entity;
  await world.mutate('staff::erase', { p: ada });
  await world.mutate('staff::erase', { p: last });
  const again = await startWorld(STAFF, { store: world.store });
  expect(await again.query('staff::people')).toEqual(await world.query('staff::people'));
  expect(await again.query('staff::people')).toMatchObject([{ $id: bob, boss: null }]);
  const { $id } = (await again.mutate('staff::add', { name: 'Next' })).result as Entity;
  expect($id).not.toBe(last);
});

it('erases values that the same mutation wrote or deleted before', async () => {
  const { world, ada } = await staff();
  const answer = await world.mutate('staff::renameAndErase', { p: ada, to: 'secret name' });
  expect(answer.events.filter(({ kind }) => kind === 'forgetIndividual')).toHaveLength(1);
  expect(JSON.stringify(answer) + (await everything(world))).not.toMatch(/[Ss]ecret|hidden/);
});

it('rolls back after a refusal by a guard or the disk, and after a dry run', async () => {
  const memory = await openMemoryStore();
  let broken = false;
  const store = changedStore(memory, {
    append: (...args: Parameters<EventStore['append']>) =>
      broken ? Promise.reject(new StorageError('full', 'failed')) : memory.append(...args),
  });
  const { world, ada } = await staff({ store });
  const before = await everything(world);
  await world.mutate('staff::erase', { p: ada }, true);
  expect(await everything(world)).toBe(before);
  broken = true;
  expect((await failureOf(world.mutate('staff::erase', { p: ada }))).code).toBe('SVC_RUNTIME_STORAGE_ERROR');
  expect(await everything(world)).toBe(before);
  broken = false;
  await world.mutate('staff::issue', { p: ada });
  const guarded = await failureOf(world.mutate('staff::erase', { p: ada }));
  expect(guarded.code).toBe('SVC_RUNTIME_CHECK_VIOLATION');
  expect(guarded.details).toMatchObject({ diagnostics: [{ check: 'staff::Badge.holder' }] });
  expect(await everything(world)).toContain('Secret Ada');
});

it.each([
  ['why the disk refused an erasure', {}, /^The disk refused the write: the limit of open files\. Nothing was kept\.$/],
  ['that an erasure may be stored if its result is unknown', { isUnknown: true }, /It may have been kept/],
])('reports %s', async (_what, more, message) => {
  const store = changedStore(await openMemoryStore(), {});
  const { world, ada } = await staff({ store });
  const error = new StorageError('full', 'failed', { why: 'the limit of open files', ...more });
  store.append = () => Promise.reject(error);
  expect((await failureOf(world.mutate('staff::erase', { p: ada }))).message).toMatch(message);
});

it('is refused for declared individuals', async () => {
  const { world } = await staff();
  const failure = await failureOf(world.mutate('staff::eraseRoot', { p: '@root' }));
  expect(failure.code).toBe('SVC_RUNTIME_VALIDATION_FAILED');
  expect(failure.message).toContain('cannot be forgotten');
});

it('requires its capability, also in a callee, before arguments are read', async () => {
  const { world, ada } = await staff({ granted: ['fork', 'reload'] });
  for (const path of ['staff::erase', 'staff::eraseDeeply']) {
    const failure = await failureOf(world.mutate(path, { surplus: 1 }));
    expect(failure.code).toBe('SVC_RUNTIME_CAPABILITY_DENIED');
    expect(failure.details).toMatchObject({ capability: 'forget' });
  }
  await world.mutate('staff::learn', { p: ada, topic: 'more' });
});

it('works through callees, blocks and loops', async () => {
  const { world, ada } = await staff();
  await world.mutate('staff::eraseDeeply', { p: ada });
  expect(await everything(world)).not.toMatch(/[Ss]ecret|hidden/);
});

it('is refused on a fork, before the capability is checked', async () => {
  const { world, ada } = await staff();
  await (await world.runtime.enter(FRAME)).createFork({ id: 'what-if' });
  const session = await world.runtime.enter(WHAT_IF);
  const erase = (granted: readonly Capability[]) =>
    failureOf(session.mutate('staff::erase', { p: ada }, { dryRun: false, granted }, noDeadline));
  expect(await erase(['forget'])).toMatchObject({
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: expect.stringContaining('on the fork "what-if"'),
  });
  expect((await erase([])).code).toBe('SVC_RUNTIME_CAPABILITY_DENIED');
});

const BADGES = { ...FRAME, forks: [{ from: 'path', fork: 'badges' }] } as const;
const WHAT_IF = { ...FRAME, forks: [{ from: 'path', fork: 'what-if' }] } as const;

it('erases from earlier forks, open and closed, with the same result as a restart', async () => {
  const { world, ada, bob } = await staff();
  const main = await world.runtime.enter(FRAME);
  await main.createFork({ id: 'closed' });
  await (await world.runtime.enter({ ...FRAME, forks: [{ from: 'path', fork: 'closed' }] })).abort();
  await main.createFork({ id: 'what-if' });
  const onFork = async (path: string, args: Record<string, JsonValue>) =>
    (await world.runtime.enter(WHAT_IF)).mutate(path, args, { dryRun: false, granted: [] }, noDeadline);
  await onFork('staff::learn', { p: ada, topic: 'secret tea' });
  await onFork('staff::report', { p: bob, to: bob });
  await onFork('staff::issue', { p: bob });
  await main.createFork({ id: 'badges', from: 'what-if' });
  await (await world.runtime.enter(BADGES)).mutate(
    'staff::issue',
    { p: ada },
    { dryRun: false, granted: [] },
    noDeadline,
  );
  await (await world.runtime.enter(WHAT_IF)).derive(noDeadline);
  await world.mutate('staff::erase', { p: ada });
  const seen = async ({ runtime }: TestWorld) => {
    const parts: unknown[] = [];
    for (const fork of ['what-if', 'closed', 'badges']) {
      const session = await runtime.enter({ ...FRAME, forks: [{ from: 'path', fork }] });
      parts.push(await session.individuals(undefined, ALL, noDeadline));
      for (const relation of ['knows', 'mentors', 'expert', 'Person.name', 'Person.boss', 'Badge.holder'])
        parts.push((await session.relation(`staff::${relation}`, ALL, noDeadline)).result);
      parts.push(await session.explain('staff::expert', [bob], noDeadline));
      parts.push(await session.derived().catch(({ code }) => code));
    }
    const promotion = await (await runtime.enter(WHAT_IF)).promote({ dryRun: true }, noDeadline);
    const refused = await failureOf((await runtime.enter(BADGES)).promote({ dryRun: true }, noDeadline));
    expect(refused).toMatchObject({ code: 'SVC_RUNTIME_VALIDATION_FAILED', details: { field: 'staff::Badge.holder' } });
    return JSON.stringify([parts, promotion, refused.message, refused.details]);
  };
  const found = await seen(world);
  expect(found).not.toMatch(/[Ss]ecret|hidden/);
  expect(found).toContain('"conflicts":[]');
  expect(await seen(await startWorld(STAFF, { store: world.store }))).toBe(found);
});

it('leaves no trace in the files of the data directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'entail-forget-'));
  const log = { info: () => undefined, warn: () => undefined };
  /** Reads again if a checkpoint has replaced files after they were listed. */
  const filesThere = async (): Promise<Buffer[]> => {
    try {
      return await Promise.all((await readdir(directory)).map((name) => readFile(join(directory, name))));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return filesThere();
    }
  };
  const grep = async () => {
    const files = await filesThere();
    return files.some((bytes) => ['Secret Ada', 'hidden', 'secret jam'].some((text) => bytes.includes(text)));
  };
  try {
    const store = await openSqlJsStore({ directory, log, checkpointAfterBytes: 600 });
    const { world, ada, bob } = await staff({ store });
    expect(await grep()).toBe(true);
    await world.mutate('staff::erase', { p: ada });
    expect(await grep()).toBe(false);
    await world.mutate('staff::learn', { p: bob, topic: 'cheese' });
    await world.runtime.close();
    expect(await grep()).toBe(false);
    const again = await startWorld(STAFF, { store: await openSqlJsStore({ directory, log }) });
    expect(await again.query('staff::people')).toMatchObject([{ $id: bob }]);
    await again.runtime.close();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

it('leaves no trace in the projection of a concurrent derive', async () => {
  const { world, ada } = await staff();
  await (await world.runtime.enter(FRAME)).createFork({ id: 'what-if' });
  const fork = await world.runtime.enter(WHAT_IF);
  const deriving = new SteppedWork(async (deadline) => void (await fork.derive(deadline)));
  await deriving.advance(0);
  expect(deriving.isDone).toBe(false);
  await world.mutate('staff::erase', { p: ada });
  await deriving.finish();
  expect((await failureOf(fork.derived())).code).toBe('SVC_RUNTIME_FORK_NOT_DERIVED');
  const derived = await fork.derive(noDeadline);
  expect(await fork.derived()).toEqual(derived);
});
