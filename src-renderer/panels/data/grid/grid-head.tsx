/** The header of a grid: titles, types on hover, sorting by click, moving and sizing columns by dragging. */

// biome-ignore-all lint/a11y/useSemanticElements: browsers see no table in positioned rows, so the roles are explicit.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus for all of its cells.

import { clsx } from 'clsx';
import type { PointerEvent, ReactNode } from 'react';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { typeText } from '../../../model/facts/type-text.js';
import { type GridColumn, isNumeric } from '../rows/grid-columns.js';
import type { GridLayout } from '../rows/grid-layout.js';
import { setColumnWidth } from '../rows/grid-layout.js';
import { type ListState, listLocation, nextSort, sortKeys } from '../rows/list-state.js';
import { useColumnDrag } from './column-drag.js';
import { fitColumn } from './column-widths.js';
import { Frozen } from './frozen.js';
import styles from './grid.module.css';

interface GridHeadProps {
  readonly path: string;
  readonly columns: readonly GridColumn[];
  readonly layout: GridLayout;
  /** The number of frozen columns. */
  readonly frozen: number;
  readonly state: ListState;
}

export function GridHead({ path, columns, layout, frozen, state }: GridHeadProps) {
  const { drag, handlers } = useColumnDrag(path, columns);
  const head = (position: number, place: number): ReactNode => {
    const column = columns[position] as GridColumn;
    return (
      <span
        key={column.id}
        role="columnheader"
        aria-colindex={place + 2}
        className={isNumeric(column) ? clsx(styles.gridCell, styles.gridNumber) : styles.gridCell}
        aria-sort={sortOf(column, state.sort)}
        data-place={place}
        data-dragged={drag?.id === column.id}
        data-drop={dropAt(drag?.gap, place, layout.shown.length)}
        {...handlers(column.id, place)}
      >
        <ColumnTitle column={column} state={state} />
        <ColumnEdge path={path} id={column.id} />
      </span>
    );
  };
  return (
    <div className={styles.gridHead} role="row" aria-rowindex={1}>
      <Frozen columns={frozen}>
        <span role="columnheader" aria-colindex={1} className={styles.gridCell}>
          <span className="visually-hidden">origin</span>
        </span>
        {layout.shown.slice(0, frozen).map(head)}
      </Frozen>
      {layout.shown.slice(frozen).map((position, offset) => head(position, frozen + offset))}
      <span
        role="columnheader"
        aria-colindex={layout.shown.length + 2}
        className={clsx(styles.gridCell, styles.gridWhy)}
      >
        <span className="visually-hidden">proof</span>
      </span>
    </div>
  );
}

/** The side of a column where the dragged one would be dropped. */
function dropAt(gap: number | undefined, place: number, columns: number): 'before' | 'behind' | undefined {
  if (gap === place) return 'before';
  return gap === columns && place === columns - 1 ? 'behind' : undefined;
}

function ColumnTitle({ column, state }: { column: GridColumn; state: ListState }) {
  const navigate = useNavigate();
  const { sort, title } = column;
  if (sort === undefined) {
    return (
      <span className="cut" title={headTip(column)}>
        {title}
      </span>
    );
  }
  return (
    <button
      type="button"
      className={clsx('plain', styles.gridSort)}
      title={headTip(column)}
      onClick={({ shiftKey }) => void navigate(listLocation({ ...state, sort: nextSort(sort, state.sort, shiftKey) }))}
    >
      <span className="cut">{title}</span>
      <span aria-hidden className="numeric">
        {SORT_SIGNS[sortOf(column, state.sort)]}
        {placeOf(column, state.sort)}
      </span>
    </button>
  );
}

const SORT_SIGNS = { none: '', ascending: '↑', descending: '↓' };

function sortOf({ sort }: GridColumn, current: string | undefined): keyof typeof SORT_SIGNS {
  if (sort === undefined) return 'none';
  const keys = sortKeys(current);
  if (keys.includes(sort)) return 'ascending';
  return keys.includes(`-${sort}`) ? 'descending' : 'none';
}

/** The rank of the column among several sort keys, from 1. */
function placeOf({ sort }: GridColumn, current: string | undefined): string {
  const keys = sortKeys(current);
  const place = keys.findIndex((key) => key === sort || key === `-${sort}`);
  return keys.length < 2 || place < 0 ? '' : String(place + 1);
}

function headTip({ title, type, doc, sort }: GridColumn): string {
  const note =
    sort === undefined
      ? 'Read from a relation. Cannot be sorted or filtered.'
      : 'Click to sort. Shift+click to add it to the sort order.';
  return [`${title}: ${typeText(type)}`, doc, note, 'Drag to move the column, or press Ctrl+Shift+← or → in a cell.']
    .filter((line) => line !== undefined)
    .join('\n');
}

/** The edge of a header, which is dragged to set the width. Keys in the cells do the same. */
function ColumnEdge({ path, id }: { path: string; id: string }) {
  const start = useRef<{ readonly at: number; readonly width: number }>(undefined);
  const begin = (event: PointerEvent<HTMLSpanElement>): void => {
    const cell = event.currentTarget.parentElement;
    if (event.button !== 0 || cell === null) return;
    event.preventDefault();
    // The header would start to move the column.
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { at: event.clientX, width: cell.offsetWidth };
  };
  const drag = (event: PointerEvent): void => {
    const from = start.current;
    if (from !== undefined) setColumnWidth(path, id, from.width + event.clientX - from.at);
  };
  return (
    <span
      aria-hidden
      className={styles.gridEdge}
      title={
        'Drag to set the width, or press Shift+← or → in a cell.\nDouble-click to fit the content, again to reset.'
      }
      onPointerDown={begin}
      onPointerMove={drag}
      onLostPointerCapture={() => {
        start.current = undefined;
      }}
      onDoubleClick={({ currentTarget }) => {
        const cell = currentTarget.parentElement;
        if (cell !== null) fitColumn(path, id, cell);
      }}
    />
  );
}
