/** Asks the relations that a search may be about, a page of each, and keeps what matches. */

import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Fact } from '../../src-runtime/api/schemas.js';
import { useLabels } from '../components/reference-label.js';
import type { Index } from '../components/step-view.js';
import { api } from '../data/api.js';
import { optionsAt, usePlace } from '../data/place.js';
import { PAGE_ROWS } from '../data/queries.js';
import { matchingFacts, relationsToSearch, wordsOf } from './fact-search.js';

/** A search asks for so many relations at most, those first whose names have something of what is looked for. */
const RELATIONS_MAX = 40;
const FOUND_MAX = 60;

export interface FactSearch {
  readonly found: readonly Fact[];
  /** There are more than are shown. */
  readonly more: boolean;
  readonly looking: boolean;
  readonly relations: number;
  /** Of some relation not every tuple was looked at, or some relation not at all. */
  readonly partial: boolean;
}

export function useFactSearch(text: string, index: Index): FactSearch {
  const place = usePlace();
  const labels = useLabels();
  const words = useMemo(() => wordsOf(text), [text]);
  const all = useMemo(() => relationsToSearch(words, index), [words, index]);
  const asked = all.slice(0, RELATIONS_MAX);
  const answers = useQueries({
    queries: asked.map(({ path }) => ({
      queryKey: ['facts', 'search', path, place],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.relation(path, { limit: PAGE_ROWS, ...optionsAt(place, signal) }),
      retry: false,
    })),
  });
  const facts = answers.flatMap(({ data }) => data?.result ?? []);
  const matching = matchingFacts(facts, words, index, (id) => labels.get(id));
  return {
    found: matching.slice(0, FOUND_MAX),
    more: matching.length > FOUND_MAX,
    looking: answers.some(({ isPending }) => isPending),
    relations: asked.length,
    partial:
      all.length > asked.length || answers.some(({ data, isError }) => isError || data?.nextCursor !== undefined),
  };
}
