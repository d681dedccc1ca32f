import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clause, Literal } from '../artifact/types.js';
import { unhurried } from '../base/ports.js';
import { EvaluationFault } from './errors.js';
import { explain } from './explain/explain.js';
import { literalText } from './explain/search.js';
import { holdsNaively, type NaiveBindings, type NaiveFacts, NaiveFault, type NaiveTuple } from './testing/naive.js';
import { type RandomProgram, randomProgram } from './testing/random-program.js';
import { deriveNaively, encode, storeOf } from './testing/random-store.js';
import type { RelationReader, View } from './types.js';
import { toWire } from './values/wire.js';

const RUNS = 400;

function decode(view: View, reader: RelationReader): NaiveTuple[] {
  return [...reader.rows()].map((row) =>
    reader.info.endpoints.map(
      ({ type }, column) => toWire(type, view.interner.decode(type, row[column] ?? 0)) as NaiveTuple[number],
    ),
  );
}

async function materialiseAll(random: RandomProgram, view: View): Promise<Map<string, NaiveTuple[]> | EvaluationFault> {
  const facts = new Map<string, NaiveTuple[]>();
  try {
    for (const { path } of random.levels.flat()) facts.set(path, decode(view, await view.materialise(path, unhurried)));
    return facts;
  } catch (error) {
    if (error instanceof EvaluationFault) return error;
    throw error;
  }
}

function sorted(tuples: readonly NaiveTuple[]): string[] {
  return tuples.map((tuple) => JSON.stringify(tuple)).sort();
}

describe('evaluation of random programs', () => {
  it('derives what the oracle derives, and fails where it fails', async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram, async (random) => {
        const view = storeOf(random).view();
        const expected = deriveNaively(random, random.facts);
        const actual = await materialiseAll(random, view);
        if (expected instanceof NaiveFault || actual instanceof EvaluationFault) {
          expect([expected instanceof NaiveFault, actual instanceof EvaluationFault]).toEqual([true, true]);
          return;
        }
        for (const { path } of random.levels.flat()) {
          expect([path, sorted(actual.get(path) ?? [])]).toEqual([path, sorted(expected.tuples(path))]);
        }
      }),
      { numRuns: RUNS },
    );
  }, 120_000);

  it('says of a fact that does not hold which premises fail', async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram, fc.nat({ max: 4 }), async (random, value) => {
        const facts = deriveNaively(random, random.facts);
        if (facts instanceof NaiveFault) return;
        const view = storeOf(random).view();
        for (const { path, parameters, body } of random.levels.flat()) {
          const tuple = parameters.map(({ type }) => (type.kind === 'class' ? `#i${value}` : value));
          if (facts.has(path, tuple)) continue;
          const explanation = await explain(view, path, encode(view, path, tuple), {}, unhurried);
          if (explanation.holds) throw new Error(`${path}(${tuple.join()}) does not hold`);
          for (const { fails, clause, bindings, satisfied } of explanation.whyNot.clauses) {
            expect(fails).not.toBeNull();
            checkWhyNot(
              facts,
              body.clauses[clause] as Clause,
              bindings as NaiveBindings,
              satisfied.length,
              fails?.text,
            );
          }
        }
      }),
      { numRuns: RUNS / 4 },
    );
  }, 120_000);
});

/** As many premises hold under the bindings as the engine says, and the one that it names is not among them. */
function checkWhyNot(
  facts: NaiveFacts,
  { condition }: Clause,
  bindings: NaiveBindings,
  satisfied: number,
  failing: string | undefined,
): void {
  const holding = condition.literals.filter((literal) => holdsOrFaults(facts, literal, bindings) === true);
  expect(holding.length).toBeGreaterThanOrEqual(satisfied);
  const named = condition.literals.filter((literal) => literalText(literal) === failing);
  expect(named.length).toBeGreaterThan(0);
  expect(named.every((literal) => holding.includes(literal))).toBe(false);
}

function holdsOrFaults(facts: NaiveFacts, literal: Literal, bindings: NaiveBindings): boolean {
  try {
    return holdsNaively(facts, literal, bindings);
  } catch (error) {
    if (error instanceof NaiveFault) return false;
    throw error;
  }
}
