/** The menu of a cell: edit, copy, filter, sort, and open what it refers to. */

import { Menu } from '@mantine/core';
import { type MouseEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { JsonValue, ListFilter } from '../../../../src-runtime/api/schemas/schemas.js';
import { entityLabel, idLabel } from '../../../model/facts/labels.js';
import { copyValue } from '../../../ui/copy-value.js';
import { Cut } from '../../../ui/cut.js';
import { filterWords } from '../rows/filter-model.js';
import type { CellContent, GridColumn } from '../rows/grid-columns.js';
import { freezeColumns, type GridLayout } from '../rows/grid-layout.js';
import { type ListState, listLocation, nextSort, sortKeys } from '../rows/list-state.js';
import { recordOf } from '../rows/rows-text.js';
import type { GridRow } from '../rows/use-rows.js';
import { fitColumn } from './column-widths.js';
import styles from './grid.module.css';
import { type ActiveCell, cellOf } from './grid-keys.js';

/** More individuals of a cell would not fit the menu. */
const INDIVIDUALS_MAX = 6;

interface MenuOfCellsProps {
  readonly children: ReactElement;
  readonly onCell: (cell: ActiveCell) => void;
  readonly menu: (cell: ActiveCell) => ReactNode;
}

/** Wraps a grid: a right click or the menu key opens the menu of the cell. */
export function MenuOfCells({ children, onCell, menu }: MenuOfCellsProps) {
  const surface = useRef<HTMLDivElement>(null);
  const [cell, setCell] = useState<ActiveCell>();
  const choose = (event: MouseEvent): void => {
    const chosen = cellOf(event.target);
    setCell(chosen);
    if (chosen === undefined) event.preventDefault();
    else onCell(chosen);
  };
  return (
    <Menu position="bottom-start" withinPortal onClose={() => surface.current?.querySelector('div')?.focus()}>
      <Menu.ContextMenu>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the grid inside has the keys for it. */}
        <div className={styles.gridSurface} ref={surface} onContextMenu={choose}>
          {children}
        </div>
      </Menu.ContextMenu>
      {cell !== undefined && menu(cell)}
    </Menu>
  );
}

interface GridMenuProps extends CellContent {
  readonly columns: readonly GridColumn[];
  readonly state: ListState;
  readonly layout: GridLayout;
  /** Absent where what the cell shows cannot be set. */
  readonly onEdit: (() => void) | undefined;
  readonly onAddLike: ((row: GridRow) => void) | undefined;
  /** Undefined if the row cannot be deleted. */
  readonly deletion: { readonly words: string; readonly run: () => void } | undefined;
}

export function GridMenu(props: GridMenuProps) {
  const { columns, layout, place, column, row, value, state, onEdit, onAddLike, deletion } = props;
  const navigate = useNavigate();
  if (row === undefined) return null;
  const individuals = individualsOf({ column, row, value });
  const addFilter = (filter: ListFilter): void =>
    void navigate(listLocation({ ...state, filters: [...state.filters, filter] }));
  return (
    <Menu.Dropdown aria-label="Cell" maw={400}>
      {onEdit !== undefined && column !== undefined && (
        <Menu.Item onClick={onEdit} rightSection={<span className="dim">F2</span>}>
          Edit {row.inserted === undefined ? column.title : 'the new row'}
        </Menu.Item>
      )}
      {deletion !== undefined && (
        <Menu.Item onClick={deletion.run} rightSection={<span className="dim">Delete</span>}>
          {deletion.words}
        </Menu.Item>
      )}
      {column !== undefined && value !== undefined && (
        <Menu.Item onClick={() => void copyValue(value)} rightSection={<span className="dim">Ctrl C</span>}>
          Copy {column.title}
        </Menu.Item>
      )}
      {individuals.map((id) => (
        <Menu.Item key={id} onClick={() => void copyValue(id)}>
          Copy <span className="mono">{id}</span>
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => void copyValue(recordOf(columns, row))}>Copy the row as JSON</Menu.Item>
      {onAddLike !== undefined && row.inserted === undefined && (
        <Menu.Item onClick={() => onAddLike(row)}>Add a similar row…</Menu.Item>
      )}
      {filtersOf(column, row, value).map((filter) => (
        <Menu.Item key={filter[1]} onClick={() => addFilter(filter)}>
          <Cut>Only where {filterWords(columns, filter, (id) => row.labels[id])}</Cut>
        </Menu.Item>
      ))}
      {column !== undefined && <Menu.Divider />}
      {column?.sort !== undefined && <SortItems column={{ ...column, sort: column.sort }} state={state} />}
      {column !== undefined && state.path !== undefined && (
        <Menu.Item onClick={() => fitColumnOf(state.path ?? '', column.id)}>Fit width to content</Menu.Item>
      )}
      {column !== undefined && state.path !== undefined && place < layout.shown.length - 1 && (
        <FreezeItem path={state.path} title={column.title} place={place} frozen={layout.frozen} />
      )}
      <Menu.Divider />
      {individuals.map((id) => (
        <Menu.Item key={id} onClick={() => void navigate(listLocation({ ...state, individual: id }))}>
          Open {id === row.individual ? labelOf(row) : (row.labels[id] ?? idLabel(id))}
        </Menu.Item>
      ))}
      {row.inserted === undefined && row.individual === undefined && (
        <Menu.Item
          rightSection={<span className="dim">Enter</span>}
          onClick={() => void navigate(listLocation({ ...state, individual: undefined, fact: row.cells }))}
        >
          Open the fact
        </Menu.Item>
      )}
      {row.origin === 'derived' && <Menu.Item onClick={() => void navigate(row.why)}>Explain</Menu.Item>}
    </Menu.Dropdown>
  );
}

/** The cell of the menu is the active one. */
function fitColumnOf(path: string, id: string): void {
  const cell = document.querySelector('[role="grid"] [data-active="true"]');
  if (cell !== null) fitColumn(path, id, cell);
}

interface FreezeItemProps {
  readonly path: string;
  readonly title: string;
  readonly place: number;
  readonly frozen: number;
}

/** Freezes the columns up to here, or unfreezes them. */
function FreezeItem({ path, title, place, frozen }: FreezeItemProps) {
  const isHere = frozen === place + 1;
  return (
    <Menu.Item onClick={() => freezeColumns(path, isHere ? 0 : place + 1)}>
      {isHere ? 'Unfreeze columns' : `Freeze columns up to ${title}`}
    </Menu.Item>
  );
}

interface SortItemsProps {
  readonly column: GridColumn & { readonly sort: string };
  readonly state: ListState;
}

/** The same as a click on the column's header, and a Shift+click. */
function SortItems({ column: { sort, title }, state }: SortItemsProps) {
  const navigate = useNavigate();
  const go = (next: string | undefined): void => void navigate(listLocation({ ...state, sort: next }));
  const others = sortKeys(state.sort).filter((key) => key !== sort && key !== `-${sort}`);
  return (
    <>
      {[sort, `-${sort}`]
        .filter((key) => key !== state.sort)
        .map((key) => (
          <Menu.Item key={key} onClick={() => go(key)}>
            Sort by {title}, {key === sort ? 'ascending' : 'descending'}
          </Menu.Item>
        ))}
      {others.length > 0 && (
        <Menu.Item onClick={() => go(nextSort(sort, state.sort, true))}>Then sort by {title}</Menu.Item>
      )}
    </>
  );
}

/** The individuals in a cell: its row's own, or those it refers to. */
function individualsOf({ column, row, value }: Omit<CellContent, 'place'>): string[] {
  if (column === undefined || column.source.kind === 'individual' || column.source.kind === 'id') {
    return row?.individual === undefined ? [] : [row.individual];
  }
  const isReference = (column.type.kind === 'list' ? column.type.of : column.type).kind === 'class';
  const items = Array.isArray(value) ? value : [value];
  return isReference ? items.filter((item) => typeof item === 'string').slice(0, INDIVIDUALS_MAX) : [];
}

/** Filters for the rows with this value, and those without. */
function filtersOf(column: GridColumn | undefined, row: GridRow, value: JsonValue | undefined): ListFilter[] {
  if (column?.filter === undefined || value === undefined || typeof value === 'object') {
    return column?.filter !== undefined && value === null
      ? [
          [column.filter, '=', null],
          [column.filter, '!=', null],
        ]
      : [];
  }
  const wanted = column.filter === '$id' ? (row.individual ?? value) : value;
  return [
    [column.filter, '=', wanted],
    [column.filter, '!=', wanted],
  ];
}

/** The label of the row's own individual. */
function labelOf({ entity, individual = '' }: GridRow): string {
  return entity === undefined ? idLabel(individual) : entityLabel(entity);
}
