/** Pasting a block of cells from a spreadsheet. */

import { describe, expect, it } from 'vitest';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity, WireType } from '../../../../src-runtime/api/schemas/schemas.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { gridColumns } from '../rows/grid-columns.js';
import { textOfRows } from '../rows/rows-text.js';
import { stagedByIndividual } from '../rows/staged.js';
import type { GridRow } from '../rows/use-rows.js';
import { blockOf, namesIn, pastedSets, placedBlock } from './pasted-block.js';

const scalar = (name: 'Text' | 'Decimal' | 'Date'): WireType => ({ kind: 'scalar', name });
const PERSON = { kind: 'class', path: 'm::Person' } as const;
const schema = {
  modules: [{ name: 'm' }],
  defines: [],
  relations: [],
  enums: [{ path: 'm::Status', members: [{ name: 'draft' }, { name: 'signed' }] }],
  concepts: [
    {
      path: 'm::Lease',
      fields: [
        { name: 'code', path: 'm::Lease.code', type: scalar('Text') },
        { name: 'rent', path: 'm::Lease.rent', type: scalar('Decimal') },
        { name: 'status', path: 'm::Lease.status', type: { kind: 'enum', path: 'm::Status' } },
        { name: 'due', path: 'm::Lease.due', type: { kind: 'optional', of: scalar('Date') } },
        { name: 'agent', path: 'm::Lease.agent', type: { kind: 'optional', of: PERSON } },
        { name: 'tenants', path: 'm::Lease.tenants', type: PERSON, navigation: { relation: 'm::t', endpoint: 'p' } },
      ],
    },
    { path: 'm::Person', fields: [{ name: 'name', path: 'm::Person.name', type: scalar('Text') }] },
  ],
} as unknown as ServedSchema;
const columns = gridColumns(schema, {
  ...{ kind: 'concept', path: 'm::Lease', endpoints: [], doc: undefined, span: undefined },
}).map((column, position) => ({ column, position }));
const lease = (id: string, code: string, rent: string): GridRow => {
  const entity = { $id: id, $meta: { type: 'm::Lease' }, code, rent, status: 'draft', due: null, agent: null };
  return {
    ...{ cells: [code, rent, 'draft', null, null, [], id], origin: 'stored', labels: {}, why: id, individual: id },
    entity: entity as unknown as Entity,
  };
};
const rows = [lease('#i1', 'QUAY-1', '640'), lease('#i2', 'QUAY-2', '650')];
const named = new Map([['m::Person', new Map([['Ada', '#i9']])]]);
const staged = { byIndividual: stagedByIndividual([]), deletions: new Map() };
const from = (title: string) => columns.slice(columns.findIndex(({ column }) => column.title === title));
const paste = (text: string, begin = 'code', more: object = {}) => {
  const sets = pastedSets({ schema, staged, columns: from(begin), rows, named, ...more }, blockOf(text));
  return 'reason' in sets ? sets.reason : sets.map(({ id, field, known, next }) => [id, field, known, next]);
};

describe('a pasted block', () => {
  it('is split at tabs, and its rows are padded to the longest', () => {
    expect(blockOf('a\tb\r\nc\r\n')).toEqual([
      ['a', 'b'],
      ['c', null],
    ]);
    expect(blockOf('"Big" Co\r\n"a\r\nb"\r\n')).toEqual([['"Big" Co'], ['a\nb']]);
  });

  it('sets the values that differ, read by the type of their field', () => {
    expect(paste('QUAY-1\t700\nQUAY-9\t650')).toEqual([
      ['#i2', 'code', 'QUAY-2', 'QUAY-9'],
      ['#i1', 'rent', '640', '700'],
    ]);
    expect(paste('1.234,50\tsigned\t31.12.2026\tAda\n650,00\tdraft\t\t', 'rent')).toEqual([
      ['#i1', 'rent', '640', '1234.5'],
      ['#i1', 'status', 'draft', 'signed'],
      ['#i1', 'due', null, '2026-12-31'],
      ['#i1', 'agent', null, '#i9'],
    ]);
    expect(
      namesIn(
        from('agent').map(({ column }) => column),
        [['Ada'], ['#i3'], [null]],
      ),
    ).toEqual(new Map([['m::Person', new Set(['Ada'])]]));
  });

  it('sets an empty text for `""`, and no value for an empty cell', () => {
    expect(paste('""\t650\tdraft\t2026-01-01', 'code')).toEqual([
      ['#i1', 'code', 'QUAY-1', ''],
      ['#i2', 'code', 'QUAY-2', ''],
      ['#i1', 'rent', '640', '650'],
      ['#i1', 'due', null, '2026-01-01'],
      ['#i2', 'due', null, '2026-01-01'],
    ]);
    const due = { ...rows[0], cells: ['QUAY-1', '640', 'draft', '2026-01-01', null, [], '#i1'] } as GridRow;
    const entity = { ...due.entity, due: '2026-01-01' } as Entity;
    expect(paste('draft\t\t', 'status', { rows: [{ ...due, entity }] })).toEqual([['#i1', 'due', '2026-01-01', null]]);
  });

  it('goes to the columns named in its first row if a grid copied it', () => {
    const all = columns.map(({ column }) => column);
    const sets = (text: string, begin = 'code', copied?: readonly string[], delimiter?: string) => {
      const placed = placedBlock(all, from(begin), blockOf(text, delimiter), copied);
      const read = pastedSets({ schema, staged, columns: placed.columns, rows, named }, placed.block);
      return 'reason' in read ? read.reason : read.map(({ id, field, next }) => [id, field, next]);
    };
    const copiedRows = textOfRows('tsv', {
      ...{ info: { path: 'm::Lease' } as RelationInfo, schema },
      ...{ columns: all, positions: all.map((_, at) => at), rows },
    });
    expect(copiedRows).toMatch(/^code\trent\tstatus\tdue\tagent\ttenants\t\$id\n/);
    expect(sets(copiedRows)).toEqual([]);
    // The visible columns and the target cell do not matter.
    const hidden = 'status\tcode\t$id\nsigned\tQUAY-1\t#i7\ndraft\tQUAY-9\t#i8\n';
    for (const begin of ['code', 'agent', 'id']) {
      expect(sets(hidden, begin)).toEqual([
        ['#i1', 'status', 'signed'],
        ['#i2', 'code', 'QUAY-9'],
      ]);
    }
    expect(sets('code,rent\r\nQUAY-1,7\r\nQUAY-2,8\r\n', 'code', [], ',')).toEqual([
      ['#i1', 'rent', '7'],
      ['#i2', 'rent', '8'],
    ]);
    // Rows of another list, and ids alone, go to the columns from the target cell on.
    expect(sets('price\n700\n710\n', 'rent', ['price'])).toEqual([
      ['#i1', 'rent', '700'],
      ['#i2', 'rent', '710'],
    ]);
    expect(sets('$id\n#i9\n#i9\n', 'agent')).toEqual([
      ['#i1', 'agent', '#i9'],
      ['#i2', 'agent', '#i9'],
    ]);
    expect(sets('rent', 'code')).toEqual([
      ['#i1', 'code', 'rent'],
      ['#i2', 'code', 'rent'],
    ]);
    expect(sets('640\ncode', 'rent')).toBe('rent of QUAY-2: "code" is not a decimal number like 12.50.');
  });

  it('with one row goes to each selected row, and builds on staged values', () => {
    const set = { kind: 'set', id: '#i1', label: 'QUAY-1', concept: 'm::Lease', field: 'rent' } as const;
    const byIndividual = stagedByIndividual([{ ...set, type: scalar('Decimal'), known: '640', next: '700' }]);
    expect(paste('640', 'rent', { staged: { ...staged, byIndividual } })).toEqual([
      ['#i1', 'rent', '640', '640'],
      ['#i2', 'rent', '650', '640'],
    ]);
    expect(paste('700', 'rent', { staged: { ...staged, byIndividual } })).toEqual([['#i2', 'rent', '650', '700']]);
  });

  it('is refused as a whole for a cell that cannot be read or set, and names the row', () => {
    expect(paste('700\ncheap', 'rent')).toBe('rent of QUAY-2: "cheap" is not a decimal number like 12.50.');
    expect(paste('640\tgone', 'rent')).toMatch(/^status of QUAY-1: /);
    expect(paste('03/04/2026', 'due')).toBe('due of QUAY-1: "03/04/2026" may mean two days; write the year first.');
    expect(paste('Eve', 'agent')).toBe('agent of QUAY-1: "Eve" is neither an id nor the name of exactly one Person.');
    expect(paste('Ada', 'tenants')).toBe('tenants of QUAY-1 cannot be set. tenants is read from t. Edit it there.');
    expect(paste('[]\t#i1', 'tenants', { rows: rows.slice(0, 1) })).toEqual([]);
    expect(paste('1\n2\n3', 'rent')).toBe('The block has 3 rows, and only 2 fit here. To add rows, use Import.');
    expect(paste('a\tb', 'id')).toBe('The block has 2 columns, and only 1 fit here.');
  });
});
