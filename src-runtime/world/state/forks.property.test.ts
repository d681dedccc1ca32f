/**
 * Random sequences of writes, forks of current and earlier states, rebases, promotions, cherry-picks, reverts, discards, reads of the
 * past, restarts and reloads. After every step, each fork is compared with a naive three-way merge of maps and sets.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../../api/errors.js';
import type { ForkInfo, UndoConflict } from '../../api/schemas/fork-schemas.js';
import type { Moment } from '../../api/schemas/moment.js';
import type { Entity, JsonValue } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import type { DiffFilter, FieldsFromParent, PromoteResponse } from '../contract/requests.js';
import {
  Model,
  type ModelFork,
  type ModelWrite,
  type OperationResult,
  reachOf,
  storedFacts,
} from '../testing/fork-model.js';
import type { TestSession } from '../testing/session-methods.js';
import { ALL, FRAME, startWorld, type TestWorld } from '../testing/start-world.js';

const GRAPH = `module g
pub concept Node { name: Text, note: Text?, next: Node? }
pub relation link(a: Node, b: Node)
pub derive reach(a: Node, c: Node) when link(a, c)
pub derive reach(a: Node, c: Node) when reach(a, b), link(b, c)
pub check crowded(n: Node) when Node(n), let k = count(for m where link(n, m)), k > 1
  severity blocking message "{n.name} has {k} links"
pub mutation add(name: Text) -> Node { return insert Node { name: name } }
pub mutation rename(n: Node, name: Text) { set n.name = name }
pub mutation annotate(n: Node, note: Text?) { set n.note = note }
pub mutation point(n: Node, next: Node?) { set n.next = next }
pub mutation connect(a: Node, b: Node) { insert link(a, b) }
pub mutation disconnect(a: Node, b: Node) { delete link(a, b) }
pub mutation remove(n: Node) { delete n }
pub mutation erase(n: Node) { forget n }
`;
const MODULES = [GRAPH, `${GRAPH}pub query names() -> [Text] { select n.name where Node(n) }\n`] as const;
const CALLABLES = { link: 'connect', unlink: 'disconnect' } as const;

const STORED: DiffFilter = { layers: ['stored'], relation: undefined };
const STORED_AND_DERIVED: DiffFilter = { layers: ['stored', 'derived'], relation: undefined };

/** Which fork: mostly one that is open, see `forkAt`. */
const fork = fc.nat(19);
const newFork = fc.constantFrom('a', 'b', 'c', 'd', 'main');
/** Counts back from the newest individual, which may be deleted. */
const who = fc.oneof(fc.nat(1), fc.nat(4));
const text = fc.constantFrom('x', 'y', 'z');
const write = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('add'), name: text }) },
  { weight: 6, arbitrary: fc.record({ op: fc.constant('rename'), n: who, name: text }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('annotate'), n: who, note: fc.option(text) }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('point'), n: who, next: fc.option(who) }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('link'), a: who, b: who }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('unlink'), a: who, b: who }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('remove', 'erase'), n: who }) },
);

type Step =
  | { readonly step: 'write'; readonly fork: number; readonly write: object; readonly dryRun: boolean }
  | { readonly step: 'create'; readonly id: string; readonly fork: number; readonly back: number }
  | { readonly step: 'undo'; readonly fork: number; readonly back: number }
  | Picking
  | { readonly step: 'promote'; readonly fork: number; readonly dryRun: boolean; readonly keepsParents: boolean }
  | Updating
  | { readonly step: 'abort'; readonly fork: number }
  | { readonly step: 'look'; readonly back: number }
  | { readonly step: 'restart' | 'reload' };

interface Updating {
  readonly step: 'update';
  readonly id: string;
  readonly fork: number;
  readonly dryRun: boolean;
  readonly keepsParents: boolean;
}

interface Picking {
  readonly step: 'pick';
  readonly fork: number;
  readonly onto: number;
  readonly back: number;
  readonly dryRun: boolean;
  readonly keepsParents: boolean;
}

/** Of the parent, how many transactions ago. */
const back = fc.oneof(fc.constant(0), fc.nat(8));
const seldom = fc.integer({ min: 0, max: 4 }).map((number) => number === 0);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ step: fc.constant('write'), fork, write, dryRun: seldom }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('create'), id: newFork, fork, back }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant('undo'), fork, back }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('promote'), fork, dryRun: seldom, keepsParents: seldom }) },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ step: fc.constant('pick'), fork, onto: fork, back: fc.nat(5), dryRun: seldom, keepsParents: fc.boolean() },
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ step: fc.constant('update'), id: newFork, fork, dryRun: seldom, keepsParents: fc.boolean() },
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('abort'), fork }) },
  { weight: 6, arbitrary: fc.record({ step: fc.constant('look'), back: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constantFrom('restart', 'reload') }) },
);

it('equals a naive merge of maps and sets, in every preset', { timeout: 300_000 }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 80 }), follow), {
    numRuns: runs(20),
    interruptAfterTimeLimit: 120_000,
  });
});

interface Run {
  world: TestWorld;
  readonly model: Model;
  /** Every individual that was ever created, newest first. */
  readonly made: string[];
  module: 0 | 1;
}

async function follow(steps: readonly Step[]): Promise<void> {
  const run: Run = { world: await startWorld(GRAPH), model: new Model(), made: [], module: 0 };
  for (const name of ['x', 'y', 'z']) await takeWrite(run, 'main', { op: 'add', name }, false);
  for (const each of steps) {
    await take(run, each);
    await compare(run);
    if (each.step === 'look') await comparePast(run, each.back);
  }
}

async function take(run: Run, each: Step): Promise<void> {
  const { model } = run;
  switch (each.step) {
    case 'write':
      await takeWrite(run, forkAt(run, each.fork), each.write, each.dryRun);
      return;
    case 'create': {
      const { id } = each;
      const from = forkAt(run, each.fork);
      const back = Math.min(each.back, (model.forks.get(from)?.past.length ?? 1) - 1);
      const asOf = back === 0 ? {} : { asOf: await transactionAgo(run, from, back) };
      const created = enter(run, 'main').then((session) => session.createFork({ id, from, ...asOf }, noDeadline));
      expect(await outcomeOf(created, (record) => record.id)).toEqual(model.create(id, from, back));
      return;
    }
    case 'undo': {
      const id = forkAt(run, each.fork);
      const back = Math.min(each.back, (model.forks.get(id)?.past.length ?? 2) - 2);
      if (back < 0) return;
      const undone = enter(run, id).then(async (session) =>
        session.undoTransaction(await transactionAgo(run, id, back), { dryRun: false }, noDeadline),
      );
      const conflicts = ({ conflicts: found }: { readonly conflicts: readonly UndoConflict[] }) =>
        found
          .map(({ individual, field, before, promoted, now }) =>
            JSON.stringify({ individual, field, base: promoted, fork: before, parent: now, kept: 'fork' }),
          )
          .sort();
      expect(await outcomeOf(undone, conflicts)).toEqual(model.undo(id, back));
      return;
    }
    case 'promote': {
      const { dryRun, keepsParents } = each;
      const keep = keepsParents ? 'all' : [];
      const id = forkAt(run, each.fork, 'main');
      const preview = await previewOf(run, id, 'previewPromotion', keep);
      const before = allFacts(model.forks.get(id)?.parent?.state);
      const promoted = enter(run, id).then((session) => session.promote({ dryRun, keep }, noDeadline));
      const conflicts = await outcomeOf(promoted, conflictsOf);
      const expected = model.promote(id, dryRun, keepsParents);
      expect(conflicts).toEqual(expected);
      if (typeof expected === 'string') {
        // A preview works even if guards refuse the promotion.
        if (expected !== 'CHECK_VIOLATION') expect(preview).toBe(expected);
      } else if (!dryRun) {
        expect(preview).toEqual({ ok: changesOf(before, allFacts(model.forks.get(id)?.parent?.state)) });
      }
      return;
    }
    case 'pick': {
      const { dryRun, keepsParents } = each;
      const [from, onto] = [forkAt(run, each.fork), forkAt(run, each.onto)];
      const { past } = model.forks.get(from) ?? { past: [] };
      const back = Math.min(each.back, past.length - 2);
      if (back < 0) return;
      const options = { from, txn: await transactionAgo(run, from, back), keep: keepsParents ? 'all' : [] } as const;
      const picked = enter(run, onto).then((session) => session.pick({ ...options, dryRun }, noDeadline));
      expect(await outcomeOf(picked, conflictsOf)).toEqual(model.pick(from, back, onto, dryRun, keepsParents));
      return;
    }
    case 'update':
      await takeUpdate(run, each);
      return;
    case 'abort': {
      const id = forkAt(run, each.fork, 'main');
      const aborted = enter(run, id).then((session) => session.abort());
      expect(await outcomeOf(aborted, (record) => record.id)).toEqual(model.abort(id));
      return;
    }
    case 'look':
      return;
    default: {
      const before = await recordsOf(run);
      if (each.step === 'reload') run.module = run.module === 0 ? 1 : 0;
      if (each.step === 'reload') await run.world.load(MODULES[run.module]);
      else run.world = await startWorld(MODULES[run.module], { store: run.world.store });
      expect(await recordsOf(run)).toEqual(before);
    }
  }
}

/** A promotion changes the same before and after a rebase. */
async function takeUpdate(run: Run, { id: newId, fork: drawn, dryRun, keepsParents }: Updating): Promise<void> {
  const { model } = run;
  const keep = keepsParents ? 'all' : [];
  const id = forkAt(run, drawn, 'main');
  const preview = await previewOf(run, id, 'previewRebase', keep);
  const direct = await previewOf(run, id, 'previewPromotion', keep);
  const updated = enter(run, id).then((session) => session.update({ id: newId, dryRun, keep }, noDeadline));
  const conflicts = await outcomeOf(updated, conflictsOf);
  const expected = model.update(id, newId, dryRun, keepsParents);
  expect(conflicts).toEqual(expected);
  if (typeof expected === 'string' || dryRun) return;
  const [mine, made] = [id, newId].map((each) => allFacts(model.forks.get(each)?.state));
  expect(preview).toEqual({ ok: changesOf(mine ?? [], made ?? []) });
  if (direct !== 'FORK_CLOSED') expect(await previewOf(run, newId, 'previewPromotion', [])).toEqual(direct);
}

async function previewOf(
  run: Run,
  id: string,
  of: 'previewPromotion' | 'previewRebase',
  keep: FieldsFromParent,
): Promise<OperationResult> {
  const preview = enter(run, id).then((session) => session[of]({ ...STORED_AND_DERIVED, keep }, ALL, noDeadline));
  return outcomeOf(preview, ({ result }) =>
    result.map(({ only, relation, tuple }) => `${only} ${JSON.stringify([relation, tuple])}`).sort(),
  );
}

function conflictsOf({ conflicts }: Pick<PromoteResponse, 'conflicts'>): string[] {
  return conflicts
    .map(({ individual, field, base, fork, parent, kept }) =>
      JSON.stringify({ individual, field, base, fork, parent, kept }),
    )
    .sort();
}

/** The transaction that a fork saw, counted back from its last; 0 for the state before the first. */
async function transactionAgo(run: Run, id: string, back: number): Promise<number> {
  const session = await enter(run, id);
  const { result } = await session.transactions(0, ALL, noDeadline);
  expect(result).toHaveLength((run.model.forks.get(id)?.past.length ?? 0) - 1);
  return result[back]?.txn ?? 0;
}

function forkAt({ model }: Run, drawn: number, seldom?: string): string {
  if (drawn === 0) return 'nowhere';
  const likely = ({ id, status }: ModelFork) => status === 'open' && id !== seldom;
  const forks = [...model.forks.values()].filter((each) => drawn === 1 || likely(each));
  return forks[drawn % forks.length]?.id ?? 'main';
}

async function takeWrite(run: Run, on: string, drawn: object, dryRun: boolean): Promise<void> {
  const people = ['n', 'a', 'b', 'next'];
  const resolved = Object.entries(drawn).map(([name, value]) => [
    name,
    people.includes(name) && typeof value === 'number' ? (run.made[value] ?? '#i999') : value,
  ]);
  const { op, ...args } = Object.fromEntries(resolved) as ModelWrite;
  const path = `g::${op === 'link' || op === 'unlink' ? CALLABLES[op] : op}`;
  const options = { dryRun, granted: ['forget'] } as const;
  const answered = enter(run, on).then((session) =>
    session.mutate(path, args as Record<string, JsonValue>, options, noDeadline),
  );
  const outcome = await outcomeOf(answered, ({ result }) => (result as Entity | null)?.$id ?? null);
  expect(outcome).toEqual(run.model.write(on, { op, ...args } as ModelWrite, dryRun));
  if (op === 'add' && !dryRun && typeof outcome === 'object') run.made.unshift(String(outcome.ok));
}

/** Every fork with an id, closed ones too, reads as the model does, and so do its differences from `main`. */
async function compare(run: Run): Promise<void> {
  const { model } = run;
  const main = model.forks.get('main')?.state ?? { nodes: new Map(), links: new Set() };
  for (const [id, { status, parent, state }] of model.forks) {
    const session = await enter(run, id);
    expect(await session.forkInfo()).toMatchObject({ id, status, parent: parent?.id ?? null });
    const stored = storedFacts(state);
    expect(await factsOf(session)).toEqual(allFacts(state).sort());
    const diff = await session.diffForks('main', STORED, ALL, noDeadline);
    const others = storedFacts(main);
    const expected = [
      ...stored.filter((fact) => !others.includes(fact)).map((fact) => `left ${fact}`),
      ...others.filter((fact) => !stored.includes(fact)).map((fact) => `right ${fact}`),
    ];
    const found = diff.result.map(({ only, relation, tuple }) => `${only} ${JSON.stringify([relation, tuple])}`);
    expect(found.sort()).toEqual(expected.sort());
    const counts = await session.countForkDiff('main', STORED, noDeadline);
    expect(counts.reduce((sum, { left, right }) => sum + left + right, 0)).toBe(expected.length);
  }
}

/** Reads a random earlier state of every fork and compares it with the model at that time, minus what was erased since. */
async function comparePast(run: Run, drawn: number): Promise<void> {
  for (const [id, { past }] of run.model.forks) {
    const back = drawn % past.length;
    const asOf = { kind: 'transaction', txn: await transactionAgo(run, id, back) } as const;
    const session = await enter(run, id, asOf);
    expect(await factsOf(session)).toEqual(allFacts(past.at(-1 - back)?.state).sort());
    expect((await session.transactions(0, ALL, noDeadline)).result).toHaveLength(past.length - 1 - back);
  }
}

async function factsOf(session: TestSession): Promise<string[]> {
  const facts: string[] = [];
  for (const relation of ['g::Node', 'g::Node.name', 'g::Node.note', 'g::Node.next', 'g::link', 'g::reach']) {
    const { result } = await session.relation(relation, ALL, noDeadline);
    facts.push(...result.map(({ tuple }) => JSON.stringify([relation, tuple])));
  }
  return facts.sort();
}

/** What the parent would lose (left) and gain (right), as lines. */
function changesOf(before: readonly string[], after: readonly string[]): string[] {
  return [
    ...before.filter((fact) => !after.includes(fact)).map((fact) => `left ${fact}`),
    ...after.filter((fact) => !before.includes(fact)).map((fact) => `right ${fact}`),
  ].sort();
}

function allFacts(state: ModelFork['state'] | undefined): string[] {
  if (state === undefined) return [];
  return [...storedFacts(state), ...reachOf(state).map((pair) => JSON.stringify(['g::reach', pair.split(' ')]))];
}

async function enter({ world }: Run, id: string, asOf?: Moment) {
  return world.runtime.enter({ ...FRAME, forks: [{ from: 'path', fork: id }], asOf });
}

async function recordsOf(run: Run): Promise<ForkInfo[]> {
  return (await (await enter(run, 'main')).forks(ALL, noDeadline)).result;
}

async function outcomeOf<T>(work: Promise<T>, answer: (result: T) => unknown): Promise<OperationResult> {
  try {
    return { ok: answer(await work) };
  } catch (error) {
    if (error instanceof ApiError) return error.code.replace('SVC_RUNTIME_', '');
    throw error;
  }
}
