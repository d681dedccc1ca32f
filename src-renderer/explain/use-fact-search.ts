/** Asks the relations that a search may be about for their facts that match; the server looks through all of them. */

import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Fact } from '../../src-runtime/api/schemas.js';
import type { Index } from '../components/step-view.js';
import { api } from '../data/api.js';
import { optionsAt, usePlace } from '../data/place.js';
import type { RelationInfo } from '../data/relation-index.js';
import { filterOf, searchesFor, wordsOf } from './fact-search.js';

/** A search asks for so many relations at most, those first whose names have something of what is looked for. */
export const RELATIONS_MAX = 40;
/** Of one relation so many are shown, so that no relation hides the others. */
const FOUND_EACH = 20;
const FOUND_MAX = 60;
/** Whoever types faster means the whole word. */
const PAUSE_MS = 150;

export interface FactSearch {
  readonly found: readonly Fact[];
  /** What the individuals in them are called. */
  readonly labels: ReadonlyMap<string, string>;
  /** There are more than are shown. */
  readonly more: boolean;
  readonly looking: boolean;
  /** Relations that were not asked. */
  readonly unasked: number;
  /** That were asked in vain. */
  readonly failed: readonly RelationInfo[];
}

export function useFactSearch(text: string, index: Index): FactSearch {
  const place = usePlace();
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const all = useMemo(() => searchesFor(wordsOf(settled), index), [settled, index]);
  const asked = all.slice(0, RELATIONS_MAX);
  const answers = useQueries({
    queries: asked.map(({ info, words }) => ({
      queryKey: ['facts', 'search', info.path, words, place],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.relation(info.path, {
          limit: FOUND_EACH,
          filter: filterOf(words),
          include: ['labels'],
          ...optionsAt(place, signal),
        }),
      retry: false,
    })),
  });
  const found = answers.flatMap(({ data }) => data?.result ?? []);
  return {
    found: found.slice(0, FOUND_MAX),
    labels: new Map(answers.flatMap(({ data }) => Object.entries(data?.labels ?? {}))),
    more: found.length > FOUND_MAX || answers.some(({ data }) => data?.nextCursor !== undefined),
    looking: settled !== text || answers.some(({ isPending }) => isPending),
    unasked: all.length - asked.length,
    failed: asked.filter((_, at) => answers[at]?.isError).map(({ info }) => info),
  };
}
