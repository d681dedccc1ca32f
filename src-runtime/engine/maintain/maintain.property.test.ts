/**
 * Derived facts under random inserts and deletes, compared after every step with what the oracle derives from scratch.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import { EvaluationFault } from '../errors.js';
import { loadProgram } from '../program/program.js';
import { FactStore, type FactStoreOptions } from '../store/store.js';
import { NaiveFault, type NaiveTuple } from '../testing/naive.js';
import { type RandomProgram, randomFact, randomProgram } from '../testing/random-program.js';
import {
  byKey,
  deriveNaively,
  encode,
  type RandomFact,
  storeOf,
  toggle,
  withWhatItForces,
} from '../testing/random-store.js';
import type { View } from '../types.js';
import { Interner } from '../values/codec.js';
import { toWire } from '../values/wire.js';

interface Step {
  readonly toggled: readonly RandomFact[];
  readonly ends: 'go on' | 'commit' | 'roll back';
  /** The rules to read, as bits. */
  readonly rulesRead: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  toggled: fc.array(randomFact, { minLength: 1, maxLength: 4 }),
  ends: fc.constantFrom('go on' as const, 'commit' as const, 'commit' as const, 'roll back' as const),
  rulesRead: fc.integer({ min: 0, max: 0xffff }),
});

const RUNS = runs(240);

/** Low enough to abandon maintenance after any number of its plans. */
const littleCost = fc.nat({ max: 6_000 });

describe('maintenance of random programs', () => {
  const anyCost = fc.constant(1_000_000);
  it.each<readonly [string, fc.Arbitrary<number>, FactStoreOptions]>([
    ['at any cost', anyCost, {}],
    ['with a search at the first change', anyCost, { searchedRowsMin: 0 }],
    ['with the totals of all groups', anyCost, { maintainedCountMin: 1 }],
    ['abandoned at a cost limit, with re-evaluation from dense copies', littleCost, { denseVisitsMin: 0 }],
  ])(
    'derives the same facts as the oracle, %s',
    async (_, costMin, options) => {
      const steps = fc.array(step, { minLength: 1, maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(randomProgram, steps, costMin, (random, steps, maintenanceCostMin) =>
          follow(random, steps, { ...options, maintenanceCostMin }),
        ),
        { numRuns: RUNS },
      );
    },
    300_000,
  );
});

interface Action {
  /** The branch to write, counted from the newest; main is the last. */
  readonly branch: number;
  readonly toggled: readonly RandomFact[];
  readonly rulesRead: number;
  /** Whether a fork of the branch follows, and whether this commit is kept. */
  readonly forks: boolean;
  readonly commits: boolean;
}

const action: fc.Arbitrary<Action> = fc.record({
  branch: fc.nat({ max: 12 }),
  toggled: fc.array(randomFact, { minLength: 1, maxLength: 3 }),
  rulesRead: fc.integer({ min: 0, max: 0xffff }),
  forks: fc.boolean(),
  commits: fc.boolean(),
});

describe('forks of random programs', () => {
  it.each([
    ['at any cost', fc.constant(1_000_000)],
    ['with re-evaluated rules', littleCost],
  ])(
    'derive the same facts as the oracle from their own facts, ten levels deep, %s',
    async (_, costMin) => {
      const actions = fc.array(action, { minLength: 1, maxLength: 14 });
      await fc.assert(fc.asyncProperty(randomProgram, actions, costMin, branchOut), { numRuns: RUNS / 2 });
    },
    300_000,
  );
});

async function branchOut(random: RandomProgram, actions: readonly Action[], maintenanceCostMin: number): Promise<void> {
  const program = loadProgram(random.artifact);
  const rules = random.levels.flat().map(({ path }) => path);
  const main = new FactStore(program, new Interner(program), { maintenanceCostMin, denseVisitsMin: 0 });
  const branches = [{ store: main, facts: new Map<string, RandomFact>() }];
  const first = main.begin();
  for (const fact of random.facts)
    if (!branches[0]?.facts.has(JSON.stringify(fact)))
      expect(toggle(first, branches[0]?.facts ?? new Map(), fact)).toBe(true);
  first.commit();
  for (const { branch, toggled, rulesRead, forks, commits } of actions) {
    const at = branches.at(-1 - (branch % branches.length));
    if (at === undefined) continue;
    const chosen = rules.filter((_, index) => (rulesRead >> (index % 16)) % 2 === 1);
    const written = new Map(at.facts);
    const transaction = at.store.begin();
    for (const each of toggled)
      for (const fact of withWhatItForces(written, each)) expect(toggle(transaction, written, fact)).toBe(true);
    await expectDerived(transaction.view, random, chosen.slice(0, 1), written);
    if (commits) {
      transaction.commit();
      at.facts = written;
    } else transaction.rollback();
    if (forks) branches.push({ store: at.store.fork(), facts: new Map(at.facts) });
    for (const { store, facts } of branches.slice(-2)) await expectSeen(store, random, chosen, facts);
  }
  for (const { store, facts } of branches) await expectSeen(store, random, rules, facts);
  for (const { store } of branches.reverse()) store.close();
}

async function expectSeen(
  store: FactStore,
  random: RandomProgram,
  rules: readonly string[],
  facts: ReadonlyMap<string, RandomFact>,
): Promise<void> {
  const view = store.view();
  for (const path of ['edge', 'Person.age']) {
    const stored = [...facts.values()]
      .filter(([of]) => of === path)
      .map(([, tuple]) => encode(view, path, tuple).join());
    const reader = view.stored(path);
    expect([...reader.rows()].map(String).sort()).toEqual(stored.sort());
    expect(reader.size).toBe(stored.length);
    expect([...reader.match([1, null])].map(String).sort()).toEqual(stored.filter((codes) => codes.startsWith('1,')));
  }
  await expectDerived(view, random, rules, facts);
  view.release();
}

async function follow(random: RandomProgram, steps: readonly Step[], options: FactStoreOptions): Promise<void> {
  const store = storeOf(random, options);
  const rules = random.levels.flat().map(({ path }) => path);
  let transaction = store.begin();
  let committed = byKey(random.facts);
  let written = new Map(committed);
  await expectDerived(store.view(), random, rules, committed);
  for (const { toggled, ends, rulesRead } of steps) {
    for (const each of toggled)
      for (const fact of withWhatItForces(written, each)) expect(toggle(transaction, written, fact)).toBe(true);
    const chosen = rules.filter((_, index) => (rulesRead >> (index % 16)) % 2 === 1);
    await expectDerived(transaction.view, random, chosen, written);
    await expectDerived(store.view(), random, chosen.slice(0, 1), committed);
    if (ends === 'go on') continue;
    if (ends === 'commit') {
      transaction.commit();
      committed = written;
    } else transaction.rollback();
    written = new Map(committed);
    transaction = store.begin();
    const view = store.view();
    await expectDerived(view, random, chosen, committed);
    view.release();
  }
  transaction.rollback();
  await expectDerived(store.view(), random, rules, committed);
}

/** If the oracle fails, the engine has to fail for at least one of all rules. */
async function expectDerived(
  view: View,
  random: RandomProgram,
  paths: readonly string[],
  stored: ReadonlyMap<string, RandomFact>,
): Promise<void> {
  const expected = deriveNaively(random, stored.values());
  if (expected instanceof NaiveFault) {
    const every = random.levels.flat().map(({ path }) => path);
    await expect(all(view, every)).rejects.toBeInstanceOf(EvaluationFault);
    return;
  }
  const actual = await all(view, paths);
  for (const path of paths) {
    expect([path, actual.get(path)]).toEqual([
      path,
      expected
        .tuples(path)
        .map((tuple) => JSON.stringify(tuple))
        .sort(),
    ]);
  }
}

async function all(view: View, paths: readonly string[]): Promise<Map<string, string[]>> {
  const facts = new Map<string, string[]>();
  for (const path of paths) {
    const reader = await view.materialise(path, noDeadline);
    const tuples = [...reader.rows()].map(
      (row) =>
        reader.info.endpoints.map(({ type }, column) =>
          toWire(type, view.interner.decode(type, row[column] ?? 0)),
        ) as NaiveTuple,
    );
    expect(reader.size).toBe(tuples.length);
    facts.set(path, tuples.map((tuple) => JSON.stringify(tuple)).sort());
  }
  return facts;
}
