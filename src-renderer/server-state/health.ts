/** The health of the server: whether it answers, what it grants, and how often it is polled. */

import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Capability, Health } from '../../src-runtime/api/schemas/health-schemas.js';
import { ConnectionFailure } from '../model/facts/failure.js';
import { api, learnRowsMax } from './api.js';
import { isSilent } from './query-client.js';

export const HEALTH = queryOptions({
  queryKey: ['health'],
  queryFn: async ({ signal }) => {
    const { result } = await api.health({ signal });
    learnRowsMax(result.limits.rows);
    return result;
  },
});

const INTERVAL_MS = 3_000;
/** Most servers that fall silent answer again in a moment. */
const INTERVAL_MIN_MS = 500;

const POLLED = queryOptions({
  ...HEALTH,
  refetchInterval: ({ state }) => (state.status === 'error' ? backOff(Date.now() - state.dataUpdatedAt) : INTERVAL_MS),
  refetchIntervalInBackground: false,
  staleTime: 0,
  retry: false,
});

export function useHealth() {
  return useQuery(POLLED);
}

/** A part of the last health. Renders only if it changes, while the uptime changes with each response. */
export function useHealthPart<Part>(select: (health: Health) => Part): Part | undefined {
  return useQuery({ ...POLLED, select }).data;
}

/** The longer the server is silent, the less often it is polled. */
function backOff(silentMs: number): number {
  return Math.min(INTERVAL_MS, Math.max(INTERVAL_MIN_MS, silentMs / 2));
}

/** Whether the server does not answer. Until it does, only its health is polled. */
export function useIsSilent(): boolean {
  return useHealth().error instanceof ConnectionFailure;
}

/** For `refetchInterval`: pauses while the server does not answer. */
export function whileConnected(intervalMs: number): () => number | false {
  return () => (isSilent() ? false : intervalMs);
}

/** The start option that grants the capability; undefined if it is granted, or not known yet. */
export function useMissingGrant(capability: Capability): string | undefined {
  const granted = useHealth().data?.capabilities;
  if (granted === undefined || granted.includes(capability)) return undefined;
  // The option replaces the default, so it includes the capabilities already granted.
  return `--grant ${[...granted, capability].join(',')}`;
}

/** Whether the server keeps facts in memory only; false while that is not known. */
export function useInMemory(): boolean {
  return useHealth().data?.storage.includes('memory') === true;
}

/** False until the server is known to have a module; without one it refuses requests about facts. */
export function useMayAskModule(): boolean {
  const { data, isPending } = useHealth();
  return !isPending && data?.module.loaded !== false;
}
