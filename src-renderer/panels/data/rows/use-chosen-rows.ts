/** Selection of grid rows: single, range, or all, which may have to be loaded first. */

import { notifications } from '@mantine/notifications';
import { useEffect, useMemo, useRef, useState } from 'react';
import { tellFailure } from '../../../domain/failure/tell-failure.js';
import { numberText } from '../../../model/text/count-text.js';
import {
  CHOSEN_MAX,
  type ChosenRows,
  chosenOf,
  NONE_CHOSEN,
  refreshed,
  stretchBetween,
  toggled,
} from './chosen-rows.js';
import type { ListState } from './list-state.js';
import type { GridRow, GridRows } from './use-rows.js';

export interface RowChoice {
  readonly chosen: ChosenRows;
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

export function useChosenRows(rows: GridRows, { filters, find, sort }: ListState): RowChoice {
  const [kept, setKept] = useState<ChosenRows>(NONE_CHOSEN);
  const [isReading, setReading] = useState(false);
  const anchor = useRef(0);
  // The last request wins, regardless of the order of responses.
  const asked = useRef(0);
  const total = rows.total ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has been read is another whenever it says so.
  const chosen = useMemo(
    () => refreshed(kept, kept.rows.size === 0 ? [] : rows.readSoFar(), total),
    [kept, rows.readAt, total],
  );
  const set = (next: ChosenRows): void => {
    asked.current += 1;
    setReading(false);
    setKept(next);
  };
  const list = JSON.stringify([filters, find]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other rows to choose from.
  useEffect(() => setKept(NONE_CHOSEN), [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another order other rows stand between two.
  useEffect(() => {
    anchor.current = 0;
  }, [list, sort]);
  const read = async (first: number, end: number): Promise<void> => {
    asked.current += 1;
    const own = asked.current;
    setReading(true);
    try {
      const stretch = await rows.stretch(first, end);
      if (asked.current === own) setKept(chosenOf(stretch));
    } catch (error) {
      if (asked.current === own) tellFailure('Loading failed', error);
    } finally {
      if (asked.current === own) setReading(false);
    }
  };
  const at = (row: number, change: (row: GridRow) => ChosenRows): void => {
    anchor.current = row;
    const found = rows.row(row);
    if (found !== undefined) set(change(found));
  };
  return {
    chosen,
    isReading,
    anchorAt(row) {
      anchor.current = row;
    },
    toggle: (row) => at(row, (found) => toggled(chosen, found)),
    only: (row) => at(row, (found) => chosenOf([found])),
    extendTo(row) {
      const { first, end } = stretchBetween(anchor.current, row);
      if (end - first > CHOSEN_MAX) tellTooMany(end - first);
      else void read(first, end);
    },
    all() {
      if (total <= CHOSEN_MAX) void read(0, total);
      else set(chosenOf(rows.readSoFar().slice(0, CHOSEN_MAX), total));
    },
    none: () => set(NONE_CHOSEN),
  };
}

function tellTooMany(rows: number): void {
  notifications.show({
    title: 'Too many rows',
    message: `You can select ${numberText(CHOSEN_MAX)} of ${numberText(rows)} rows. Filter the list, or export all of it.`,
  });
}
