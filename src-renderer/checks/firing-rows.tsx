/** The firings of one check as rows that lead to their proofs; what came and went since the last look is marked. */

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { Link } from 'react-router';
import type { Firing } from '../../src-runtime/api/schemas.js';
import { Cut } from '../components/cut.js';
import { ListFilter } from '../components/list-filter.js';
import { ReferenceLabel, useLabels } from '../components/reference-label.js';
import { LoadFailure, LoadingRows } from '../components/states.js';
import { useFirings } from '../data/checks.js';
import { ApiFailure, registryRow } from '../data/failure.js';
import { plainText } from '../data/labels.js';
import { checksLocation, explainLocation } from '../data/locations.js';
import { useUrlText } from '../data/url-text.js';
import type { ShownCheck } from './check-groups.js';
import { firingKey, type News, newsOf, type Seen } from './news.js';

interface OfCheckProps {
  readonly check: ShownCheck;
  readonly seen: Seen | undefined;
}

/** Rows of a group that stands among others. */
const FIRST_ROWS = 8;

export function FirstOfCheck({ check, seen }: OfCheckProps) {
  const { firings, error, pending, news } = useRows(check, seen);
  if (error !== undefined) return <ShortFailure check={check} error={error} />;
  if (pending) return <LoadingRows rows={Math.min(FIRST_ROWS, check.state.firings ?? 1)} />;
  const total = check.state.firings ?? firings.length;
  return (
    <>
      <ul>
        {firings.slice(0, FIRST_ROWS).map((firing) => (
          <li key={firingKey(firing)}>
            <FiringRow firing={firing} check={check} fresh={news.fresh.has(firingKey(firing))} />
          </li>
        ))}
        <GoneRows news={news} check={check} />
      </ul>
      {total > FIRST_ROWS && (
        <Link className="link firing-more" to={checksLocation(check.state.check)}>
          Show all {total}
        </Link>
      )}
    </>
  );
}

const ROW_HEIGHT = 28;

export function AllOfCheck({ check, seen }: OfCheckProps) {
  const client = useQueryClient();
  const { query, firings, error, pending, news } = useRows(check, seen);
  const [filter, setFilter] = useUrlText('firing');
  const shown = useFiltered(firings, filter);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 16,
  });
  if (error !== undefined) {
    return (
      <LoadFailure error={error} onRetry={() => void client.invalidateQueries({ queryKey: ['facts', 'checks'] })} />
    );
  }
  if (pending) return <LoadingRows rows={6} />;
  return (
    <>
      {firings.length > 0 && <ListFilter label="Filter firings" value={filter} onChange={setFilter} />}
      {firings.length === 0 && <p className="pane-padded dim">It holds for everything there is: nothing fires.</p>}
      {firings.length > 0 && shown.length === 0 && <p className="pane-padded dim">No loaded firing has that in it.</p>}
      <div className="firing-scroller" ref={scroller}>
        <ul className="firing-rows" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const firing = shown[item.index];
            if (firing === undefined) return null;
            return (
              <li key={firingKey(firing)} className="firing-item" style={{ transform: `translateY(${item.start}px)` }}>
                <FiringRow firing={firing} check={check} fresh={news.fresh.has(firingKey(firing))} />
              </li>
            );
          })}
        </ul>
        <ul>
          <GoneRows news={news} check={check} />
        </ul>
      </div>
      {query.hasNextPage && (
        <div className="firing-load">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
          <span className="dim numeric">
            {firings.length} of {check.state.firings ?? 'more'}
          </span>
        </div>
      )}
    </>
  );
}

function useRows({ state }: ShownCheck, seen: Seen | undefined) {
  const query = useFirings(state.check, state.failure === undefined);
  const { data, hasNextPage } = query;
  const firings = useMemo(() => data?.pages.flatMap((page) => page.result) ?? [], [data]);
  const news = useMemo(
    () => newsOf(seen, { firings, whole: data !== undefined && !hasNextPage }),
    [seen, firings, data, hasNextPage],
  );
  const queryError = query.isError && data === undefined ? query.error : undefined;
  const error: unknown = state.failure === undefined ? queryError : stateFailure(state.failure);
  return { query, firings, news, error, pending: query.isPending };
}

/** A failure that stands in an answer, as what a request would have failed with. */
function stateFailure(error: {
  readonly code: string;
  readonly message: string;
  readonly details: object;
}): ApiFailure {
  const { code, message, details } = error;
  return new ApiFailure(registryRow(code)?.status ?? 500, {
    error: { code, message, details: { ...details } },
    requestId: '',
    moduleHash: '',
  });
}

function ShortFailure({ check, error }: { check: ShownCheck; error: unknown }) {
  return (
    <p className="firing-failed">
      {error instanceof Error ? error.message : String(error)}{' '}
      <Link className="link" to={checksLocation(check.state.check)}>
        What to do
      </Link>
    </p>
  );
}

interface FiringRowProps {
  readonly firing: Firing;
  readonly check: ShownCheck;
  readonly fresh: boolean;
}

function FiringRow({ firing, check, fresh }: FiringRowProps) {
  return (
    <Link className="row firing-row" to={explainLocation(firing.check, Object.values(firing.tuple))}>
      <span className="firing-mark">{fresh && 'new'}</span>
      <Cut className="firing-message">{firing.message}</Cut>
      <Tuple tuple={firing.tuple} check={check} />
      <span className="firing-why link" aria-hidden>
        Why?
      </span>
    </Link>
  );
}

function GoneRows({ news, check }: { news: News; check: ShownCheck }) {
  return news.gone.map(({ key, message, tuple }) => (
    <li key={`gone ${key}`} className="row firing-row firing-gone">
      <span className="firing-mark">gone</span>
      <Cut className="firing-message">{message}</Cut>
      <Tuple tuple={tuple} check={check} />
      <span />
    </li>
  ));
}

function Tuple({ tuple, check: { declared } }: { tuple: Firing['tuple']; check: ShownCheck }) {
  return (
    <Cut className="firing-tuple">
      {Object.entries(tuple).map(([name, value], position) => (
        <span key={name} className="firing-value">
          <span className="dim mono">{name}</span>{' '}
          <ReferenceLabel value={value} reference={declared?.parameters[position]?.type.kind === 'class'} />
        </span>
      ))}
    </Cut>
  );
}

/** By message, and by the labels of those it fires for. */
function useFiltered(firings: readonly Firing[], filter: string): readonly Firing[] {
  const labels = useLabels();
  return useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    if (wanted === '') return firings;
    const text = ({ message, tuple }: Firing): string =>
      [message, ...Object.values(tuple).map((value) => `${plainText(value)} ${labels.get(String(value)) ?? ''}`)].join(
        ' ',
      );
    return firings.filter((firing) => text(firing).toLowerCase().includes(wanted));
  }, [firings, filter, labels]);
}
