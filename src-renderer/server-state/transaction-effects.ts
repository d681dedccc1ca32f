/** What one transaction changed all in all, asked of the server, which replays the history before it for that. */

import { useQuery } from '@tanstack/react-query';
import type { PagePlace } from '../model/calls/place.js';
import { api } from './api.js';

/** What it changed never changes while the module stays, and costs a replay of the history: another write asks for nothing. */
export function useTransactionEffects(txn: number, { context, fork }: PagePlace, isWanted = true) {
  return useQuery({
    queryKey: ['module', 'transaction-effects', txn, { context, fork }],
    queryFn: ({ signal }) => {
      const given = Object.fromEntries(Object.entries(context).filter(([, value]) => value !== ''));
      return api.transactionEffects(txn, { context: given, fork, signal }).then((answer) => answer.result);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    enabled: isWanted,
  });
}
