/** Compiles random rules from text and compares what they derive with an oracle. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { noDeadline } from '../base/ports.js';
import { RUNS_ALL, runs } from '../base/testing/property-runs.js';
import { compile } from '../compiler/index.js';
import { EvaluationFault, toWire, type View } from '../engine/index.js';
import { NaiveFault } from '../engine/testing/naive.js';
import { type RandomProgram, randomProgram } from '../engine/testing/random-program.js';
import { deriveNaively, storeOf } from '../engine/testing/random-store.js';
import { MODULE, sourceOf } from './testing/source-of.js';

const RUNS = runs(250);

/**
 * Programs that the language cannot express: a count over no variables, one variable of two classes side by side, an untyped `[]`, a list
 * of a field's value that the same variable is an element of.
 */
const UNSAYABLE: readonly (string | undefined)[] = ['E0012', 'E0105', 'E0201', 'E0209', 'E0403'];

it('derives the same facts as the oracle for a random program, and fails if it fails', async () => {
  const seen = { programs: 0, facts: 0 };
  await fc.assert(
    fc.asyncProperty(randomProgram, async (random) => {
      const { artifact, diagnostics } = compile([{ file: 'random.entail', text: sourceOf(random) }]);
      if (artifact === undefined) {
        const errors = diagnostics.filter(({ severity }) => severity === 'error');
        expect(errors.filter(({ code }) => !UNSAYABLE.includes(code))).toEqual([]);
        return;
      }
      seen.programs += 1;
      const expected = deriveNaively(random, random.facts);
      const facts = random.facts.map(([path, tuple]) => [`${MODULE}::${path}`, tuple] as const);
      const actual = await derived(storeOf({ ...random, artifact, facts }).view(), random);
      if (expected instanceof NaiveFault || actual === undefined) {
        expect([expected instanceof NaiveFault, actual === undefined]).toEqual([true, true]);
        return;
      }
      for (const [path, tuples] of actual) {
        const wanted = expected.tuples(path).map((tuple) => JSON.stringify(tuple));
        expect([path, tuples]).toEqual([path, wanted.sort()]);
        seen.facts += tuples.length;
      }
    }),
    { numRuns: RUNS },
  );
  if (RUNS_ALL) {
    expect(seen.programs).toBeGreaterThan(RUNS / 2);
    expect(seen.facts).toBeGreaterThan(RUNS / 2);
  }
}, 300_000);

/** Tuples by path, without the module; undefined if a rule faults. */
async function derived(view: View, { levels }: RandomProgram): Promise<Map<string, string[]> | undefined> {
  const found = new Map<string, string[]>();
  try {
    for (const { path } of levels.flat()) {
      const reader = await view.materialise(`${MODULE}::${path}`, noDeadline);
      const { endpoints } = reader.info;
      const wire = (row: readonly number[]) =>
        endpoints.map(({ type }, column) => toWire(type, view.interner.decode(type, row[column] ?? 0)));
      found.set(path, [...reader.rows()].map((row) => JSON.stringify(wire(row))).sort());
    }
    return found;
  } catch (error) {
    if (error instanceof EvaluationFault) return undefined;
    throw error;
  }
}
