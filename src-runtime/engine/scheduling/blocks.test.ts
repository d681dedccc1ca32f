/** Work over long lists in blocks: its results, and the amount of work between two yields. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import { HashIndex } from '../index/hash-index.js';
import { Relation } from '../relation/relation.js';
import { changesBetween } from '../relation/row-changes.js';
import { filtered, mapped, sorted } from './blocks.js';

/** The result, and the number of yields. */
function run<T>(work: Generator<void, T>): { readonly value: T; readonly yields: number } {
  for (let yields = 0; ; yields++) {
    const step = work.next();
    if (step.done === true) return { value: step.value, yields };
  }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => (index * 7919) % count);

describe('sorting in blocks', () => {
  it('gives the same result as a plain stable sort', () => {
    const item = fc.tuple(fc.nat({ max: 50 }), fc.nat());
    fc.assert(
      fc.property(fc.array(item, { minLength: 0, maxLength: 9 }), fc.integer({ min: 1, max: 1500 }), (some, times) => {
        const items = Array.from({ length: times }, () => some).flat();
        const compare = (left: readonly number[], right: readonly number[]) => (left[0] ?? 0) - (right[0] ?? 0);
        expect(run(sorted(items, compare)).value).toEqual([...items].sort(compare));
      }),
      { numRuns: runs(50) },
    );
  });

  it('compares about ten thousand items at most between two yields', () => {
    let [compared, most] = [0, 0];
    const work = sorted(numbers(300_000), (left, right) => {
      compared += 1;
      return left - right;
    });
    while (work.next().done !== true) {
      most = Math.max(most, compared);
      compared = 0;
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(60_000);
  });
});

describe('mapping and filtering', () => {
  it('yields between blocks of a long list', () => {
    const doubled = run(mapped(numbers(100_000), (each) => each * 2));
    expect([doubled.value.length, doubled.value[1], doubled.yields >= 20]).toEqual([100_000, 15_838, true]);
    const none = run(filtered(numbers(100_000), () => false));
    expect([none.value, none.yields >= 20]).toEqual([[], true]);
  });
});

describe('changes between versions', () => {
  it('are found in blocks', () => {
    const relation = Relation.stored(1);
    for (let row = 0; row < 100_000; row++) relation.append([row], 2);
    for (let row = 0; row < 50_000; row++) relation.remove(row, 3);
    const made = run(changesBetween(relation, 1, 2));
    expect([made.value.added.count, made.value.removed.count, made.yields >= 20]).toEqual([100_000, 0, true]);
    const deleted = run(changesBetween(relation, 2, 3));
    expect([deleted.value.added.count, deleted.value.removed.count, deleted.yields >= 10]).toEqual([0, 50_000, true]);
  });
});

describe('building an index in blocks', () => {
  const rows = Int32Array.from(numbers(200_000));

  it.each([true, false])('finds the same rows as building it at once, rows known to differ: %s', (areDistinct) => {
    const index = HashIndex.overAll(1, rows.length);
    const { yields } = run(index.extendInBlocks({ rows, count: rows.length, codeBits: null }, areDistinct));
    expect(yields).toBeGreaterThanOrEqual(12);
    expect([index.indexed, index.keys]).toEqual([200_000, 200_000]);
    for (const row of [0, 1, 77_777, 199_999]) expect(index.find(rows, [rows[row] ?? 0])).toBe(row);
  });

  it('takes as few blocks for few keys as for many', () => {
    const few = rows.map((value) => value % 100);
    const index = HashIndex.chained(1, [0], few.length);
    expect(
      run(index.extendInBlocks({ rows: few, count: few.length, codeBits: null }, false)).yields,
    ).toBeLessThanOrEqual(14);
    expect([index.indexed, index.keys]).toEqual([200_000, 100]);
  });

  // Codes too sparse for a slot each.
  const pairs = Int32Array.from({ length: 600_000 }, (_, at) => Math.imul(at + 1, 0x9e3779b1) >>> 8);

  it('finds every row of a table that is filled by radix partitioning', () => {
    const index = HashIndex.overAll(2, 300_000);
    const { yields } = run(index.extendInBlocks({ rows: pairs, count: 300_000, codeBits: null }, true));
    expect(yields).toBeGreaterThanOrEqual(36);
    expect([index.layout.bits, index.indexed, index.keys]).toEqual([null, 300_000, 300_000]);
    const lost = numbers(300_000).filter((row) => index.find(pairs, [...pairs.subarray(row * 2, row * 2 + 2)]) !== row);
    expect(lost).toEqual([]);
    expect(index.find(pairs, [1, 2])).toBe(-1);
  });

  it('grows in blocks before rows are added, and not while they are', () => {
    const index = HashIndex.overAll(2, 300_000);
    let yields = 0;
    for (let count = 1000; count <= 300_000; count += 1000) {
      yields += run(index.makeRoomInBlocks({ rows: pairs, count: count - 1000, codeBits: null }, 1000)).yields;
      const { slots } = index;
      index.extend(pairs, count);
      if (slots.length > 16_384) expect(index.slots).toBe(slots);
    }
    expect(yields).toBeGreaterThan(50);
    const lost = numbers(300_000).filter((row) => index.find(pairs, [...pairs.subarray(row * 2, row * 2 + 2)]) !== row);
    expect(lost).toEqual([]);
  });

  it('keeps rows that are added during radix partitioning', () => {
    const index = HashIndex.overAll(2, 300_000);
    const work = index.extendInBlocks({ rows: pairs, count: 290_000, codeBits: null }, true);
    for (let block = 0; block < 25; block++) work.next();
    index.extend(pairs, 300_000);
    run(work);
    expect([index.indexed, index.keys]).toEqual([300_000, 300_000]);
    const lost = numbers(300_000).filter((row) => index.find(pairs, [...pairs.subarray(row * 2, row * 2 + 2)]) !== row);
    expect(lost).toEqual([]);
  });

  it.each([true, false])('includes rows that are added during the build, rows known to differ: %s', (areDistinct) => {
    const index = areDistinct ? HashIndex.overAll(1, rows.length) : HashIndex.chained(1, [0], rows.length);
    const work = index.extendInBlocks({ rows, count: 150_000, codeBits: null }, areDistinct);
    for (let block = 1; work.next().done !== true; block++) {
      if (block % 3 === 0) index.extend(rows, Math.min(rows.length, index.indexed + 100));
    }
    index.extend(rows, rows.length);
    expect([index.indexed, index.keys]).toEqual([200_000, 200_000]);
    for (const [row, value] of rows.entries()) if (index.find(rows, [value]) !== row) throw new Error(`lost ${row}`);
  });
});
