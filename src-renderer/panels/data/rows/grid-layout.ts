/** Column layout of a grid: visibility, order, width, and virtual scrolling. */

import { ownValue } from '../../../state/own-value.js';
import { createPersistentStore, isRecordOf } from '../../../state/store.js';
import { type GridColumn, widthOf } from './grid-columns.js';

const ORIGIN_WIDTH = 28;
const WHY_WIDTH = 56;
const WIDTH_MIN = 48;
const WIDTH_MAX = 960;

/** The user's column settings for a list; others depend on the content. */
export interface ColumnChoice {
  /** In pixels, by column. */
  readonly widths: Readonly<Record<string, number>>;
  /** Hidden columns. */
  readonly hidden: readonly string[];
  /** Column order; columns not listed follow their neighbour. */
  readonly order?: readonly string[];
  /** Number of frozen columns; 1 by default. */
  readonly frozen?: number;
}

export const NO_CHOICE: ColumnChoice = { widths: {}, hidden: [] };

/** By the path of the list. */
export const columnChoices = createPersistentStore(
  'entail.columns',
  {},
  (value): value is Record<string, ColumnChoice> => isRecordOf(value, isChoice),
  { isShared: true },
);

export function changeColumns(path: string, change: (choice: ColumnChoice) => ColumnChoice): void {
  columnChoices.update((all) => ({ ...all, [path]: change(all[path] ?? NO_CHOICE) }));
}

export function setColumnWidth(path: string, id: string, width: number): void {
  const wanted = Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width)));
  changeColumns(path, (choice) => ({ ...choice, widths: { ...choice.widths, [id]: wanted } }));
}

/** Resets to the default width. */
export function forgetColumnWidth(path: string, id: string): void {
  changeColumns(path, ({ widths: { [id]: _, ...widths }, ...choice }) => ({ ...choice, widths }));
}

/** `to` is an index among visible columns; hidden columns stay after their neighbour. */
export function moveColumn(path: string, columns: readonly GridColumn[], id: string, to: number): void {
  changeColumns(path, (choice) => {
    const all = orderOf(columns, choice);
    const shown = all.filter((each) => each === id || !choice.hidden.includes(each));
    const next = shown.filter((each) => each !== id)[to];
    const others = all.filter((each) => each !== id);
    const at = next === undefined ? others.length : others.indexOf(next);
    return { ...choice, order: [...others.slice(0, at), id, ...others.slice(at)] };
  });
}

/** Ids of all columns in order, including hidden ones. New columns follow their neighbour. */
export function orderOf(columns: readonly Pick<GridColumn, 'id'>[], { order = [] }: ColumnChoice): string[] {
  const ids = columns.map(({ id }) => id);
  const known = order.filter((id) => ids.includes(id));
  for (const [at, id] of ids.entries()) {
    if (known.includes(id)) continue;
    const before = ids[at - 1];
    known.splice(before === undefined ? 0 : known.indexOf(before) + 1, 0, id);
  }
  return known;
}

/** Freezes up to an index among visible columns. */
export function freezeColumns(path: string, frozen: number): void {
  changeColumns(path, (choice) => ({ ...choice, frozen }));
}

export interface GridLayout {
  /** Indices of the visible columns in order. */
  readonly shown: readonly number[];
  /** Start of each column, and the end of the last, at minimum widths. */
  readonly edges: readonly number[];
  /** For `grid-template-columns`, the same for header and rows, so that cells align. */
  readonly template: string;
  readonly minWidth: number;
  /** Number of frozen columns; never the last one. */
  readonly frozen: number;
}

/** Widths by column for known content; by type otherwise. */
export type ContentWidths = Readonly<Record<string, number>>;

/** A width set by the user is fixed; other columns share the remaining space. */
export function layoutOf(
  columns: readonly GridColumn[],
  choice: ColumnChoice,
  content: ContentWidths = {},
): GridLayout {
  const { widths, hidden, frozen = 1 } = choice;
  const positions = new Map(columns.map(({ id }, position) => [id, position]));
  const all = orderOf(columns, choice).map((id) => positions.get(id) as number);
  const wanted = all.filter((position) => !hidden.includes(columns[position]?.id ?? ''));
  const shown = wanted.length === 0 ? all : wanted;
  const edges = [ORIGIN_WIDTH];
  const parts: string[] = [];
  let end = ORIGIN_WIDTH;
  let isFixed = true;
  for (const position of shown) {
    const column = columns[position] as GridColumn;
    const selected = ownValue(widths, column.id);
    const width = selected ?? ownValue(content, column.id) ?? widthOf(column);
    parts.push(selected === undefined ? `minmax(${width}px, ${width}fr)` : `${width}px`);
    if (selected === undefined) isFixed = false;
    end += width;
    edges.push(end);
  }
  const why = isFixed ? `minmax(${WHY_WIDTH}px, 1fr)` : `${WHY_WIDTH}px`;
  return {
    shown,
    edges,
    template: `${ORIGIN_WIDTH}px ${parts.join(' ')} ${why}`,
    minWidth: end + WHY_WIDTH,
    frozen: Math.min(frozen, shown.length - 1),
  };
}

/** Overscan on both sides. */
const MARGIN = 160;

/** The horizontal viewport. */
export interface Sideways {
  readonly left: number;
  readonly width: number;
}

/** The other columns scroll in the rest. */
const FROZEN_PART = 0.6;

/** Number of columns that stay frozen: 0 if all columns fit, and limited so that others have space. */
function frozenIn({ edges, minWidth, frozen }: GridLayout, { width }: Sideways): number {
  if (minWidth <= width) return 0;
  let fitting = frozen;
  while (fitting > 0 && (edges[fitting] ?? 0) > width * FROZEN_PART) fitting--;
  return fitting;
}

/** The first `frozen` columns, and those from `first` to before `end`, are rendered; all if they fit. */
export interface ColumnsInSight {
  readonly frozen: number;
  readonly first: number;
  readonly end: number;
}

export function columnsInSight(layout: GridLayout, sideways: Sideways): ColumnsInSight {
  const { edges, minWidth, shown } = layout;
  const { left, width } = sideways;
  if (minWidth <= width) return { frozen: 0, first: 0, end: shown.length };
  const frozen = frozenIn(layout, sideways);
  let first = frozen;
  while (first < shown.length - 1 && (edges[first + 1] ?? 0) < left - MARGIN) first++;
  let end = first + 1;
  while (end < shown.length && (edges[end] ?? 0) < left + width + MARGIN) end++;
  return { frozen, first, end };
}

/** Scroll offset that makes a column visible; undefined if it is. The proof column always is. */
export function scrollToColumn(layout: GridLayout, at: number, sideways: Sideways): number | undefined {
  const { edges, shown } = layout;
  const { left, width } = sideways;
  const frozen = frozenIn(layout, sideways);
  if (at >= shown.length || at < frozen) return undefined;
  const [start = 0, end = 0] = [edges[at], edges[at + 1]];
  if (at === 0 && left > 0) return 0;
  const covered = frozen === 0 ? 0 : (edges[frozen] ?? 0);
  if (start < left + covered) return start - covered;
  return end > left + width - WHY_WIDTH ? Math.min(start, end - width + WHY_WIDTH) : undefined;
}

function isChoice(value: unknown): value is ColumnChoice {
  const { widths, hidden, order, frozen } = (value ?? {}) as Partial<Record<keyof ColumnChoice, unknown>>;
  return (
    isRecordOf(widths, (width) => typeof width === 'number') &&
    isIds(hidden) &&
    (order === undefined || isIds(order)) &&
    (frozen === undefined || (Number.isInteger(frozen) && (frozen as number) >= 0))
  );
}

function isIds(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((id) => typeof id === 'string');
}
