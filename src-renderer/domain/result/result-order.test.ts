/** Results are sorted, searched and compared by their displayed text. */

import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { cellText, findCells, shownRows, sortedPlaces } from './result-order.js';

const noLabel = () => undefined;

describe('the order of a column', () => {
  const sorted = (cells: readonly JsonValue[], isDown = false, nameOf: (id: string) => string | undefined = noLabel) =>
    sortedPlaces(cells, isDown, nameOf).map((place) => cells[place]);

  it('is numeric for numbers and decimals, with absent values last in both directions', () => {
    expect(sorted(['1250', null, '980.5', 7, '-3'])).toEqual(['-3', 7, '980.5', '1250', null]);
    expect(sorted(['1250', null, '980.5', 7, '-3'], true)).toEqual(['1250', '980.5', 7, '-3', null]);
  });

  it('is by label for individuals', () => {
    const names = new Map([
      ['#i1', 'Zoe'],
      ['#i2', 'Ada'],
    ]);
    expect(sorted(['#i1', '#i2', ['#i2', '#i1']], false, (id) => names.get(id))).toEqual([
      '#i2',
      ['#i2', '#i1'],
      '#i1',
    ]);
  });

  it('is stable for equal rows', () => {
    expect(sortedPlaces(['b', 'a', 'b', 'a'], true, noLabel)).toEqual([0, 2, 1, 3]);
  });
});

it('shows a record by its fields, and references by label', () => {
  const record = { place: '@m::p1', since: '2020-01-01', of: { rooms: 3 } };
  expect(cellText([record], (id) => (id === '@m::p1' ? 'Elm Street' : undefined))).toBe(
    'place Elm Street, since 2020-01-01, of rooms 3',
  );
});

it('lists removed rows last, and marks only compared rows', () => {
  const earlier = { rows: ['x', 'y'], at: 0, comparedMax: 2 };
  const { rows, added, removed } = shownRows(['y', 'z', 'beyond what is compared'], earlier);
  expect(rows.map(({ row, index, mark }) => [row, index, mark?.kind])).toEqual([
    ['y', 0, undefined],
    ['z', 1, 'added'],
    ['beyond what is compared', 2, undefined],
    ['x', undefined, 'removed'],
  ]);
  expect([added, removed]).toEqual([1, 1]);
});

it('finds cells by their displayed text, ignoring case', () => {
  const rows = [
    ['ELM-12', '#i1'],
    ['MILL', ['#i2', '#i1']],
  ];
  const nameOf = (id: string) => (id === '#i1' ? 'Elma' : undefined);
  expect(findCells(rows, 'elm', nameOf)).toEqual([
    { row: 0, column: 0 },
    { row: 0, column: 1 },
    { row: 1, column: 1 },
  ]);
  expect(findCells(rows, '', nameOf)).toEqual([]);
});
