/** The keys of a grid: arrows, Page, Home and End move the active cell, or with Shift select rows. Others run commands. */

import { type KeyboardEvent, type RefObject, useState } from 'react';
import { useRowHeight } from '../../../state/density.js';
import { keysPressed } from '../../../state/shortcuts.js';
import type { GridColumn } from '../rows/grid-columns.js';
import { type GridLayout, moveColumn, scrollToColumn, setColumnWidth } from '../rows/grid-layout.js';
import { leaveRefusal } from '../rows/grid-refusal.js';
import { scrollToRow } from '../rows/grid-scroll.js';
import type { RowSelection } from '../rows/use-row-selection.js';

/** The header is inside the scrolled element, above the rows. */
export const HEAD_HEIGHT = 32;
const WIDER_PIXELS = 16;

/** The column is an index among the visible ones; the one after the last links to the proof. */
export interface ActiveCell {
  readonly row: number;
  readonly column: number;
}

interface KeyedGrid {
  readonly path: string;
  readonly columns: readonly GridColumn[];
  readonly layout: GridLayout;
  readonly selection: RowSelection;
  readonly onCopy: (cell: ActiveCell) => void;
  /** Opens the details of the row. */
  readonly onOpen: (cell: ActiveCell) => void;
  /** Closes the details, if they are open. */
  readonly onClose: (() => void) | undefined;
  /** `typed` is a key typed on the cell, which replaces the value. */
  readonly onEdit: (cell: ActiveCell, typed?: string) => void;
  readonly onDelete: (cell: ActiveCell) => void;
  /** A column was moved. */
  readonly onMoved: (title: string, place: number) => void;
}

export function useGridKeys(scroller: RefObject<HTMLDivElement | null>, rows: number, grid: KeyedGrid) {
  const rowHeight = useRowHeight();
  const [active, setActive] = useState<ActiveCell>({ row: -1, column: 0 });
  const columns = grid.layout.shown.length + 1;
  const scrollTo = (element: HTMLDivElement, { row, column }: ActiveCell): void => {
    const top = scrollToRow({ rows, rowHeight, viewport: viewportOf(element) }, row, element.scrollTop);
    if (top !== undefined) element.scrollTop = top;
    const left = scrollToColumn(grid.layout, column, { left: element.scrollLeft, width: element.clientWidth });
    if (left !== undefined) element.scrollLeft = left;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const element = scroller.current;
    if (element === null || rows === 0) return;
    if (event.target !== element) {
      // A clicked link has the focus. Ctrl+A selects rows there too.
      if (!(event.target instanceof HTMLAnchorElement) || keysPressed(event) !== 'Mod+A') return;
      grid.selection.all();
      event.preventDefault();
      return;
    }
    leaveRefusal();
    if (selectsRows(event, active, grid.selection) || runsCommand(event, element, active, grid)) {
      event.preventDefault();
      return;
    }
    if (movesColumn(event, active, grid)) {
      event.preventDefault();
      const column = active.column + (event.key === 'ArrowLeft' ? -1 : 1);
      setActive({ row: active.row, column });
      scrollTo(element, { row: active.row, column });
      return;
    }
    if (isLetter(event) && active.row >= 0) {
      event.preventDefault();
      grid.onEdit(active, event.key);
      return;
    }
    const isStretch = event.shiftKey && !/^Arrow(Left|Right)$/.test(event.key);
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.altKey || (event.shiftKey && !isStretch)) return;
    const viewport = viewportOf(element);
    const pageRows = Math.max(1, Math.floor(viewport / rowHeight) - 1);
    const next = isCommand ? CORNERS[event.key] : moved(active, event.key, pageRows);
    if (next === undefined) return;
    event.preventDefault();
    const row = Math.min(rows - 1, Math.max(0, next.row));
    const column = Math.min(columns - 1, Math.max(0, next.column));
    setActive({ row, column });
    if (isStretch) grid.selection.extendTo(row);
    else grid.selection.anchorAt(row);
    scrollTo(element, { row, column });
  };
  const activeId = active.row < 0 ? undefined : cellId(active.row, active.column);
  return { active, activeId, setActive, onKeyDown };
}

/** Whether the key types a character. AltGr types some, and sets Ctrl and Alt as well. */
function isLetter({ key, ctrlKey, metaKey, altKey, nativeEvent }: KeyboardEvent): boolean {
  if ([...key].length !== 1 || key === ' ' || metaKey || nativeEvent.isComposing) return false;
  return nativeEvent.getModifierState('AltGraph') || (!ctrlKey && !altKey);
}

function viewportOf(element: HTMLElement): number {
  return element.clientHeight - HEAD_HEIGHT;
}

/** Space toggles the row of the active cell, Ctrl+A selects all rows, Escape clears the selection. */
function selectsRows(event: KeyboardEvent, { row }: ActiveCell, selection: RowSelection): boolean {
  const { key } = event;
  if (key === ' ' && row >= 0) selection.toggle(row);
  else if (keysPressed(event) === 'Mod+A') selection.all();
  else if (key === 'Escape' && (selection.selected.rows.size > 0 || selection.isReading)) selection.none();
  else return false;
  return true;
}

/** Ctrl+Shift with an arrow moves the column of the active cell. */
function movesColumn(event: KeyboardEvent, { row, column }: ActiveCell, grid: KeyedGrid): boolean {
  const { key } = event;
  const isAsked = event.shiftKey && (event.ctrlKey || event.metaKey) && (key === 'ArrowLeft' || key === 'ArrowRight');
  const moved = grid.columns[grid.layout.shown[column] ?? -1];
  const to = column + (key === 'ArrowLeft' ? -1 : 1);
  if (!isAsked || row < 0 || moved === undefined || to < 0 || to >= grid.layout.shown.length) return false;
  moveColumn(grid.path, grid.columns, moved.id, to);
  grid.onMoved(moved.title, to);
  return true;
}

/**
 * Enter follows the link of the active cell or opens the details of its row, Escape closes them, F2 edits the cell, Delete stages the deletion of its row, Ctrl+C copies the cell, Shift
 * with an arrow sets the width, and the menu key opens the menu.
 */
function runsCommand(event: KeyboardEvent, element: HTMLElement, active: ActiveCell, grid: KeyedGrid): boolean {
  const cell = element.querySelector<HTMLElement>('[data-active="true"]');
  if (cell === null) return false;
  const { key } = event;
  if (key === 'Enter') {
    const link = cell.querySelector('a');
    if (link === null) grid.onOpen(active);
    else link.click();
    return true;
  }
  if (key === 'Escape' && grid.onClose !== undefined) {
    grid.onClose();
    return true;
  }
  if (key === 'F2') {
    grid.onEdit(active);
    return true;
  }
  if (key === 'Delete' || key === 'Backspace') {
    grid.onDelete(active);
    return true;
  }
  const pressed = keysPressed(event);
  if (pressed === 'Mod+C' && getSelection()?.isCollapsed !== false) {
    grid.onCopy(active);
    return true;
  }
  if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) {
    // An open menu would close at a key outside it, so the event stops here.
    event.stopPropagation();
    const { left, bottom } = cell.getBoundingClientRect();
    const place = { clientX: left, clientY: bottom, bubbles: true, cancelable: true };
    cell.dispatchEvent(new MouseEvent('contextmenu', place));
    return true;
  }
  if (event.shiftKey && !event.ctrlKey && !event.metaKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
    const column = grid.columns[grid.layout.shown[active.column] ?? -1];
    const change = key === 'ArrowLeft' ? -WIDER_PIXELS : WIDER_PIXELS;
    if (column !== undefined) setColumnWidth(grid.path, column.id, cell.offsetWidth + change);
    return true;
  }
  return false;
}

/** The targets of keys with Ctrl. */
const CORNERS: Readonly<Record<string, ActiveCell>> = {
  Home: { row: 0, column: 0 },
  End: { row: Number.MAX_SAFE_INTEGER, column: Number.MAX_SAFE_INTEGER },
};

function moved({ row, column }: ActiveCell, key: string, pageRows: number): ActiveCell | undefined {
  switch (key) {
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

/** The row of the body that contains the element. */
export function rowOf(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest('[role="row"]')?.getAttribute('aria-rowindex') : undefined;
  // The header is row 1.
  return row === undefined || row === null ? undefined : Number(row) - 2;
}

/** The cell of the body that contains the element. */
export function cellOf(target: EventTarget): ActiveCell | undefined {
  const id = target instanceof Element ? target.closest('[id^="cell-"]')?.id : undefined;
  const [, row, column] = id?.split('-').map(Number) ?? [];
  return row === undefined || column === undefined ? undefined : { row, column };
}

export function isInLink(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a[href]') !== null;
}
