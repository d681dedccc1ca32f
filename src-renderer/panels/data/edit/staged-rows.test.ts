/** Staged rows in a grid: inserts at the top, and which rows can be deleted. */

import { expect, it } from 'vitest';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity } from '../../../../src-runtime/api/schemas/schemas.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { gridColumns } from '../rows/grid-columns.js';
import { selectedOf } from '../rows/selected-rows.js';
import type { GridRow, GridRows } from '../rows/use-rows.js';
import { settableOf } from './settable.js';
import { deletionsOf, insertedRow, insertionOf, withInserted } from './staged-rows.js';

const TEXT = { kind: 'scalar', name: 'Text' } as const;
const LEASE = { kind: 'class', path: 'm::Lease' } as const;
const schema = {
  modules: [{ name: 'm' }],
  defines: [],
  concepts: [
    {
      path: 'm::Lease',
      fields: [
        { name: 'code', path: 'm::Lease.code', type: TEXT },
        { name: 'after', path: 'm::Lease.after', type: { kind: 'optional', of: LEASE } },
        { name: 'tenants', path: 'm::Lease.tenants', type: TEXT, navigation: { relation: 'm::t', endpoint: 'p' } },
      ],
    },
  ],
} as unknown as ServedSchema;
const info = (kind: RelationInfo['kind'], path: string, endpoints: RelationInfo['endpoints'] = []): RelationInfo => ({
  ...{ kind, path, endpoints, doc: undefined, span: undefined },
});
const leases = info('concept', 'm::Lease');
const follows = info('stored', 'm::follows', [
  { name: 'lease', type: LEASE },
  { name: 'note', type: TEXT },
]);
const row = (why: string, more: Partial<GridRow> = {}): GridRow => ({
  ...{ cells: [], origin: 'stored', labels: {}, why, ...more },
});
const quay = {
  ...{ $id: '#i1', $meta: { type: 'm::Lease', classes: ['m::Lease'] } },
  ...{ code: 'QUAY-7', after: null, tenants: ['@m::ada'] },
} as unknown as Entity;
const stored = row('why', { individual: '#i1', entity: quay });

it('shows inserted rows with their values above the stored rows, and excludes them from the selection', async () => {
  const values = [
    { name: 'code', type: TEXT, value: 'QUAY-9' },
    { name: 'after', type: LEASE, value: '#i1' },
  ];
  const inserted = insertionOf(schema, leases, 1, values, (id) => (id === '#i1' ? 'QUAY-7' : undefined));
  expect(inserted).toMatchObject({ of: 'individual', label: 'QUAY-9', labels: { '#i1': 'QUAY-7' } });
  const columns = gridColumns(schema, leases);
  const first = insertedRow(columns, inserted);
  expect(Object.fromEntries(columns.map(({ id }, at) => [id, first.cells[at]]))).toEqual({
    ...{ $label: 'QUAY-9', after: '#i1', tenants: null, $id: null },
  });
  const others = [row('a'), row('b')];
  const rows = withInserted(
    {
      total: 2,
      row: (at: number) => others[at],
      stretch: async (from: number, end: number) => others.slice(from, end),
      readSoFar: () => others,
    } as unknown as GridRows,
    [first],
  );
  expect([rows.total, rows.row(0), rows.row(2)]).toEqual([3, first, others[1]]);
  expect(await rows.stretch(0, 2)).toEqual([first, others[0]]);
  expect(await rows.stretch(1, 3)).toEqual(others);
  expect([...selectedOf(rows.readSoFar()).rows.values()]).toEqual(others);
});

it('labels a new fact by its values, and a new individual without a label by its concept', () => {
  const values = [
    { name: 'lease', type: LEASE, value: '#i1' },
    { name: 'note', type: TEXT, value: 'soon' },
  ];
  expect(insertionOf(schema, follows, 2, values, () => 'QUAY-7').label).toBe('follows(QUAY-7, soon)');
  expect(insertionOf(schema, leases, 2, [], () => undefined).label).toBe('Lease 2');
});

it('stages the deletion of stored rows with their current values, but not of declared or derived ones', () => {
  expect(deletionsOf(schema, leases, [stored, row('declared', { origin: 'declared' })])).toEqual([
    {
      ...{ kind: 'delete', row: '#i1', of: 'individual', path: 'm::Lease', label: 'QUAY-7' },
      values: [
        { name: 'code', type: TEXT, value: 'QUAY-7' },
        { name: 'after', type: { kind: 'optional', of: LEASE }, value: null },
      ],
    },
  ]);
  const fact = row('why', { cells: ['#i1', 'soon'], labels: { '#i1': 'QUAY-7' } });
  expect(deletionsOf(schema, follows, [fact])).toMatchObject([
    { of: 'fact', row: 'why', label: 'follows(QUAY-7, soon)' },
  ]);
  expect(deletionsOf(schema, info('derived', 'm::active'), [fact])).toMatchObject({
    reason: expect.stringMatching(/Conclusions/),
  });
});

it('rejects edits of a row whose deletion is staged', () => {
  const [column] = gridColumns(schema, leases);
  const cell = { place: 0, column, row: stored, value: 'QUAY-7' };
  expect(settableOf(schema, new Map(), cell)).toMatchObject({ field: { name: 'code' } });
  const deletions = deletionsOf(schema, leases, [stored]);
  if ('reason' in deletions) throw new Error(deletions.reason);
  const going = new Map(deletions.map((each) => [each.row, each]));
  expect(settableOf(schema, going, cell)).toMatchObject({ whyNot: expect.stringMatching(/will be deleted/) });
});
