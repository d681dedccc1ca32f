/** Selection of grid rows: single, range, or all, which may have to be loaded first. */

import { notifications } from '@mantine/notifications';
import { useEffect, useMemo, useRef, useState } from 'react';
import { notifyFailure } from '../../../domain/failure/notify-failure.js';
import { numberText } from '../../../model/text/count-text.js';
import type { ListState } from './list-state.js';
import {
  NONE_SELECTED,
  refreshed,
  SELECTED_MAX,
  type SelectedRows,
  selectedOf,
  stretchBetween,
  toggled,
} from './selected-rows.js';
import type { GridRow, GridRows } from './use-rows.js';

export interface RowSelection {
  readonly selected: SelectedRows;
  /** Selected rows are being loaded. */
  readonly isReading: boolean;
  /** The anchor of the range. */
  anchorAt(row: number): void;
  toggle(row: number): void;
  only(row: number): void;
  /** Selects exactly the range from the anchor to here. */
  extendTo(row: number): void;
  all(): void;
  none(): void;
}

export function useRowSelection(rows: GridRows, { filters, find, sort }: ListState): RowSelection {
  const [kept, setKept] = useState<SelectedRows>(NONE_SELECTED);
  const [isReading, setReading] = useState(false);
  const anchor = useRef(0);
  // The last request wins, regardless of the order of responses.
  const asked = useRef(0);
  const total = rows.total ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes whenever rows are loaded.
  const selected = useMemo(
    () => refreshed(kept, kept.rows.size === 0 ? [] : rows.readSoFar(), total),
    [kept, rows.readAt, total],
  );
  const set = (next: SelectedRows): void => {
    asked.current += 1;
    setReading(false);
    setKept(next);
  };
  const list = JSON.stringify([filters, find]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other rows.
  useEffect(() => setKept(NONE_SELECTED), [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another sort order changes which rows are in a range.
  useEffect(() => {
    anchor.current = 0;
  }, [list, sort]);
  const read = async (first: number, end: number): Promise<void> => {
    asked.current += 1;
    const own = asked.current;
    setReading(true);
    try {
      const stretch = await rows.stretch(first, end);
      if (asked.current === own) setKept(selectedOf(stretch));
    } catch (error) {
      if (asked.current === own) notifyFailure('Loading failed', error);
    } finally {
      if (asked.current === own) setReading(false);
    }
  };
  const at = (row: number, change: (row: GridRow) => SelectedRows): void => {
    anchor.current = row;
    const found = rows.row(row);
    if (found !== undefined) set(change(found));
  };
  return {
    selected,
    isReading,
    anchorAt(row) {
      anchor.current = row;
    },
    toggle: (row) => at(row, (found) => toggled(selected, found)),
    only: (row) => at(row, (found) => selectedOf([found])),
    extendTo(row) {
      const { first, end } = stretchBetween(anchor.current, row);
      if (end - first > SELECTED_MAX) tellTooMany(end - first);
      else void read(first, end);
    },
    all() {
      if (total <= SELECTED_MAX) void read(0, total);
      else set(selectedOf(rows.readSoFar().slice(0, SELECTED_MAX), total));
    },
    none: () => set(NONE_SELECTED),
  };
}

function tellTooMany(rows: number): void {
  notifications.show({
    title: 'Too many rows',
    message: `You can select ${numberText(SELECTED_MAX)} of ${numberText(rows)} rows. Filter the list, or export all of it.`,
  });
}
