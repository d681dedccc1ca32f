/** A virtual list box with one selected row and one tab stop. */

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './choice-list.module.css';
import { useRowVirtualizer } from './use-row-virtualizer.js';

interface ChoiceListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Key of the selected row. */
  readonly selected: string | number | undefined;
  readonly onChoose: (row: Row) => void;
  readonly renderRow: (row: Row) => ReactNode;
  /** Class of each row. */
  readonly className: string | undefined;
  /** Extra row height in pixels. */
  readonly extraHeight?: number;
  /** Called near the last row; absent if there are no more rows. */
  readonly onEnd?: (() => void) | undefined;
}

/** Loads more when this many rows are left below the viewport. */
const ROWS_AHEAD = 20;

export function ChoiceList<Row>(props: ChoiceListProps<Row>) {
  const { label, rows, keyOf, selected, onChoose, renderRow, className, extraHeight, onEnd } = props;
  const listId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const keyAt = (index: number): string | number => {
    const row = rows[index];
    return row === undefined ? index : keyOf(row);
  };
  const virtualizer = useRowVirtualizer({
    count: rows.length,
    scroller,
    overscan: 20,
    keyOf: keyAt,
    ...(extraHeight !== undefined && { extraHeight }),
  });
  const selectedIndex = rows.findIndex((row) => keyOf(row) === selected);
  // Only a choice scrolls: rows that come in on top must not pull the list along.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    if (selectedIndex >= 0) virtualizer.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [selected]);
  const items = virtualizer.getVirtualItems();
  const lastInView = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastInView >= rows.length - ROWS_AHEAD) onEnd?.();
  }, [lastInView, rows.length, onEnd]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = targetOf(event.key, selectedIndex, rows.length);
    const row = target === undefined ? undefined : rows[target];
    if (row === undefined) return;
    event.preventDefault();
    onChoose(row);
  };

  return (
    <div className={styles.choiceScroller} ref={scroller}>
      <div
        role="listbox"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={selectedIndex < 0 ? undefined : `${listId}${selected}`}
        className={styles.choiceRows}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself handles the keys.
            // biome-ignore lint/a11y/useFocusableInteractive: the list is the one tab stop; this is its active descendant.
            <div
              key={key}
              id={`${listId}${keyOf(row)}`}
              role="option"
              aria-selected={index === selectedIndex}
              aria-setsize={onEnd === undefined ? rows.length : -1}
              aria-posinset={index + 1}
              className={className}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => onChoose(row)}
            >
              {renderRow(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function targetOf(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(count - 1, index + 1);
    case 'ArrowUp':
      return Math.max(0, index - 1);
    case 'PageDown':
      return Math.min(count - 1, index + 10);
    case 'PageUp':
      return Math.max(0, index - 10);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
