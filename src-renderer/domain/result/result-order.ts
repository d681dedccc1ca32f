/** Sorts and searches the rows of a result, and compares them with an earlier result. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { folded } from '../../../src-runtime/base/folded.js';
import { isEntity, plainText } from '../../model/facts/labels.js';
import { compareRows, type EarlierRows, type RowMark } from '../../model/facts/row-change.js';
import { decimalPlaces } from '../../model/text/decimal-places.js';
import type { ResultTable } from './result-table.js';

/** Label of an individual, if known. */
export type NameOf = (id: string) => string | undefined;

export interface ShownRow {
  readonly row: JsonValue;
  /** Index in the result; undefined for a row of the earlier result only. */
  readonly index: number | undefined;
  readonly mark: RowMark | { readonly kind: 'removed' } | undefined;
}

export interface ShownRows {
  readonly rows: readonly ShownRow[];
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** Removed rows come last. */
export function shownRows(rows: readonly JsonValue[], earlier: EarlierRows | undefined): ShownRows {
  if (earlier === undefined) {
    return { rows: rows.map((row, index) => ({ row, index, mark: undefined })), added: 0, removed: 0, changed: 0 };
  }
  const { marks, removed, added, changed } = compareRows(earlier.rows, rows.slice(0, earlier.comparedMax));
  const gone = removed.map((row) => ({ row, index: undefined, mark: { kind: 'removed' } as const }));
  return {
    rows: [...rows.map((row, index) => ({ row, index, mark: marks.get(index) })), ...gone],
    added,
    removed: removed.length,
    changed,
  };
}

/** Places sorted by the cells of a column. Stable; absent values come last. */
export function sortedPlaces(cells: readonly JsonValue[], isDown: boolean, nameOf: NameOf): number[] {
  const sign = isDown ? -1 : 1;
  return cells
    .map((_, place) => place)
    .sort((left, right) => {
      const [one, other] = [cells[left] ?? null, cells[right] ?? null];
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return sign * compareValues(one, other, nameOf);
    });
}

/** Numbers by value, whether sent as numbers or decimal texts; other values by their text. */
function compareValues(left: JsonValue, right: JsonValue, nameOf: NameOf): number {
  if (isNumeric(left) && isNumeric(right)) {
    const [one, other] = [Number(left), Number(right)];
    if (one !== other) return one - other;
  }
  const [one, other] = [cellText(left, nameOf), cellText(right, nameOf)];
  return one === other ? 0 : one < other ? -1 : 1;
}

function isNumeric(value: JsonValue): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
}

/** Decimal places of each column of numbers; undefined for other columns. */
export function numberColumns({ columns, rows }: ResultTable): (number | undefined)[] {
  return columns.map((_, at) => {
    let places: number | undefined;
    for (const { [at]: value = null } of rows) {
      if (value === null) continue;
      if (!isNumeric(value)) return undefined;
      places = Math.max(places ?? 0, decimalPlaces(value));
    }
    return places;
  });
}

/** Text of a cell. */
export function cellText(value: JsonValue, nameOf: NameOf): string {
  if (Array.isArray(value)) return value.map((item) => cellText(item, nameOf)).join(', ');
  if (value === null) return '';
  if (typeof value === 'string') return nameOf(value) ?? plainText(value);
  if (isEntity(value) || typeof value !== 'object') return plainText(value);
  return Object.entries(value)
    .map(([name, member]) => `${name} ${cellText(member, nameOf)}`)
    .join(', ');
}

/** Row and column of a cell. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** Cells that contain the text, ignoring case, row by row. */
export function findCells(rows: readonly (readonly JsonValue[])[], text: string, nameOf: NameOf): CellPlace[] {
  const wanted = folded(text);
  if (wanted === '') return [];
  return rows.flatMap((cells, row) =>
    cells.flatMap((cell, column) => (folded(cellText(cell, nameOf)).includes(wanted) ? [{ row, column }] : [])),
  );
}
