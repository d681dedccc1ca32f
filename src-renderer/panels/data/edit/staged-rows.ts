/** The rows of a grid with staged changes: inserted rows are at the top. */

import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { entityLabel, idLabel, shownText } from '../../../model/facts/labels.js';
import { shortName } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { fieldsOfClass, type GridColumn, gridColumns } from '../rows/grid-columns.js';
import { type StagedDelete, type StagedInsert, type StagedValue, stagedRowOf } from '../rows/staged.js';
import type { GridRow, GridRows } from '../rows/use-rows.js';
import { removableRows } from './removal.js';

/** Row numbers from here on are inserted rows. */
export function withInserted(rows: GridRows, inserted: readonly GridRow[]): GridRows {
  const { length } = inserted;
  if (length === 0) return rows;
  return {
    ...rows,
    total: rows.total === undefined ? undefined : rows.total + length,
    row: (index) => (index < length ? inserted[index] : rows.row(index - length)),
    async stretch(first, end) {
      const own = inserted.slice(first, end);
      return end <= length ? own : [...own, ...(await rows.stretch(Math.max(0, first - length), end - length))];
    },
    readSoFar: () => [...inserted, ...rows.readSoFar()],
  };
}

/** A staged insert as a grid row. */
export function insertedRow(columns: readonly GridColumn[], inserted: StagedInsert): GridRow {
  const fieldOf = (name: string): JsonValue => inserted.values.find((each) => each.name === name)?.value ?? null;
  return {
    cells: columns.map(({ source }) => {
      if (source.kind === 'endpoint') return inserted.values[source.position]?.value ?? null;
      if (source.kind === 'individual') return inserted.label;
      return source.kind === 'field' ? fieldOf(source.field) : null;
    }),
    origin: 'stored',
    labels: inserted.labels,
    why: `new ${inserted.number}`,
    inserted,
  };
}

/** The insert for this form. */
export function insertionOf(
  schema: ServedSchema,
  info: RelationInfo,
  number: number,
  values: readonly StagedValue[],
  labelOf: (id: string) => string | undefined,
): StagedInsert {
  const references = values.flatMap(({ value }) => (Array.isArray(value) ? value : [value]));
  const known = references.flatMap((id) => (typeof id === 'string' ? [[id, labelOf(id)] as const] : []));
  const labels = Object.fromEntries(known.filter((entry): entry is [string, string] => entry[1] !== undefined));
  const of = info.kind === 'stored' ? 'fact' : 'individual';
  const row = { kind: 'insert', number, of, path: info.path, values, labels } as const;
  if (of === 'fact') return { ...row, label: factLabel(info, values, labels) };
  const [first] = gridColumns(schema, info);
  const naming = first?.source.kind === 'individual' ? first.source.field : undefined;
  const named = values.find(({ name }) => name === naming);
  const label =
    typeof named?.value === 'string' && named.value !== '' ? named.value : `${shortName(info.path)} ${number}`;
  return { ...row, label };
}

/** Stages the deletion of these rows, or the reason why none can be deleted. */
export function deletionsOf(
  schema: ServedSchema,
  info: RelationInfo,
  rows: readonly GridRow[],
): readonly StagedDelete[] | { readonly reason: string } {
  const removable = removableRows(info, rows, 'delete');
  if ('reason' in removable) return removable;
  return removable.map((row): StagedDelete => {
    const { entity, cells, labels } = row;
    const own = { kind: 'delete', row: stagedRowOf(row) } as const;
    if (entity === undefined) {
      const values = info.endpoints.map(({ name, type }, at) => ({ name, type, value: cells[at] ?? null }));
      return { ...own, of: 'fact', path: info.path, label: factLabel(info, values, labels), values };
    }
    const { type } = entity.$meta;
    const fields = fieldsOfClass(schema, type).filter(({ navigation }) => navigation === undefined);
    const known = entity as Readonly<Record<string, JsonValue>>;
    const values = fields.map(({ name, type }) => ({ name, type, value: known[name] ?? null }));
    return { ...own, of: 'individual', path: type, label: entityLabel(entity), values };
  });
}

/** `tenantOf(QUAY-7, Ada Lindqvist)` */
function factLabel(
  { path }: RelationInfo,
  values: readonly StagedValue[],
  labels: Readonly<Record<string, string>>,
): string {
  const texts = values.map(({ type, value }) =>
    type.kind === 'class' && typeof value === 'string' ? (labels[value] ?? idLabel(value)) : shownText(value),
  );
  return `${shortName(path)}(${texts.join(', ')})`;
}
