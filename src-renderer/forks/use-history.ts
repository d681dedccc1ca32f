/** The history of the fork that is looked at, asked of the server: its transactions, and what one of them came to. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '../data/api.js';
import { optionsAt, usePlace } from '../data/place.js';

const PAGE_TRANSACTIONS = 100;

/** The last first, each with its first event. */
export function useTransactions() {
  const place = usePlace();
  return useInfiniteQuery({
    queryKey: ['facts', 'transactions', place],
    queryFn: ({ pageParam, signal }) =>
      api.transactions({
        first: 1,
        limit: PAGE_TRANSACTIONS,
        ...(pageParam !== undefined && { page: pageParam }),
        ...optionsAt(place, signal),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
  });
}

/** What it changed never changes while the module stays, and costs a replay of the history: another write asks for nothing. */
export function useTransactionEffects(txn: number) {
  const place = usePlace();
  return useQuery({
    queryKey: ['module', 'transaction-effects', txn, place],
    queryFn: ({ signal }) => api.transactionEffects(txn, optionsAt(place, signal)).then((answer) => answer.result),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
