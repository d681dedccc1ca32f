/** The rows of a result as a virtual table: sortable, with changes highlighted. */

import { clsx } from 'clsx';
import {
  type KeyboardEvent,
  type RefObject,
  type UIEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { decimalPadding } from '../../model/text/decimal-places.js';
import { PAGE_ROWS } from '../../server-state/facts.js';
import { keysPressed } from '../../state/shortcuts.js';
import { copyValue } from '../../ui/copy-value.js';
import { Cut } from '../../ui/cut.js';
import { Glyph } from '../../ui/glyph.js';
import { useLabels } from '../../ui/reference-label.js';
import { useRowVirtualizer } from '../../ui/use-row-virtualizer.js';
import { COMPACT_CUT_MIN, contentWidth, fittedWidths, measureOfPage } from './content-width.js';
import { Cell, whyOf } from './result-cell.js';
import { type CellPlace, cellText, type NameOf, numberColumns, type ShownRow } from './result-order.js';
import type { ColumnSort } from './result-sort.js';
import { ENTITY_COLUMN, movedRow, type ResultTable } from './result-table.js';
import styles from './result-view.module.css';

export interface RowSelection {
  readonly index: number | undefined;
  readonly onSelect: (index: number | undefined) => void;
  /** Explains a row, or a result that is not a list; undefined where nothing explains it. */
  readonly onWhy: ((place: number | 'whole') => void) | undefined;
}

interface ResultRowsProps {
  /** Accessible name of the region; `Rows` by default. */
  readonly label?: string;
  /** One per row of `table`. */
  readonly rows: readonly ShownRow[];
  readonly table: ResultTable;
  readonly schema: ServedSchema;
  readonly selection: RowSelection | undefined;
  readonly sort: ColumnSort | undefined;
  /** Absent if rows cannot be sorted. */
  readonly onSort: ((column: string) => void) | undefined;
  /** Rows are compared with an earlier result. */
  readonly isCompared: boolean;
  readonly nameOf: NameOf;
  /** The current search result. */
  readonly found: CellPlace | undefined;
  /** Called near the last row; absent if there are no more rows. */
  readonly onEnd: (() => void) | undefined;
  /** In a narrow pane. */
  readonly isCompact?: boolean;
}

/** Loads more rows when this many viewports are left below. */
const WINDOWS_AHEAD = 1;

export function ResultRows(props: ResultRowsProps) {
  return props.rows.length === 0 ? <p className={clsx(styles.resultPad, 'dim')}>No rows</p> : <RowTable {...props} />;
}

function RowTable(props: ResultRowsProps) {
  const { label = 'Rows', rows, table, selection, isCompared, found, onEnd, isCompact = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRowVirtualizer({ count: rows.length, scroller, overscan: 20 });
  const numbers = useMemo(() => numberColumns(table), [table]);
  const wanted = useWidths(props, numbers);
  const room = useRoom(scroller);
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  const hasWhy = selection?.onWhy !== undefined;
  const beside = (isCompared ? MARK_WIDTH : 0) + (hasWhy ? (isCompact ? COMPACT_WHY_WIDTH : WHY_WIDTH) : 0);
  const columns = table.columns.length + Number(isCompared) + Number(hasWhy);
  const content = fittedWidths(wanted, room - beside, isCompact ? COMPACT_CUT_MIN : undefined);
  // Columns share the remaining room.
  const part = Math.max(1, (room - beside) / sum(content));
  useEffect(() => {
    if (found !== undefined) virtualizer.scrollToIndex(found.row, { align: 'auto' });
  }, [found, virtualizer]);
  useFoundInSight(scroller, found);
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = rows.find(({ index }) => index !== undefined && index === selection?.index);
    if (keysPressed(event) === 'Mod+C') {
      // The browser copies selected text.
      if (chosen !== undefined && getSelection()?.isCollapsed !== false) void copyValue(chosen.row);
      return;
    }
    if (event.key === 'Enter' && chosen?.index !== undefined && selection?.onWhy !== undefined) {
      event.preventDefault();
      selection.onWhy(chosen.index);
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
  return (
    <section
      className={styles.tableScroller}
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
      tabIndex={0}
      aria-label={label}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
    >
      <table
        className={clsx('table', styles.resultTable, isCompact && styles.resultCompact)}
        style={{ width: `max(100%, ${sum(content) + beside}px)` }}
        {...(selection === undefined ? {} : { role: 'grid', 'aria-label': 'Selectable rows' })}
      >
        <colgroup>
          {isCompared && <col style={{ width: MARK_WIDTH }} />}
          {table.columns.map((column, at) => (
            <col key={column} style={{ width: (content[at] ?? 0) * part }} />
          ))}
          {hasWhy && <col style={{ width: isCompact ? COMPACT_WHY_WIDTH : WHY_WIDTH }} />}
        </colgroup>
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

/** Padding of a cell. */
const CELL_ROOM = 32;
const COMPACT_CELL_ROOM = 16;
const SORT_SIGN_ROOM = 16;
const MARK_WIDTH = 32;
const WHY_WIDTH = 72;
const COMPACT_WHY_WIDTH = 60;

/** Widths by the first page; later pages and other orders keep them. */
function useWidths(
  { rows, table, nameOf, isCompared, onSort, isCompact = false }: ResultRowsProps,
  numbers: ColumnNumbers['numbers'],
): readonly number[] {
  const { ready } = useLabels();
  const first = rows.find(({ index }) => index === 0)?.row;
  const columns = table.columns.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same first row in the same columns is the same result.
  return useMemo(() => {
    const measure = measureOfPage();
    const cellRoom = isCompact ? COMPACT_CELL_ROOM : CELL_ROOM;
    const headRoom = cellRoom + (onSort === undefined ? 0 : SORT_SIGN_ROOM);
    const places = rows.flatMap(({ index }, place) => ((index ?? 0) < PAGE_ROWS ? [place] : []));
    return table.columns.map((column, at) => {
      const texts = places.map((place) => {
        const value = table.rows[place]?.[at] ?? null;
        const mark = rows[place]?.mark;
        const was = isCompared && mark?.kind === 'changed' ? valueBefore(mark.before, column, value) : undefined;
        return `${was === undefined ? '' : wasText(was, nameOf)}${cellText(value, nameOf)}${decimalPadding(value, numbers[at] ?? 0)}`;
      });
      const head = contentWidth([columnName(column)], headRoom, measure);
      return Math.max(head, contentWidth(texts, cellRoom, measure));
    });
  }, [first, columns, ready, isCompared]);
}

/** Width of the viewport. */
function useRoom(scroller: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const read = (): void => setRoom(element.clientWidth);
    const observer = new ResizeObserver(read);
    observer.observe(element);
    read();
    return () => observer.disconnect();
  }, [scroller]);
  return room;
}

function sum(widths: readonly number[]): number {
  return widths.reduce((whole, width) => whole + width, 0);
}

function columnName(column: string): string {
  return column === ENTITY_COLUMN ? 'individual' : column;
}

function wasText(was: JsonValue, nameOf: NameOf): string {
  return `was ${cellText(was, nameOf) || 'none'}, now `;
}

interface ColumnNumbers {
  /** Decimal places per column of numbers; undefined for other columns. */
  readonly numbers: readonly (number | undefined)[];
}

/** Scrolls a search result into view horizontally, once its row is rendered. */
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
        <td className={styles.tableMark}>{mark !== undefined && <Glyph kind={mark.kind} label={mark.kind} />}</td>
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
            {was !== undefined && <span className={styles.tableWas}>{wasText(was, nameOf)}</span>}
            <Cell
              value={value}
              whyOf={index === undefined ? undefined : whyOf(schema, row, column)}
              places={numbers[at]}
            />
          </td>
        );
      })}
      {selection?.onWhy !== undefined && <WhyCell index={index} onWhy={selection.onWhy} />}
    </tr>
  );
}

interface WhyCellProps {
  readonly index: number | undefined;
  readonly onWhy: (index: number) => void;
}

/** For the pointer only: the keyboard selects the row and explains it with Enter. Hidden from the accessible name of the row. */
function WhyCell({ index, onWhy }: WhyCellProps) {
  return (
    <td className={styles.tableWhy} aria-hidden>
      {index !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          className="plain link"
          title="Explain this row"
          onClick={(event) => {
            event.stopPropagation();
            onWhy(index);
          }}
        >
          Why?
        </button>
      )}
    </td>
  );
}

/** The earlier value of a changed cell. The cell of the individual is skipped, since its other cells show the change. */
function valueBefore(earlier: JsonValue, column: string, now: JsonValue): JsonValue | undefined {
  if (typeof earlier !== 'object' || earlier === null || Array.isArray(earlier) || column === ENTITY_COLUMN)
    return undefined;
  const was = earlier[column] ?? null;
  const isOwner = typeof now === 'object' && now !== null && !Array.isArray(now);
  return isOwner || JSON.stringify(was) === JSON.stringify(now) ? undefined : was;
}

function TableHead({ table, selection, sort, onSort, isCompared, numbers }: ResultRowsProps & ColumnNumbers) {
  return (
    <thead>
      <tr>
        {isCompared && (
          <th scope="col" className={styles.tableMark}>
            <span className="visually-hidden">change</span>
          </th>
        )}
        {table.columns.map((column, at) => {
          const name = columnName(column);
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
                  className={clsx('plain', styles.tableSort)}
                  title="Sort the loaded rows"
                  onClick={() => onSort(column)}
                >
                  <Cut>{name}</Cut>
                  <span aria-hidden>{SORT_SIGNS[order]}</span>
                </button>
              )}
            </th>
          );
        })}
        {selection?.onWhy !== undefined && <td className={styles.tableWhy} aria-hidden />}
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
