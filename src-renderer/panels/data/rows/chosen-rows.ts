/** Rows of a list that are chosen together: which they are, whatever stands around them now. */

import type { GridRow } from './use-rows.js';

/** As many as one takes along at once. More are narrowed by a filter, or exported whole. */
export const CHOSEN_MAX = 10_000;

export interface ChosenRows {
  /** As they were read when they were chosen, by what tells a row from all others. */
  readonly rows: ReadonlyMap<string, GridRow>;
  /** All that had been read were meant, of this many that there are. */
  readonly readOf?: number | undefined;
}

export const NONE_CHOSEN: ChosenRows = { rows: new Map() };

/** The address of its proof names the fact, or the individual and the class. */
export function rowKey({ why }: GridRow): string {
  return why;
}

/** What is not there yet is not chosen. */
export function chosenOf(rows: readonly GridRow[], readOf?: number): ChosenRows {
  const there = rows.filter(({ inserted }) => inserted === undefined);
  return { rows: new Map(there.map((row) => [rowKey(row), row])), readOf };
}

export function toggled({ rows }: ChosenRows, row: GridRow): ChosenRows {
  const next = new Map(rows);
  if (row.inserted !== undefined) return { rows: next };
  if (!next.delete(rowKey(row))) next.set(rowKey(row), row);
  return { rows: next };
}

/** From the first to before the end, whichever way one went. */
export function stretchBetween(anchor: number, row: number): { readonly first: number; readonly end: number } {
  return { first: Math.min(anchor, row), end: Math.max(anchor, row) + 1 };
}

/**
 * The chosen rows as they were read last. One that is gone is known to be gone where the whole list has been read; where
 * only parts have, it may stand elsewhere.
 */
export function refreshed(selected: ChosenRows, read: readonly GridRow[], total: number): ChosenRows {
  if (selected.rows.size === 0) return selected;
  const latest = new Map(read.map((row) => [rowKey(row), row]));
  const isWhole = read.length >= total;
  const rows = new Map<string, GridRow>();
  for (const [key, row] of selected.rows) {
    const now = latest.get(key) ?? (isWhole ? undefined : row);
    if (now !== undefined) rows.set(key, now);
  }
  return { ...selected, rows };
}
