/**
 * Recursive rules whose facts support each other in many ways, under long random sequences of inserted and deleted
 * edges. Compared after every step with what the oracle derives from scratch.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../artifact/types.js';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import { explain } from '../explain/explain.js';
import type { FactStore } from '../store/store.js';
import { absent, artifact, atom, clause, INT, relation, rule } from '../testing/ir.js';
import { instancesNaively, leastRanks, naiveKey } from '../testing/naive-proofs.js';
import { checkProof } from '../testing/proof-checker.js';
import type { RandomProgram } from '../testing/random-program.js';
import {
  derivedInts,
  deriveNaively,
  encode,
  naiveInts,
  type RandomFact,
  storeOf,
  toggle,
} from '../testing/random-store.js';

const NODES = 6;

const PAIR = [INT, INT];
const EDGE = clause(['x', 'y'], [atom('edge', 'x', 'y')]);

const SHAPES = {
  'by single steps': [rule('path', PAIR, [EDGE, clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z')])])],
  'by halves': [rule('path', PAIR, [EDGE, clause(['x', 'z'], [atom('path', 'x', 'y'), atom('path', 'y', 'z')])])],
  'over mutually recursive rules': [
    rule('odd', PAIR, [EDGE, clause(['x', 'z'], [atom('even', 'x', 'y'), atom('edge', 'y', 'z')])]),
    rule('even', PAIR, [clause(['x', 'z'], [atom('odd', 'x', 'y'), atom('edge', 'y', 'z')])]),
  ],
  'with a negation': [
    rule('path', PAIR, [
      EDGE,
      clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z'), absent('edge', 'z', 'x')]),
    ]),
  ],
  // Two of its steps read the same rows in the same way, one nested in the other.
  'over two converging paths': [
    rule('path', PAIR, [
      EDGE,
      clause(
        ['x', 'z'],
        [atom('path', 'x', 'y'), atom('edge', 'y', 'z'), atom('path', 'x', 'w'), atom('edge', 'w', 'z')],
      ),
    ]),
  ],
  'with wildcards': [
    rule('path', PAIR, [
      EDGE,
      clause(['x', 'z'], [atom('path', 'x', '_'), atom('path', '_', 'z'), atom('edge', 'z', 'x')]),
      clause(['x', 'z'], [atom('path', 'x', 'y'), atom('edge', 'y', 'z'), atom('path', 'z', '_')]),
    ]),
  ],
} as const;

const edge = fc.nat({ max: NODES * NODES - 1 }).map((both): RandomFact => {
  return ['edge', [both % NODES, Math.floor(both / NODES)]];
});

interface Step {
  readonly toggled: readonly RandomFact[];
  /** Whether this and later steps change a new fork. */
  readonly forks: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  toggled: fc.array(edge, { minLength: 1, maxLength: 2 }),
  forks: fc.nat({ max: 5 }).map((drawn) => drawn === 0),
});

const steps = fc.array(step, { minLength: 8, maxLength: 40 });

/** The budget of maintenance: unlimited, or low enough to abandon it after any number of its plans. */
const mayCost = fc.option(fc.nat({ max: 8_000 }), { nil: Number.POSITIVE_INFINITY, freq: 3 });

const RUNS = runs(10);

describe('maintenance of recursion', () => {
  it.each(Object.keys(SHAPES) as (keyof typeof SHAPES)[])(
    'derives the same facts as the oracle, recursion %s',
    async (shape) => {
      const rules = SHAPES[shape];
      const random: RandomProgram = {
        artifact: artifact({ rules, schema: { relations: [relation('edge', INT, INT)] } }),
        levels: [rules],
        facts: [],
      };
      await fc.assert(
        fc.asyncProperty(steps, mayCost, async (steps, maintenanceCostMin) => {
          let store = storeOf(random, { maintenanceCostMin });
          const stored = new Map<string, RandomFact>();
          const below: FactStore[] = [];
          for (const { toggled, forks } of steps) {
            if (forks) {
              below.push(store);
              store = store.fork();
            }
            const transaction = store.begin();
            for (const each of toggled) toggle(transaction, stored, each);
            transaction.commit();
            const expected = naiveInts(random, stored.values());
            for (const { path } of rules)
              expect([path, await derivedInts(store, path)]).toEqual([path, expected(path)]);
          }
          await expectProven(store, random, stored);
          for (const each of [store, ...below.reverse()]) each.close();
        }),
        { numRuns: RUNS },
      );
    },
    120_000,
  );
});

/** Every fact has a proof, and one reported as lowest is no higher than the oracle's. */
async function expectProven(
  store: FactStore,
  random: RandomProgram,
  stored: ReadonlyMap<string, RandomFact>,
): Promise<void> {
  const facts = deriveNaively(random, stored.values());
  if (facts instanceof Error) throw facts;
  const rules = random.levels.flat();
  const ranks = leastRanks(instancesNaively(facts, rules));
  const view = store.view();
  for (const { path } of rules) {
    for (const tuple of facts.tuples(path)) {
      const explanation = await explain(view, path, encode(view, path, tuple as Json[]), {}, noDeadline);
      if (!explanation.holds) throw new Error(`${path}(${tuple.join()}) has no proof`);
      const { height } = checkProof(rules, facts, explanation.proof);
      const key = naiveKey(path, tuple);
      expect([key, explanation.minimal, height]).toEqual([key, true, ranks.get(key)]);
    }
  }
  view.release();
}
