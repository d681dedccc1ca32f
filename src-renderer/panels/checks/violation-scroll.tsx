/** The violations of one check as one list, however many they are: rows are loaded as they come into sight, and each has its place from the beginning. */

import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import type { Firing } from '../../../src-runtime/api/schemas/schemas.js';
import { useRowVirtualizer } from '../../ui/use-row-virtualizer.js';
import { violationKey } from './unseen.js';

/** Rows this near to what is in sight are loaded too, so that who turns the wheel finds them there. */
const AHEAD_ROWS = 100;

interface ViolationScrollProps {
  /** Those that are loaded, in order. */
  readonly violations: readonly Firing[];
  /** With those that are still to be loaded. */
  readonly count: number;
  /** Undefined while more is being loaded already, or cannot be. */
  readonly onMore: (() => void) | undefined;
  readonly renderRow: (violation: Firing) => ReactNode;
  /** What stands below the last. */
  readonly children: ReactNode;
}

export function ViolationScroll({ violations, count, onMore, renderRow, children }: ViolationScrollProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRowVirtualizer({ count, scroller });
  const items = virtualizer.getVirtualItems();
  const isNear = violations.length < count && (items.at(-1)?.index ?? 0) + AHEAD_ROWS >= violations.length;
  useEffect(() => {
    if (isNear) onMore?.();
  }, [isNear, onMore]);

  // Where the focus is to go, until there is a row that can have it.
  const wanted = useRef<number>(undefined);
  const focusWanted = (): void => {
    if (wanted.current === undefined) return;
    // Whoever has gone elsewhere meanwhile stays there. A row that went out of sight leaves the focus to the page.
    const { activeElement, body } = document;
    if (activeElement !== body && scroller.current?.contains(activeElement) !== true) {
      wanted.current = undefined;
      return;
    }
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    // Rows that were loaded meanwhile are higher than was reckoned with, and have pushed it away.
    if (row === null) virtualizer.scrollToIndex(wanted.current);
    const link = row?.querySelector('a');
    (link ?? row)?.focus({ preventScroll: true });
    if (link) wanted.current = undefined;
  };
  // Until one scrolls by other means, the row that a key has led to is in sight, however high those around it turn out to be.
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
    <div className="firing-scroller" ref={scroller} onKeyDown={move} onPointerDown={leave} onWheel={leave}>
      <ul className="firing-rows" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const violation = violations[index];
          return (
            <li
              key={violation === undefined ? index : violationKey(violation)}
              ref={virtualizer.measureElement}
              className="firing-item"
              style={{ transform: `translateY(${start}px)` }}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={count}
              {...(violation === undefined && { tabIndex: -1, 'aria-busy': true })}
            >
              {violation === undefined ? <div className="row firing-row dim">…</div> : renderRow(violation)}
            </li>
          );
        })}
      </ul>
      {children}
    </div>
  );
}

/** Undefined where the key is none that moves, or leads nowhere. */
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
