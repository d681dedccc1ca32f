/** A list result as a table: which columns it has, and what stands in each cell. */

import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { isEntity } from '../data/labels.js';

export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly JsonValue[])[];
}

/** The column of an entity itself, by its label. */
export const ENTITY_COLUMN = '';

/**
 * Entities give a column for the entity and one a field; records one a field; anything else a single column. Columns
 * are those of all rows, in the order in which they first occur, since a subtype has further fields.
 */
export function resultTable(result: readonly JsonValue[]): ResultTable {
  if (!result.some(isPlainObject)) return { columns: ['value'], rows: result.map((value) => [value]) };
  const columns: string[] = [];
  const seen = new Set<string>();
  const add = (column: string): void => {
    if (seen.has(column)) return;
    seen.add(column);
    columns.push(column);
  };
  for (const row of result) {
    if (isEntity(row)) add(ENTITY_COLUMN);
    if (!isPlainObject(row)) continue;
    for (const field of Object.keys(row)) if (field !== '$id' && field !== '$meta') add(field);
  }
  return {
    columns,
    rows: result.map((row) =>
      columns.map((column) => {
        if (column === ENTITY_COLUMN) return row;
        return isPlainObject(row) ? (row[column] ?? null) : null;
      }),
    ),
  };
}

function isPlainObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
