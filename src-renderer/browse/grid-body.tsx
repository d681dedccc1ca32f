/** The rows of a grid that are in sight, each placed where it belongs. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by hand are no table to a browser, so the roles are spelled out.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus for all of its cells.

import { memo, useCallback, useRef } from 'react';
import { Glyph } from '../components/glyph.js';
import { useRowHeight } from '../data/density.js';
import type { RelationInfo } from '../data/relation-index.js';
import type { GridLayout } from './grid.js';
import { GridCell, GridLink } from './grid-cell.js';
import { type GridColumn, isNumeric } from './grid-columns.js';
import { type ActiveCell, cellId } from './grid-keys.js';
import type { ScrollWindow } from './grid-scroll.js';
import { type ListState, listLocation } from './list-state.js';
import type { GridRow, GridRows } from './use-rows.js';

interface GridBodyProps {
  readonly columns: readonly GridColumn[];
  readonly layout: GridLayout;
  readonly inSight: ScrollWindow;
  readonly rows: GridRows;
  readonly index: ReadonlyMap<string, RelationInfo>;
  readonly state: ListState;
  readonly active: ActiveCell;
}

export function GridBody({ columns, layout, inSight, rows, index, state, active }: GridBodyProps) {
  const latest = useRef(state);
  latest.current = state;
  // Rows that stay in sight are not drawn again, so what they are given stays the same too.
  const list = JSON.stringify([state.path, state.sort, state.filters, state.find]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other addresses.
  const open = useCallback((id: string) => listLocation({ ...latest.current, individual: id }), [list]);
  const rowHeight = useRowHeight();
  const shown: number[] = [];
  for (let row = inSight.first; row < inSight.end; row++) shown.push(row);
  return (
    <div role="rowgroup" className="grid-body" style={{ height: inSight.height, minWidth: layout.minWidth }}>
      {shown.map((at) => {
        const row = rows.row(at);
        return (
          <PlacedRow
            key={at}
            at={at}
            top={inSight.top + (at - inSight.first) * rowHeight}
            row={row}
            columns={columns}
            layout={layout}
            activeColumn={active.row === at ? active.column : -1}
            isChosen={row?.individual !== undefined && row.individual === state.individual}
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
  readonly layout: GridLayout;
  /** -1 where the row has not the active cell. */
  readonly activeColumn: number;
  readonly isChosen: boolean;
  readonly open: (id: string) => string;
  readonly index: ReadonlyMap<string, RelationInfo>;
}

const PlacedRow = memo(function PlacedRow({ at, top, row, layout, isChosen, ...cells }: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={at + 2}
      aria-selected={isChosen}
      className="grid-row"
      style={{ ...layout, transform: `translateY(${top}px)` }}
    >
      {row === undefined ? (
        <span role="gridcell" className="grid-cell grid-waiting" aria-label="Loading" />
      ) : (
        <RowCells at={at} row={row} {...cells} />
      )}
    </div>
  );
});

type RowCellsProps = Omit<RowProps, 'top' | 'layout' | 'isChosen' | 'row'> & { readonly row: GridRow };

function RowCells({ at, row, columns, activeColumn, open, index }: RowCellsProps) {
  return (
    <>
      <span role="gridcell" className="grid-cell grid-origin" title={row.origin}>
        <Glyph kind={row.origin} label={row.origin} size={10} />
      </span>
      {columns.map((column, position) => (
        <span
          key={column.id}
          id={cellId(at, position)}
          role="gridcell"
          data-active={activeColumn === position}
          className={isNumeric(column) ? 'grid-cell grid-number' : 'grid-cell'}
        >
          <GridCell
            column={column}
            value={row.cells[position] ?? null}
            row={row}
            open={open}
            navigated={column.source.kind === 'navigation' ? index.get(column.source.relation) : undefined}
          />
        </span>
      ))}
      <span
        id={cellId(at, columns.length)}
        role="gridcell"
        data-active={activeColumn === columns.length}
        className="grid-cell grid-why"
      >
        <GridLink className="link" to={row.why}>
          Why?
        </GridLink>
      </span>
    </>
  );
}
