/** A changed field is one line; other differences are additions or removals. */

import { describe, expect, it } from 'vitest';
import type { ForkDiffRow } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { comparisonRows, layerCounts } from './comparison-rows.js';

const row = (only: 'left' | 'right', relation: string, tuple: JsonValue[]): ForkDiffRow => ({
  only,
  kind: 'stored',
  factId: `${relation}${JSON.stringify(tuple)}`,
  relation,
  tuple,
});

const infoOf = (path: string): RelationInfo => ({
  path,
  kind: path.includes('.') ? 'field' : 'stored',
  endpoints: [],
  doc: undefined,
  span: undefined,
});

const lines = (...rows: ForkDiffRow[]) =>
  comparisonRows(rows, infoOf).map(({ change, left, right }) => `${change} ${left ?? '-'} ${right ?? '-'}`);

describe('a list of differences', () => {
  it('has one line for a field with different values, in either order', () => {
    expect(lines(row('left', 'l::P.name', ['#i1', 'Eve']), row('right', 'l::P.name', ['#i1', 'Ada']))).toEqual([
      'changed #i1,Eve #i1,Ada',
    ]);
    expect(lines(row('right', 'l::P.name', ['#i1', 'Ada']), row('left', 'l::P.name', ['#i1', 'Eve']))).toEqual([
      'changed #i1,Eve #i1,Ada',
    ]);
  });

  it('has separate lines for fields of two individuals, and for tuples of a relation', () => {
    expect(lines(row('left', 'l::P.name', ['#i1', 'Eve']), row('right', 'l::P.name', ['#i2', 'Eve']))).toEqual([
      'removed #i1,Eve -',
      'added - #i2,Eve',
    ]);
    expect(lines(row('left', 'l::of', ['#i1', '#i2']), row('right', 'l::of', ['#i1', '#i3']))).toEqual([
      'removed #i1,#i2 -',
      'added - #i1,#i3',
    ]);
  });

  it('has unique keys', () => {
    const keys = comparisonRows([row('left', 'l::a', ['#i1']), row('right', 'l::a', ['#i2'])], infoOf);
    expect(new Set(keys.map(({ key }) => key)).size).toBe(2);
  });
});

it('sums counts by layer', () => {
  const counts = layerCounts('firings', [
    { relation: 'l::a', kind: 'stored', left: 1, right: 2 },
    { relation: 'l::c', kind: 'firing', check: 'l::c', left: 3, right: 4 },
    { relation: 'l::d', kind: 'firing', check: 'l::d', left: 0, right: 1 },
  ]);
  expect(counts).toMatchObject({ left: 3, right: 5, relations: [{ relation: 'l::c' }, { relation: 'l::d' }] });
});
