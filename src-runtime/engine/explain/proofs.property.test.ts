/** Proofs on evaluated, maintained and forked states of random programs, checked by the oracle. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../artifact/types.js';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import type { FactStore } from '../store/store.js';
import { NaiveFault } from '../testing/naive.js';
import { countProofs, instancesNaively, leastRanks, naiveKey } from '../testing/naive-proofs.js';
import { checkProof } from '../testing/proof-checker.js';
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
import { INSTANCES_MAX } from './derivations.js';
import { explain } from './explain.js';

const RUNS = runs(150);
const PROOFS_MAX = 8;
const FACTS_PER_RULE = 5;

const change = fc.record({
  toggled: fc.array(randomFact, { minLength: 1, maxLength: 3 }),
  where: fc.constantFrom('here' as const, 'on a fork' as const),
});

describe('proofs of random programs', () => {
  it.each([
    ['maintained', 1_000_000],
    ['re-evaluated', 0],
  ])(
    'are well-founded, of least height, distinct and complete, on states that are %s',
    async (_, maintenanceCostMin) => {
      await fc.assert(
        fc.asyncProperty(randomProgram, fc.array(change, { maxLength: 3 }), async (random, changes) => {
          let store = storeOf(random, { maintenanceCostMin });
          const facts = byKey(random.facts);
          await expectProofs(store, random, facts.values());
          for (const { toggled, where } of changes) {
            if (where === 'on a fork') store = store.fork();
            const transaction = store.begin();
            for (const each of toggled)
              for (const fact of withWhatItForces(facts, each)) toggle(transaction, facts, fact);
            transaction.commit();
            await expectProofs(store, random, facts.values());
          }
        }),
        { numRuns: RUNS },
      );
    },
    300_000,
  );
});

async function expectProofs(store: FactStore, random: RandomProgram, stored: Iterable<RandomFact>): Promise<void> {
  const facts = deriveNaively(random, stored);
  if (facts instanceof NaiveFault) return;
  const rules = random.levels.flat();
  const instances = instancesNaively(facts, rules);
  const heights = leastRanks(instances);
  const isUnfounded = heights.size < instances.size;
  const isCut = [...instances.values()].some(({ length }) => length > INSTANCES_MAX);
  const view = store.view();
  for (const { path } of rules) {
    for (const tuple of facts.tuples(path).slice(0, FACTS_PER_RULE)) {
      const codes = encode(view, path, tuple as Json[]);
      const explanation = await explain(view, path, codes, { proofsMax: PROOFS_MAX }, noDeadline);
      if (!explanation.holds) throw new Error(`${path}(${tuple.join()}) has no proof`);
      const key = naiveKey(path, tuple);
      const judged = explanation.proofs.map(({ proof }) => checkProof(rules, facts, proof, isUnfounded));
      if (isUnfounded) continue;
      expect([key, judged[0]?.height]).toEqual([key, heights.get(key)]);
      expect(explanation.minimal).toBe(true);
      expect(explanation.proofs.map(({ height }) => height)).toEqual(judged.map(({ height }) => height));
      expect(judged.map(({ height }) => height)).toEqual(judged.map(({ height }) => height).sort((a, b) => a - b));
      expect(new Set(judged.map(({ picks }) => picks)).size).toBe(judged.length);
      const count = countProofs(instances, key, PROOFS_MAX);
      // With more instances than the limit, other proofs cannot be known.
      if (count === undefined || (isCut && explanation.others === 'unknown')) continue;
      expect([key, explanation.proofs.length, explanation.others]).toEqual([
        key,
        Math.min(count, PROOFS_MAX),
        count > PROOFS_MAX ? 'some' : 'none',
      ]);
    }
  }
  view.release();
}
