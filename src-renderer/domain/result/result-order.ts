/** The rows of a result in the order of a column, and with those that an earlier result had. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { folded } from '../../../src-runtime/base/folded.js';
import { isEntity, plainText } from '../../model/facts/labels.js';
import { compareRows, type EarlierRows, type RowMark } from '../../model/facts/row-change.js';
import { decimalPlaces } from '../../model/text/decimal-places.js';
import type { ResultTable } from './result-table.js';

/** What an individual is called, where that is known. */
export type NameOf = (id: string) => string | undefined;

export interface ShownRow {
  readonly row: JsonValue;
  /** Where it stands in the result; undefined for one that only the earlier one had. */
  readonly index: number | undefined;
  readonly mark: RowMark | { readonly kind: 'removed' } | undefined;
}

export interface ShownRows {
  readonly rows: readonly ShownRow[];
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** Those that are gone stand behind all others. */
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

/** The rows' places sorted by a column's cells; where they are alike they stay as they stand, and none comes last. */
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

/** Numbers by their size, whether they came as numbers or as decimals in text; anything else by the text that is shown. */
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

/** Of each column how many decimal places its numbers have at most; undefined for a column that has anything else. */
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

/** What a cell shows, as text. */
export function cellText(value: JsonValue, nameOf: NameOf): string {
  if (Array.isArray(value)) return value.map((item) => cellText(item, nameOf)).join(', ');
  if (value === null) return '';
  if (typeof value === 'string') return nameOf(value) ?? plainText(value);
  if (isEntity(value) || typeof value !== 'object') return plainText(value);
  return Object.entries(value)
    .map(([name, member]) => `${name} ${cellText(member, nameOf)}`)
    .join(', ');
}

/** A cell by its place among the shown rows and columns. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** Cells that have the text, in whatever case, row by row. */
export function findCells(rows: readonly (readonly JsonValue[])[], text: string, nameOf: NameOf): CellPlace[] {
  const wanted = folded(text);
  if (wanted === '') return [];
  return rows.flatMap((cells, row) =>
    cells.flatMap((cell, column) => (folded(cellText(cell, nameOf)).includes(wanted) ? [{ row, column }] : [])),
  );
}
