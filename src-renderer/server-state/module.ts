/** The loaded module as hooks: its declarations, its sources, and what its last load changed. */

import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { ServedSchema } from '../../src-runtime/api/schemas/module-schemas.js';
import { givenContext, requiredContext, usePlace } from '../model/calls/place.js';
import { NoModule } from '../model/facts/failure.js';
import { learnNamingFields } from '../model/facts/labels.js';
import { withNaturalOrder } from '../model/text/natural-order.js';
import { api } from './api.js';
import { HEALTH, useMayAskModule, whileConnected } from './health.js';

/** What belongs to a loaded module stays until `live.ts` sees another load. */
export const OF_MODULE = { staleTime: Number.POSITIVE_INFINITY } as const;

export const MODULE_INFO = queryOptions({
  ...OF_MODULE,
  queryKey: ['module', 'info'],
  queryFn: ({ signal }) => api.module({ signal }).then(({ result }) => result),
});

export const SCHEMA = queryOptions({
  ...OF_MODULE,
  queryKey: ['module', 'schema'],
  queryFn: async ({ client, signal }) => {
    if (!(await isModuleLoaded(client))) throw new NoModule('No module is loaded.');
    const { result } = await api.schema({ signal });
    learnNamingFields(result);
    learnRequiredContext(result);
    return withNaturalOrder(result);
  },
  // A refusal stays true until the module changes, which makes this stale.
  retryOnMount: false,
});

const SOURCES = queryOptions({
  queryKey: ['module', 'sources'],
  queryFn: ({ signal }) => api.sources({ signal }).then(({ result }) => result.files),
});

/** Needs no request if a module is known to be loaded: another load replaces it, and none unloads it. */
async function isModuleLoaded(client: QueryClient): Promise<boolean> {
  if (client.getQueryData(MODULE_INFO.queryKey)?.loaded === true) return true;
  return (await client.fetchQuery(MODULE_INFO)).loaded;
}

function learnRequiredContext({ context }: ServedSchema): void {
  const required = context.filter((field) => field.required).map(({ name }) => name);
  if (required.join() !== requiredContext.get().join()) requiredContext.set(required);
}

/** Requests what every panel needs, while the page is being drawn. Resolves when all requests are answered or have failed. */
export async function askFirst(client: QueryClient): Promise<void> {
  await Promise.all([
    client.prefetchQuery(SOURCES),
    client.prefetchQuery(MODULE_INFO),
    client.prefetchQuery(SCHEMA),
    client.prefetchQuery(HEALTH),
  ]);
}

export function useModuleInfo() {
  return useQuery(MODULE_INFO);
}

export function useSchema() {
  return useQuery(SCHEMA);
}

export function isSchemaKnown(client: QueryClient): boolean {
  return client.getQueryData(SCHEMA.queryKey) !== undefined;
}

/** False until the server is known to have a module, and which context it requires. Before that it refuses requests about facts. */
export function useMayAskFacts(): boolean {
  const schema = useSchema();
  return useMayAskModule() && !schema.isPending;
}

/** A file that another program saves need not change the module's hash, so files are polled. */
const SOURCES_INTERVAL_MS = 5_000;

export function useSources() {
  return useQuery({ ...SOURCES, refetchInterval: whileConnected(SOURCES_INTERVAL_MS) });
}

export async function readSources(client: QueryClient): Promise<void> {
  await client.fetchQuery({ ...SOURCES, staleTime: 0 });
}

/** What the last load of a module changed, including loads by other clients. */
export function useModuleChange() {
  const { context } = usePlace();
  return useQuery({
    queryKey: ['module', 'change', context],
    queryFn: ({ signal }) => api.moduleChange({ context: givenContext(), signal }).then(({ result }) => result),
    enabled: useMayAskFacts(),
  });
}
