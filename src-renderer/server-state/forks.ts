/** The forks of the tenant as hooks. */

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreateForkRequest } from '../../src-runtime/api/schemas/fork-schemas.js';
import {
  currentFork,
  currentMoment,
  givenContext,
  type PagePlace,
  placeContext,
  sentContext,
} from '../model/calls/place.js';
import { type NameOfFork, nameById, namesOf } from '../model/facts/fork-names.js';
import { useStore } from '../state/store.js';
import { api } from './api.js';
import { whileConnected } from './health.js';
import { refreshForks } from './live.js';
import { useMayAskFacts } from './module.js';

/** No event says that another client created or closed a fork, so the list is polled. */
const FORKS_INTERVAL_MS = 5_000;

export function useForks(intervalMs = FORKS_INTERVAL_MS) {
  return useQuery({
    ...forksIn(useStore(placeContext)),
    enabled: useMayAskFacts(),
    refetchInterval: whileConnected(intervalMs),
  });
}

/** The selected fork, if known to be closed. */
export function useClosedFork() {
  const fork = useStore(currentFork);
  return useForks().data?.find(({ id, status }) => id === fork && status !== 'open');
}

/** Names of the forks that are known. A name alone is not worth a request. */
export function useForkNames(): NameOfFork {
  const { data } = useQuery({ ...forksIn(useStore(placeContext)), enabled: false });
  return data === undefined ? nameById : namesOf(data);
}

export function forksIn(context: PagePlace['context']) {
  return queryOptions({
    queryKey: ['forks', context],
    queryFn: ({ signal }) => api.forks({ context: givenContext(), signal }).then((answer) => answer.result),
  });
}

export function useCreateFork() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['forks', 'create'],
    mutationFn: (body: CreateForkRequest) =>
      api.createFork(body, { context: sentContext(), asOf: undefined }).then((answer) => answer.result),
    // The page shows the new fork as it is.
    onSuccess: () => currentMoment.set(undefined),
    onSettled: () => refreshForks(client),
  });
}
