/** Selected rows of a list, independent of their position. */

import type { GridRow } from './use-rows.js';

/** Maximum selection. For more, use a filter or export the list. */
export const SELECTED_MAX = 10_000;

export interface SelectedRows {
  /** As read when they were selected, by row key. */
  readonly rows: ReadonlyMap<string, GridRow>;
  /** All rows were selected, with this total. */
  readonly readOf?: number | undefined;
}

export const NONE_SELECTED: SelectedRows = { rows: new Map() };

/** The location of its proof names the fact, or the individual and the class. */
export function rowKey({ why }: GridRow): string {
  return why;
}

/** Rows that are not loaded are not selected. */
export function selectedOf(rows: readonly GridRow[], readOf?: number): SelectedRows {
  const there = rows.filter(({ inserted }) => inserted === undefined);
  return { rows: new Map(there.map((row) => [rowKey(row), row])), readOf };
}

export function toggled({ rows }: SelectedRows, row: GridRow): SelectedRows {
  const next = new Map(rows);
  if (row.inserted !== undefined) return { rows: next };
  if (!next.delete(rowKey(row))) next.set(rowKey(row), row);
  return { rows: next };
}

/** From the first to before the end, in either direction. */
export function stretchBetween(anchor: number, row: number): { readonly first: number; readonly end: number } {
  return { first: Math.min(anchor, row), end: Math.max(anchor, row) + 1 };
}

/** The selected rows as last read. A missing row counts as deleted only if the whole list was read. */
export function refreshed(selected: SelectedRows, read: readonly GridRow[], total: number): SelectedRows {
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
