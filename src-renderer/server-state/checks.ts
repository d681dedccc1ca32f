/** The checks of the module at the page's place: how often each fires, and its firings. */

import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CheckState } from '../../src-runtime/api/schemas/schemas.js';
import { type PagePlace, placeOptions, usePlace } from '../model/calls/place.js';
import { api } from './api.js';
import { firstPage, furtherPage } from './firing-pages.js';
import { PAGE_ROWS, useMayAskFacts } from './queries.js';

/** Of every check, those that hold for everything too. */
export function useCheckStates() {
  return useQuery({ ...checkStatesAt(usePlace()), enabled: useMayAskFacts() });
}

export function checkStatesAt(place: PagePlace) {
  return queryOptions({
    queryKey: ['facts', 'checks', 'states', place],
    queryFn: async ({ signal }) => {
      const states: CheckState[] = [];
      for (let page: string | undefined = ''; page !== undefined; ) {
        const answer = await api.checkStates({
          limit: PAGE_ROWS,
          ...(page === '' ? {} : { page }),
          ...placeOptions(signal),
        });
        states.push(...answer.result);
        page = answer.nextCursor;
      }
      return states;
    },
  });
}

export function firingsKey(check: string, place: PagePlace) {
  return ['facts', 'checks', 'firings', check, place] as const;
}

export function useFirings(check: string, enabled: boolean) {
  const place = usePlace();
  return useInfiniteQuery({
    queryKey: firingsKey(check, place),
    queryFn: ({ pageParam, signal }) => api.checks({ check, ...pageParam, ...placeOptions(signal) }),
    initialPageParam: firstPage,
    getNextPageParam: (_last, pages) => furtherPage(pages),
    enabled,
  });
}
