/**
 * Rules with a disjunction between joined relations, joined by operand if that is cheaper. Evaluated and maintained,
 * and compared after every step with the oracle, which tests every pair.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression } from '../../artifact/types.js';
import { runs } from '../../base/testing/property-runs.js';
import { artifact, atom, clause, compare, INT, int, relation, rule, test, v } from '../testing/ir.js';
import type { RandomProgram } from '../testing/random-program.js';
import { derivedInts, naiveInts, type RandomFact, storeOf, toggle } from '../testing/random-store.js';

const NODES = 12;

const term = fc.constantFrom('x', 'y', 'u', 'w', '3').map((name) => (name === '3' ? int(3) : v(name)));
const comparison = fc
  .tuple(fc.constantFrom('==', '==', '==', '<' as const), term, term)
  .map(([operator, left, right]): Expression => compare(operator as '==', left, right));
const operand = fc.oneof(
  { weight: 4, arbitrary: comparison },
  { weight: 1, arbitrary: fc.array(comparison, { minLength: 2, maxLength: 3 }).map((all) => either(...all)) },
  {
    weight: 1,
    arbitrary: fc.tuple(comparison, comparison).map((operands): Expression => ({ op: 'and', operands })),
  },
  { weight: 1, arbitrary: comparison.map((negated): Expression => ({ op: 'not', operand: negated })) },
);
const disjunction = fc.array(operand, { minLength: 2, maxLength: 3 }).map((all) => either(...all));

function either(...operands: Expression[]): Expression {
  return { op: 'or', operands };
}

const node = fc.nat(NODES - 1);
const fact = fc.oneof(
  node.map((each): RandomFact => ['node', [each]]),
  fc.tuple(node, node).map((pair): RandomFact => ['edge', pair]),
);

const schema = { relations: [relation('edge', INT, INT), relation('node', INT)] };
const PAIR = [INT, INT];

describe('a disjunction between joined relations', () => {
  it('derives the same facts as the oracle, after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(disjunction, { minLength: 1, maxLength: 2 }),
        fc.boolean(),
        fc.uniqueArray(fact, { minLength: 30, maxLength: 50, selector: JSON.stringify }),
        fc.array(fc.array(fact, { minLength: 1, maxLength: 2 }), { maxLength: 8 }),
        async (disjunctions, isRecursive, facts, steps) => {
          const joined = [atom('node', 'x'), atom('node', 'y'), atom('edge', 'x', 'u'), atom('edge', 'y', 'w')];
          const clauses = [clause(['x', 'y'], [...joined, ...disjunctions.map(test)])];
          if (isRecursive)
            clauses.push(
              clause(['x', 'y'], [atom('pair', 'x', 'u'), atom('pair', 'y', 'w'), ...disjunctions.map(test)]),
            );
          const rules = [rule('pair', PAIR, clauses)];
          const random: RandomProgram = { artifact: artifact({ rules, schema }), levels: [rules], facts };
          const store = storeOf(random, { maintenanceCostMin: Number.POSITIVE_INFINITY });
          const stored = new Map(facts.map((each) => [JSON.stringify(each), each]));
          expect(await derivedInts(store, 'pair')).toEqual(naiveInts(random, stored.values())('pair'));
          for (const step of steps) {
            const transaction = store.begin();
            for (const each of step) toggle(transaction, stored, each);
            transaction.commit();
            expect(await derivedInts(store, 'pair')).toEqual(naiveInts(random, stored.values())('pair'));
          }
          store.close();
        },
      ),
      { numRuns: runs(70) },
    );
  }, 120_000);
});
