/** Follows the request log while it is shown, newest first, up to the size of the server's log. */

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RequestLogState, RequestSummary } from '../../../../src-runtime/api/schemas/request-log.js';
import { api } from '../../../server-state/api.js';
import { PAGE_ROWS } from '../../../server-state/facts.js';
import { useIsSilent, whileConnected } from '../../../server-state/health.js';
import { createStore, useStore } from '../../../state/store.js';
import { throttled } from '../../../state/throttle.js';
import { whileVisible } from '../../../state/while-visible.js';
import { type Feed, withNews, withStreamed } from './feed-news.js';

/** Throttles updates, so that the list stays readable. */
const PAUSE_MS = 200;

/** Retry interval while the server does not respond. */
const RETRY_MS = 2_000;

const EMPTY: Feed = { log: undefined, rows: [] };

const feed = createStore(EMPTY);

/** Subscribes while in use; known requests are kept for the next time. Nothing is polled while nothing happens. */
export function useRequestFeed() {
  const { isSuccess, isError, error, refetch } = useQuery({
    queryKey: ['requests'],
    queryFn: async ({ signal }) => {
      const { log, rows, isAnother } = await readNews(feed.get(), signal);
      feed.update((current) => withNews(isAnother ? EMPTY : current, log, rows));
      return true;
    },
    refetchInterval: (query) => (query.state.status === 'error' ? whileConnected(RETRY_MS)() : false),
    staleTime: 0,
    retry: false,
  });
  const isSilent = useIsSilent();
  useEffect(() => {
    if (!isSuccess || isSilent) return undefined;
    return whileVisible(() => followUntilStopped(() => void refetch()));
  }, [isSuccess, isSilent, refetch]);
  return { feed: useStore(feed), isError, error, refetch };
}

/** `onGap` is called when requests may have been missed: after connecting and after disconnecting. */
function followUntilStopped(onGap: () => void): () => void {
  const abort = new AbortController();
  let waiting: RequestSummary[] = [];
  const flush = throttled(() => {
    feed.update((current) => withStreamed(current, waiting));
    waiting = [];
  }, PAUSE_MS);
  void (async () => {
    while (!abort.signal.aborted) {
      try {
        for await (const row of api.followRequests({ signal: abort.signal, onOpen: onGap })) {
          waiting.push(row);
          flush.call();
        }
      } catch {
        // A request tells whether the server refuses or is down.
        onGap();
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  })();
  return () => {
    flush.cancel();
    abort.abort();
  };
}

interface News {
  readonly log: RequestLogState;
  readonly rows: readonly RequestSummary[];
  /** A restarted server counts from the start. */
  readonly isAnother: boolean;
}

async function readNews(before: Feed, signal: AbortSignal): Promise<News> {
  const rows: RequestSummary[] = [];
  let page: string | undefined;
  let log: RequestLogState;
  do {
    const answer = await api.requests({
      after: before.log?.lastSeq ?? 0,
      limit: PAGE_ROWS,
      ...(page !== undefined && { page }),
      signal,
    });
    ({ log } = answer);
    rows.push(...answer.result);
    page = answer.nextCursor;
  } while (page !== undefined);
  if (before.log !== undefined && before.log.id !== log.id)
    return { ...(await readNews(EMPTY, signal)), isAnother: true };
  return { log, rows, isAnother: false };
}
