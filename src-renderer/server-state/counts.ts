/** The number of facts of each relation, and the list that a panel opens by default. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RelationCount } from '../../src-runtime/api/schemas/schemas.js';
import { placeOptions, usePlace } from '../model/calls/place.js';
import type { RelationInfo } from '../model/facts/relation-index.js';
import { api } from './api.js';
import { useMayAskFacts } from './module.js';

const COUNTS = ['facts', 'counts'];

/** By path. */
export type Counts = ReadonlyMap<string, RelationCount>;

export function useCounts() {
  const place = usePlace();
  return useQuery({
    queryKey: [...COUNTS, place],
    queryFn: async ({ signal }): Promise<Counts> => {
      const { result } = await api.counts(placeOptions(signal));
      return new Map(result.map((count) => [count.relation, count]));
    },
    enabled: useMayAskFacts(),
  });
}

/** Refreshes the counts when a derived list was read: reading evaluates it. `readAt` is 0 before that. */
export function useCountedAnew({ kind }: RelationInfo, readAt: number): void {
  const client = useQueryClient();
  const isDerived = kind === 'derived' || kind === 'define' || kind === 'check';
  useEffect(() => {
    if (isDerived && readAt > 0) void client.invalidateQueries({ queryKey: COUNTS });
  }, [client, isDerived, readAt]);
}

type Index = ReadonlyMap<string, RelationInfo>;
type Kind = RelationInfo['kind'];

/** Stored facts come first: derived ones have to be evaluated before they show anything. */
const TO_BROWSE: readonly Kind[] = ['concept', 'stored', 'define', 'derived'];

/** Fallback order for Explain: derived relations come before these, because their proofs say more. */
const TO_EXPLAIN_TOO: readonly Kind[] = ['define', 'stored', 'concept'];

/** The first list with rows, concepts before relations; if none is known to have rows, the first list. */
export function firstList(index: Index, counts: Counts | undefined): string | undefined {
  const lists = ofKinds(index, TO_BROWSE);
  return (lists.find(hasRows(counts)) ?? lists[0])?.path;
}

/** The first derived relation that has rows, or may have; else the first other one with rows; else the first. */
export function firstToExplain(index: Index, counts: Counts | undefined): string | undefined {
  const [derived, others] = [ofKinds(index, ['derived']), ofKinds(index, TO_EXPLAIN_TOO)];
  const mayHaveRows = ({ path }: RelationInfo): boolean => (counts?.get(path)?.facts ?? null) === null;
  const first = derived.find(hasRows(counts)) ?? derived.find(mayHaveRows) ?? others.find(hasRows(counts));
  return (first ?? derived[0] ?? others[0])?.path;
}

function ofKinds(index: Index, kinds: readonly Kind[]): readonly RelationInfo[] {
  return kinds.flatMap((kind) => [...index.values()].filter((info) => info.kind === kind));
}

function hasRows(counts: Counts | undefined): (info: RelationInfo) => boolean {
  return ({ path }) => (counts?.get(path)?.facts ?? 0) > 0;
}
