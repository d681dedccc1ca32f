/** How many facts there are of everything that has facts, by path. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RelationCount } from '../../src-runtime/api/schemas/schemas.js';
import { placeOptions, usePlace } from '../model/calls/place.js';
import type { RelationInfo } from '../model/facts/relation-index.js';
import { api } from './api.js';
import { useMayAskFacts } from './queries.js';

const COUNTS = ['facts', 'counts'];

export type Counts = ReadonlyMap<string, RelationCount>;

export function useCounts() {
  const place = usePlace();
  return useQuery({
    queryKey: [...COUNTS, place],
    queryFn: ({ signal }) => api.counts(placeOptions(signal)).then(({ result }) => byPath(result)),
    enabled: useMayAskFacts(),
  });
}

/** Reading what is derived evaluates it, so that it can be counted from then on. `readAt` is when it was, zero while it was not. */
export function useCountedAnew({ kind }: RelationInfo, readAt: number): void {
  const client = useQueryClient();
  const isDerived = kind === 'derived' || kind === 'define' || kind === 'check';
  useEffect(() => {
    if (isDerived && readAt > 0) void client.invalidateQueries({ queryKey: COUNTS });
  }, [client, isDerived, readAt]);
}

function byPath(counts: readonly RelationCount[]): Counts {
  return new Map(counts.map((count) => [count.relation, count]));
}
