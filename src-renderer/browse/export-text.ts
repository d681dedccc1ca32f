/** Rows as the text of a file that an import can read again. */

import { unparse } from 'papaparse';
import type { JsonValue } from '../../src-runtime/api/schemas.js';

export type ExportFormat = 'csv' | 'json';
/** `tsv` is what a spreadsheet takes apart into its cells. */
type TextFormat = ExportFormat | 'tsv';
export type Records = readonly Readonly<Record<string, JsonValue>>[];

export function exportText(records: Records, format: TextFormat): string {
  if (format === 'json') return `${JSON.stringify(records, null, 2)}\n`;
  const flat = records.map((record) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, flatText(value)])),
  );
  return `${unparse(flat, { newline: '\n', delimiter: format === 'tsv' ? '\t' : ',' })}\n`;
}

/** A cell of such a file. */
export function flatText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
