/** The keys of a grid: arrows, Page, Home and End move one cell about, and Enter follows what stands in it. */

import { type KeyboardEvent, type RefObject, useState } from 'react';
import { useRowHeight } from '../data/density.js';
import { scrollToRow } from './grid-scroll.js';

/** The head stands over the rows inside of what scrolls. */
export const HEAD_HEIGHT = 32;

export interface ActiveCell {
  readonly row: number;
  readonly column: number;
}

export function useGridKeys(scroller: RefObject<HTMLDivElement | null>, rows: number, columns: number) {
  const rowHeight = useRowHeight();
  const [active, setActive] = useState<ActiveCell>({ row: -1, column: 0 });
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const element = scroller.current;
    if (element === null || rows === 0 || event.target !== element) return;
    if (event.key === 'Enter') {
      element.querySelector<HTMLAnchorElement>('[data-active="true"] a')?.click();
      return;
    }
    const viewport = element.clientHeight - HEAD_HEIGHT;
    const next = moved(active, event, Math.max(1, Math.floor(viewport / rowHeight) - 1));
    if (next === undefined) return;
    event.preventDefault();
    const row = Math.min(rows - 1, Math.max(0, next.row));
    setActive({ row, column: Math.min(columns - 1, Math.max(0, next.column)) });
    const top = scrollToRow({ rows, rowHeight, viewport }, row, element.scrollTop);
    if (top !== undefined) element.scrollTop = top;
  };
  const activeId = active.row < 0 ? undefined : cellId(active.row, active.column);
  return { active, activeId, onKeyDown };
}

function moved({ row, column }: ActiveCell, event: KeyboardEvent, pageRows: number): ActiveCell | undefined {
  switch (event.key) {
    case 'ArrowDown':
      return { row: row + 1, column };
    case 'ArrowUp':
      return { row: row - 1, column };
    case 'ArrowRight':
      return { row: Math.max(0, row), column: column + 1 };
    case 'ArrowLeft':
      return { row: Math.max(0, row), column: column - 1 };
    case 'PageDown':
      return { row: row + pageRows, column };
    case 'PageUp':
      return { row: row - pageRows, column };
    case 'Home':
      return { row: 0, column };
    case 'End':
      return { row: Number.MAX_SAFE_INTEGER, column };
    default:
      return undefined;
  }
}

export function cellId(row: number, column: number): string {
  return `cell-${row}-${column}`;
}
