/**
 * Suggestions for random programs. The oracle says whether the changes make the fact true, or end it, and whether fewer
 * suffice.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../artifact/types.js';
import { noDeadline } from '../../base/ports.js';
import { RUNS_ALL, runs } from '../../base/testing/property-runs.js';
import { NaiveFault, type NaiveTuple } from '../testing/naive.js';
import { type RandomProgram, randomProgram, sampleValue } from '../testing/random-program.js';
import { deriveNaively, encode, type RandomFact, storeOf } from '../testing/random-store.js';
import type { View } from '../types.js';
import { toWire } from '../values/wire.js';
import { type Change, keyOf } from './changes.js';
import { suggest } from './suggest.js';

const RUNS = runs(100);
const PAIRS_MAX = 1000;

/** Never derives a whole rule because of what its questions cost. */
const ASKING = { questionCostMin: Number.POSITIVE_INFINITY };

interface Goal {
  readonly random: RandomProgram;
  readonly path: string;
  readonly tuple: NaiveTuple;
  /** The fact holds and should end. */
  readonly ending: boolean;
}

describe('suggestions for random programs', () => {
  it.each([
    { ending: false, limits: {}, numRuns: RUNS, does: 'make the fact true' },
    { ending: true, limits: {}, numRuns: RUNS, does: 'end the fact' },
    { ending: false, limits: ASKING, numRuns: runs(40), does: 'make the fact true, from facts that are asked for' },
    { ending: true, limits: ASKING, numRuns: runs(40), does: 'end the fact, from facts that are asked for' },
  ])(
    'are minimal, and omit no set of that size if they are complete, to $does',
    async ({ ending, limits, numRuns }) => {
      const seen = { sets: 0, complete: 0 };
      await fc.assert(
        fc.asyncProperty(randomProgram, fc.nat(), fc.nat({ max: 4 }), async (random, chosen, value) => {
          const rules = random.levels.flat();
          const { path, parameters } = rules[chosen % rules.length] as (typeof rules)[number];
          const holding = ending ? deriveNaively(random, random.facts) : undefined;
          if (holding instanceof NaiveFault) return;
          const facts = holding?.tuples(path) ?? [];
          if (ending && facts.length === 0) return;
          const tuple = facts[chosen % facts.length] ?? parameters.map(({ type }) => sampleValue(type, value));
          const view = storeOf(random, limits).view();
          // A fault of an unrelated rule does not matter.
          const reads = view.program.readsOf(path);
          const levels = random.levels.map((level) => level.filter((rule) => reads.has(rule.path)));
          const goal = { random: { ...random, levels }, path, tuple, ending };
          if (deriveNaively(goal.random, random.facts) instanceof NaiveFault || isReached(goal, [])) return;
          // Some are blocked, by a property of the set alone.
          const isRefused = (changes: readonly Change[]): boolean => value === 4 && keyOf(changes).length % 2 === 1;
          const options = {
            ending,
            isDeclared: () => false,
            inspect: async (_before: View, _after: View, changes: readonly Change[]) => !isRefused(changes),
            isAllowed: (isAllowed: boolean) => isAllowed,
          };
          const { sets, complete } = await suggest(view, path, encode(view, path, tuple), options, noDeadline);
          for (const { changes } of sets) expectMinimal(goal, view, changes);
          if (complete) expectNoneMissing(goal, view, sets);
          expectDistinct(sets);
          seen.sets += sets.length;
          if (complete) seen.complete += 1;
        }),
        { numRuns },
      );
      if (RUNS_ALL) {
        expect(seen.sets).toBeGreaterThan(0);
        expect(seen.complete).toBeGreaterThan(0);
      }
    },
    1_000_000,
  );
});

function expectMinimal(goal: Goal, view: View, changes: readonly Change[]): void {
  const wanted = changes.map((change) => asFact(view, change));
  for (let bits = 0; bits < 2 ** wanted.length; bits++) {
    const part = wanted.filter((_, index) => (bits >> index) % 2 === 1);
    // With the whole set, facts that nobody asked for may fail.
    if (part.length === wanted.length && derivedWith(goal, part) instanceof NaiveFault) continue;
    expect([part, isReached(goal, part)]).toEqual([part, part.length === wanted.length]);
  }
}

/** No set occurs twice, blocked ones come last, and smaller ones come first in each part. */
function expectDistinct(sets: readonly { readonly changes: readonly Change[]; readonly inspected: boolean }[]): void {
  expect(new Set(sets.map(({ changes }) => keyOf(changes))).size).toBe(sets.length);
  expect(sets.map(({ inspected }) => inspected)).toEqual(
    sets
      .map(({ inspected }) => inspected)
      .sort()
      .reverse(),
  );
  const sizes = sets.filter(({ inspected }) => inspected).map(({ changes }) => changes.length);
  expect(sizes).toEqual(sizes.toSorted((left, right) => left - right));
}

type Changes = readonly Change[];

/** Whether the set is listed, or one that differs in arbitrary values only, with individuals replaced throughout. */
function isListed(
  { path, tuple }: Goal,
  view: View,
  sets: readonly { readonly changes: Changes }[],
  wanted: Changes,
): boolean {
  const isPerson = ({ path }: Change, column: number): boolean =>
    view.program.relations.get(path)?.endpoints[column]?.type.kind === 'class';
  const given = new Set(encode(view, path, tuple as Json[]).filter((_, column) => typeof tuple[column] === 'string'));
  return sets.some(({ changes }) => {
    const chosen = new Set(
      changes.flatMap((change) =>
        (change.free ?? []).filter((column) => isPerson(change, column)).map((column) => change.codes[column] ?? 0),
      ),
    );
    const isPaired = ([first, ...rest]: Changes, left: Changes, who: ReadonlyMap<number, number>): boolean =>
      first === undefined ||
      left.some((other) => {
        if (first.path !== other.path || (first.op === 'delete') !== (other.op === 'delete')) return false;
        const known = new Map(who);
        const isSimilar = first.codes.every((code, column) => {
          const there = other.codes[column] ?? 0;
          if (!isPerson(first, column) || !chosen.has(code) || given.has(code))
            return code === there || first.free?.includes(column) === true;
          const before = known.get(code) ?? there;
          known.set(code, there);
          return before === there;
        });
        const others = left.filter((each) => each !== other);
        return isSimilar && isPaired(rest, others, known);
      });
    return isPaired(changes, wanted, new Map());
  });
}

/** Without a result, all sets of up to two changes have been tried. */
function expectNoneMissing(goal: Goal, view: View, sets: readonly { readonly changes: readonly Change[] }[]): void {
  const expectKnown = (changes: readonly FactChange[]): void => {
    if (!isReached(goal, changes)) return;
    // Replacing a fact changes more than deleting it.
    const going = changes.map((change) => goingOf(goal, change));
    if (going.some((change, index) => change !== changes[index]) && isReached(goal, going)) return;
    const wanted = changes.map((change) => asChange(view, change));
    if (!isListed(goal, view, sets, wanted)) expect(sets.map((set) => keyOf(set.changes))).toContain(keyOf(wanted));
  };
  const singles = singleChanges(goal);
  for (const change of singles) expectKnown([change]);
  if (sets.some(({ changes }) => changes.length === 1)) return;
  // With too many pairs, a sample spread over all of them.
  const pairs = (singles.length * (singles.length - 1)) / 2;
  const stride = Math.ceil(pairs / PAIRS_MAX);
  let index = 0;
  for (const [at, first] of singles.entries()) {
    for (const second of singles.slice(at + 1)) {
      index += 1;
      if (index % stride === 0 && !areTwoMentors(first, second)) expectKnown([first, second]);
    }
  }
}

/** A person has one mentor, so such a pair cannot be stored. */
function areTwoMentors(first: FactChange, second: FactChange): boolean {
  const [mentor, other] = [first, second].map(({ op, path, tuple }) =>
    path === 'mentors' && op !== 'delete' ? tuple[0] : undefined,
  );
  return mentor !== undefined && mentor === other;
}

/** For a change that replaces a mentor: the deletion of the old one. For others, the change itself. */
function goingOf({ random }: Goal, change: FactChange): FactChange {
  const { op, path, tuple } = change;
  if (op !== 'set' || path !== 'mentors') return change;
  const replaced = random.facts.find(([other, [person]]) => other === path && person === tuple[0]);
  return replaced === undefined ? change : { op: 'delete', path, tuple: replaced[1] };
}

interface FactChange {
  readonly op: Change['op'];
  readonly path: string;
  readonly tuple: RandomFact[1];
}

function asFact(view: View, { op, path, codes }: Change): FactChange {
  const endpoints = view.program.relations.get(path)?.endpoints ?? [];
  const tuple = endpoints.map(({ type }, column) => toWire(type, view.interner.decode(type, codes[column] ?? 0)));
  return { op, path, tuple: tuple as RandomFact[1] };
}

function asChange(view: View, { op, path, tuple }: FactChange): Change {
  return { op, path, codes: encode(view, path, tuple as Json[]) };
}

function isReached(goal: Goal, changes: readonly FactChange[]): boolean {
  const derived = derivedWith(goal, changes);
  return !(derived instanceof NaiveFault) && derived.has(goal.path, goal.tuple) !== goal.ending;
}

function derivedWith({ random }: Goal, changes: readonly FactChange[]) {
  return deriveNaively(random, changes.reduce(changed, random.facts));
}

function changed(facts: readonly RandomFact[], { op, path, tuple }: FactChange): readonly RandomFact[] {
  const isGone = (fact: RandomFact): boolean =>
    fact[0] === path && (op === 'set' ? fact[1][0] === tuple[0] : JSON.stringify(fact[1]) === JSON.stringify(tuple));
  const rest = facts.filter((fact) => !isGone(fact));
  return op === 'delete' ? rest : [...rest, [path, tuple]];
}

/** Every single change of relations that the rules read, over stored individuals and values. */
function singleChanges({ random }: Goal): FactChange[] {
  const { facts } = random;
  const rules = JSON.stringify(random.levels);
  const known = new Set(facts.map((fact) => JSON.stringify(fact)));
  const people = [...new Set(facts.flatMap(([path, [person]]) => (path === 'Person' ? [person as string] : [])))];
  const values = [...new Set(facts.flatMap(([, tuple]) => tuple.filter((each) => typeof each === 'number')))];
  const all: FactChange[] = [];
  const add = (op: 'insert' | 'set', path: string, ...tuple: RandomFact[1]): void => {
    if (!known.has(JSON.stringify([path, tuple]))) all.push({ op, path, tuple });
  };
  for (const value of values) {
    add('insert', 'mark', value);
    for (const other of values) add('insert', 'edge', value, other);
  }
  for (const person of people) {
    for (const value of values) add('insert', 'owns', person, value);
    for (const value of values) add('set', 'Person.age', person, value);
    const isWorker = known.has(JSON.stringify(['Worker', [person]]));
    for (const value of isWorker ? values : []) add('set', 'Worker.grade', person, value);
    const hasMentor = facts.some(([path, [of]]) => path === 'mentors' && of === person);
    for (const other of people) add(hasMentor ? 'set' : 'insert', 'mentors', person, other);
    for (const other of people) add('insert', 'knows', person, other);
    for (const other of people) add('set', 'Person.boss', person, other);
  }
  for (const [path, tuple] of facts) if (!/^[A-Z]/.test(path)) all.push({ op: 'delete', path, tuple });
  return all.filter(({ path }) => rules.includes(JSON.stringify(path)));
}
