/** How wide the columns of a list are for what its first rows show in them. */

import { contentWidth, type Measure } from '../../../domain/result/content-width.js';
import { idLabel, plainText } from '../../../model/facts/labels.js';
import { decimalPadding, decimalPlaces } from '../../../model/text/decimal-places.js';
import type { GridColumn } from '../rows/grid-columns.js';
import type { GridRow } from '../rows/use-rows.js';

/** Beside a text, and the line at the end. */
const CELL_ROOM = 17;
/** In the head there is the sign of the order, too. */
const HEAD_ROOM = CELL_ROOM + 20;

/** By column; ids are as wide as they are. */
export function widthsOfContent(
  columns: readonly GridColumn[],
  rows: readonly GridRow[],
  measure: Measure,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    columns.flatMap((column, position) => {
      if (column.source.kind === 'id') return [];
      const head = contentWidth([column.title], HEAD_ROOM, measure);
      return [[column.id, Math.max(head, contentWidth(shownTexts(position, rows), CELL_ROOM, measure))] as const];
    }),
  );
}

/** With what decimals have behind their last digit, so that their points stand below one another. */
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
