/** Differences between two results of the same query: added, removed and changed rows. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { isEntity } from './labels.js';

export interface RowChange {
  readonly added: number;
  readonly removed: number;
}

/** Rows in only one of two results; a single value counts as one row. */
export function changeOf(before: JsonValue, after: JsonValue): RowChange {
  const [old, now] = [before, after].map((result) =>
    (Array.isArray(result) ? result : [result]).map((row) => JSON.stringify(row)),
  ) as [string[], string[]];
  const [olds, nows] = [new Set(old), new Set(now)];
  return {
    added: now.filter((row) => !olds.has(row)).length,
    removed: old.filter((row) => !nows.has(row)).length,
  };
}

export type RowMark = { readonly kind: 'added' } | { readonly kind: 'changed'; readonly before: JsonValue };

export interface RowComparison {
  /** By index in the newer result. */
  readonly marks: ReadonlyMap<number, RowMark>;
  readonly removed: readonly JsonValue[];
  readonly added: number;
  readonly changed: number;
}

/** Individuals are matched by id, and are the same or changed; other rows are matched by their full value. */
export function compareRows(before: readonly JsonValue[], after: readonly JsonValue[]): RowComparison {
  const olds = new Map(before.map((row) => [keyOf(row), row]));
  const marks = new Map<number, RowMark>();
  let changed = 0;
  for (const [index, row] of after.entries()) {
    const key = keyOf(row);
    const old = olds.get(key);
    olds.delete(key);
    if (old === undefined) marks.set(index, { kind: 'added' });
    else if (isEntity(row) && JSON.stringify(old) !== JSON.stringify(row)) {
      marks.set(index, { kind: 'changed', before: old });
      changed += 1;
    }
  }
  return { marks, removed: [...olds.values()], added: marks.size - changed, changed };
}

function keyOf(row: JsonValue): string {
  return isEntity(row) ? row.$id : JSON.stringify(row);
}

/** The baseline: rows of the last result that differed. */
export interface EarlierRows {
  readonly rows: readonly JsonValue[];
  readonly at: number;
  /** If a result has more pages, only this many rows are compared. */
  readonly comparedMax: number;
}

export interface ReadRows {
  readonly rows: readonly JsonValue[];
  readonly at: number;
  /** There are more rows that were not loaded. */
  readonly isCut: boolean;
  readonly earlier: EarlierRows | undefined;
}

/** An unchanged result keeps its baseline. */
export function earlierRows(before: ReadRows, after: Pick<ReadRows, 'rows' | 'isCut'>): EarlierRows | undefined {
  const isCut = before.isCut || after.isCut;
  const comparedMax = isCut ? Math.min(before.rows.length, after.rows.length) : Number.POSITIVE_INFINITY;
  const { marks, removed } = compareRows(before.rows.slice(0, comparedMax), after.rows.slice(0, comparedMax));
  if (marks.size + removed.length === 0) return before.earlier;
  return { rows: before.rows.slice(0, comparedMax), at: before.at, comparedMax };
}
