/** Differences between two results of the same query. */

import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { changeOf, compareRows, earlierRows } from './row-change.js';

it('counts added and removed rows in any order, and a single value as one row', () => {
  expect(changeOf([{ a: 1 }, { a: 2 }], [{ a: 3 }, { a: 2 }, { a: 1 }])).toEqual({ added: 1, removed: 0 });
  expect(changeOf(['x'], [])).toEqual({ added: 0, removed: 1 });
  expect(changeOf(3, 3)).toEqual({ added: 0, removed: 0 });
  expect(changeOf(3, 4)).toEqual({ added: 1, removed: 1 });
});

const lease = ($id: string, rent: string): JsonValue => ({ $id, $meta: { type: 'm::L', classes: [] }, rent });

describe('compareRows', () => {
  it('marks a changed individual, with its old value', () => {
    const before = [lease('#i1', '1'), lease('#i2', '2'), lease('#i3', '3')];
    const after = [lease('#i4', '4'), lease('#i3', '3'), lease('#i2', '20')];
    const { marks, removed, added, changed } = compareRows(before, after);
    expect([...marks]).toEqual([
      [0, { kind: 'added' }],
      [2, { kind: 'changed', before: lease('#i2', '2') }],
    ]);
    expect({ removed, added, changed }).toEqual({ removed: [lease('#i1', '1')], added: 1, changed: 1 });
  });

  it('treats a changed record as removed and added', () => {
    const { marks, removed } = compareRows([{ a: 1 }], [{ a: 2 }]);
    expect([[...marks], removed]).toEqual([[[0, { kind: 'added' }]], [{ a: 1 }]]);
  });
});

describe('the baseline of a comparison', () => {
  const read = (rows: JsonValue[], more: { isCut?: boolean } = {}) => ({
    rows,
    at: 5,
    isCut: false,
    earlier: undefined,
    ...more,
  });

  it('is the last result that differed', () => {
    const first = earlierRows(read([1, 2]), read([1, 2, 3]));
    expect(first).toEqual({ rows: [1, 2], at: 5, comparedMax: Number.POSITIVE_INFINITY });
    expect(earlierRows({ ...read([1, 2, 3]), earlier: first }, read([1, 2, 3]))).toBe(first);
  });

  it('contains only rows loaded in both results if there are more pages', () => {
    expect(earlierRows(read([1, 2, 3, 4], { isCut: true }), read([1, 2], { isCut: true }))).toBeUndefined();
    expect(earlierRows(read([1, 2, 3, 4], { isCut: true }), read([1, 9], { isCut: true }))).toMatchObject({
      rows: [1, 2],
      comparedMax: 2,
    });
  });
});
