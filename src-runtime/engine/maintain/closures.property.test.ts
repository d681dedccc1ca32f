/**
 * Closures of graphs in which many nodes reach each other, so that a change leads to long runs of tuples that differ in
 * one column. Compared after every step with a search of the graph.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import type { FactStore } from '../store/store.js';
import { artifact, atom, clause, INT, relation, rule } from '../testing/ir.js';
import { derivedInts, type RandomFact, storeOf, toggle } from '../testing/random-store.js';

/** So close to a power of two that the closure's index has a slot for every pair. */
const NODES = 124;

const PAIR = [INT, INT];
const EDGE = clause(['x', 'y'], [atom('edge', 'x', 'y')]);

const SHAPES = {
  'from the end': [atom('path', 'x', 'y'), atom('edge', 'y', 'z')],
  'from the beginning': [atom('edge', 'x', 'y'), atom('path', 'y', 'z')],
  'in the middle': [atom('path', 'x', 'y'), atom('path', 'y', 'z')],
} as const;

/** Links of a chain, and shortcuts in both directions. */
const edge = fc.oneof(
  fc.nat(NODES - 2).map((from): readonly [number, number] => [from, from + 1]),
  fc.tuple(fc.nat(NODES - 1), fc.nat(NODES - 1)),
);

describe('the closure of a long chain', () => {
  it.each(Object.entries(SHAPES))(
    'equals a search of the graph after any edge changes, extended %s',
    async (_, premises) => {
      const rules = [rule('path', PAIR, [EDGE, clause(['x', 'z'], premises)])];
      const schema = { relations: [relation('edge', INT, INT)] };
      const chain = Array.from({ length: NODES - 1 }, (_, from): RandomFact => ['edge', [from, from + 1]]);
      await fc.assert(
        fc.asyncProperty(fc.array(edge, { minLength: 4, maxLength: 12 }), async (toggled) => {
          const random = { artifact: artifact({ rules, schema }), levels: [rules], facts: chain };
          const store = storeOf(random, { maintenanceCostMin: Number.POSITIVE_INFINITY });
          const stored = new Map(chain.map((fact) => [JSON.stringify(fact), fact]));
          await expectClosure(store, stored.values());
          for (const each of toggled) {
            const transaction = store.begin();
            toggle(transaction, stored, ['edge', each]);
            transaction.commit();
            await expectClosure(store, stored.values());
          }
          store.close();
        }),
        { numRuns: runs(12) },
      );
    },
    120_000,
  );
});

async function expectClosure(store: FactStore, edges: Iterable<RandomFact>): Promise<void> {
  const next = new Map<number, number[]>();
  for (const [, tuple] of edges) {
    const [from, to] = tuple as [number, number];
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  const expected = [...next.keys()].flatMap((from) => [...reachedFrom(from, next)].map((to) => `${from},${to}`));
  expect(await derivedInts(store, 'path')).toEqual(expected.sort());
}

function reachedFrom(start: number, next: ReadonlyMap<number, readonly number[]>): Set<number> {
  const reached = new Set<number>();
  const waiting = [start];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const to of next.get(node) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      waiting.push(to);
    }
  }
  return reached;
}
