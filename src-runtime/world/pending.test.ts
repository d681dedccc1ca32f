/** Pending transactions: the next writer builds on them, readers do not see them, and they fail together. */

import { beforeEach, expect, it } from 'vitest';
import { CAPABILITIES } from '../api/capabilities.js';
import { ApiError } from '../api/errors.js';
import type { JsonValue } from '../api/schemas/schemas.js';
import { noDeadline } from '../base/ports.js';
import { holdDisk } from './testing/held-disk.js';
import { ALL, FRAME, startWorld, type TestWorld } from './testing/start-world.js';

const MODULE = `module m
pub concept Node { name: Text unique }
pub relation link(a: Node, b: Node)
pub derive reach(a: Node, b: Node) when link(a, b)
pub derive reach(a: Node, c: Node) when reach(a, b), link(b, c)
pub check loop(n: Node) when reach(n, n) severity blocking message "{n.name} reaches itself"
pub query names() -> [Text] { select n.name where Node(n) }
pub query reached() -> [Text] { select b.name where reach(_, b) }
pub mutation add(name: Text) -> Node { return insert Node { name: name } }
pub mutation connect(a: Node, b: Node) { insert link(a, b) }
pub mutation erase(n: Node) { forget n }
`;

let disk: Awaited<ReturnType<typeof holdDisk>>;
let world: TestWorld;
/** Responses in order of arrival. */
let answers: string[];

beforeEach(async () => {
  disk = await holdDisk();
  world = await startWorld(MODULE, { store: disk.store });
  answers = [];
  await add('first');
  disk.hold();
  answers = [];
});

async function noted(name: string, work: Promise<{ readonly txn?: number | null }>): Promise<void> {
  try {
    const { txn } = await work;
    answers.push(`${name} ${txn}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    answers.push(`${name} ${error.code.replace('SVC_RUNTIME_', '')}`);
  }
}

const enter = async (fork: string) => world.runtime.enter({ ...FRAME, forks: [{ from: 'path', fork }] });
const mutate = (path: string, args: Record<string, JsonValue>, dryRun = false, fork = 'main') =>
  enter(fork).then((session) => session.mutate(path, args, { dryRun, granted: CAPABILITIES }, noDeadline));
const add = (name: string, dryRun = false) => noted(`add ${name}`, mutate('m::add', { name }, dryRun));
const link = (a: string, b: string) => noted(`link ${a}${b}`, mutate('m::connect', { a, b }));
const names = () => world.query('m::names');
const numbers = async () => {
  const { result } = await (await enter('main')).snapshot({ derived: true }, ALL, noDeadline);
  return [result.txn, result.seq, result.facts.length, result.derived?.length];
};

it('builds the next write on a pending transaction, which readers do not see', async () => {
  const session = await enter('main');
  const feed = await session.follow(undefined);
  const before = await numbers();
  const writes = [add('second'), add('third'), link('#i2', '#i3')];
  await disk.settle();
  expect(disk.stopped).toBe(3);
  expect(answers).toEqual([]);
  expect(await names()).toEqual(['first']);
  expect(await world.query('m::reached')).toEqual([]);
  expect(await numbers()).toEqual(before);
  expect((await session.events(ALL, noDeadline)).result).toHaveLength(2);
  for await (const batch of feed.unread()) expect(batch).toEqual([]);
  await disk.answer('keep');
  expect(answers).toEqual(['add second 2']);
  expect(await names()).toEqual(['first', 'second']);
  expect(disk.stopped).toBe(2);
  await disk.answer('keep');
  await disk.answer('keep');
  await Promise.all(writes);
  expect(answers).toEqual(['add second 2', 'add third 3', 'link #i2#i3 4']);
  expect(await world.query('m::reached')).toEqual(['third']);
});

it('fails a refused transaction with its successors, and reuses their numbers', async () => {
  const before = await numbers();
  const writes = [add('second'), add('third'), link('#i2', '#i3')];
  await disk.settle();
  await disk.answer('refuse');
  await Promise.all(writes);
  expect(disk.stopped).toBe(2);
  expect(answers).toEqual(['add second STORAGE_ERROR', 'add third STORAGE_ERROR', 'link #i2#i3 STORAGE_ERROR']);
  expect(await numbers()).toEqual(before);
  const again = [add('second'), add('third'), link('#i3', '#i2')];
  await disk.settle();
  await disk.open();
  await Promise.all(again);
  expect(answers.slice(3)).toEqual(['add second 2', 'add third 3', 'link #i3#i2 4']);
  expect(await world.query('m::reached')).toEqual(['second']);
  expect(await (await startWorld(MODULE, { store: disk.kept })).query('m::reached')).toEqual(['second']);
});

it('keeps earlier durable transactions when the disk refuses a later one', async () => {
  const writes = [add('second'), add('third'), add('fourth')];
  await disk.settle();
  await disk.answer('keep');
  await disk.answer('refuse');
  await Promise.all(writes);
  expect(answers).toEqual(['add second 2', 'add third STORAGE_ERROR', 'add fourth STORAGE_ERROR']);
  expect(await names()).toEqual(['first', 'second']);
});

it('delays refusals and dry runs that depend on a pending transaction, and fails them with it', async () => {
  const attempt = () => [add('second'), add('second'), add('third', true), link('#i2', '#i9'), link('#i2', '#i2')];
  const kept = attempt();
  await disk.settle();
  expect(answers).toEqual([]);
  await disk.answer('keep');
  await Promise.all(kept);
  expect(answers).toEqual([
    'add second 2',
    'add second CHECK_VIOLATION',
    'add third null',
    'link #i2#i9 VALIDATION_FAILED',
    'link #i2#i2 CHECK_VIOLATION',
  ]);
  answers = [];
  const refused = [add('other'), add('other'), add('fifth', true)];
  await disk.settle();
  await disk.answer('refuse');
  await Promise.all(refused);
  expect(answers).toEqual(['add other STORAGE_ERROR', 'add other STORAGE_ERROR', 'add fifth STORAGE_ERROR']);
});

it('makes forgets, forks, promotions and module loads wait for pending transactions', async () => {
  const writes = [
    add('second'),
    noted('erase', mutate('m::erase', { n: '#i2' })),
    noted(
      'fork',
      enter('main')
        .then((main) => main.createFork({ id: 'f' }))
        .then(() => ({})),
    ),
    add('third'),
  ];
  await disk.settle();
  expect(disk.stopped).toBe(1);
  await disk.answer('keep');
  expect([answers, disk.stopped]).toEqual([['add second 2'], 1]);
  await disk.answer('keep');
  expect([answers.at(-1), disk.stopped]).toEqual(['erase 3', 1]);
  await disk.answer('keep');
  expect([answers.at(-1), disk.stopped]).toEqual(['fork undefined', 1]);
  await disk.answer('keep');
  await Promise.all(writes);
  expect(answers.at(-1)).toBe('add third 5');
  const reload = `${MODULE}pub query all() -> [Node] { select n where Node(n) }`;
  const more = [
    noted('in the fork', mutate('m::add', { name: 'own' }, false, 'f')),
    noted(
      'promote',
      enter('f').then((fork) => fork.promote({ dryRun: false }, noDeadline)),
    ),
    add('own'),
    noted(
      'load',
      world.load(reload).then(() => ({})),
    ),
  ];
  await disk.settle();
  await disk.answer('keep');
  expect(answers.at(-1)).toBe('in the fork 6');
  await disk.open();
  await Promise.all(more);
  expect(answers.slice(-3)).toEqual(['promote 7', 'add own CHECK_VIOLATION', 'load undefined']);
  expect(await names()).toEqual(['first', 'own', 'third']);
});

it('makes every kind of write wait for a load, and runs it under the new module', async () => {
  await disk.open();
  const main = await enter('main');
  for (const id of ['done', 'ready', 'idle']) await main.createFork({ id });
  await mutate('m::add', { name: 'theirs' }, false, 'done');
  const done = await enter('done');
  await done.promote({ dryRun: false }, noDeadline);
  const [ready, idle] = [await enter('ready'), await enter('idle')];
  answers = [];
  disk.hold();
  const loading = world.load(MODULE.replace('name: Text unique', 'name: Text unique, note: Text?'));
  await disk.settle();
  expect(disk.stopped).toBe(1);
  const options = { dryRun: false, granted: CAPABILITIES };
  const step = { mutation: 'm::add', args: { name: 'batch' } };
  const writes = [
    noted('mutate', main.mutate('m::add', { name: 'mutate' }, options, noDeadline)),
    noted(
      'adhoc',
      main.mutateAdhoc(
        { source: 'mutation own() { insert Node { name: "adhoc" } }', module: undefined },
        {},
        options,
        noDeadline,
      ),
    ),
    noted(
      'batch',
      main.batch([step], options, noDeadline).then(() => ({})),
    ),
    noted(
      'import',
      main.importRows({ mutation: 'm::add' }, [{ name: 'import' }], { ...options, keys: {} }, noDeadline),
    ),
    noted(
      'create',
      main.createFork({ id: 'new' }).then(() => ({})),
    ),
    noted('promote', ready.promote(options, noDeadline)),
    noted(
      'abort',
      idle.abort().then(() => ({})),
    ),
    noted('undo', done.undoPromotion(options, noDeadline)),
  ];
  await disk.settle();
  expect(answers).toEqual([]);
  await disk.open();
  await Promise.all([loading, ...writes]);
  expect(answers.filter((answer) => /[A-Z]/.test(answer))).toEqual([]);
  expect(await names()).toEqual(['adhoc', 'batch', 'first', 'import', 'mutate']);
});

it('fails an erasure that waits for a transaction that the disk refuses', async () => {
  const writes = [add('second'), noted('erase', mutate('m::erase', { n: '#i1' }))];
  await disk.settle();
  await disk.answer('refuse');
  await Promise.all(writes);
  expect(answers).toEqual(['add second STORAGE_ERROR', 'erase STORAGE_ERROR']);
  expect(await names()).toEqual(['first']);
});
