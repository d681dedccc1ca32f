/** A list result as a table: which columns it has, and what stands in each cell. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { isEntity, isJsonObject, namingField } from '../../model/facts/labels.js';
import { ownValue } from '../../state/own-value.js';

export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly JsonValue[])[];
}

/** The column of the entities themselves, where no one field names them all. */
export const ENTITY_COLUMN = '';

/**
 * Entities give a column for the entity (under the field that names it, where that is one for all) and one for each
 * further field; records one a field; anything else a single column. Columns are those of all rows, in the order in
 * which they first occur, since a subtype has further fields.
 */
export function resultTable(result: readonly JsonValue[]): ResultTable {
  if (!result.some(isJsonObject)) return { columns: ['value'], rows: result.map((value) => [value]) };
  const entityColumn = entityColumnOf(result);
  const columns = new Set<string>(entityColumn === undefined ? [] : [entityColumn]);
  for (const row of result) {
    if (!isJsonObject(row)) continue;
    for (const field of Object.keys(row)) if (field !== '$id' && field !== '$meta') columns.add(field);
  }
  const names = [...columns];
  const cell = (row: JsonValue, column: string): JsonValue => {
    if (column === entityColumn) return row;
    return isJsonObject(row) ? (ownValue(row, column) ?? null) : null;
  };
  return { columns: names, rows: result.map((row) => names.map((column) => cell(row, column))) };
}

function entityColumnOf(result: readonly JsonValue[]): string | undefined {
  const fields = new Set(result.flatMap((row) => (isEntity(row) ? [namingField(row)] : [])));
  if (fields.size === 0) return undefined;
  const [only] = fields;
  return fields.size === 1 && only !== undefined ? only : ENTITY_COLUMN;
}

/** The row that a key leads to; undefined for a key that leads nowhere. Escape chooses none. */
export function movedRow(
  index: number | undefined,
  key: string,
  count: number,
): { readonly index: number | undefined } | undefined {
  if (key === 'Escape') return index === undefined ? undefined : { index: undefined };
  const last = count - 1;
  const to = { ArrowDown: (index ?? -1) + 1, ArrowUp: (index ?? count) - 1, Home: 0, End: last }[key];
  return to === undefined || last < 0 ? undefined : { index: Math.max(0, Math.min(last, to)) };
}
