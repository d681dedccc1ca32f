/** Queries of the history that say which moments there are. They read the present, whatever moment the page shows. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { currentMoment, optionsAt, type PagePlace, usePlace } from '../../model/calls/place.js';
import { api } from '../../server-state/api.js';
import { useMayAskFacts } from '../../server-state/module.js';
import { FIRST_EVENTS } from './transaction-line.js';

const PAGE_TRANSACTIONS = 100;

/** The transactions of a fork up to a moment, or all, newest first. */
export function useTransactionsUntil(until: number | undefined, fork?: string) {
  const place = usePresent(fork);
  return useInfiniteQuery({
    queryKey: ['facts', 'timeline', place, until ?? null],
    queryFn: ({ pageParam, signal }) =>
      api.transactions({
        first: FIRST_EVENTS,
        limit: PAGE_TRANSACTIONS,
        ...(pageParam !== undefined && { page: pageParam }),
        ...optionsAt(place, signal),
        asOf: until,
      }),
    enabled: useMayAskFacts(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: (previous) => previous,
  });
}

/** The last transaction up to a moment, or the newest one if no moment is given. Null for an empty history. */
export function useLastTransaction(until?: number) {
  const place = usePresent();
  return useQuery({
    queryKey: ['facts', 'timeline', 'last', place, until ?? null],
    queryFn: async ({ signal }) => {
      const { result } = await api.transactions({
        first: FIRST_EVENTS,
        limit: 1,
        ...optionsAt(place, signal),
        asOf: until,
      });
      return result[0] ?? null;
    },
    enabled: useMayAskFacts(),
  });
}

/** Without the moment, because a write adds to this list also while the page reads the past. */
function usePresent(of?: string): PagePlace {
  const { context, fork } = usePlace();
  return { context, fork: of ?? fork };
}

/** `transaction 12`. */
export function momentWords(txn: number | undefined): string {
  if (txn === undefined) return 'now';
  return txn === 0 ? 'the start' : `transaction ${txn.toLocaleString('en')}`;
}

/** Reads the state after a transaction of this history; the last one is now. */
export function readMoment(txn: number | undefined, last: number | undefined): void {
  currentMoment.set(txn === last ? undefined : txn);
}
