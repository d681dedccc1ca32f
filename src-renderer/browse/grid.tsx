/** A grid over a list of any length: only the rows in sight exist, and only they are asked for. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by hand are no table to a browser, so the roles are spelled out.

import { type MouseEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { LoadFailure } from '../components/states.js';
import { useRowHeight } from '../data/density.js';
import type { RelationInfo } from '../data/relation-index.js';
import { GridBody } from './grid-body.js';
import { type GridColumn, widthOf } from './grid-columns.js';
import { GridHead } from './grid-head.js';
import { HEAD_HEIGHT, useGridKeys } from './grid-keys.js';
import { HEIGHT_MAX, scrollWindow } from './grid-scroll.js';
import type { ListState } from './list-state.js';
import { useRows } from './use-rows.js';

const OVERSCAN = 10;
/** Fewer than the rows that are kept ready below what is in sight. */
const STEP_PIXELS = 112;

interface Scroll {
  readonly top: number;
  readonly viewport: number;
}

interface GridProps {
  readonly info: RelationInfo;
  readonly columns: readonly GridColumn[];
  readonly index: ReadonlyMap<string, RelationInfo>;
  readonly state: ListState;
  readonly onTotal: (total: number | undefined) => void;
}

export function Grid({ info, columns, index, state, onTotal }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState<Scroll>({ top: 0, viewport: 600 });
  const navigate = useNavigate();
  const [rowCount, setRowCount] = useState(0);
  const rowHeight = useRowHeight();
  const inSight = scrollWindow({ rows: rowCount, rowHeight, viewport: scroll.viewport }, scroll.top, OVERSCAN);
  const rows = useRows(info, columns, state, inSight);
  const total = rows.total;
  useEffect(() => {
    setRowCount(total ?? 0);
    onTotal(total);
  }, [total, onTotal]);
  useViewport(scroller, setScroll);
  useBackToTop(scroller, state);
  const keys = useGridKeys(scroller, rowCount, columns.length + 1);
  const layout = useMemo(() => layoutOf(columns), [columns]);
  if (rows.error !== undefined && total === undefined) return <LoadFailure error={rows.error} onRetry={rows.retry} />;
  return (
    <div
      className={total === 0 ? 'grid grid-empty' : 'grid'}
      role="grid"
      aria-label="Rows"
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length + 2}
      aria-busy={rows.isPending || rows.isStale}
      aria-activedescendant={keys.activeId}
      ref={scroller}
      tabIndex={0}
      onKeyDown={keys.onKeyDown}
      onScroll={(event) => setScroll(settledScroll(event.currentTarget))}
      onClick={(event) => followLink(event, navigate)}
    >
      <GridHead columns={columns} layout={layout} state={state} />
      <GridBody
        columns={columns}
        layout={layout}
        inSight={inSight}
        rows={rows}
        index={index}
        state={state}
        active={keys.active}
      />
    </div>
  );
}

const ORIGIN_WIDTH = 28;
const WHY_WIDTH = 56;

/** The same for the head and each row, so that they stand in columns. */
export interface GridLayout {
  readonly gridTemplateColumns: string;
  readonly minWidth: number;
}

function layoutOf(columns: readonly GridColumn[]): GridLayout {
  const widths = columns.map(widthOf);
  const parts = widths.map((width) => `minmax(${width}px, ${width}fr)`);
  return {
    gridTemplateColumns: `${ORIGIN_WIDTH}px ${parts.join(' ')} ${WHY_WIDTH}px`,
    minWidth: widths.reduce((sum, width) => sum + width, ORIGIN_WIDTH + WHY_WIDTH),
  };
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

/** Rows are drawn some at a time, not for every pixel; a list in proportion is placed by the pixel. */
function settledScroll(element: HTMLDivElement): (before: Scroll) => Scroll {
  const { scrollTop, clientHeight, scrollHeight } = element;
  const step = scrollHeight >= HEIGHT_MAX ? 1 : STEP_PIXELS;
  const top = Math.floor(scrollTop / step) * step;
  const viewport = clientHeight - HEAD_HEIGHT;
  return (before) => (before.top === top && before.viewport === viewport ? before : { top, viewport });
}

/** One listener for the links of all rows. What opens another tab or window is left to the browser. */
function followLink(event: MouseEvent, navigate: (to: string) => unknown): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  if (link === null) return;
  event.preventDefault();
  void navigate(link.pathname + link.search);
}

/** Another list begins at its beginning. */
function useBackToTop(scroller: RefObject<HTMLDivElement | null>, { path, sort, filters, find }: ListState): void {
  const list = JSON.stringify([path, sort, filters, find]);
  const before = useRef(list);
  useEffect(() => {
    if (before.current === list) return;
    before.current = list;
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [scroller, list]);
}
