/** A grid over a list of any length and width. Only visible rows and columns are rendered, and only they are requested. */

// biome-ignore-all lint/a11y/useSemanticElements: browsers see no table in positioned rows, so the roles are explicit.

import { clsx } from 'clsx';
import {
  type CSSProperties,
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import type { ServedSchema } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { LoadFailure } from '../../../domain/failure/states.js';
import { measureOfPage, useFirstDefined } from '../../../domain/result/content-width.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { useRowHeight } from '../../../state/density.js';
import { useStore } from '../../../state/store.js';
import { copyValue } from '../../../ui/copy-value.js';
import { withInserted } from '../edit/staged-rows.js';
import type { Staged } from '../edit/use-staged.js';
import type { CellContent, GridColumn } from '../rows/grid-columns.js';
import {
  type ColumnsInSight,
  columnChoices,
  columnsInSight,
  type GridLayout,
  layoutOf,
  NO_CHOICE,
} from '../rows/grid-layout.js';
import { leaveRefusal } from '../rows/grid-refusal.js';
import { HEIGHT_MAX, scrollWindow } from '../rows/grid-scroll.js';
import { type ListState, listLocation } from '../rows/list-state.js';
import { type RowSelection, useRowSelection } from '../rows/use-row-selection.js';
import { type GridRow, type GridRows, useRows } from '../rows/use-rows.js';
import { useCellEditor } from './cell-editor.js';
import { widthsOfContent } from './column-widths.js';
import styles from './grid.module.css';
import { GridBody } from './grid-body.js';
import { GridHead } from './grid-head.js';
import { type ActiveCell, cellOf, HEAD_HEIGHT, isInLink, rowOf, useGridKeys } from './grid-keys.js';
import { GridMenu, MenuOfCells } from './grid-menu.js';
import { copySelected, SelectionBar } from './selection-bar.js';
import { deleteAt, deletionItem, useInserted } from './staged-in-grid.js';
import { usePaste } from './use-paste.js';

const OVERSCAN = 10;
/** The length of a block. */
const MEASURED_ROWS = 200;
/** Less than the height of the overscan rows. */
const STEP_PIXELS = 112;
/** Less than the width of the overscan columns. */
const SIDE_STEP_PIXELS = 64;

interface Scroll {
  readonly top: number;
  readonly viewport: number;
  readonly left: number;
  readonly width: number;
}

/** How much of a list is loaded. */
export interface Reading {
  /** Undefined while the total is not known. */
  readonly rows: number | undefined;
  /** The first rows are loading, or placeholder rows of another order or filter are shown. */
  readonly isUnderWay: boolean;
}

interface GridProps {
  readonly info: RelationInfo;
  readonly schema: ServedSchema;
  readonly columns: readonly GridColumn[];
  readonly index: ReadonlyMap<string, RelationInfo>;
  readonly state: ListState;
  readonly staged: Staged;
  readonly onReading: (reading: Reading) => void;
  /** Opens the sheet that removes these rows. */
  readonly onRemove: (rows: readonly GridRow[]) => void;
  /** Opens the form for a row like this one; undefined if rows cannot be added. */
  readonly onAddLike: ((row: GridRow) => void) | undefined;
  /** Edits a staged new row. */
  readonly onInserted: (row: GridRow) => void;
  /** A sheet is open beside the grid. */
  readonly isBeside: boolean;
}

export function Grid(props: GridProps) {
  const { info, schema, columns, index, state, staged, onReading, onRemove, onAddLike, onInserted, isBeside } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { scroll, setScroll, rowCount, inSight, stored, rows } = useRowsInSight(props);
  const isUnderWay = useReading(stored, onReading);
  useViewport(scroller, setScroll);
  useBackToTop(scroller, state);
  const details = useDetails(state);
  useFocusOfClosed(scroller, [details.isOpen, isBeside, staged.changes.length > 0]);
  const columnChoice = useStore(columnChoices)[info.path] ?? NO_CHOICE;
  const content = useContentWidths(props, stored);
  const layout = useMemo(() => layoutOf(columns, columnChoice, content), [columns, columnChoice, content]);
  const across = columnsInSight(layout, scroll);
  const selection = useRowSelection(rows, state);
  const [movedWords, setMovedWords] = useState('');
  const list = { info, schema, columns, layout, selected: selection.selected };
  const contentOf = contentsOf(columns, layout, rows);
  const copy = (cell: ActiveCell): void =>
    list.selected.rows.size > 0 ? void copySelected(list) : copyCell(contentOf(cell));
  const cellEditor = useCellEditor({ info, scroller, schema, staged, contentOf, inSight, layout, onInserted });
  const open = (cell: ActiveCell): void => details.open(contentOf(cell).row);
  const keys = useGridKeys(scroller, rowCount, {
    path: info.path,
    columns,
    layout,
    selection,
    onCopy: copy,
    onOpen: open,
    onClose: details.isOpen ? details.close : undefined,
    onEdit: cellEditor.edit,
    onDelete: (cell) => deleteAt(props, contentOf(cell).row, list.selected),
    onMoved: (title, place) => setMovedWords(`${title} is column ${place + 1} of ${layout.shown.length}`),
  });
  const onPaste = usePaste({ ...list, scroller, staged, rows, rowCount, active: keys.active });
  const clicks = useClicks({ keys, selection, onOpen: open, onEdit: cellEditor.edit });
  if (isUnread(rows)) return <LoadFailure error={rows.error} onRetry={rows.retry} />;
  return (
    <>
      <MenuOfCells
        onCell={keys.setActive}
        menu={(cell) => (
          <GridMenu
            {...{ columns, layout, state, onAddLike }}
            {...contentOf(cell)}
            onEdit={cellEditor.editOf(cell)}
            deletion={deletionItem(props, contentOf(cell).row)}
          />
        )}
      >
        <div
          className={rowCount === 0 ? clsx(styles.grid, styles.gridEmpty) : styles.grid}
          style={gridStyle(layout, across)}
          data-aside={scroll.left > 0}
          data-derived={info.kind !== 'concept' && info.kind !== 'stored' && info.kind !== 'field'}
          role="grid"
          aria-label="Rows"
          aria-rowcount={rowCount + 1}
          aria-colcount={layout.shown.length + 2}
          aria-busy={isUnderWay}
          aria-multiselectable
          aria-activedescendant={keys.activeId}
          ref={scroller}
          tabIndex={0}
          onKeyDown={keys.onKeyDown}
          onPaste={onPaste}
          onScroll={(event) => setScroll(settledScroll(event.currentTarget))}
          onMouseDown={onMouseDown}
          {...clicks}
        >
          <GridHead path={info.path} {...{ columns, layout, state }} frozen={across.frozen} />
          <GridBody
            active={keys.active}
            selected={list.selected.rows}
            staged={staged}
            {...{ columns, layout, across, inSight, rows, index, state }}
          />
        </div>
      </MenuOfCells>
      {cellEditor.editor}
      <SelectionBar {...list} {...{ selection, keys, onRemove }} />
      <span className="visually-hidden" aria-live="polite">
        {movedWords}
      </span>
    </>
  );
}

function contentsOf(columns: readonly GridColumn[], { shown }: GridLayout, rows: GridRows) {
  return ({ row, column }: ActiveCell): CellContent => {
    const position = shown[column] ?? -1;
    return { place: column, column: columns[position], row: rows.row(row), value: rows.row(row)?.cells[position] };
  };
}

/** The rows in view: staged new rows first, then stored ones. */
function useRowsInSight({ info, columns, state, staged }: GridProps) {
  const [scroll, setScroll] = useState<Scroll>({ top: 0, viewport: 600, left: 0, width: 0 });
  const [rowCount, setRowCount] = useState(0);
  const rowHeight = useRowHeight();
  const inSight = scrollWindow({ rows: rowCount, rowHeight, viewport: scroll.viewport }, scroll.top, OVERSCAN);
  const inserted = useInserted(info, columns, staged);
  const storedAt = (index: number): number => Math.max(0, index - inserted.length);
  const stored = useRows(info, columns, state, { first: storedAt(inSight.first), end: storedAt(inSight.end) });
  const rows = withInserted(stored, inserted);
  useEffect(() => setRowCount(rows.total ?? 0), [rows.total]);
  return { scroll, setScroll, rowCount, inSight, stored, rows };
}

/** Widths for the content of the first rows. They stay when the list is sorted or filtered. */
function useContentWidths({ columns }: GridProps, { isPending, isStale, total = 0, row }: GridRows) {
  return useFirstDefined(columns, () => {
    if (isPending || isStale || total === 0) return undefined;
    const rows = Array.from({ length: Math.min(total, MEASURED_ROWS) }, (_, at) => row(at) ?? []).flat();
    return widthsOfContent(columns, rows, measureOfPage());
  });
}

function isUnread({ error, total }: GridRows): boolean {
  return error !== undefined && total === undefined;
}

function gridStyle({ template, minWidth, edges }: GridLayout, { frozen }: ColumnsInSight): CSSProperties {
  // Where columns are frozen, all have their minimum width.
  const widths = edges.slice(0, frozen + 1).map((edge, at) => `${edge - (edges[at - 1] ?? 0)}px`);
  const variables = { '--grid-columns': template, '--grid-width': `${minWidth}px`, '--grid-frozen': widths.join(' ') };
  return variables as CSSProperties;
}

/** Reports how much of the list is loaded. Returns whether it is loading. */
function useReading({ total, isPending, isStale }: GridRows, onReading: (reading: Reading) => void): boolean {
  const isUnderWay = isPending || isStale;
  useEffect(() => onReading({ rows: total, isUnderWay }), [total, isUnderWay, onReading]);
  return isUnderWay;
}

/** The details beside the grid, which the URL names. */
function useDetails(state: ListState) {
  const navigate = useNavigate();
  const isOpen = state.individual !== undefined || state.fact !== undefined;
  return {
    isOpen,
    open(row: GridRow | undefined): void {
      const to = detailsLocation(state, row);
      // Browsing row by row leaves one entry in the history.
      if (to !== undefined) void navigate(to, { replace: isOpen });
    },
    close: (): void => void navigate(listLocation({ ...state, individual: undefined, fact: undefined })),
  };
}

/** The individual of the row, or its fact; undefined for a row that is loading or not stored yet. */
function detailsLocation(state: ListState, row: GridRow | undefined): string | undefined {
  if (row === undefined || row.inserted !== undefined) return undefined;
  const { individual, cells } = row;
  return listLocation({ ...state, individual, fact: individual === undefined ? cells : undefined });
}

function copyCell({ value }: CellContent): void {
  if (value !== undefined) void copyValue(value);
}

interface ClickedGrid {
  readonly keys: Pick<ReturnType<typeof useGridKeys>, 'active' | 'setActive'>;
  readonly selection: RowSelection;
  readonly onOpen: (cell: ActiveCell) => void;
  readonly onEdit: (cell: ActiveCell) => void;
}

/** A click opens the details of the row, a double click edits the cell. */
function useClicks({ keys, selection, onOpen, onEdit }: ClickedGrid) {
  const navigate = useNavigate();
  return {
    onClick(event: MouseEvent): void {
      // The first click may have moved the cells by opening the details, so the second one counts for the same cell.
      if (event.detail > 1) return;
      const cell = cellOf(event.target);
      if (cell !== undefined) keys.setActive(cell);
      if (selectsByClick(event, selection)) event.preventDefault();
      else if (isInLink(event.target)) followLink(event, navigate);
      else if (cell !== undefined && getSelection()?.isCollapsed !== false) onOpen(cell);
    },
    onDoubleClick({ target }: MouseEvent): void {
      if (!isInLink(target) && cellOf(target) !== undefined) onEdit(keys.active);
    },
  };
}

/** Shift extends the selection to this row, Ctrl toggles it, a click on its mark selects it alone. Any other click clears the selection. */
function selectsByClick({ target, shiftKey, ctrlKey, metaKey }: MouseEvent, selection: RowSelection): boolean {
  const row = rowOf(target);
  const isLink = isInLink(target);
  if (row === undefined) return false;
  if (shiftKey) selection.extendTo(row);
  // Ctrl+click on a link opens a tab, as everywhere.
  else if ((ctrlKey || metaKey) && !isLink) selection.toggle(row);
  else if (target instanceof Element && target.closest('[data-origin]') !== null) selection.only(row);
  else {
    selection.anchorAt(row);
    if (!isLink) selection.none();
    return false;
  }
  return true;
}

/** Hides the last refusal. A Shift+click selects rows, where a browser would select the text between. */
function onMouseDown(event: MouseEvent<HTMLElement>): void {
  leaveRefusal();
  if (!event.shiftKey || rowOf(event.target) === undefined) return;
  event.preventDefault();
  event.currentTarget.focus();
}

function useViewport(
  scroller: RefObject<HTMLDivElement | null>,
  setScroll: (change: (before: Scroll) => Scroll) => void,
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setScroll(settledScroll(element)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, setScroll]);
}

/** Renders in steps and not for every pixel, unless the list is too long to be scrolled pixel by pixel. */
function settledScroll(element: HTMLDivElement): (before: Scroll) => Scroll {
  const { scrollTop, scrollLeft, clientHeight, clientWidth, scrollHeight } = element;
  const step = scrollHeight >= HEIGHT_MAX ? 1 : STEP_PIXELS;
  const after: Scroll = {
    top: Math.floor(scrollTop / step) * step,
    viewport: clientHeight - HEAD_HEIGHT,
    left: scrollLeft > 0 ? Math.max(1, Math.floor(scrollLeft / SIDE_STEP_PIXELS) * SIDE_STEP_PIXELS) : 0,
    width: clientWidth,
  };
  return (before) => (isSameScroll(before, after) ? before : after);
}

function isSameScroll(one: Scroll, other: Scroll): boolean {
  return (
    one.top === other.top && one.viewport === other.viewport && one.left === other.left && one.width === other.width
  );
}

/** One listener for all links. The browser handles clicks that open a tab or window. */
function followLink(event: MouseEvent, navigate: (to: string) => unknown): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  if (link === null) return;
  event.preventDefault();
  void navigate(link.pathname + link.search);
}

/** Focuses the grid when the part that had the focus closes: an individual, a sheet or a bar. */
function useFocusOfClosed(scroller: RefObject<HTMLDivElement | null>, opened: readonly boolean[]): void {
  const before = useRef(opened);
  useEffect(() => {
    const isClosed = before.current.some((wasOpen, at) => wasOpen && opened[at] === false);
    before.current = opened;
    if (isClosed && document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  });
}

/** Scrolls to the top when the list changes. */
function useBackToTop(scroller: RefObject<HTMLDivElement | null>, { path, sort, filters, find }: ListState): void {
  const list = JSON.stringify([path, sort, filters, find]);
  const before = useRef(list);
  useEffect(() => {
    if (before.current === list) return;
    before.current = list;
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [scroller, list]);
}
