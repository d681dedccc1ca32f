/**
 * Writers that do not wait for each other, over a disk that sometimes refuses. Memory always equals a replay of the history on disk, and
 * every acknowledged transaction is there, once and with its number.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../api/errors.js';
import type { JsonValue } from '../api/schemas/schemas.js';
import { noDeadline } from '../base/ports.js';
import { runs } from '../base/testing/property-runs.js';
import { type HeldDisk, holdDisk } from './testing/held-disk.js';
import { ALL, FRAME, startWorld, type TestWorld } from './testing/start-world.js';

const GRAPH = `module g
pub concept Node { name: Text, next: Node? }
pub relation link(a: Node, b: Node)
pub derive reach(a: Node, c: Node) when link(a, c)
pub derive reach(a: Node, c: Node) when reach(a, b), link(b, c)
pub check crowded(n: Node) when Node(n), let k = count(for m where link(n, m)), k > 1
  severity blocking message "{n.name} has {k} links"
pub mutation add(name: Text) -> Node { return insert Node { name: name } }
pub mutation point(a: Node, b: Node) { set a.next = b }
pub mutation connect(a: Node, b: Node) { insert link(a, b) }
pub mutation disconnect(a: Node, b: Node) { delete link(a, b) }
pub mutation remove(a: Node) { delete a }
pub mutation erase(a: Node) { forget a }
`;

const node = fc.integer({ min: 1, max: 6 }).map((number) => `#i${number}`);
const fork = fc.constantFrom('main', 'main', 'f', 'g');
type Attempt =
  | { readonly step: 'write'; readonly fork: string; readonly path: string; readonly args: Record<string, JsonValue> }
  | { readonly step: 'create' | 'promote' | 'abort'; readonly fork: string };
type Step = Attempt | { readonly step: 'keep' | 'refuse' | 'compare' };
const writeOf = (path: string, args: Record<string, fc.Arbitrary<string>>) =>
  fc.record({ step: fc.constant('write'), fork, path: fc.constant(`g::${path}`), args: fc.record(args) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: writeOf('add', { name: fc.constantFrom('x', 'y') }) },
  { weight: 6, arbitrary: writeOf('connect', { a: node, b: node }) },
  { weight: 3, arbitrary: writeOf('point', { a: node, b: node }) },
  { weight: 3, arbitrary: writeOf('disconnect', { a: node, b: node }) },
  { weight: 1, arbitrary: writeOf('remove', { a: node }) },
  { weight: 1, arbitrary: writeOf('erase', { a: node }) },
  {
    weight: 3,
    arbitrary: fc.record({ step: fc.constantFrom('create', 'promote', 'abort'), fork: fc.constantFrom('f', 'g') }),
  },
  { weight: 6, arbitrary: fc.record({ step: fc.constantFrom('keep', 'keep', 'refuse', 'compare') }) },
);

it('keeps memory equal to the disk, whatever the disk refuses', { timeout: 120_000 }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), follow), {
    numRuns: runs(60),
    interruptAfterTimeLimit: 60_000,
  });
});

async function follow(steps: readonly Step[]): Promise<void> {
  const disk = await holdDisk();
  const world = await startWorld(GRAPH, { store: disk.store });
  for (const name of ['x', 'y', 'z']) await world.mutate('g::add', { name });
  disk.hold();
  const running: Promise<number | null>[] = [];
  for (const each of steps) {
    if ('fork' in each) running.push(take(world, each));
    else if (each.step === 'compare') await compare(world, disk);
    else await disk.answer(each.step);
    await disk.settle();
  }
  await disk.open();
  const acknowledged = (await Promise.all(running)).filter((txn) => txn !== null);
  const session = await world.runtime.enter(FRAME);
  const kept = new Set<number>();
  for (const { id } of (await session.forks(ALL, noDeadline)).result) {
    const { result } = await (await enter(world, id)).events(ALL, noDeadline);
    for (const { txn } of result) kept.add(txn);
  }
  // Transactions of a fork whose id was reused cannot be listed any more.
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect([...kept].filter((txn) => txn > 3 && !acknowledged.includes(txn))).toEqual([]);
  await compare(world, disk);
}

async function take(world: TestWorld, each: Attempt) {
  try {
    const session = await enter(world, each.step === 'create' ? 'main' : each.fork);
    if (each.step === 'write') {
      return (await session.mutate(each.path, each.args, { dryRun: false, granted: ['forget'] }, noDeadline)).txn;
    }
    if (each.step === 'promote') return (await session.promote({ dryRun: false }, noDeadline)).txn;
    await (each.step === 'abort' ? session.abort() : session.createFork({ id: each.fork }));
    return null;
  } catch (error) {
    if (error instanceof ApiError || (error instanceof Error && error.name === 'StorageError')) return null;
    throw error;
  }
}

/** Compares everything that can be read of every fork, and the numbers of the next write, with a world that is opened again. */
async function compare(world: TestWorld, disk: HeldDisk): Promise<void> {
  const opened = await startWorld(GRAPH, { store: disk.kept });
  const forks = async (which: TestWorld) => (await (await enter(which, 'main')).forks(ALL, noDeadline)).result;
  const records = await forks(world);
  expect(records).toEqual(await forks(opened));
  for (const { id } of records) {
    const read = async (which: TestWorld) =>
      (await (await enter(which, id)).snapshot({ derived: true }, ALL, noDeadline)).result;
    expect(await read(world)).toEqual(await read(opened));
  }
  if (disk.stopped > 0) return;
  const next = async (which: TestWorld) => (await which.mutate('g::add', { name: 'next' }, true)).events;
  expect(await next(world)).toEqual(await next(opened));
}

async function enter(world: TestWorld, id: string) {
  return world.runtime.enter({ ...FRAME, forks: [{ from: 'path', fork: id }] });
}
