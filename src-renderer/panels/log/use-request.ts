/** A logged request with its bodies. */

import { useQuery } from '@tanstack/react-query';
import { api } from '../../server-state/api.js';

/** Disabled without an id. */
export function useRequest(requestId: string | undefined) {
  return useQuery({
    queryKey: ['request', requestId],
    queryFn: ({ signal }) => api.request(requestId ?? '', { signal }).then((answer) => answer.result),
    enabled: requestId !== undefined && requestId !== '',
    staleTime: 60_000,
  });
}
