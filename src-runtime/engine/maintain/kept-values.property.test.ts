/** Least and greatest values over random weighted graphs, under inserts and deletes of edges, with their proofs. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression, Json, Literal } from '../../artifact/types.js';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import { explain } from '../explain/explain.js';
import { loadProgram } from '../program/program.js';
import { FactStore } from '../store/store.js';
import {
  arithmetic,
  artifact,
  atom,
  bind,
  clause,
  compare,
  INT,
  int,
  minOrMax,
  relation,
  rule,
  test,
  v,
} from '../testing/ir.js';
import { evaluateNaively, NaiveFacts } from '../testing/naive.js';
import { checkProof } from '../testing/proof-checker.js';
import { derivedInts, encode } from '../testing/random-store.js';
import { Interner } from '../values/codec.js';

const RUNS = runs(15);
/** Plans belong to a clause, so each rule has its own. */
function base() {
  return clause(['x', 'y', 'w'], [atom('edge', 'x', 'y', 'w')]);
}
const STEP = [atom('kept', 'x', 'y', 'd'), atom('edge', 'y', 'z', 'w')];

function step(value: Expression, ...tests: Literal[]) {
  return clause(['x', 'z', 'k'], [...STEP, ...tests, bind('k', value)]);
}

const SUM = arithmetic('+', v('d'), v('w'));
const TYPES = [INT, INT, INT];
const DIST = rule('kept', TYPES, [base(), step(SUM)], 'least');

/** By name: the rules of one component, the first of which is `kept`. */
const PROGRAMS: readonly (readonly [string, readonly ReturnType<typeof rule>[]])[] = [
  ['shortest distances', [DIST]],
  [
    'shortest distances by halves',
    [
      rule(
        'kept',
        TYPES,
        [
          base(),
          clause(
            ['x', 'z', 'k'],
            [atom('kept', 'x', 'y', 'd'), atom('kept', 'y', 'z', 'e'), bind('k', arithmetic('+', v('d'), v('e')))],
          ),
        ],
        'least',
      ),
    ],
  ],
  ['widest ways', [rule('kept', TYPES, [base(), step(minOrMax('min', v('d'), v('w')))], 'greatest')]],
  ['longest ways up to a bound', [rule('kept', TYPES, [base(), step(minOrMax('min', SUM, int(9)))], 'greatest')]],
  [
    'values that fall to a bound',
    [rule('kept', TYPES, [base(), step(minOrMax('max', arithmetic('+', SUM, int(-3)), int(0)))], 'least')],
  ],
  [
    'least labels',
    [
      rule(
        'kept',
        [INT, INT],
        [
          clause(['x', 'x'], [atom('edge', 'x', '_', '_')]),
          clause(['y', 'k'], [atom('kept', 'x', 'k'), atom('edge', 'x', 'y', '_')]),
        ],
        'least',
      ),
    ],
  ],
  ['distances up to a limit', [rule('kept', TYPES, [base(), step(SUM, test(compare('<=', v('d'), int(4))))], 'least')]],
  [
    'distances through another relation',
    [
      rule(
        'kept',
        TYPES,
        [
          base(),
          clause(
            ['x', 'z', 'k'],
            [atom('near', 'x', 'y'), atom('edge', 'y', 'z', 'w'), bind('k', arithmetic('+', v('w'), int(1)))],
          ),
        ],
        'least',
      ),
      rule('near', [INT, INT], [clause(['x', 'y'], [atom('kept', 'x', 'y', 'd'), test(compare('<', v('d'), int(3)))])]),
    ],
  ],
];

const node = fc.nat({ max: 6 });
const edge = fc.tuple(node, node, fc.nat({ max: 4 }));
const changes = fc.array(fc.array(edge, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });

describe.each(PROGRAMS)('%s', (_, rules) => {
  it('are those of the oracle after each change, with well-founded proofs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(edge, { minLength: 4, maxLength: 18 }),
        changes,
        fc.boolean(),
        async (edges, steps, forks) => {
          const program = loadProgram(
            artifact({ rules: [...rules], schema: { relations: [relation('edge', INT, INT, INT)] } }),
          );
          let store = new FactStore(program, new Interner(program), { maintenanceCostMin: 1_000_000 });
          const stored = new Map<string, readonly number[]>();
          for (const toggled of [edges, ...steps]) {
            if (forks && stored.size > 0) store = store.fork();
            const transaction = store.begin();
            for (const each of toggled) {
              if (stored.delete(each.join())) transaction.delete('edge', each);
              else {
                stored.set(each.join(), each);
                transaction.insert('edge', each);
              }
            }
            transaction.commit();
            await expectKept(store, rules, stored.values());
          }
        },
      ),
      { numRuns: RUNS },
    );
  }, 60_000);
});

async function expectKept(
  store: FactStore,
  rules: readonly ReturnType<typeof rule>[],
  edges: Iterable<readonly number[]>,
): Promise<void> {
  const facts = new NaiveFacts();
  for (const each of edges) facts.add('edge', each);
  evaluateNaively(facts, [rules]);
  for (const { path } of rules) expect(await derivedInts(store, path)).toEqual(facts.tuples(path).map(String).sort());
  const view = store.view();
  for (const tuple of facts.tuples('kept').slice(0, 4)) {
    const explanation = await explain(view, 'kept', encode(view, 'kept', tuple as Json[]), {}, noDeadline);
    if (!explanation.holds) throw new Error(`kept(${tuple.join()}) has no proof`);
    checkProof(rules, facts, explanation.proof, true);
  }
  view.release();
}
