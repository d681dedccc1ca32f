import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import { Relation } from '../relation/relation.js';
import { COVERED_RANK, cover, coveredColumn, coveredWidth } from './covering.js';
import type { HashIndex } from './hash-index.js';

const KEY = [1];
const ALWAYS = { rowsMin: 0, chainMin: 0 };

/** A relation of triples with ranks, keyed by the second column. */
function relationOf(triples: readonly (readonly number[])[]): Relation {
  const relation = Relation.withRanks(3);
  relation.makeVersioned();
  for (const triple of triples) append(relation, triple);
  relation.settleRanks();
  return relation;
}

function append(relation: Relation, triple: readonly number[], version = 1): void {
  const row = relation.append(triple, version);
  relation.lower(row, row * 10);
}

function coverNow(relation: Relation): HashIndex {
  const index = relation.index(KEY);
  for (const _ of cover(index, relation, { ...ALWAYS, changesMin: 0 }));
  return index;
}

interface Found {
  readonly row: number;
  readonly rank: number;
  readonly first: number;
  readonly third: number;
}

/** The rows of a key, read by its chain. */
function chained(relation: Relation, index: HashIndex, key: number): Found[] {
  const found: Found[] = [];
  for (let row = index.find(relation.rows, [key]); row >= 0; row = index.next[row] ?? -1) {
    const [first = 0, , third = 0] = relation.rowAt(row);
    found.push({ row, rank: relation.rankOf(row), first, third });
  }
  return found;
}

/** The same, read by the covering, as far as it goes. */
function covered(relation: Relation, index: HashIndex, key: number): Found[] {
  const { starts, cells, end } = index.covering;
  const found: Found[] = [];
  let row = index.find(relation.rows, [key]);
  const slot = index.slots.indexOf(row);
  for (; row >= end; row = index.next[row] ?? -1)
    found.push(...chained(relation, index, key).filter((each) => each.row === row));
  for (let at = starts[slot] ?? 0; row >= 0; row = cells[at] ?? -1) {
    const cell = (place: number): number => cells[at + place] ?? Number.NaN;
    const [first, third] = [cell(coveredColumn(3, KEY, 0)), cell(coveredColumn(3, KEY, 2))];
    found.push({ row, rank: cell(COVERED_RANK), first, third });
    at += coveredWidth(3, KEY);
  }
  return found;
}

describe('a covering', () => {
  const triple = fc.tuple(fc.nat(20), fc.nat(3), fc.nat(20));

  it('holds the rows of each key in the order of its chain, and continues with newer rows by the chain', () => {
    fc.assert(
      fc.property(fc.array(triple, { minLength: 1 }), fc.array(triple), (before, after) => {
        const relation = relationOf(before);
        const index = coverNow(relation);
        expect(index.covering.end).toBe(before.length);
        for (const each of after) append(relation, each);
        relation.index(KEY);
        for (const key of new Set([...before, ...after].map(([, second]) => second)))
          expect(covered(relation, index, key)).toEqual(chained(relation, index, key));
      }),
    );
  });

  it('leads to the visible rows after any inserts, deletes and vacuums', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ append: triple }) },
      { weight: 3, arbitrary: fc.record({ remove: fc.nat(15) }) },
      fc.constantFrom({ does: 'pass over' } as const, { does: 'settle' } as const, { does: 'cover' } as const),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), (steps) => {
        const relation = relationOf([]);
        for (const [at, each] of steps.entries()) {
          const version = at + 2;
          if ('append' in each) append(relation, each.append, version);
          else if ('remove' in each) {
            if (relation.isVisible(each.remove, version) && each.remove < relation.count)
              relation.remove(each.remove, version);
          } else if (each.does === 'settle') relation.settleRanks();
          else if (each.does === 'cover') coverNow(relation);
          else {
            relation.lifetimes.needsVacuum = true;
            relation.vacuum([version]);
          }
          const index = relation.index(KEY);
          for (let key = 0; key <= 3; key++) {
            const seen = covered(relation, index, key).filter(({ row }) => relation.isVisible(row, version));
            expect(seen.map(({ row }) => row).reverse()).toEqual(relation.matching(KEY, [key], version));
            for (const { row, rank, first, third } of seen)
              expect([rank, first, third]).toEqual([
                relation.rankOf(row),
                ...relation.rowAt(row).filter((_, column) => column !== 1),
              ]);
          }
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('leaves out rows whose rank is not settled', () => {
    const relation = relationOf([
      [1, 2, 3],
      [2, 2, 3],
    ]);
    append(relation, [3, 2, 3]);
    expect(coverNow(relation).covering.end).toBe(2);
  });

  it('is dropped when keys move to other slots', () => {
    const relation = relationOf([[1, 2, 3]]);
    const index = coverNow(relation);
    for (let key = 3; key < 100; key++) append(relation, [1, key, 3]);
    relation.index(KEY);
    expect(index.covering.end).toBe(0);
  });

  it('is dropped by a vacuum', () => {
    const relation = relationOf([[1, 2, 3]]);
    const index = coverNow(relation);
    relation.remove(0, 2);
    relation.lifetimes.needsVacuum = true;
    relation.vacuum([2]);
    expect(index.covering.end).toBe(0);
  });

  it('leads from each key to its own rows after a vacuum', () => {
    const relation = relationOf([
      [1, 2, 3],
      [4, 2, 3],
      [1, 3, 3],
      [4, 3, 3],
    ]);
    relation.index(KEY);
    for (const row of [0, 2]) relation.remove(row, 2);
    relation.lifetimes.needsVacuum = true;
    relation.vacuum([2]);
    const index = coverNow(relation);
    for (const key of [2, 3]) expect(covered(relation, index, key)).toEqual(chained(relation, index, key));
  });

  it('continues past a deleted row that a vacuum unlinked', () => {
    const relation = relationOf([
      [1, 2, 3],
      [4, 2, 5],
    ]);
    relation.remove(1, 2);
    append(relation, [7, 2, 9]);
    relation.index(KEY);
    relation.lifetimes.needsVacuum = true;
    relation.vacuum([2]);
    const index = coverNow(relation);
    expect(index.covering.end).toBe(2);
    expect(covered(relation, index, 2)).toEqual(chained(relation, index, 2));
  });

  it('is rebuilt once it covers much less than there is', () => {
    const rows = (count: number) => Array.from({ length: count }, (_, row) => [row, 1, 0]);
    const relation = relationOf(rows(100));
    const index = coverNow(relation);
    for (const row of rows(20)) append(relation, row);
    relation.settleRanks();
    expect(coverNow(relation).covering.end).toBe(100);
    for (const row of rows(20)) append(relation, row);
    relation.settleRanks();
    coverNow(relation);
    expect(index.covering.end).toBe(140);
  });

  it('is not built for few rows or short chains', () => {
    const ends = [
      { rowsMin: 4, chainMin: 1 },
      { rowsMin: 1, chainMin: 4 },
    ].map((policy) => {
      const relation = relationOf([
        [1, 2, 3],
        [2, 2, 3],
        [3, 2, 3],
      ]);
      const index = relation.index(KEY);
      for (const _ of cover(index, relation, { ...policy, changesMin: 0 }));
      return index.covering.end;
    });
    expect(ends).toEqual([0, 0]);
  });
});
