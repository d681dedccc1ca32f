/** Where the columns of a grid stand: which are shown, in which order, how wide each is, and which of them are in sight. */

import { createKeptStore, isRecordOf } from '../../../state/store.js';
import { type GridColumn, widthOf } from './grid-columns.js';

const ORIGIN_WIDTH = 28;
const WHY_WIDTH = 56;
const WIDTH_MIN = 48;
const WIDTH_MAX = 960;

/** How somebody wants the columns of one list; what is not said is as their content has it. */
export interface ColumnChoice {
  /** In pixels, by column. */
  readonly widths: Readonly<Record<string, number>>;
  /** Columns that are not shown. */
  readonly hidden: readonly string[];
  /** Columns in the order that somebody gave them; any other stands behind the one that it stands behind in the list. */
  readonly order?: readonly string[];
  /** How many of the columns that are shown stay in sight as one goes sideways; the first alone unless somebody says so. */
  readonly frozen?: number;
}

export const NO_CHOICE: ColumnChoice = { widths: {}, hidden: [] };

/** By the path of the list. */
export const columnChoices = createKeptStore(
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

/** Back to what its content has it. */
export function forgetColumnWidth(path: string, id: string): void {
  changeColumns(path, ({ widths: { [id]: _, ...widths }, ...choice }) => ({ ...choice, widths }));
}

/** `to` is counted among the columns that are shown; what is hidden stays behind the column that it stands behind. */
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

/** The ids of all columns, hidden ones too, as they stand. A column that is new to the order follows its neighbour. */
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

/** Up to a place among those that are shown, which is not among them itself. */
export function freezeColumns(path: string, frozen: number): void {
  changeColumns(path, (choice) => ({ ...choice, frozen }));
}

export interface GridLayout {
  /** Positions of the columns that are shown, in the order in which they stand. */
  readonly shown: readonly number[];
  /** Where each of them begins, and behind the last where it ends, if all are as narrow as they may be. */
  readonly edges: readonly number[];
  /** For `grid-template-columns`: the same for the head and each row, so that they stand in columns. */
  readonly template: string;
  readonly minWidth: number;
  /** How many columns are wanted to stay in sight; the last never is one of them. */
  readonly frozen: number;
}

/** Widths for what stands in the columns, by column; what is not known yet is as the types have it. */
export type ContentWidths = Readonly<Record<string, number>>;

/** A width that somebody chose stays; the others have their part of the room there is. */
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
    const selected = widths[column.id];
    const width = selected ?? content[column.id] ?? widthOf(column);
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

/** How much beside what is in sight is drawn too, so that it is there as one scrolls. */
const MARGIN = 160;

/** What of the width of a grid is in sight. */
export interface Sideways {
  readonly left: number;
  readonly width: number;
}

/** The other columns are scrolled in the rest. */
const FROZEN_PART = 0.6;

/** How many columns stay where they are: none where all fit, and never so many that there is no room for the others. */
function frozenIn({ edges, minWidth, frozen }: GridLayout, { width }: Sideways): number {
  if (minWidth <= width) return 0;
  let fitting = frozen;
  while (fitting > 0 && (edges[fitting] ?? 0) > width * FROZEN_PART) fitting--;
  return fitting;
}

/** The shown columns before `frozen`, and from `first` to before `end`, are drawn; all, where they fit. */
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

/** How far to scroll so that a shown column is in sight; undefined where it is. What leads to the proof always is. */
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
