/** A virtual list of violations. Pages load while scrolling, and every row has its final position from the start. */

import { clsx } from 'clsx';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { useRowVirtualizer } from '../../ui/use-row-virtualizer.js';
import styles from './checks.module.css';
import { violationKey } from './unseen.js';

/** Rows beyond the viewport that are loaded ahead. */
const AHEAD_ROWS = 100;

/** Of the line below each message that says since when. */
const SINCE_HEIGHT = 22;

interface ViolationScrollProps {
  /** Loaded violations in order. */
  readonly violations: readonly Firing[];
  /** Including those not loaded yet. */
  readonly count: number;
  /** Undefined while loading, or if no more can be loaded. */
  readonly onMore: (() => void) | undefined;
  readonly renderRow: (violation: Firing) => ReactNode;
  /** Content below the last row. */
  readonly children: ReactNode;
}

export function ViolationScroll({ violations, count, onMore, renderRow, children }: ViolationScrollProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRowVirtualizer({ count, scroller, extraHeight: SINCE_HEIGHT });
  const items = virtualizer.getVirtualItems();
  const isNear = violations.length < count && (items.at(-1)?.index ?? 0) + AHEAD_ROWS >= violations.length;
  useEffect(() => {
    if (isNear) onMore?.();
  }, [isNear, onMore]);

  // Row to focus once it is rendered.
  const wanted = useRef<number>(undefined);
  const focusWanted = (): void => {
    if (wanted.current === undefined) return;
    // Stop if the user moved the focus elsewhere. A row that scrolled away leaves the focus on the body.
    const { activeElement, body } = document;
    if (activeElement !== body && scroller.current?.contains(activeElement) !== true) {
      wanted.current = undefined;
      return;
    }
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    // Rows loaded in the meantime are taller than estimated and moved it.
    if (row === null) virtualizer.scrollToIndex(wanted.current);
    const link = row?.querySelector('a');
    (link ?? row)?.focus({ preventScroll: true });
    if (link) wanted.current = undefined;
  };
  // Keeps the row reached by keyboard in view while row heights are measured, until the user scrolls.
  const isFollowed = useRef(false);
  const follow = (): void => {
    const { activeElement } = document;
    if (!isFollowed.current || scroller.current?.contains(activeElement) !== true) return;
    activeElement?.closest('[data-index]')?.scrollIntoView({ block: 'nearest' });
  };
  useLayoutEffect(() => {
    focusWanted();
    follow();
  });
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const row = (event.target as Element).closest<HTMLElement>('[data-index]');
    if (row === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / row.offsetHeight) - 1);
    const next = indexAfter(event.key, Number(row.dataset['index']), page, count);
    if (next === undefined) return;
    event.preventDefault();
    wanted.current = next;
    isFollowed.current = true;
    virtualizer.scrollToIndex(next);
    focusWanted();
  };
  const leave = (): void => {
    wanted.current = undefined;
    isFollowed.current = false;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows inside have the focus.
    <div className={styles.firingScroller} ref={scroller} onKeyDown={move} onPointerDown={leave} onWheel={leave}>
      <ul className={styles.firingRows} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const violation = violations[index];
          return (
            <li
              key={violation === undefined ? index : violationKey(violation)}
              ref={virtualizer.measureElement}
              className={styles.firingItem}
              style={{ transform: `translateY(${start}px)` }}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={count}
              {...(violation === undefined && { tabIndex: -1, 'aria-busy': true })}
            >
              {violation === undefined ? (
                <div className={clsx('row', styles.firingRow, 'dim')}>…</div>
              ) : (
                renderRow(violation)
              )}
            </li>
          );
        })}
      </ul>
      {children}
    </div>
  );
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
