/** A virtual list of rows whose heights differ. Pages load while scrolling; arrow keys move between the first controls of the rows. */

import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import styles from './row-scroll.module.css';
import { useRowVirtualizer } from './use-row-virtualizer.js';

/** Rows beyond the viewport that are loaded ahead. */
const AHEAD_ROWS = 100;

interface RowScrollProps<Row> {
  /** Accessible name of the list; absent if its surroundings name it. */
  readonly label?: string;
  /** Loaded rows in order. */
  readonly rows: readonly Row[];
  /** Including those not loaded yet; they have their places from the start. */
  readonly count: number;
  readonly keyOf: (row: Row) => string | number;
  /** Typical height beyond that of a row of text, in pixels. */
  readonly extraHeight?: number;
  /** Undefined while loading, or if no more can be loaded. */
  readonly onMore: (() => void) | undefined;
  /** Index of a row to bring into view when it changes. */
  readonly wanted?: number | undefined;
  readonly renderRow: (row: Row) => ReactNode;
  /** Placeholder of a row that is not loaded yet. */
  readonly placeholder?: ReactNode;
  /** Content below the last row. */
  readonly children?: ReactNode;
}

export function RowScroll<Row>(props: RowScrollProps<Row>) {
  const { label, rows, count, keyOf, extraHeight = 0, onMore, wanted = -1, renderRow, placeholder, children } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const keyAt = (index: number): string | number => {
    const row = rows[index];
    return row === undefined ? index : keyOf(row);
  };
  // Before a row is loaded it has no key, so heights are then cached by index.
  const isWhole = placeholder === undefined;
  const virtualizer = useRowVirtualizer({ count, scroller, extraHeight, ...(isWhole && { keyOf: keyAt }) });
  const items = virtualizer.getVirtualItems();
  const isNear = (items.at(-1)?.index ?? 0) + AHEAD_ROWS >= rows.length;
  useEffect(() => {
    if (isNear) onMore?.();
  }, [isNear, onMore]);
  useEffect(() => {
    if (wanted >= 0) virtualizer.scrollToIndex(wanted, { align: 'auto' });
  }, [wanted, virtualizer]);

  // Row to focus once it is rendered.
  const next = useRef<number>(undefined);
  const focusNext = (): void => {
    if (next.current === undefined) return;
    // Stop if the user moved the focus elsewhere. A row that scrolled away leaves the focus on the body.
    const { activeElement, body } = document;
    if (activeElement !== body && scroller.current?.contains(activeElement) !== true) {
      next.current = undefined;
      return;
    }
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${next.current}"]`);
    // Rows loaded in the meantime are taller than estimated and moved it.
    if (row === null) virtualizer.scrollToIndex(next.current);
    const control = row && firstControl(row);
    (control ?? row)?.focus({ preventScroll: true });
    if (control) next.current = undefined;
  };
  // Keeps the row reached by keyboard in view while row heights are measured, until the user scrolls.
  const isFollowed = useRef(false);
  const follow = (): void => {
    const { activeElement } = document;
    // The row that the focus is leaving must not pull the list back.
    if (!isFollowed.current || next.current !== undefined) return;
    if (scroller.current?.contains(activeElement) !== true) return;
    activeElement?.closest('[data-index]')?.scrollIntoView({ block: 'nearest' });
  };
  useLayoutEffect(() => {
    focusNext();
    follow();
  });
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const row = (event.target as Element).closest<HTMLElement>('[data-index]');
    if (row === null || event.ctrlKey || event.metaKey || event.altKey) return;
    // The expanded content of a row has its own keys.
    if (event.target !== row && event.target !== firstControl(row)) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / row.offsetHeight) - 1);
    const index = indexAfter(event.key, Number(row.dataset['index']), page, count);
    if (index === undefined) return;
    event.preventDefault();
    next.current = index;
    isFollowed.current = true;
    virtualizer.scrollToIndex(index);
    focusNext();
  };
  const leave = (): void => {
    next.current = undefined;
    isFollowed.current = false;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows inside have the focus.
    <div className={styles.rowScroller} ref={scroller} onKeyDown={move} onPointerDown={leave} onWheel={leave}>
      <ul className={styles.rows} aria-label={label} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          return (
            <li
              key={keyAt(index)}
              ref={virtualizer.measureElement}
              className={styles.rowItem}
              style={{ transform: `translateY(${start}px)` }}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={count}
              {...(row === undefined && { tabIndex: -1, 'aria-busy': true })}
            >
              {row === undefined ? placeholder : renderRow(row)}
            </li>
          );
        })}
      </ul>
      {children}
    </div>
  );
}

function firstControl(row: HTMLElement): HTMLElement | null {
  return row.querySelector<HTMLElement>('a, button');
}

/** Undefined for keys that do not move. */
function indexAfter(key: string, index: number, page: number, count: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: count - 1,
  };
  const wanted = moves[key];
  return wanted === undefined ? undefined : Math.min(Math.max(wanted, 0), count - 1);
}
