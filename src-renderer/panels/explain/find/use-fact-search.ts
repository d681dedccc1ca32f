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
export const PORTION = 40;
/** Facts shown for each relation, so that no relation hides the others. */
const FOUND_EACH = 20;
/** Facts shown for each portion. */
const FOUND_MAX = 60;
/** Debounce of the search. */
const PAUSE_MS = 150;

export interface FactSearch {
  readonly found: readonly Fact[];
  /** Labels of the individuals in the facts. */
  readonly labels: ReadonlyMap<string, string>;
  /** More facts match than are shown. */
  readonly more: boolean;
  readonly looking: boolean;
  /** How many relations were searched, and of how many. */
  readonly asked: number;
  readonly all: number;
  /** Further portions are being searched. */
  readonly isGoingOn: boolean;
  readonly goOn: (wanted: boolean) => void;
  /** Relations that could not be evaluated. */
  readonly failed: readonly RelationInfo[];
}

export function useFactSearch(text: string, index: Index): FactSearch {
  const place = usePlace();
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const all = useMemo(() => searchesFor(wordsOf(settled), index), [settled, index]);
  const { portions, isGoingOn, goOn, reached } = usePortions(settled);
  const asked = all.slice(0, portions * PORTION);
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
  const looking = settled !== text || answers.some(({ isPending }) => isPending);
  const hasOthers = asked.length < all.length;
  useEffect(() => {
    if (isGoingOn && !looking && hasOthers) reached(portions);
  }, [isGoingOn, looking, hasOthers, portions, reached]);
  const found = answers.flatMap(({ data }) => data?.result ?? []);
  const shown = portions * FOUND_MAX;
  return {
    found: found.slice(0, shown),
    labels: new Map(answers.flatMap(({ data }) => Object.entries(data?.labels ?? {}))),
    more: found.length > shown || answers.some(({ data }) => data?.nextCursor !== undefined),
    looking,
    asked: asked.length,
    all: all.length,
    isGoingOn: isGoingOn && hasOthers,
    goOn,
    failed: asked.filter((_, at) => answers[at]?.isError).map(({ info }) => info),
  };
}

/** The progress of one search. A new search starts again. */
function usePortions(search: string) {
  const [state, setState] = useState({ search, portions: 1, isGoingOn: false });
  const { portions, isGoingOn } = state.search === search ? state : { portions: 1, isGoingOn: false };
  const goOn = (wanted: boolean): void => setState({ search, portions, isGoingOn: wanted });
  const reached = useCallback(
    (count: number) =>
      setState((current) => (current.search === search ? { ...current, portions: count + 1 } : current)),
    [search],
  );
  return { portions, isGoingOn, goOn, reached };
}
