/** Rows of a result as CSV (RFC 4180): what a spreadsheet opens and an import reads. */

import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { isEntity, isJsonObject } from './labels.js';
import { ownValue } from './own-value.js';

/** Entities give their id and a column a field, records a column a field, anything else one column `value`. */
export function csvOf(rows: readonly JsonValue[]): string {
  const columns = columnsOf(rows);
  const lines = [columns.map(quotedCell), ...rows.map((row) => columns.map((column) => quotedCell(cell(row, column))))];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

function columnsOf(rows: readonly JsonValue[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) {
    if (!isJsonObject(row)) columns.add('value');
    else for (const field of Object.keys(row)) if (field !== '$meta') columns.add(field);
  }
  return [...columns];
}

function cell(row: JsonValue, column: string): string {
  if (!isJsonObject(row)) return column === 'value' ? cellText(row) : '';
  return cellText(ownValue(row, column) ?? null);
}

/** An individual by its reference; a list of plain values by its items between semicolons, where they can be told apart again; else JSON. */
function cellText(value: JsonValue): string {
  if (value === null) return '';
  if (isEntity(value)) return value.$id;
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  const items = value.map((item) => (isEntity(item) ? item.$id : item));
  return items.every(isPlain) ? items.map(cellText).join(';') : JSON.stringify(items);
}

function isPlain(item: JsonValue): boolean {
  if (typeof item === 'object') return false;
  const text = String(item);
  return text !== '' && text === text.trim() && !/^\[|;/.test(text);
}

function quotedCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
