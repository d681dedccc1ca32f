/** The checks at the page's place as hooks: how often each is violated, and its violations. */

import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CheckState, Firing, WireTransaction } from '../../src-runtime/api/schemas/schemas.js';
import { optionsAt, type PagePlace, placeOptions, usePlace } from '../model/calls/place.js';
import { api } from './api.js';
import { PAGE_ROWS } from './facts.js';
import { useMayAskFacts } from './module.js';

/** Every check, passing ones too. */
export function useCheckStates() {
  return useQuery({ ...checkStatesAt(usePlace()), enabled: useMayAskFacts() });
}

export function checkStatesAt(place: PagePlace) {
  return queryOptions({
    queryKey: ['facts', 'checks', 'states', place],
    queryFn: async ({ signal }) => {
      const states: CheckState[] = [];
      for (let page: string | undefined = ''; page !== undefined; ) {
        const response = await api.checkStates({
          limit: PAGE_ROWS,
          ...(page === '' ? {} : { page }),
          ...placeOptions(signal),
        });
        states.push(...response.result);
        page = response.nextCursor;
      }
      return states;
    },
  });
}

export function violationsKey(check: string, place: PagePlace) {
  return ['facts', 'checks', 'firings', check, place] as const;
}

export function useViolations(check: string, enabled: boolean) {
  const place = usePlace();
  return useInfiniteQuery({
    queryKey: violationsKey(check, place),
    queryFn: ({ pageParam, signal }) => api.checks({ check, ...pageParam, ...placeOptions(signal) }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (_last, pages) => nextPage(pages),
    enabled,
  });
}

/** Since when violations exist, as far as that is known. */
export interface Origins {
  /** Null for a violation of declared facts, undefined if unknown. */
  of(violation: Pick<Firing, 'check' | 'tuple'>): WireTransaction | null | undefined;
}

/** The server replays the history for it. */
export function useViolationOrigins(enabled: boolean) {
  const place = usePlace();
  return useQuery({
    queryKey: ['facts', 'checks', 'origins', place],
    queryFn: async ({ signal }): Promise<Origins> => {
      const { origins, unknown, cut } = (await api.violationOrigins(optionsAt(place, signal))).result;
      const known = new Map(origins.map((each) => [originKey(each), each.transaction]));
      const failed = new Set(unknown.map(({ check }) => check));
      return {
        of: (violation) => known.get(originKey(violation)) ?? (cut || failed.has(violation.check) ? undefined : null),
      };
    },
    enabled,
    placeholderData: (previous) => previous,
    // A map of transactions, not JSON.
    structuralSharing: false,
  });
}

function originKey({ check, tuple }: Pick<Firing, 'check' | 'tuple'>): string {
  return JSON.stringify([check, Object.values(tuple)]);
}

interface ViolationsPage {
  readonly limit: number;
  readonly page?: string;
}

const NEXT_ROWS_MAX = 2_000;
const FIRST_PAGE: ViolationsPage = { limit: PAGE_ROWS };

/** Each page is as long as all before it, so that the end of a long list is a few requests away. Undefined at that end. */
export function nextPage(
  pages: readonly { readonly result: readonly unknown[]; readonly nextCursor?: string | undefined }[],
): ViolationsPage | undefined {
  const page = pages.at(-1)?.nextCursor;
  const loaded = pages.reduce((sum, { result }) => sum + result.length, 0);
  return page === undefined ? undefined : { page, limit: Math.min(Math.max(loaded, PAGE_ROWS), NEXT_ROWS_MAX) };
}
