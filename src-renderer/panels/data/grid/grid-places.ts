/** How many decimal places the numbers of a grid's columns are given. */

import { useRef } from 'react';
import { decimalPlaces } from '../../../model/text/decimal-places.js';
import { type GridColumn, isNumeric } from '../rows/grid-columns.js';
import type { GridRow } from '../rows/use-rows.js';

/**
 * Of each column the most that a number of it had in sight. It grows as one scrolls and never shrinks while the list is the
 * same one, so that the numbers stay where they are.
 */
export function useDecimalPlaces(
  list: string,
  columns: readonly GridColumn[],
  rows: readonly (GridRow | undefined)[],
): readonly number[] {
  const seen = useRef({ list, columns, places: columns.map(() => 0) });
  if (seen.current.list !== list || seen.current.columns !== columns) {
    seen.current = { list, columns, places: columns.map(() => 0) };
  }
  const before = seen.current.places;
  const places = before.map((most, at) =>
    isNumeric(columns[at] as GridColumn)
      ? rows.reduce((least, row) => Math.max(least, decimalPlaces(row?.cells[at] ?? null)), most)
      : 0,
  );
  // What is the same stays the same, so that rows that stay in sight are not drawn again.
  if (places.some((each, at) => each !== before[at])) seen.current = { list, columns, places };
  return seen.current.places;
}
