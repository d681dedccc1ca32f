/** A list result as a table of columns and cells. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { isEntity, isJsonObject, namingField } from '../../model/facts/labels.js';
import { ownValue } from '../../state/own-value.js';

export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly JsonValue[])[];
}

/** Column of the entities, if no single field names them. */
export const ENTITY_COLUMN = '';

/**
 * An entity has one column for itself (named by its naming field, if that is the same for all) and one per other field; a record
 * has one per field; other values have a single column. Columns are the union over all rows in order of first occurrence, because
 * a subtype has more fields.
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

/** The row that a key moves to; undefined for other keys. Escape clears the selection. */
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
