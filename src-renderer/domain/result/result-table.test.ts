/** List results become tables whose rows fill every column. */

import { describe, expect, it } from 'vitest';
import { ENTITY_COLUMN, movedRow, resultTable } from './result-table.js';

const entity = (id: string, fields: Record<string, string | null>) => ({
  $id: id,
  $meta: { type: 'lease::Person', classes: ['lease::Person'] },
  ...fields,
});

describe('result table', () => {
  it('shows an entity under the field that names it, first of its fields', () => {
    const ada = entity('#i1', { email: null, name: 'Ada' });
    expect(resultTable([ada])).toEqual({ columns: ['name', 'email'], rows: [[ada, null]] });
  });

  it('gives entities a column of their own where no one field names them all', () => {
    const named = entity('#i1', { name: 'Acme' });
    const coded = entity('#i2', { code: 'L1' });
    expect(resultTable([named, coded]).columns).toEqual([ENTITY_COLUMN, 'name', 'code']);
    expect(resultTable([named, coded]).rows[1]).toEqual([coded, null, 'L1']);
  });

  it('takes no field for there that every object has', () => {
    const built = entity('#i1', { name: 'Hall', constructor: 'Acme' });
    expect(resultTable([built, entity('#i2', { name: 'Ada' })]).rows[1]?.[1]).toBeNull();
  });

  it('has the fields of every row, absent ones as none', () => {
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

  it('shows records by their fields, and values in one column', () => {
    expect(resultTable([{ total: '900', tenant: '#i1' }]).columns).toEqual(['total', 'tenant']);
    expect(resultTable([1, 2])).toEqual({ columns: ['value'], rows: [[1], [2]] });
  });
});

describe('the chosen row', () => {
  it.each([
    [undefined, 'ArrowDown', 0],
    [undefined, 'ArrowUp', 2],
    [0, 'ArrowUp', 0],
    [2, 'ArrowDown', 2],
    [1, 'Home', 0],
    [0, 'End', 2],
  ])('moves from %s with %s to %s', (from, key, to) => expect(movedRow(from, key, 3)).toEqual({ index: to }));

  it('is let go by Escape, and moved by no other key nor among no rows', () => {
    expect(movedRow(1, 'Escape', 3)).toEqual({ index: undefined });
    expect(movedRow(undefined, 'Escape', 3)).toBeUndefined();
    expect(movedRow(1, 'a', 3)).toBeUndefined();
    expect(movedRow(undefined, 'ArrowDown', 0)).toBeUndefined();
  });
});
