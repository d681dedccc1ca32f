/** How many facts there are of everything that has facts, by path. */

import { useQuery } from '@tanstack/react-query';
import type { RelationCount } from '../../src-runtime/api/schemas.js';
import { api } from './api.js';
import { placeOptions, usePlace } from './place.js';
import { useMayAskFacts } from './queries.js';

/** The key of the counts. */
export const COUNTS = ['facts', 'counts'];

export type Counts = ReadonlyMap<string, RelationCount>;

export function useCounts() {
  const place = usePlace();
  return useQuery({
    queryKey: [...COUNTS, place],
    queryFn: ({ signal }) => api.counts(placeOptions(signal)).then(({ result }) => byPath(result)),
    enabled: useMayAskFacts(),
  });
}

function byPath(counts: readonly RelationCount[]): Counts {
  return new Map(counts.map((count) => [count.relation, count]));
}
