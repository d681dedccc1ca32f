/** The rows of a result as a table of any length: sorted by a click on a head, marked where they are not as they were before. */

import { type KeyboardEvent, type RefObject, type UIEvent, useEffect, useMemo, useRef } from 'react';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { keysPressed } from '../data/shortcuts.js';
import { copyValue } from './copy-value.js';
import { Cut } from './cut.js';
import { Glyph } from './glyph.js';
import { Cell, whyOf } from './result-cell.js';
import { type CellPlace, cellText, type NameOf, numberColumns, type ShownRow } from './result-order.js';
import type { ColumnSort } from './result-sort.js';
import { ENTITY_COLUMN, movedRow, type ResultTable } from './result-table.js';
import { useRowVirtualizer } from './use-row-virtualizer.js';

export interface RowSelection {
  readonly index: number | undefined;
  readonly onSelect: (index: number | undefined) => void;
}

interface ResultRowsProps {
  /** Of the region that scrolls; `Rows` unless given. */
  readonly label?: string;
  /** One row a place, as `table` has them. */
  readonly rows: readonly ShownRow[];
  readonly table: ResultTable;
  readonly schema: ServedSchema;
  readonly selection: RowSelection | undefined;
  readonly sort: ColumnSort | undefined;
  /** Absent where rows are not sorted. */
  readonly onSort: ((column: string) => void) | undefined;
  /** The rows are compared with those that were there before. */
  readonly isCompared: boolean;
  readonly nameOf: NameOf;
  /** The cell that was searched for. */
  readonly found: CellPlace | undefined;
  /** Called when one has scrolled to near the last row; absent where there are no more. */
  readonly onEnd: (() => void) | undefined;
}

/** More are asked for when no more than so many windows of rows are left below what is in sight. */
const WINDOWS_AHEAD = 1;

export function ResultRows(props: ResultRowsProps) {
  const { label = 'Rows', rows, table, selection, isCompared, found, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRowVirtualizer({ count: rows.length, scroller, overscan: 20 });
  const numbers = useMemo(() => numberColumns(table), [table]);
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  const columns = table.columns.length + (isCompared ? 1 : 0);
  useEffect(() => {
    if (found !== undefined) virtualizer.scrollToIndex(found.row, { align: 'auto' });
  }, [found, virtualizer]);
  useFoundInSight(scroller, found);
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = rows.find(({ index }) => index !== undefined && index === selection?.index);
    if (keysPressed(event) === 'Mod+C') {
      // Text that is marked is the browser's to copy.
      if (chosen !== undefined && getSelection()?.isCollapsed !== false) void copyValue(chosen.row);
      return;
    }
    const places = rows.flatMap(({ index }, place) => (index === undefined ? [] : [place]));
    const place = chosen === undefined ? undefined : places.indexOf(rows.indexOf(chosen));
    const next = selection === undefined ? undefined : movedRow(place, event.key, places.length);
    if (next === undefined) return;
    event.preventDefault();
    const to = next.index === undefined ? undefined : places[next.index];
    selection?.onSelect(to === undefined ? undefined : rows[to]?.index);
    if (to !== undefined) virtualizer.scrollToIndex(to, { align: 'auto' });
  };
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent): void => {
    if (scrollHeight - scrollTop <= clientHeight * (1 + WINDOWS_AHEAD)) onEnd?.();
  };
  if (rows.length === 0) return <p className="result-pad dim">No rows.</p>;
  return (
    <section
      className="table-scroller"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
      tabIndex={0}
      aria-label={label}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
    >
      <table
        className="table"
        {...(selection === undefined ? {} : { role: 'grid', 'aria-label': 'Rows to choose from' })}
      >
        <TableHead {...props} numbers={numbers} />
        <tbody>
          {before > 0 && <Spacer height={before} columns={columns} />}
          {items.map((item) => (
            <Row key={item.index} {...props} numbers={numbers} place={item.index} />
          ))}
          {after > 0 && <Spacer height={after} columns={columns} />}
        </tbody>
      </table>
    </section>
  );
}

interface ColumnNumbers {
  /** Of each column the decimal places of its numbers; undefined for one of anything else. */
  readonly numbers: readonly (number | undefined)[];
}

/** What was found far to the right is brought into sight too, once its row is drawn. */
function useFoundInSight(scroller: RefObject<HTMLElement | null>, found: CellPlace | undefined): void {
  useEffect(() => {
    if (found === undefined) return undefined;
    const frame = requestAnimationFrame(() =>
      scroller.current?.querySelector('[data-found="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [scroller, found]);
}

function Row({
  rows,
  table,
  schema,
  selection,
  isCompared,
  nameOf,
  found,
  numbers,
  place,
}: ResultRowsProps & ColumnNumbers & { place: number }) {
  const { row = null, index, mark } = rows[place] ?? {};
  const chooses = selection !== undefined && index !== undefined;
  const earlier = mark?.kind === 'changed' ? mark.before : undefined;
  return (
    <tr
      aria-rowindex={place + 2}
      data-mark={isCompared ? mark?.kind : undefined}
      {...(chooses && { 'aria-selected': selection.index === index, onClick: () => selection.onSelect(index) })}
    >
      {isCompared && (
        <td className="table-mark">{mark !== undefined && <Glyph kind={mark.kind} label={mark.kind} />}</td>
      )}
      {(table.rows[place] ?? []).map((value, at) => {
        const column = table.columns[at] ?? '';
        const was = earlier === undefined || !isCompared ? undefined : valueBefore(earlier, column, value);
        return (
          <td
            key={column}
            className={numbers[at] === undefined ? undefined : 'table-number'}
            data-found={found?.row === place && found.column === at}
            data-changed={was !== undefined}
          >
            {was !== undefined && <span className="table-was">was {cellText(was, nameOf) || 'none'}, now </span>}
            <Cell
              value={value}
              whyOf={index === undefined ? undefined : whyOf(schema, row, column)}
              places={numbers[at]}
            />
          </td>
        );
      })}
    </tr>
  );
}

/** What stood in the cell before, where it was something else. The cell of the individual itself is told by the others. */
function valueBefore(earlier: JsonValue, column: string, now: JsonValue): JsonValue | undefined {
  if (typeof earlier !== 'object' || earlier === null || Array.isArray(earlier) || column === ENTITY_COLUMN)
    return undefined;
  const was = earlier[column] ?? null;
  const isOwner = typeof now === 'object' && now !== null && !Array.isArray(now);
  return isOwner || JSON.stringify(was) === JSON.stringify(now) ? undefined : was;
}

function TableHead({ table, sort, onSort, isCompared, numbers }: ResultRowsProps & ColumnNumbers) {
  return (
    <thead>
      <tr>
        {isCompared && (
          <th scope="col" className="table-mark">
            <span className="visually-hidden">change</span>
          </th>
        )}
        {table.columns.map((column, at) => {
          const name = column === ENTITY_COLUMN ? 'individual' : column;
          const order = sort?.column !== column ? 'none' : sort.isDown ? 'descending' : 'ascending';
          return (
            <th
              key={column}
              scope="col"
              aria-sort={onSort === undefined ? undefined : order}
              className={numbers[at] === undefined ? undefined : 'table-number'}
            >
              {onSort === undefined ? (
                <Cut>{name}</Cut>
              ) : (
                <button
                  type="button"
                  className="plain table-sort"
                  title="Sorts the rows that are shown, here in the page"
                  onClick={() => onSort(column)}
                >
                  <Cut>{name}</Cut>
                  <span aria-hidden>{SORT_SIGNS[order]}</span>
                </button>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

const SORT_SIGNS = { none: '', ascending: ' ↑', descending: ' ↓' };

function Spacer({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
