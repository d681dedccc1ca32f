/** Compares the estimated deletions after random changes with the oracle. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { RUNS_ALL, runs } from '../../base/testing/property-runs.js';
import { EvaluationFault } from '../errors.js';
import { clauseTasks } from '../evaluate/evaluate.js';
import { relationOf } from '../evaluate/inputs.js';
import type { Component } from '../program/program.js';
import { changesBetween } from '../relation/row-changes.js';
import { engineViewOf } from '../store/solve.js';
import { NaiveFault } from '../testing/naive.js';
import { randomFact, randomProgram } from '../testing/random-program.js';
import { byKey, deriveNaively, type RandomFact, storeOf, toggle, withWhatItForces } from '../testing/random-store.js';
import type { View } from '../types.js';
import { toWire } from '../values/wire.js';
import type { Changes } from './delta-starts.js';
import { isMaintainable } from './maintain.js';
import { OverdeletionEstimate } from './overdeletion-estimate.js';
import { MaintenancePlans } from './plans.js';
import { Runner } from './runner.js';

/** Any facts, and some existing ones by their number. */
const toggled = fc.record({
  any: fc.array(randomFact, { maxLength: 2 }),
  there: fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 4 }),
});

it('dooms only facts that are deleted, and at least some of them', async () => {
  let doomedFacts = 0;
  await fc.assert(
    fc.asyncProperty(randomProgram, toggled, async (random, { any, there }) => {
      const store = storeOf(random);
      const stored = byKey(random.facts);
      const transaction = store.begin();
      const before = store.view();
      const known = there.flatMap((number): RandomFact[] => {
        const fact = random.facts[number % random.facts.length];
        return fact === undefined ? [] : [fact];
      });
      for (const each of [...new Set([...known, ...any])])
        for (const fact of withWhatItForces(stored, each)) expect(toggle(transaction, stored, fact)).toBe(true);
      const expected = deriveNaively(random, stored.values());
      if (expected instanceof NaiveFault) return;
      for (const path of random.levels.flat().map((rule) => rule.path)) {
        const { relations } = before.program;
        const doomed = await foreseen(before, transaction.view, path).catch((error: unknown) => {
          // Of the state before, or of a premise that was not read.
          if (error instanceof EvaluationFault) return new Map<string, readonly number[][]>();
          throw error;
        });
        for (const [each, tuples] of doomed) {
          const endpoints = relations.get(each)?.endpoints ?? [];
          const derived = new Set(expected.tuples(each).map((tuple) => JSON.stringify(tuple)));
          for (const codes of tuples) {
            const tuple = endpoints.map(({ type }, at) => toWire(type, before.interner.decode(type, codes[at] ?? 0)));
            expect([each, tuple, derived.has(JSON.stringify(tuple))]).toEqual([each, tuple, false]);
            doomedFacts += 1;
          }
        }
      }
    }),
    { numRuns: runs(400) },
  );
  if (RUNS_ALL) expect(doomedFacts).toBeGreaterThan(0);
}, 120_000);

/** The doomed facts of the rule's component between two states. */
async function foreseen(from: View, to: View, rule: string): Promise<ReadonlyMap<string, readonly number[][]>> {
  const component = engineViewOf(from).program.componentOf(rule);
  if (!isMaintainable(engineViewOf(from).program, component)) return new Map();
  const earlier = await engineViewOf(from).inputsFor([...component.paths, ...component.reads], noDeadline);
  // The component itself stays as it was evaluated.
  const later = await engineViewOf(to).inputsFor(readsOf(component), noDeadline);
  const changes = new Map<string, Changes>();
  const inputs = new Map(readsOf(component).map((path) => [path, relationOf(earlier, path)]));
  for (const [path, { relation, version }] of inputs)
    changes.set(path, ended(changesBetween(relation, version, relationOf(later, path).version)));
  const relations = new Map(component.paths.map((path) => [path, earlier.derived(path).relation]));
  const tasks = clauseTasks(later.program, component);
  const plans = new MaintenancePlans(later, component, relations, 0);
  const runner = new Runner(later, relations, { version: earlier.version, inputs }, NO_LIMIT);
  const foresight = new OverdeletionEstimate(tasks, plans, runner, changes);
  ended(foresight.look());
  return new Map(
    [...foresight.doomed].map(([path, doomed]) => [
      path,
      Array.from({ length: doomed.count }, (_, row) => doomed.rowAt(row)),
    ]),
  );
}

const NO_LIMIT = { costMax: Number.POSITIVE_INFINITY, totals: undefined };

function readsOf({ paths, reads }: Component): string[] {
  return [...reads].filter((path) => !paths.includes(path));
}

function ended<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
