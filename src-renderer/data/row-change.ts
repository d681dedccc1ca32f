/** What became of a result when it was asked again: the rows that came and went. */

import type { JsonValue } from '../../src-runtime/api/schemas.js';

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
