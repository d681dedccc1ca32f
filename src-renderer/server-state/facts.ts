/** Individuals, tuples and transactions as hooks. Their keys start with `facts`, and `live.ts` invalidates them after a write. */

import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ListFilter } from '../../src-runtime/api/schemas/schemas.js';
import { optionsAt, type PagePlace, usePlace } from '../model/calls/place.js';
import { isNotFound } from '../model/facts/failure.js';
import { api } from './api.js';
import { useMayAskModule } from './health.js';

export const PAGE_ROWS = 200;

/** Individuals whose labels are fetched at once; others are fetched one by one when they are shown. */
const LABEL_ROWS = 1_000;

/** Individuals of a class, for pickers; at most `LABEL_ROWS`. */
export function useIndividuals(classPath: string | undefined, enabled = true) {
  const place = usePlace();
  const mayAsk = useMayAskModule();
  return useQuery({
    queryKey: ['facts', 'individuals', classPath ?? null, place],
    queryFn: ({ signal }) =>
      api.individuals({
        ...(classPath === undefined ? {} : { class: classPath }),
        limit: LABEL_ROWS,
        ...optionsAt(place, signal),
      }),
    enabled: enabled && mayAsk,
    placeholderData: keepPreviousData,
  });
}

const FOUND_ROWS = 50;

/** Individuals of a class with the text in any column, for classes with more than `LABEL_ROWS`. */
export function useFoundIndividuals(classPath: string, text: string, enabled: boolean) {
  return useQuery({
    ...individualsWith([text], { classPath, limit: FOUND_ROWS, place: usePlace() }),
    enabled,
    placeholderData: keepPreviousData,
  });
}

interface Search {
  readonly classPath: string;
  readonly limit: number;
  readonly place: PagePlace;
}

/** The first individuals of a class that have each of the texts in some column. */
export function individualsWith(texts: readonly string[], { classPath, limit, place }: Search) {
  return queryOptions({
    queryKey: ['facts', 'found', classPath, texts, limit, place],
    queryFn: ({ signal }) =>
      api.individuals({
        class: classPath,
        filter: texts.map((text): ListFilter => ['*', 'contains', text]),
        limit,
        ...optionsAt(place, signal),
      }),
  });
}

export function useIndividual(id: string, enabled: boolean) {
  const place = usePlace();
  return useQuery({
    queryKey: ['facts', 'individual', id, place],
    queryFn: ({ signal }) => api.individual(id, optionsAt(place, signal)).then(({ result }) => result),
    enabled,
    staleTime: 60_000,
    // A missing individual stays missing until facts change, which invalidates the refusal.
    retryOnMount: ({ state }) => state.isInvalidated || !isNotFound(state.error),
  });
}

/** The tuples of a relation that pass the filter, page by page, with the labels of their individuals. */
export function useRelation(path: string | undefined, filter: readonly ListFilter[] = NO_FILTER) {
  const place = usePlace();
  return useInfiniteQuery({
    queryKey: ['facts', 'relation', path ?? null, filter, place],
    queryFn: ({ pageParam, signal }) =>
      api.relation(path ?? '', {
        limit: PAGE_ROWS,
        filter,
        total: true,
        include: ['labels'],
        ...(pageParam === undefined ? {} : { page: pageParam }),
        ...optionsAt(place, signal),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    enabled: path !== undefined,
  });
}

const NO_FILTER: readonly ListFilter[] = [];

/**
 * The net changes of a transaction. The server replays the history for it, and the result is the same until the module changes, so
 * writes do not invalidate it.
 */
export function useTransactionEffects(txn: number, { context, fork }: PagePlace, enabled = true) {
  return useQuery({
    queryKey: ['module', 'transaction-effects', txn, { context, fork }],
    queryFn: ({ signal }) => {
      const given = Object.fromEntries(Object.entries(context).filter(([, value]) => value !== ''));
      return api.transactionEffects(txn, { context: given, fork, signal }).then(({ result }) => result);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    enabled,
  });
}

let factsRevision = 0;

/** Counts how often facts at the page's place have changed, so that a finished call can be sent again. */
export function useFactsRevision(): number {
  const place = usePlace();
  const { data } = useQuery({
    queryKey: ['facts', 'revision', place],
    queryFn: () => {
      factsRevision += 1;
      return factsRevision;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? 0;
}
