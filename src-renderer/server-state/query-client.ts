/** The TanStack Query client: staleness, and which failures are retried. */

import { QueryClient } from '@tanstack/react-query';
import { ApiFailure, ConnectionFailure, ContextNotGiven, NoModule } from '../model/facts/failure.js';
import { keyHash, withSharedParts } from '../state/plain-values.js';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      queryKeyHashFn: keyHash,
      structuralSharing: withSharedParts,
      staleTime: 10_000,
      // A retry would get the same error envelope. Only a lost connection is worth one, unless the server is known to be down.
      retry: (failures, error) => !isAnswer(error) && failures < 2 && !isSilent(),
      retryDelay: (failures) => Math.min(500 * 2 ** failures, 4_000),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** An error envelope, or a failure that saves the request for one. */
function isAnswer(error: Error): boolean {
  return error instanceof ApiFailure || error instanceof NoModule || error instanceof ContextNotGiven;
}

/** Whether the last poll of the server's health got no response. */
export function isSilent(): boolean {
  return queryClient.getQueryState(['health'])?.error instanceof ConnectionFailure;
}
