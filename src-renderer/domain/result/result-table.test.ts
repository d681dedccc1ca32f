/** List results become tables whose rows fill every column. */

import { describe, expect, it } from 'vitest';
import { ENTITY_COLUMN, movedRow, resultTable } from './result-table.js';

const entity = (id: string, fields: Record<string, string | null>) => ({
  $id: id,
  $meta: { type: 'lease::Person', classes: ['lease::Person'] },
  ...fields,
});

describe('result table', () => {
  it('shows an entity in the column of its naming field, before other fields', () => {
    const ada = entity('#i1', { email: null, name: 'Ada' });
    expect(resultTable([ada])).toEqual({ columns: ['name', 'email'], rows: [[ada, null]] });
  });

  it('gives entities a separate column if no single field names them all', () => {
    const named = entity('#i1', { name: 'Acme' });
    const coded = entity('#i2', { code: 'L1' });
    expect(resultTable([named, coded]).columns).toEqual([ENTITY_COLUMN, 'name', 'code']);
    expect(resultTable([named, coded]).rows[1]).toEqual([coded, null, 'L1']);
  });

  it('ignores properties that every object inherits', () => {
    const built = entity('#i1', { name: 'Hall', constructor: 'Acme' });
    expect(resultTable([built, entity('#i2', { name: 'Ada' })]).rows[1]?.[1]).toBeNull();
  });

  it('has a column for each field of any row, and null for absent fields', () => {
    const party = entity('#i1', { name: 'Acme' });
    const person = entity('#i2', { name: 'Ada', email: 'ada@example.org' });
    expect(resultTable([party, person])).toEqual({
      columns: ['name', 'email'],
      rows: [
        [party, null],
        [person, 'ada@example.org'],
      ],
    });
  });

  it('has a column for each field of records, and one column for scalars', () => {
    expect(resultTable([{ total: '900', tenant: '#i1' }]).columns).toEqual(['total', 'tenant']);
    expect(resultTable([1, 2])).toEqual({ columns: ['value'], rows: [[1], [2]] });
  });
});

describe('the selected row', () => {
  it.each([
    [undefined, 'ArrowDown', 0],
    [undefined, 'ArrowUp', 2],
    [0, 'ArrowUp', 0],
    [2, 'ArrowDown', 2],
    [1, 'Home', 0],
    [0, 'End', 2],
  ])('moves from %s with %s to %s', (from, key, to) => expect(movedRow(from, key, 3)).toEqual({ index: to }));

  it('is cleared by Escape, and ignores other keys and empty tables', () => {
    expect(movedRow(1, 'Escape', 3)).toEqual({ index: undefined });
    expect(movedRow(undefined, 'Escape', 3)).toBeUndefined();
    expect(movedRow(1, 'a', 3)).toBeUndefined();
    expect(movedRow(undefined, 'ArrowDown', 0)).toBeUndefined();
  });
});
