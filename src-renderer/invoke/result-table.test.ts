/** List results become tables whose columns every row can fill. */

import { describe, expect, it } from 'vitest';
import { ENTITY_COLUMN, resultTable } from './result-table.js';

const entity = (id: string, fields: Record<string, string | null>) => ({
  $id: id,
  $meta: { type: 'lease::Person', classes: ['lease::Person'] },
  ...fields,
});

describe('result table', () => {
  it('gives an entity a column of its own before its fields', () => {
    const ada = entity('#i1', { name: 'Ada', email: null });
    expect(resultTable([ada])).toEqual({ columns: [ENTITY_COLUMN, 'name', 'email'], rows: [[ada, 'Ada', null]] });
  });

  it('has the fields of every row, absent ones as none', () => {
    const party = entity('#i1', { name: 'Acme' });
    const person = entity('#i2', { name: 'Ada', email: 'ada@example.org' });
    expect(resultTable([party, person]).columns).toEqual([ENTITY_COLUMN, 'name', 'email']);
    expect(resultTable([party, person]).rows[0]).toEqual([party, 'Acme', null]);
  });

  it('shows records without an entity column, and values in one column', () => {
    expect(resultTable([{ total: '900', tenant: '#i1' }]).columns).toEqual(['total', 'tenant']);
    expect(resultTable([1, 2])).toEqual({ columns: ['value'], rows: [[1], [2]] });
  });
});
