/** Widths of columns in pixels: for the content of the first rows, and fitted to what is visible. */

import { contentWidth, type Measure } from '../../../domain/result/content-width.js';
import { idLabel, plainText } from '../../../model/facts/labels.js';
import { decimalPadding, decimalPlaces } from '../../../model/text/decimal-places.js';
import type { GridColumn } from '../rows/grid-columns.js';
import { columnChoices, forgetColumnWidth, setColumnWidth } from '../rows/grid-layout.js';
import type { GridRow } from '../rows/use-rows.js';

/** Padding and border of a cell. */
const CELL_PADDING = 17;
/** A header also has the sort sign. */
const HEAD_PADDING = CELL_PADDING + 20;

/** By column. Ids have a fixed width. */
export function widthsOfContent(
  columns: readonly GridColumn[],
  rows: readonly GridRow[],
  measure: Measure,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    columns.flatMap((column, position) => {
      if (column.source.kind === 'id') return [];
      const head = contentWidth([column.title], HEAD_PADDING, measure);
      return [[column.id, Math.max(head, contentWidth(shownTexts(position, rows), CELL_PADDING, measure))] as const];
    }),
  );
}

/** With padding after the last digit of decimals, whose points are aligned. */
function shownTexts(position: number, rows: readonly GridRow[]): readonly string[] {
  const values = rows.map(({ cells }) => cells[position] ?? null);
  const places = Math.max(0, ...values.map(decimalPlaces));
  return rows.map(({ labels }, at) => {
    const value = values[at] ?? null;
    if (value === null) return '–';
    const items = Array.isArray(value) ? value : [value];
    const texts = items.map((item) => (typeof item === 'string' ? (labels[item] ?? shownText(item)) : plainText(item)));
    return `${texts.join(', ')}${decimalPadding(value, places)}`;
  });
}

function shownText(text: string): string {
  return /^[#@]/.test(text) ? idLabel(text) : plainText(text);
}

/** Fits a column to its visible cells. If it has that width already, resets it to the width of its content. */
export function fitColumn(path: string, id: string, cell: Element): void {
  const width = fittingWidth(cell);
  if (width === undefined) return;
  const before = columnChoices.get()[path]?.widths[id];
  setColumnWidth(path, id, width);
  if (columnChoices.get()[path]?.widths[id] === before) forgetColumnWidth(path, id);
}

/** The width for the column of `cell`, which is in the header or the body; undefined if no cell shows anything. */
function fittingWidth(cell: Element): number | undefined {
  const index = cell.getAttribute('aria-colindex');
  const cells = [...(cell.closest('[role="grid"]')?.querySelectorAll(`[aria-colindex="${index}"]`) ?? [])];
  const widths = cells.map(uncutWidth).filter((width) => width > 0);
  return widths.length === 0 ? undefined : Math.ceil(Math.max(...widths)) + CELL_PADDING;
}

/** Measures a copy without limits: a cut text takes no room in the cell itself. */
function uncutWidth(cell: Element): number {
  const copy = cell.cloneNode(true) as HTMLElement;
  copy.removeAttribute('id');
  for (const inner of [copy, ...copy.querySelectorAll<HTMLElement>('*')]) {
    inner.style.setProperty('max-width', 'none');
    inner.style.setProperty('overflow', 'visible');
  }
  copy.style.setProperty('position', 'absolute');
  copy.style.setProperty('visibility', 'hidden');
  copy.style.setProperty('width', 'max-content');
  copy.style.setProperty('padding', '0');
  cell.parentElement?.append(copy);
  const { width } = copy.getBoundingClientRect();
  copy.remove();
  return width;
}
