/**
 * The visible rows of a grid. A row that scrolls into view reuses the elements of one that scrolled out: a browser styles and lays out
 * new elements several times as long as changed text.
 */

// biome-ignore-all lint/a11y/useSemanticElements: browsers see no table in positioned rows, so the roles are explicit.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus for all of its cells.

import { useDebouncedValue } from '@mantine/hooks';
import { clsx } from 'clsx';
import { memo, type ReactElement, type ReactNode, useCallback, useRef } from 'react';
import { idLabel } from '../../../model/facts/labels.js';
import { namesakes } from '../../../model/facts/namesakes.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { decimalPlaces } from '../../../model/text/decimal-places.js';
import { useRowHeight } from '../../../state/density.js';
import { Glyph } from '../../../ui/glyph.js';
import { ReferenceLabel, useLabels } from '../../../ui/reference-label.js';
import type { Staged } from '../edit/use-staged.js';
import type { GridColumn } from '../rows/grid-columns.js';
import { isNumeric } from '../rows/grid-columns.js';
import type { ColumnsInSight, GridLayout } from '../rows/grid-layout.js';
import { type ScrollWindow, slotsFrom } from '../rows/grid-scroll.js';
import { type ListState, listLocation } from '../rows/list-state.js';
import { rowKey } from '../rows/selected-rows.js';
import { type StagedByIndividual, stagedRowOf } from '../rows/staged.js';
import type { GridRow, GridRows } from '../rows/use-rows.js';
import { Frozen } from './frozen.js';
import styles from './grid.module.css';
import { GridCell } from './grid-cell.js';
import { type ActiveCell, cellId } from './grid-keys.js';

/** After this pause in scrolling the elements are sorted, so that rows are read and selected as text in order. */
const REST_MS = 200;

interface GridBodyProps {
  readonly columns: readonly GridColumn[];
  readonly layout: GridLayout;
  readonly across: ColumnsInSight;
  readonly inSight: ScrollWindow;
  readonly rows: GridRows;
  readonly index: ReadonlyMap<string, RelationInfo>;
  readonly state: ListState;
  readonly active: ActiveCell;
  /** By their keys. */
  readonly selected: ReadonlyMap<string, GridRow>;
  readonly staged: Staged;
}

export function GridBody(props: GridBodyProps) {
  const { columns, layout, across, inSight, rows, index, state, active, selected, staged } = props;
  const latest = useRef(state);
  latest.current = state;
  // The callback is stable, so that rows that stay visible do not render again.
  const list = JSON.stringify([state.path, state.sort, state.filters, state.find]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other addresses.
  const open = useCallback((id: string) => listLocation({ ...latest.current, individual: id }), [list]);
  const rowHeight = useRowHeight();
  const [turn] = useDebouncedValue(inSight.first % inSight.slots, REST_MS);
  const slots = slotsFrom(inSight, turn);
  const inSlots = slots.map(rows.row);
  const places = useDecimalPlaces(list, columns, inSlots);
  const marks = useGridMarks(columns, inSlots);
  return (
    <div role="rowgroup" className={styles.gridBody} style={{ height: inSight.height }}>
      {slots.map((at) => {
        const row = rows.row(at);
        return (
          <PlacedRow
            key={at % inSight.slots}
            at={at}
            top={inSight.top + (at - inSight.first) * rowHeight}
            row={row}
            columns={columns}
            places={places}
            marks={marks}
            shown={layout.shown}
            frozen={across.frozen}
            first={across.first}
            end={across.end}
            activeColumn={active.row === at ? active.column : -1}
            staged={row?.individual === undefined ? undefined : staged.byIndividual.get(row.individual)}
            isDeleted={row !== undefined && staged.deletions.has(stagedRowOf(row))}
            isSelected={row !== undefined && selected.has(rowKey(row))}
            isOpen={row !== undefined && isOpenBeside(row, state)}
            open={open}
            index={index}
          />
        );
      })}
    </div>
  );
}

interface RowProps {
  readonly at: number;
  readonly top: number;
  readonly row: GridRow | undefined;
  readonly columns: readonly GridColumn[];
  /** The decimal places of each column. */
  readonly places: readonly number[];
  readonly marks: ReadonlyMap<string, string>;
  /** Positions of the visible columns, and the range of them that is scrolled into view. */
  readonly shown: readonly number[];
  readonly frozen: number;
  readonly first: number;
  readonly end: number;
  /** -1 if the active cell is in another row. */
  readonly activeColumn: number;
  /** Staged values of the row's individual, by field. */
  readonly staged: ReturnType<StagedByIndividual['get']>;
  /** A deletion is staged. */
  readonly isDeleted: boolean;
  readonly isSelected: boolean;
  /** Its details are open beside the list. */
  readonly isOpen: boolean;
  readonly open: (id: string) => string;
  readonly index: ReadonlyMap<string, RelationInfo>;
}

const PlacedRow = memo(function PlacedRow({ at, top, row, isSelected, isOpen, ...cells }: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={at + 2}
      aria-selected={isSelected}
      aria-current={isOpen}
      data-staged={cells.isDeleted ? 'delete' : row?.inserted === undefined ? undefined : 'insert'}
      className={styles.gridRow}
      style={{ transform: `translateY(${top}px)` }}
    >
      {row === undefined ? (
        <span role="gridcell" className={clsx(styles.gridCell, styles.gridWaiting)} aria-label="Loading" />
      ) : (
        <RowCells at={at} row={row} {...cells} />
      )}
    </div>
  );
});

/** The staged change of a whole row. */
const FATES = {
  insert: { word: 'new', title: 'to be inserted', glyph: 'added', isSeen: true },
  // Not shown beside the label, which is struck through.
  delete: { word: 'to delete', title: 'to be deleted', glyph: 'removed', isSeen: false },
} as const;

function looked(id: string): ReactElement {
  return <ReferenceLabel value={id} reference />;
}

type RowCellsProps = Omit<RowProps, 'top' | 'isSelected' | 'isOpen' | 'row'> & { readonly row: GridRow };

function RowCells(props: RowCellsProps) {
  const { at, row, columns, places, marks, shown, frozen, first, end, activeColumn, staged, open, index } = props;
  const fate = props.isDeleted ? FATES.delete : row.inserted === undefined ? undefined : FATES.insert;
  const cell = (position: number, place: number): ReactNode => {
    const column = columns[position] as GridColumn;
    const change = 'field' in column.source ? staged?.[column.source.field ?? ''] : undefined;
    return (
      <GridCell
        key={column.id}
        id={cellId(at, place)}
        place={place}
        // The cells before it are not rendered, so it needs its column.
        isPlaced={place === first && first > frozen}
        isActive={activeColumn === place}
        column={column}
        places={places[position] ?? 0}
        marks={marks}
        value={change === undefined ? (row.cells[position] ?? null) : change.next}
        isStaged={change !== undefined}
        fate={place === 0 ? fate : undefined}
        row={row}
        open={open}
        looked={looked}
        navigated={column.source.kind === 'navigation' ? index.get(column.source.relation) : undefined}
      />
    );
  };
  return (
    <>
      <Frozen columns={frozen}>
        <span
          role="gridcell"
          aria-colindex={1}
          className={clsx(styles.gridCell, styles.gridOrigin)}
          data-origin
          title={fate?.title ?? row.origin}
        >
          <Glyph kind={fate?.glyph ?? row.origin} label={fate?.title ?? row.origin} size={10} />
        </span>
        {shown.slice(0, frozen).map(cell)}
      </Frozen>
      {shown.slice(first, end).map((position, offset) => cell(position, first + offset))}
      <span
        id={cellId(at, shown.length)}
        role="gridcell"
        aria-colindex={shown.length + 2}
        data-active={activeColumn === shown.length}
        className={clsx(styles.gridCell, styles.gridWhy)}
      >
        {row.inserted === undefined && row.origin === 'derived' && (
          <a className="link" href={row.why} tabIndex={-1}>
            Why?
          </a>
        )}
      </span>
    </>
  );
}

function isOpenBeside({ individual, cells }: GridRow, state: ListState): boolean {
  if (individual !== undefined) return individual === state.individual;
  return state.fact !== undefined && JSON.stringify(cells) === JSON.stringify(state.fact);
}

/**
 * The most decimal places of any visible number, by column. They grow while scrolling and never shrink in the same list, so that
 * numbers do not move.
 */
function useDecimalPlaces(
  list: string,
  columns: readonly GridColumn[],
  rows: readonly (GridRow | undefined)[],
): readonly number[] {
  const seen = useRef({ list, columns, places: columns.map(() => 0) });
  if (seen.current.list !== list || seen.current.columns !== columns) {
    seen.current = { list, columns, places: columns.map(() => 0) };
  }
  const before = seen.current.places;
  const places = before.map((most, at) =>
    isNumeric(columns[at] as GridColumn)
      ? rows.reduce((least, row) => Math.max(least, decimalPlaces(row?.cells[at] ?? null)), most)
      : 0,
  );
  // An unchanged array keeps its identity, so that visible rows do not render again.
  if (places.some((each, at) => each !== before[at])) seen.current = { list, columns, places };
  return seen.current.places;
}

/** Marks of namesakes by id. An unchanged map keeps its identity, so that visible rows do not render again. */
function useGridMarks(
  columns: readonly GridColumn[],
  rows: readonly (GridRow | undefined)[],
): ReadonlyMap<string, string> {
  const { markOf } = useLabels();
  const kept = useRef<ReadonlyMap<string, string>>(new Map());
  const alike = namesakes(rows.flatMap((row) => (row === undefined ? [] : namesIn(columns, row))));
  const marks = [...alike].map((id) => [id, markOf(id)] as const);
  const isSame = marks.length === kept.current.size && marks.every(([id, mark]) => kept.current.get(id) === mark);
  if (!isSame) kept.current = new Map(marks);
  return kept.current;
}

/** The labels of the individuals in a row, its own first. */
function namesIn(
  columns: readonly GridColumn[],
  { cells, labels, individual }: GridRow,
): (readonly [string, string])[] {
  const names: (readonly [string, string])[] = [];
  columns.forEach(({ source, type }, position) => {
    const value = cells[position];
    if (source.kind === 'individual') {
      if (individual !== undefined) names.push([individual, String(value)]);
    } else if (source.kind !== 'id' && (type.kind === 'list' ? type.of : type).kind === 'class') {
      for (const id of Array.isArray(value) ? value : [value]) {
        if (typeof id === 'string') names.push([id, labels[id] ?? idLabel(id)]);
      }
    }
  });
  return names;
}
