/** Selected rows, and the texts and mutation for them. */

import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity } from '../../../../src-runtime/api/schemas/schemas.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { removalOf } from '../edit/removal.js';
import type { GridColumn } from './grid-columns.js';
import { readBlocks } from './read-blocks.js';
import { noFactsReason, textOfRows } from './rows-text.js';
import { NONE_SELECTED, refreshed, selectedOf, stretchBetween, toggled } from './selected-rows.js';
import type { GridRow } from './use-rows.js';

const TEXT = { kind: 'scalar', name: 'Text' } as const;
const LEASE = { kind: 'class', path: 'm::Lease' } as const;
const PERSON = { kind: 'class', path: 'm::Person' } as const;
const STATUS = { kind: 'enum', path: 'm::Status', members: ['draft', 'signed'] } as const;

const row = (why: string, more: Partial<GridRow> = {}): GridRow => ({
  cells: [],
  origin: 'stored',
  labels: {},
  why,
  ...more,
});

describe('the selected rows', () => {
  const [a, b, c] = [row('a'), row('b'), row('c')];

  it('are toggled one by one', () => {
    const two = toggled(toggled(NONE_SELECTED, a), b);
    expect([...two.rows.keys()]).toEqual(['a', 'b']);
    expect([...toggled(two, a).rows.keys()]).toEqual(['b']);
  });

  it('can be a range in either direction', () => {
    expect(stretchBetween(3, 6)).toEqual({ first: 3, end: 7 });
    expect(stretchBetween(6, 3)).toEqual({ first: 3, end: 7 });
    expect(stretchBetween(4, 4)).toEqual({ first: 4, end: 5 });
  });

  it('are updated when reloaded, and dropped if the whole list was loaded without them', () => {
    const now = row('a', { cells: ['new'] });
    const selected = selectedOf([a, b]);
    expect([...refreshed(selected, [now, c], 2).rows.values()]).toEqual([now]);
    expect([...refreshed(selected, [now, c], 900).rows.values()]).toEqual([now, b]);
  });
});

it('lists the loaded rows of one sort order, by block', () => {
  const client = new QueryClient();
  const key = (sort: string[]) => ['facts', 'list', 'm::Lease', { sort, filter: [] }, { fork: 'main' }];
  client.setQueryData([...key([]), 1], { rows: [row('c')], total: 3 });
  client.setQueryData([...key([]), 0], { rows: [row('a'), row('b')], total: 3 });
  client.setQueryData([...key(['code']), 0], { rows: [row('z')], total: 3 });
  expect(readBlocks(client, key([])).map(({ why }) => why)).toEqual(['a', 'b', 'c']);
  expect(readBlocks(client, key(['code'])).map(({ why }) => why)).toEqual(['z']);
});

const lease = (id: string, fields: Record<string, unknown>): Entity =>
  ({ $id: id, $meta: { type: 'm::Lease', classes: ['m::Lease'] }, ...fields }) as Entity;

const schema = {
  concepts: [
    {
      path: 'm::Lease',
      fields: [
        { name: 'code', type: TEXT },
        { name: 'status', type: { kind: 'optional', of: STATUS } },
        { name: 'owner', type: { kind: 'optional', of: PERSON } },
        { name: 'tenants', type: { kind: 'list', of: PERSON }, navigation: { relation: 'm::tenantOf', endpoint: 'p' } },
      ],
    },
  ],
} as unknown as ServedSchema;

const info = (kind: RelationInfo['kind'], path: string, endpoints: RelationInfo['endpoints']): RelationInfo => ({
  kind,
  path,
  endpoints,
  doc: undefined,
  span: undefined,
});
const leases = info('concept', 'm::Lease', [{ name: 'lease', type: LEASE }]);
const tenantOf = info('stored', 'm::tenantOf', [
  { name: 'lease', type: LEASE },
  { name: 'since', type: TEXT },
]);

describe('the text of selected rows', () => {
  const columns: GridColumn[] = [
    { id: '$label', title: 'code', type: LEASE, source: { kind: 'individual', field: 'code' } },
    { id: 'note', title: 'note', type: TEXT, source: { kind: 'field', field: 'note' } },
    { id: '$id', title: 'id', type: LEASE, source: { kind: 'id' } },
  ];
  const rows = [row('a', { cells: ['L1', 'one, two', '#i3'] }), row('b', { cells: ['L2', null, '#i4'] })];
  const text = (format: 'tsv' | 'csv' | 'json', positions: number[]) =>
    textOfRows(format, {
      info: leases,
      schema,
      columns: positions.map((at) => columns[at] as GridColumn),
      positions,
      rows,
    });

  it('has the visible columns in order', () => {
    expect(text('csv', [2, 1])).toBe('$id,note\r\n#i3,"one, two"\r\n#i4,\r\n');
    expect(text('tsv', [0, 1])).toBe('code\tnote\nL1\tone, two\nL2\t\n');
    expect(JSON.parse(text('json', [1]))).toEqual([{ note: 'one, two' }, { note: null }]);
  });

  it('declares individuals with their fields, and names the others that they need', () => {
    const entity = lease('#i3', { code: 'L"1', status: 'signed', owner: '#i9', tenants: ['#i9'] });
    const plain = lease('@m::old', { code: 'L0', status: null, owner: null, tenants: [] });
    const facts = textOfRows('facts', {
      info: leases,
      schema,
      columns,
      positions: [0, 1, 2],
      rows: [
        row('a', { entity, individual: '#i3', labels: { '#i9': 'Ada' } }),
        row('b', { entity: plain, individual: '@m::old' }),
      ],
    });
    expect(facts).toBe(
      [
        '// @i9 is Ada: declare it too',
        'pub individual i3: Lease { code: "L\\"1", status: Status::signed, owner: @i9 }',
        'pub individual old: Lease { code: "L0" }',
        '',
      ].join('\n'),
    );
  });

  it('declares tuples of stored relations, but no derived facts or field values', () => {
    const rowsOfRelation = [row('a', { cells: ['@m::old', 'May'] })];
    const facts = textOfRows('facts', { info: tenantOf, schema, columns: [], positions: [], rows: rowsOfRelation });
    expect(facts).toBe('fact tenantOf(@old, "May")\n');
    expect(noFactsReason(tenantOf)).toBeUndefined();
    expect(noFactsReason({ ...tenantOf, kind: 'derived' })).toContain('Conclusions');
    expect(noFactsReason({ ...tenantOf, kind: 'field' })).toContain('with its individual');
  });
});

describe('the removal of selected rows', () => {
  const stored = row('a', { individual: '#i3', cells: ['L1'] });
  const declared = row('b', { individual: '@m::old', origin: 'declared', cells: ['L0'] });

  it('is one mutation for all stored individuals, and skips declared ones', () => {
    expect(removalOf(leases, [stored, declared], 'delete')).toEqual({
      rows: 1,
      declared: 1,
      source: 'mutation removeRows(rows: [Lease]) {\n  for row in rows {\n    delete row\n  }\n}',
      args: { rows: ['#i3'] },
    });
    expect(removalOf(leases, [stored], 'forget')).toMatchObject({ source: expect.stringContaining('forget row') });
  });

  it('deletes tuples of a relation by their endpoints', () => {
    const tuple = row('a', { cells: ['#i3', 'May'] });
    expect(removalOf(tenantOf, [tuple], 'delete')).toEqual({
      rows: 1,
      declared: 0,
      source:
        'mutation removeRows(rows: [{ lease: Lease, since: Text }]) {\n' +
        '  for row in rows {\n    delete tenantOf(row.lease, row.since)\n  }\n}',
      args: { rows: [{ lease: '#i3', since: 'May' }] },
    });
  });

  it('gives the reason if no row can be removed', () => {
    expect(removalOf(leases, [declared], 'delete')).toMatchObject({ reason: expect.stringContaining('declared') });
    for (const kind of ['derived', 'define', 'check', 'field'] as const) {
      expect(removalOf({ ...leases, kind }, [stored], 'delete')).toMatchObject({ reason: expect.any(String) });
    }
    expect(removalOf(tenantOf, [stored], 'forget')).toMatchObject({ reason: expect.stringContaining('individuals') });
  });
});
