import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import { EvaluationFault } from '../errors.js';
import { NaiveFault, type NaiveTuple } from '../testing/naive.js';
import { type RandomProgram, randomProgram } from '../testing/random-program.js';
import { deriveNaively, storeOf } from '../testing/random-store.js';
import type { RelationReader, View } from '../types.js';
import { toWire } from '../values/wire.js';

const RUNS = runs(400);

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
    for (const { path } of random.levels.flat())
      facts.set(path, decode(view, await view.materialise(path, noDeadline)));
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
  it('derives the same facts as the oracle, and fails if it fails', async () => {
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
});
