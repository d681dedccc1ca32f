/** The request list with filters: live or paused. */

import { Button, FileButton, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { RefObject } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { REPRO_EXTENSION } from '../../../../src-runtime/api/repro-bundle.js';
import { isOwnReading } from '../../../../src-runtime/api/request-filter.js';
import type { RequestSummary } from '../../../../src-runtime/api/schemas/request-log.js';
import { Empty, LoadFailure, LoadingRows } from '../../../domain/failure/states.js';
import { codeLocation } from '../../../model/facts/locations.js';
import { sortedByName } from '../../../model/text/natural-order.js';
import { api } from '../../../server-state/api.js';
import { PAGE_ROWS } from '../../../server-state/facts.js';
import { useSchema } from '../../../server-state/module.js';
import { useStore } from '../../../state/store.js';
import { Pane } from '../../../ui/panes/panes.js';
import { openBundleFile } from '../bundle/opened-bundle.js';
import styles from '../log.module.css';
import { changedAddress, isFiltered, type LogView, orderedRequests, shownRequests } from '../log-address.js';
import { keepsTenantsApart } from '../request-tenant.js';
import type { Feed } from './feed-news.js';
import { useRequestFeed } from './request-feed.js';
import { RequestFilters } from './request-filters.js';
import { RequestList } from './request-list.js';
import { SaveHar } from './save-har.js';
import { hasTimeline, timelineSetting } from './timeline.js';

interface RequestListPaneProps {
  readonly view: LogView;
  readonly onEndComparison: () => void;
}

export function RequestListPane({ view, onEndComparison }: RequestListPaneProps) {
  const { feed, isError, error, refetch } = useRequestFeed();
  const [held, setHeld] = useState<readonly RequestSummary[] | undefined>(undefined);
  const hasTenants = keepsTenantsApart(useSchema().data);
  const [, setSearch] = useSearchParams();
  const change = (changes: Parameters<typeof changedAddress>[1]): void =>
    setSearch((current) => changedAddress(current, changes), { replace: true });
  const all = held ?? feed.rows;
  const inBodies = useFoundInBodies(view, feed);
  const { found } = inBodies;
  const isFound = inBodies.error === null && !inBodies.isPending;
  const rows = isFound ? orderedRequests(shownRequests(all, view, found), view.order) : [];
  const list = useRef<HTMLDivElement>(null);
  const isTimeline = hasTimeline(useStore(timelineSetting), useWidth(list));
  const newer =
    held === undefined
      ? 0
      : shownRequests(feed.rows, view, found).filter(({ seq }) => seq > (held[0]?.seq ?? 0)).length;
  return (
    <Pane
      title="Requests"
      actions={
        <>
          <LiveButton held={held !== undefined} onToggle={() => setHeld(held === undefined ? feed.rows : undefined)} />
          <TimelineButton isOn={isTimeline} />
          <SaveHar rows={rows} />
          <OpenBundle />
        </>
      }
    >
      <div className={styles.logList} data-opens="next" ref={list}>
        <RequestFilters
          view={view}
          forks={namedIn(feed.rows, 'fork')}
          tenants={hasTenants ? namedIn(feed.rows, 'tenant') : undefined}
          onChange={change}
        />
        {isError && feed.log === undefined ? (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        ) : inBodies.error !== null ? (
          <LoadFailure error={inBodies.error} onRetry={inBodies.retry} />
        ) : inBodies.isPending ? (
          <LoadingRows rows={6} />
        ) : rows.length === 0 ? (
          <Nothing feed={feed} view={view} onShowAll={() => setSearch({ own: 'shown' }, { replace: true })} />
        ) : (
          <RequestList
            rows={rows}
            selected={view.with || view.request}
            compared={view.with === undefined ? undefined : view.request}
            hasTenants={hasTenants}
            hasTimeline={isTimeline}
            order={view.order}
            onOrder={(order) => change({ order })}
            onSelect={({ requestId }) =>
              change({ [view.with === undefined ? 'request' : 'with']: requestId, codes: undefined })
            }
            onEndComparison={onEndComparison}
          />
        )}
        <Foot
          shown={rows.length}
          own={all.filter(isOwnReading).length}
          newer={newer}
          isOwnShown={view.own}
          onOwn={() => change({ own: view.own ? undefined : 'shown' })}
        />
      </div>
    </Pane>
  );
}

interface FootProps {
  readonly shown: number;
  /** Number of requests of the workbench. */
  readonly own: number;
  /** Number of new requests while the list is paused. */
  readonly newer: number;
  readonly isOwnShown: boolean;
  readonly onOwn: () => void;
}

/** How much is listed, and what is not. */
function Foot({ shown, own, newer, isOwnShown, onOwn }: FootProps) {
  return (
    <footer className={clsx(styles.logFoot, 'dim', 'numeric')}>
      <span role="status">
        {countText(shown, 'request')}
        {newer > 0 && `, ${newer.toLocaleString('en')} newer`}
        {own > 0 && ` · ${countText(own, 'workbench request')} ${isOwnShown ? 'included' : 'hidden'}`}
      </span>
      {own > 0 && (
        <Button variant="subtle" size="compact-xs" onClick={onOwn}>
          {isOwnShown ? 'Hide' : 'Show'}
          <span className="visually-hidden"> workbench requests</span>
        </Button>
      )}
      <span className="pane-spacer" />
      <Link className="link" to={codeLocation()}>
        All error codes
      </Link>
    </footer>
  );
}

function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Without duplicates. */
function namedIn(rows: readonly RequestSummary[], field: 'fork' | 'tenant'): string[] {
  const names = new Set(rows.flatMap(({ [field]: name }) => (name === undefined ? [] : [name])));
  return sortedByName([...names], (name) => name);
}

function LiveButton({ held, onToggle }: { held: boolean; onToggle: () => void }) {
  const Icon = held ? IconPlayerPlay : IconPlayerPause;
  return (
    <Tooltip label={held ? 'Show new requests' : 'Pause the list'}>
      <Button
        variant={held ? 'light' : 'subtle'}
        size="compact-xs"
        leftSection={<Icon size={14} aria-hidden />}
        onClick={onToggle}
        aria-pressed={held}
      >
        {held ? 'Resume' : 'Pause'}
      </Button>
    </Tooltip>
  );
}

function TimelineButton({ isOn }: { isOn: boolean }) {
  return (
    <Tooltip label={isOn ? 'Hide the timeline' : 'Show when each request started and how long it took'}>
      <Button
        variant={isOn ? 'light' : 'subtle'}
        size="compact-xs"
        onClick={() => timelineSetting.set(isOn ? 'off' : 'on')}
        aria-pressed={isOn}
      >
        Timeline
      </Button>
    </Tooltip>
  );
}

function OpenBundle() {
  return (
    <FileButton accept={`${REPRO_EXTENSION},.json`} onChange={(file) => file !== null && void openBundleFile(file)}>
      {(props) => (
        <Button {...props} variant="subtle" size="compact-xs">
          Open repro bundle…
        </Button>
      )}
    </FileButton>
  );
}

function Nothing({ feed: { log, rows }, view, onShowAll }: { feed: Feed; view: LogView; onShowAll: () => void }) {
  if (log === undefined) return <LoadingRows rows={10} />;
  if (log.requestsMax === 0) {
    return (
      <Empty title="The log is off">
        <p>
          The server was started with <code className="mono">--log-requests 0</code> (or{' '}
          <code className="mono">ENTAIL_LOG_REQUESTS=0</code>). Start it without this option to log requests.
        </p>
      </Empty>
    );
  }
  const hidden = rows.length;
  const isNarrowed = hidden > 0 && isFiltered(view);
  return (
    <Empty title={isNarrowed ? 'No matches' : hidden > 0 ? 'Only workbench requests so far' : 'No requests yet'}>
      {!isNarrowed && (
        <p>Run something in Invoke, or call the API from any client. Each request appears here with its response.</p>
      )}
      {hidden > 0 && (
        <Button variant="default" onClick={onShowAll}>
          {hidden === 1 ? 'Show 1 hidden request' : `Show ${hidden} hidden requests`}
        </Button>
      )}
    </Empty>
  );
}

/** In pixels; 0 before layout. */
function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

/** Debounce of the search in new requests. */
const PAUSE_MS = 500;

interface FoundInBodies {
  /** Ids of matches; undefined if bodies are not searched, or not yet. */
  readonly found: ReadonlySet<string> | undefined;
  readonly isPending: boolean;
  /** Null unless the search failed. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Searches bodies on the server, since the page does not have them. */
function useFoundInBodies({ filter, bodies }: LogView, { rows }: Feed): FoundInBodies {
  const text = bodies ? (filter.text?.trim() ?? '') : '';
  const [newest] = useDebouncedValue(rows[0]?.seq ?? 0, PAUSE_MS);
  // A failure stays until retried, even if new requests arrive.
  const failed = useRef<{ readonly text: string; readonly newest: number } | undefined>(undefined);
  const at = failed.current?.text === text ? failed.current.newest : newest;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['requests', 'content', text, at],
    queryFn: ({ signal }) => readFound(text, signal),
    // The previous result stays while newer requests are searched for the same text.
    placeholderData: (previous, query) => (query?.queryKey[2] === text ? previous : undefined),
    enabled: text !== '',
    retry: false,
  });
  failed.current = error === null ? undefined : { text, newest: at };
  const retry = (): void => void refetch();
  if (text === '') return { found: undefined, isPending: false, error: null, retry };
  return { found: data, isPending, error, retry };
}

async function readFound(text: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let page: string | undefined, more = true; more; more = page !== undefined) {
    const answer: Awaited<ReturnType<typeof api.requests>> = await api.requests({
      content: text,
      limit: PAGE_ROWS,
      ...(page !== undefined && { page }),
      signal,
    });
    for (const { requestId } of answer.result) found.add(requestId);
    page = answer.nextCursor;
  }
  return found;
}
