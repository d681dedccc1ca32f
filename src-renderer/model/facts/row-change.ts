/** What became of a result when it was asked again: the rows that came and went, and those that are not as they were. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { isEntity } from './labels.js';

export interface RowChange {
  readonly added: number;
  readonly removed: number;
}

/** Rows that only one of two results has; a result that is no list counts as one row. */
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
  /** By the place of the row in the later result. */
  readonly marks: ReadonlyMap<number, RowMark>;
  readonly removed: readonly JsonValue[];
  readonly added: number;
  readonly changed: number;
}

/** Row by row: an individual that is in both is the same row, as it was or changed; any other row is known by all of it. */
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

/** The rows that a result is compared with: those of the last time that it was another. */
export interface EarlierRows {
  readonly rows: readonly JsonValue[];
  readonly at: number;
  /** Only so many of the first are compared, where one of the two goes on behind them. */
  readonly comparedMax: number;
}

export interface ReadRows {
  readonly rows: readonly JsonValue[];
  readonly at: number;
  /** More rows follow that have not been read. */
  readonly isCut: boolean;
  readonly earlier: EarlierRows | undefined;
}

/** What stays the same goes on being compared with what it was compared with before. */
export function earlierRows(before: ReadRows, after: Pick<ReadRows, 'rows' | 'isCut'>): EarlierRows | undefined {
  const isCut = before.isCut || after.isCut;
  const comparedMax = isCut ? Math.min(before.rows.length, after.rows.length) : Number.POSITIVE_INFINITY;
  const { marks, removed } = compareRows(before.rows.slice(0, comparedMax), after.rows.slice(0, comparedMax));
  if (marks.size + removed.length === 0) return before.earlier;
  return { rows: before.rows.slice(0, comparedMax), at: before.at, comparedMax };
}
