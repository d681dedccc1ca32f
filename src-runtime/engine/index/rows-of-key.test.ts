import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import { Relation } from '../relation/relation.js';
import { cover } from './covering.js';
import { UNOPENED } from './rows-of-key.js';

const ALWAYS = { rowsMin: 0, chainMin: 0, changesMin: 0 };

/** Distinct pairs with ranks, in a relation whose index over the second column is covered. */
function covered(pairs: readonly (readonly number[])[]): Relation {
  const relation = Relation.withRanks(2);
  relation.makeVersioned();
  for (const pair of pairs) {
    const row = relation.append(pair, 1);
    relation.lower(row, row * 10);
  }
  relation.settleRanks();
  relation.index([1]);
  for (const _ of cover(relation.index([1]), relation, ALWAYS));
  return relation;
}

/** The opened rows of a key: row and rank by the first code. */
function opened(relation: Relation, key: number, asked: number): Map<number, readonly (number | undefined)[]> {
  const rows = relation.rowsOfKey(0);
  const from = rows.open(relation, [key], asked);
  const found = new Map<number, readonly (number | undefined)[]>();
  for (const [code, place] of rows.places.entries())
    if (place >= from) found.set(code, [rows.cells[place - from], rows.cells[place - from + 1]]);
  return found;
}

describe('the rows of a key', () => {
  // Dense pairs: the index over all columns has a slot for each possible pair.
  const pairs = fc.shuffledSubarray(
    Array.from({ length: 256 }, (_, pair): readonly [number, number] => [pair >> 2, pair % 4]),
    { minLength: 129 },
  );

  it('are the covered ones with their ranks, whichever keys were opened before', () => {
    fc.assert(
      fc.property(pairs, fc.array(fc.nat(4), { maxLength: 12 }), (all, keys) => {
        const relation = covered(all);
        for (const key of keys) {
          const rows = all.flatMap(([first, second], row) =>
            second === key ? [[first, [row, row * 10]] as const] : [],
          );
          expect(opened(relation, key, 100)).toEqual(new Map(rows));
        }
      }),
    );
  });

  it('are the newest ones, as many as the lookups justify', () => {
    const relation = covered(Array.from({ length: 100 }, (_, row) => [row, 1]));
    expect([...opened(relation, 1, 2).keys()]).toEqual(Array.from({ length: 32 }, (_, at) => 68 + at));
  });

  it('are none without a covering, or with sparse codes', () => {
    const plain = Relation.withRanks(2);
    plain.makeVersioned();
    plain.append([1, 1], 1);
    expect(plain.rowsOfKey(0).open(plain, [1], 100)).toBe(UNOPENED);
    const sparse = covered([
      [1_000_000_000, 1],
      [1, 1],
    ]);
    expect(sparse.rowsOfKey(0).open(sparse, [1], 100)).toBe(UNOPENED);
  });

  it('skip rows of another key that need no action, up to the first that does', () => {
    const bounds = fc.record({
      givenRank: fc.nat(30).map((tens) => tens * 10 - 1),
      seen: fc.nat(256),
      known: fc.nat(256),
      greater: fc.nat(256),
    });
    fc.assert(
      fc.property(
        pairs,
        bounds,
        fc.boolean(),
        fc.nat(40),
        (all, { givenRank, seen, known, greater }, passesEqual, asked) => {
          const relation = covered(all);
          const rowOf = new Map(all.map((pair, row) => [pair.join(), row]));
          const passes = ([first]: readonly number[], row: number): boolean => {
            const beside = rowOf.get([first, 1].join()) ?? Number.POSITIVE_INFINITY;
            const [least, rank] = [1 + Math.max(givenRank, row * 10), beside * 10];
            const isQuiet = rank < least || (rank === least ? passesEqual : beside < greater);
            return row < seen && beside < known && opened(relation, 1, asked).has(first ?? -1) && isQuiet;
          };
          const newestFirst = [...all.entries()].filter(([, [, second]]) => second === 0).reverse();
          const left = newestFirst.findIndex(([row, pair]) => !passes(pair, row));
          const rows = relation.rowsOfKey(0);
          const from = rows.open(relation, [1], asked);
          const index = relation.index([1]);
          const start = index.coveredStart(relation.rows, [0]);
          fc.pre(start >= 0 && from !== UNOPENED);
          const { cells } = index.covering;
          const at = rows.passOver(cells, start, 3, 2, seen, givenRank, from, known, passesEqual, greater);
          expect((at - start) / 3).toBe(left < 0 ? newestFirst.length : left);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('are skipped 1,024 at a time', () => {
    const relation = covered(Array.from({ length: 4_000 }, (_, row) => [row >> 1, row % 2]));
    const rows = relation.rowsOfKey(0);
    const from = rows.open(relation, [1], 1_000);
    const index = relation.index([1]);
    const start = index.coveredStart(relation.rows, [0]);
    const at = rows.passOver(index.covering.cells, start, 3, 2, 4_000, 100_000, from, 4_000, true, 0);
    expect((at - start) / 3).toBe(1_024);
  });
});
