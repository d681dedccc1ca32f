/** Results are sorted, searched and compared by what they show. */

import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { cellText, findCells, shownRows, sortedPlaces } from './result-order.js';

const nobody = () => undefined;

describe('the order of a column', () => {
  const sorted = (cells: readonly JsonValue[], isDown = false, nameOf: (id: string) => string | undefined = nobody) =>
    sortedPlaces(cells, isDown, nameOf).map((place) => cells[place]);

  it('is by size for numbers and decimals, and has none last in both directions', () => {
    expect(sorted(['1250', null, '980.5', 7, '-3'])).toEqual(['-3', 7, '980.5', '1250', null]);
    expect(sorted(['1250', null, '980.5', 7, '-3'], true)).toEqual(['1250', '980.5', 7, '-3', null]);
  });

  it('is by what individuals are called', () => {
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

  it('leaves rows that are alike as they stand', () => {
    expect(sortedPlaces(['b', 'a', 'b', 'a'], true, nobody)).toEqual([0, 2, 1, 3]);
  });
});

it('a record is told by its fields, what it refers to by its name', () => {
  const record = { place: '@m::p1', since: '2020-01-01', of: { rooms: 3 } };
  expect(cellText([record], (id) => (id === '@m::p1' ? 'Elm Street' : undefined))).toBe(
    'place Elm Street, since 2020-01-01, of rooms 3',
  );
});

it('rows that are gone stand behind those that are there', () => {
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

it('cells are found by what they show, in whatever case', () => {
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
