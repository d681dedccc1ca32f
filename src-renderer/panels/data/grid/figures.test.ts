/** The summary of a column over the selected rows. */

import { expect, it } from 'vitest';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import type { GridColumn } from '../rows/grid-columns.js';
import type { GridRow } from '../rows/use-rows.js';
import { figuresOf } from './figures.js';

const scalar = (name: 'Int' | 'Decimal' | 'Text' | 'Date' | 'DateTime'): GridColumn => ({
  id: 'value',
  title: 'value',
  type: { kind: 'scalar', name },
  source: { kind: 'field', field: 'value' },
});

function figures(column: GridColumn, values: readonly JsonValue[], individuals: readonly string[] = []): string[] {
  const rows = values.map(
    (value, at): GridRow => ({
      cells: [value],
      origin: 'stored',
      why: String(at),
      labels: {},
      ...(individuals[at] !== undefined && { individual: individuals[at] }),
    }),
  );
  return figuresOf(column, 0, rows).map(({ name, shown, isAbout }) => `${name} ${isAbout ? '≈ ' : ''}${shown}`);
}

it('sums decimals exactly, and marks a rounded mean', () => {
  expect(figures(scalar('Decimal'), ['0.1', '0.2', null, '0.2'])).toEqual([
    'values 3',
    'distinct 2',
    'empty 1',
    'sum 0.5',
    'mean ≈ 0.166667',
    'min 0.1',
    'max 0.2',
  ]);
  const sum = figures(scalar('Decimal'), ['1e30', '0.0000000001', '-1e30'])[2];
  expect(sum, 'the intermediate sum has more digits than a Decimal').toBe('sum 0.0000000001');
});

it('keeps integers beyond the range of doubles exact', () => {
  const most = Number.MAX_SAFE_INTEGER;
  expect(figures(scalar('Int'), [most, most, most])).toEqual([
    'values 3',
    'distinct 1',
    'sum 27021597764222973',
    `mean ${most}`,
    `min ${most}`,
    `max ${most}`,
  ]);
});

it('finds the earliest and latest date, and counts texts', () => {
  expect(figures(scalar('Date'), ['2026-03-01', '2025-12-31'])).toEqual([
    'values 2',
    'distinct 2',
    'earliest 2025-12-31',
    'latest 2026-03-01',
  ]);
  expect(figures(scalar('Text'), ['a', 'b', 'a'])).toEqual(['values 3', 'distinct 2']);
  expect(figures(scalar('Int'), [null])).toEqual(['values 0', 'distinct 0', 'empty 1']);
});

it('counts each value of a list, and individuals with one name apart', () => {
  const list: GridColumn = {
    ...scalar('Text'),
    type: { kind: 'list', of: { kind: 'class', path: 'm::Person' } },
  };
  expect(figures(list, [['#i1', '#i2'], ['#i1'], []])).toEqual(['values 3', 'distinct 2', 'empty 1']);
  const label: GridColumn = { ...list, type: { kind: 'class', path: 'm::Person' }, source: { kind: 'individual' } };
  expect(figures(label, ['Ada', 'Ada'], ['#i1', '#i2'])).toEqual(['values 2', 'distinct 2']);
});

it('counts a row without a name as empty', () => {
  const named: GridColumn = { ...scalar('Text'), source: { kind: 'individual', field: 'email' } };
  expect(figures(named, ['a@b.c', null, 'a@b.c'], ['#i1', '#i2', '#i3'])).toEqual([
    'values 2',
    'distinct 2',
    'empty 1',
  ]);
});
