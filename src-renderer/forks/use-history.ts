/** The history of the fork that is looked at, asked of the server: its transactions. */

import { useInfiniteQuery } from '@tanstack/react-query';
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
