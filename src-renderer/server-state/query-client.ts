/** The one TanStack Query client: when server state is asked for again, and what is never retried. */

import { QueryClient } from '@tanstack/react-query';
import { ApiFailure, ConnectionFailure, ContextNotGiven, NoModule } from '../model/facts/failure.js';
import { keyHash, withSharedParts } from '../state/plain-values.js';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      queryKeyHashFn: keyHash,
      structuralSharing: withSharedParts,
      staleTime: 10_000,
      // An envelope is an answer: asking again gives the same one. Only silence is worth another try, until it is known to last.
      retry: (failures, error) => !isAnswer(error) && failures < 2 && !isSilent(),
      retryDelay: (failures) => Math.min(500 * 2 ** failures, 4_000),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** An envelope, or what stands for one that is foreseen. */
function isAnswer(error: Error): boolean {
  return error instanceof ApiFailure || error instanceof NoModule || error instanceof ContextNotGiven;
}

/** When last asked how it is, the server did not answer. */
export function isSilent(): boolean {
  return queryClient.getQueryState(['health'])?.error instanceof ConnectionFailure;
}
