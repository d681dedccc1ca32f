/** The requests that the page has been told of: followed while somebody looks, newest first, no more than the server keeps. */

import { useQuery } from '@tanstack/react-query';
import type { RequestLogState, RequestSummary } from '../../src-runtime/api/request-log.js';
import { api } from '../data/api.js';
import { PAGE_ROWS } from '../data/queries.js';
import { createStore, useStore } from '../data/store.js';
import { type Feed, withNews } from './feed-news.js';

const INTERVAL_MS = 1_000;

const feed = createStore<Feed>({ log: undefined, rows: [] });

/** Asks for what is new as long as it is used; what came before is kept for the next time. */
export function useRequestFeed() {
  const { isError, error, refetch } = useQuery({
    queryKey: ['requests'],
    queryFn: async ({ signal }) => {
      feed.set(await readNews(feed.get(), signal));
      return true;
    },
    refetchInterval: INTERVAL_MS,
    refetchIntervalInBackground: false,
    staleTime: 0,
    retry: false,
  });
  return { feed: useStore(feed), isError, error, refetch };
}

async function readNews(before: Feed, signal: AbortSignal): Promise<Feed> {
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
  // A server that has started anew counts from the beginning.
  if (before.log !== undefined && before.log.id !== log.id) return readNews({ log: undefined, rows: [] }, signal);
  return withNews(before, log, rows);
}
