/** The history of the fork that is looked at, asked of the server: its transactions. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { optionsAt, usePlace } from '../../../model/calls/place.js';
import { api } from '../../../server-state/api.js';
import { keyHash } from '../../../state/plain-values.js';

const PAGE_TRANSACTIONS = 100;

/** What the transactions are to tell of; all of them where both are undefined. */
export interface HistoryWish {
  readonly about: string | undefined;
  readonly changed: string | undefined;
}

/**
 * The last first, each with the first event that is wished. `events` is how many the fork has: the page follows only those of the
 * fork that it is on, and learns from that number that another one was written to.
 */
export function useTransactions({ about, changed }: HistoryWish, events: number) {
  const place = usePlace();
  const question = ['facts', 'transactions', place, about ?? null, changed ?? null];
  return useInfiniteQuery({
    queryKey: [...question, events],
    queryFn: ({ pageParam, signal }) =>
      api.transactions({
        first: 1,
        limit: PAGE_TRANSACTIONS,
        ...(about !== undefined && { individual: about }),
        ...(changed !== undefined && { relation: changed }),
        ...(pageParam !== undefined && { page: pageParam }),
        ...optionsAt(place, signal),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: (previous, query) =>
      keyHash(query?.queryKey.slice(0, question.length) ?? []) === keyHash(question) ? previous : undefined,
  });
}
