/** Estimates how many rows of a relation have one value of some columns, to order joins. */

import type { Relation } from '../../relation/relation.js';

/** Sampled rows. */
const SAMPLE_SIZE = 500;

/** The columns ascend. Exact with an index, else estimated by a sample. */
export function expectedRows(relation: Relation, columns: readonly number[]): number {
  const { base, count } = relation;
  const below = base === null ? 0 : expectedRows(base.relation, columns);
  if (columns.length === 0) return below + count;
  return Math.max(below, expectedOwnRows(relation, columns));
}

function expectedOwnRows(relation: Relation, columns: readonly number[]): number {
  const { count, rows, arity } = relation;
  const index = relation.knownIndex(columns);
  if (index !== undefined && index.indexed > 0) return index.indexed / index.keys;
  const step = Math.max(1, Math.floor(count / SAMPLE_SIZE));
  const seen = new Set<string>();
  let taken = 0;
  for (let row = 0; row < count; row += step) {
    seen.add(columns.map((column) => rows[row * arity + column]).join());
    taken += 1;
  }
  // Of n rows drawn from D values, about n² / 2D repeat one (the birthday problem).
  const values = taken === count ? seen.size : (taken * taken) / (2 * Math.max(1, taken - seen.size));
  return count / Math.max(1, Math.min(values, count));
}
