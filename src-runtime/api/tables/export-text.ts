/** Rows as the text of a file, or of the clipboard, that an import reads again. */

import type { JsonValue } from '../schemas/schemas.js';
import { cellOf } from './cell-values.js';
import { writeDelimited } from './delimited-text.js';

export type ExportFormat = 'csv' | 'json';
/** `tsv` is what a spreadsheet takes apart into its cells. */
type TextFormat = ExportFormat | 'tsv';

/** As a table, individuals give their id and a column a field, records a column a field, and anything else one column `value`. */
export function exportText(rows: readonly JsonValue[], format: TextFormat): string {
  if (format === 'json') return `${JSON.stringify(rows, null, 2)}\n`;
  const columns = columnsOf(rows);
  const cells = rows.map((row) => columns.map((column) => cellOf(valueIn(row, column))));
  return writeDelimited([columns, ...cells], format === 'tsv' ? '\t' : ',');
}

function columnsOf(rows: readonly JsonValue[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) {
    if (!isObject(row)) columns.add('value');
    else for (const field of Object.keys(row)) if (field !== '$meta') columns.add(field);
  }
  return [...columns];
}

function valueIn(row: JsonValue, column: string): JsonValue {
  if (!isObject(row)) return column === 'value' ? row : null;
  return (Object.hasOwn(row, column) ? row[column] : null) ?? null;
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
