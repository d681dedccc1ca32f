/** The evaluation trace: rounds and the clause runs in each. A virtual table, loaded page by page. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import type { DerivedProjection, ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import styles from '../../domain/result/profile-table.module.css';
import { placeContext, sentContext } from '../../model/calls/place.js';
import { moduleLocation, shortName } from '../../model/facts/locations.js';
import { durationText, type TraceRow, traceRows } from '../../model/facts/profile.js';
import { api } from '../../server-state/api.js';
import { PAGE_ROWS } from '../../server-state/facts.js';
import { useStore } from '../../state/store.js';
import { Cut } from '../../ui/cut.js';
import { useRowVirtualizer } from '../../ui/use-row-virtualizer.js';
import deriveViewStyles from './derive-view.module.css';

const ROWS_AHEAD = 40;

export function TraceTable({ fork, projection }: { fork: ForkInfo; projection: DerivedProjection }) {
  const trace = useTrace(fork, projection);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = trace;
  const entries = useMemo(() => data?.pages.flatMap((page) => page.result) ?? [], [data]);
  const rows = useMemo(() => traceRows(entries, projection.strata), [entries, projection]);
  const most = useMemo(() => Math.max(1, ...rows.map((row) => (row.kind === 'round' ? row.newFacts : 0))), [rows]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRowVirtualizer({ count: rows.length, scroller, overscan: 20 });
  const items = virtualizer.getVirtualItems();
  const lastInView = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && lastInView >= rows.length - ROWS_AHEAD) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, lastInView, rows.length, fetchNextPage]);
  if (trace.isPending) return <LoadingRows />;
  if (trace.isError) return <LoadFailure error={trace.error} onRetry={() => void trace.refetch()} />;
  if (rows.length === 0) return <p className="pane-padded dim">No rules were evaluated.</p>;
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div className={deriveViewStyles.forkTrace}>
      <section
        className={deriveViewStyles.forkTraceScroller}
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        aria-label="Evaluation trace by round"
      >
        <table
          className={clsx(styles.profile, deriveViewStyles.forkTraceTable, 'numeric')}
          aria-rowcount={hasNextPage ? -1 : rows.length + 1}
        >
          <thead>
            <tr>
              <th scope="col">Round and rule</th>
              <th scope="col" className={styles.profileNumber}>
                New facts
              </th>
              <th scope="col" className={styles.profileNumber}>
                Matches
              </th>
              <th scope="col" className={styles.profileNumber}>
                Rows visited
              </th>
              <th scope="col" className={styles.profileNumber}>
                Time
              </th>
              <th scope="col">Plan</th>
            </tr>
          </thead>
          <tbody>
            {before > 0 && <Spacer height={before} />}
            {items.map((item) => {
              const row = rows[item.index];
              if (row === undefined) return null;
              return (
                <tr key={row.key} aria-rowindex={item.index + 2} data-kind={row.kind}>
                  <TraceCells row={row} most={most} />
                </tr>
              );
            })}
            {after > 0 && <Spacer height={after} />}
          </tbody>
        </table>
      </section>
      <p className={clsx(deriveViewStyles.traceFoot, 'dim', 'numeric')} role="status">
        {entries.length.toLocaleString('en')} runs{hasNextPage ? ' loaded, scroll for more' : ''}
        {projection.traceCut && ' · truncated; the profile counts all runs'}
      </p>
    </div>
  );
}

function Spacer({ height }: { height: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={6} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

function TraceCells({ row, most }: { row: TraceRow; most: number }) {
  if (row.kind === 'round') {
    const { round, newFacts, ms, relations, recursive } = row;
    return (
      <>
        <th scope="row">
          Round {round}{' '}
          <span className="dim">
            of {relations.map(shortName).join(', ')}
            {recursive ? ', recursive' : ''}
          </span>
        </th>
        <td className={clsx(styles.profileNumber, deriveViewStyles.forkTraceFacts)}>
          <span
            className={deriveViewStyles.forkTraceBar}
            style={{ inlineSize: `${Math.round((newFacts / most) * 100)}%` }}
            aria-hidden
          />
          {newFacts.toLocaleString('en')}
        </td>
        <td />
        <td />
        <td className={styles.profileNumber}>{durationText(ms)}</td>
        <td />
      </>
    );
  }
  const { rule, clause, span, newFacts, heads, rowsVisited, ms, joinOrder } = row.entry;
  return (
    <>
      <th scope="row" className={deriveViewStyles.forkTraceRunName}>
        {shortName(rule)} <span className="dim">clause {clause + 1}</span>{' '}
        <Link className="link mono" to={moduleLocation(span)}>
          {span.file}:{span.start.line}
        </Link>
      </th>
      <td className={styles.profileNumber}>{newFacts.toLocaleString('en')}</td>
      <td className={styles.profileNumber}>{heads.toLocaleString('en')}</td>
      <td className={styles.profileNumber}>{rowsVisited.toLocaleString('en')}</td>
      <td className={styles.profileNumber}>{durationText(ms)}</td>
      <td className={clsx(deriveViewStyles.forkTracePlan, 'mono')}>
        <Cut>{joinOrder}</Cut>
      </td>
    </>
  );
}

function useTrace(fork: ForkInfo, { txn }: DerivedProjection) {
  const context = useStore(placeContext);
  return useInfiniteQuery({
    queryKey: ['facts', 'derive-trace', fork.id, fork.createdAt, txn, context],
    queryFn: ({ pageParam, signal }) =>
      api.deriveTrace(fork.id, {
        limit: PAGE_ROWS,
        ...(pageParam === undefined ? {} : { page: pageParam }),
        context: sentContext(),
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
  });
}
