/** Writes rows as a file, or for the clipboard. Import reads them back. */

import type { JsonValue } from '../schemas/schemas.js';
import { cellOf } from './cell-values.js';
import { writeDelimited } from './delimited-text.js';

export type ExportFormat = 'csv' | 'json';
/** `tsv` is for the clipboard: spreadsheets split it into cells. */
type TextFormat = ExportFormat | 'tsv';

/** As a table, individuals have a column for their id and one per field, records one per field, and other values one column `value`. */
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
