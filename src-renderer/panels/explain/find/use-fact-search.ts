/** Searches relations for matching facts, in portions. The server filters all of their facts. */

import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Fact } from '../../../../src-runtime/api/schemas/schemas.js';
import type { Index } from '../../../domain/proof/step-view.js';
import { optionsAt, usePlace } from '../../../model/calls/place.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { api } from '../../../server-state/api.js';
import { filterOf, searchesFor, wordsOf } from './fact-search.js';

/** Relations in the first portion, and in each later one that the user asks for. */
export const PORTION_SIZE = 40;
/** Facts shown for each relation, so that no relation hides the others. */
const MATCHES_PER_RELATION_MAX = 20;
/** Facts shown for each portion. */
const MATCHES_MAX = 60;
/** Debounce of the search. */
const DEBOUNCE_MS = 150;

export interface FactSearch {
  readonly matches: readonly Fact[];
  /** Labels of the individuals in the facts. */
  readonly labels: ReadonlyMap<string, string>;
  /** More facts match than are shown. */
  readonly more: boolean;
  readonly isSearching: boolean;
  /** How many relations were searched, and of how many. */
  readonly searched: number;
  readonly all: number;
  /** Further portions are being searched. */
  readonly isContinuing: boolean;
  readonly setContinuing: (query: boolean) => void;
  /** Relations that could not be evaluated. */
  readonly failed: readonly RelationInfo[];
}

export function useFactSearch(text: string, index: Index): FactSearch {
  const place = usePlace();
  const [debounced] = useDebouncedValue(text, DEBOUNCE_MS);
  const all = useMemo(() => searchesFor(wordsOf(debounced), index), [debounced, index]);
  const { portions, isContinuing, setContinuing, continueAfter } = usePortions(debounced);
  const searched = all.slice(0, portions * PORTION_SIZE);
  const responses = useQueries({
    queries: searched.map(({ info, words }) => ({
      queryKey: ['facts', 'search', info.path, words, place],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.relation(info.path, {
          limit: MATCHES_PER_RELATION_MAX,
          filter: filterOf(words),
          include: ['labels'],
          ...optionsAt(place, signal),
        }),
      retry: false,
    })),
  });
  const isSearching = debounced !== text || responses.some(({ isPending }) => isPending);
  const hasOthers = searched.length < all.length;
  useEffect(() => {
    if (isContinuing && !isSearching && hasOthers) continueAfter(portions);
  }, [isContinuing, isSearching, hasOthers, portions, continueAfter]);
  const matches = responses.flatMap(({ data }) => data?.result ?? []);
  const shown = portions * MATCHES_MAX;
  return {
    matches: matches.slice(0, shown),
    labels: new Map(responses.flatMap(({ data }) => Object.entries(data?.labels ?? {}))),
    more: matches.length > shown || responses.some(({ data }) => data?.nextCursor !== undefined),
    isSearching,
    searched: searched.length,
    all: all.length,
    isContinuing: isContinuing && hasOthers,
    setContinuing,
    failed: searched.filter((_, at) => responses[at]?.isError).map(({ info }) => info),
  };
}

/** The progress of one search. A new search starts again. */
function usePortions(search: string) {
  const [state, setState] = useState({ search, portions: 1, isContinuing: false });
  const { portions, isContinuing } = state.search === search ? state : { portions: 1, isContinuing: false };
  const setContinuing = (continues: boolean): void => setState({ search, portions, isContinuing: continues });
  const continueAfter = useCallback(
    (count: number) =>
      setState((current) => (current.search === search ? { ...current, portions: count + 1 } : current)),
    [search],
  );
  return { portions, isContinuing, setContinuing, continueAfter };
}
