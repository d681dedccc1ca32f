/** Writes rows as a file, for the clipboard, or block by block. Import reads them back. */

import type { JsonValue } from '../schemas/schemas.js';
import { cellOf } from './cell-values.js';
import { type Cell, writeDelimited } from './delimited-text.js';
import type { TextForm } from './row-form.js';

/** `tsv` is for the clipboard: spreadsheets split it into cells. */
type FileFormat = 'csv' | 'json' | 'tsv';

/** As a table, individuals have a column for their id and one per field, records one per field, and other values one column `value`. */
export function exportText(rows: readonly JsonValue[], format: FileFormat): string {
  if (format === 'json') return `${JSON.stringify(rows, null, 2)}\n`;
  const { head, text } = rowWriter(format, columnsOf(rows));
  return head + text(rows);
}

export interface RowWriter {
  /** Comes before the first row. */
  readonly head: string;
  /** The text of a block of rows. */
  text(rows: readonly JsonValue[]): string;
}

export function rowWriter(form: TextForm, columns: readonly string[]): RowWriter {
  if (form === 'jsonl') return { head: '', text: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('') };
  const delimiter = form === 'tsv' ? '\t' : ',';
  const cells = (row: JsonValue): Cell[] => columns.map((column) => cellOf(valueIn(row, column)));
  return {
    head: writeDelimited([columns], delimiter),
    text: (rows) => writeDelimited(rows.map(cells), delimiter),
  };
}

/** The columns of these rows as a table. */
function columnsOf(rows: readonly JsonValue[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) {
    if (!isObject(row)) columns.add('value');
    else for (const field of Object.keys(row)) if (field !== '$meta') columns.add(field);
  }
  return [...columns];
}

/** The value of a row in a column. A row that is not an object is the value of the column `value`. */
export function valueIn(row: JsonValue, column: string): JsonValue {
  if (!isObject(row)) return column === 'value' ? row : null;
  return (Object.hasOwn(row, column) ? row[column] : null) ?? null;
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
