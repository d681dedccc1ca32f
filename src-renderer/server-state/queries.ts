/** Server state as hooks. Keys start with what makes them stale: `module` on a reload, `facts` on a mutation too. */

import { keepPreviousData, type QueryClient, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ExplainRequest } from '../../src-runtime/api/schemas/explain-request.js';
import type { Suggestions } from '../../src-runtime/api/schemas/explanation-schemas.js';
import type { Capability } from '../../src-runtime/api/schemas/health-schemas.js';
import type { ServedSchema } from '../../src-runtime/api/schemas/module-schemas.js';
import type { JsonValue, ListFilter } from '../../src-runtime/api/schemas/schemas.js';
import { givenContext, optionsAt, type PagePlace, requiredContext, usePlace } from '../model/calls/place.js';
import { readTried } from '../model/calls/tried-call.js';
import { ConnectionFailure, isGone, NoModule } from '../model/facts/failure.js';
import { learnNamingFields } from '../model/facts/labels.js';
import type { OtherState } from '../model/facts/locations.js';
import { withNaturalOrder } from '../model/text/natural-order.js';
import { keyHash } from '../state/plain-values.js';
import { api, learnRowsMax } from './api.js';
import { isSilent } from './query-client.js';

const HEALTH_INTERVAL_MS = 3_000;
/** How soon a server that has just fallen silent is asked again: most are back in a moment. */
const HEALTH_INTERVAL_MIN_MS = 500;
/** How soon a file that another program saved is seen; it need not change the module's hash. */
const SOURCES_INTERVAL_MS = 5_000;
export const PAGE_ROWS = 200;
/** Individuals whose labels are fetched at once; others are asked for one by one as they are shown. */
const LABEL_ROWS = 1_000;

export const HEALTH = queryOptions({
  queryKey: ['health'],
  queryFn: async ({ signal }) => {
    const { result } = await api.health({ signal });
    learnRowsMax(result.limits.rows);
    return result;
  },
});
/** What is true of a loaded module stays so until another is loaded, which `useFollowServer` sees. */
export const OF_MODULE = { staleTime: Number.POSITIVE_INFINITY } as const;
export const MODULE_INFO = queryOptions({
  ...OF_MODULE,
  queryKey: ['module', 'info'],
  queryFn: ({ signal }) => api.module({ signal }).then((answer) => answer.result),
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
  // A refusal stays true until the module changes, which makes this stale: whoever asks next need not be refused again.
  retryOnMount: false,
});
/** Without a request where one is known to be loaded: it stays until another takes its place. */
async function isModuleLoaded(client: QueryClient): Promise<boolean> {
  if (client.getQueryData(MODULE_INFO.queryKey)?.loaded === true) return true;
  return (await client.fetchQuery(MODULE_INFO)).loaded;
}

const SOURCES = queryOptions({
  queryKey: ['module', 'sources'],
  queryFn: ({ signal }) => api.sources({ signal }).then((answer) => answer.result.files),
});

/** Reads the files anew. */
export async function readSources(client: QueryClient): Promise<void> {
  await client.fetchQuery({ ...SOURCES, staleTime: 0 });
}

/** Asks for what every panel begins with, so that it is on its way while the page is being made; done when all is answered or has failed. */
export async function askFirst(client: QueryClient): Promise<void> {
  await Promise.all([
    client.prefetchQuery(SOURCES),
    client.prefetchQuery(MODULE_INFO),
    client.prefetchQuery(SCHEMA),
    client.prefetchQuery(HEALTH),
  ]);
}

export function isSchemaKnown(client: QueryClient): boolean {
  return client.getQueryData(SCHEMA.queryKey) !== undefined;
}

export function useHealth() {
  return useQuery({
    ...HEALTH,
    refetchInterval: ({ state }) =>
      state.status === 'error' ? intervalOfSilence(Date.now() - state.dataUpdatedAt) : HEALTH_INTERVAL_MS,
    refetchIntervalInBackground: false,
    staleTime: 0,
    retry: false,
  });
}

/** The option with which the server has to be started for the capability; undefined where it grants it, or nothing is known of it yet. */
export function useMissingGrant(capability: Capability): string | undefined {
  const granted = useHealth().data?.capabilities;
  if (granted === undefined || granted.includes(capability)) return undefined;
  // What it grants now it is to go on granting.
  return `--grant ${[...granted, capability].join(',')}`;
}

/** True where the server keeps facts in memory alone; false too while that is not known. */
export function useInMemory(): boolean {
  return useHealth().data?.storage.includes('memory') === true;
}

/** The longer it is silent, the less often it is asked. */
function intervalOfSilence(silentMs: number): number {
  return Math.min(HEALTH_INTERVAL_MS, Math.max(HEALTH_INTERVAL_MIN_MS, silentMs / 2));
}

/** Nobody answers: until somebody does, the health alone is asked for. */
export function useIsSilent(): boolean {
  return useHealth().error instanceof ConnectionFailure;
}

/** What is asked for again and again is left alone while nobody answers; `useFollowServer` asks for it when somebody does. */
export function whileAnswered(intervalMs: number): () => number | false {
  return () => (isSilent() ? false : intervalMs);
}

function learnRequiredContext({ context }: ServedSchema): void {
  const required = context.filter((field) => field.required).map(({ name }) => name);
  if (required.join() !== requiredContext.get().join()) requiredContext.set(required);
}

/**
 * False until it is known whether the server has a module, and which context that requires: as long as either is missing, it
 * refuses what is asked about facts.
 */
export function useMayAskFacts(): boolean {
  const schema = useSchema();
  return useMayAskModule() && !schema.isPending;
}

/** False until it is known whether the server has a module. */
function useMayAskModule(): boolean {
  const { data, isPending } = useHealth();
  return !isPending && data?.module.loaded !== false;
}

export function useModuleInfo() {
  return useQuery(MODULE_INFO);
}

export function useSchema() {
  return useQuery(SCHEMA);
}

export function useSources() {
  return useQuery({ ...SOURCES, refetchInterval: whileAnswered(SOURCES_INTERVAL_MS) });
}

/** What the last load of a module changed, whoever asked for it. */
export function useModuleChange() {
  const { context } = usePlace();
  return useQuery({
    queryKey: ['module', 'change', context],
    queryFn: ({ signal }) => api.moduleChange({ context: givenContext(), signal }).then((answer) => answer.result),
    enabled: useMayAskFacts(),
  });
}

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

/** How many are offered of those that a text was found in. */
const FOUND_ROWS = 50;

/** Individuals of a class that have the text in any column, for classes that are too large to be known whole. */
export function useFoundIndividuals(classPath: string, text: string, enabled: boolean) {
  return useQuery({
    ...individualsWith([text], { classPath, limit: FOUND_ROWS, place: usePlace() }),
    enabled,
    placeholderData: keepPreviousData,
  });
}

interface Found {
  readonly classPath: string;
  readonly limit: number;
  readonly place: PagePlace;
}

/** The first individuals of a class that have each of the texts in some column. */
export function individualsWith(texts: readonly string[], { classPath, limit, place }: Found) {
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
    queryFn: ({ signal }) => api.individual(id, optionsAt(place, signal)).then((answer) => answer.result),
    enabled,
    staleTime: 60_000,
    // One that is gone stays so until facts change, which makes the refusal stale.
    retryOnMount: ({ state }) => state.isInvalidated || !isGone(state.error),
  });
}

/** The tuples of a relation, page by page, with what the individuals in them are called; those that a filter leaves. */
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

/** Of one question in one place, as the cache knows it. */
export function explanationKey(
  relation: string | undefined,
  tuple: readonly JsonValue[] | undefined,
  place: PagePlace,
  { before, rules, after }: OtherState = {},
): readonly unknown[] {
  return ['facts', 'explain', relation ?? null, tuple ?? null, place, before ?? null, rules ?? null, after ?? null];
}

/** With up to `proofs` different proofs. While more of them are looked for, those that are known stay. */
export function useExplanation(
  relation: string | undefined,
  tuple: readonly JsonValue[] | undefined,
  proofs = 1,
  {
    given,
    other: { before, rules, after } = {},
  }: Pick<ExplainRequest, 'given'> & { readonly other?: OtherState | undefined } = {},
) {
  const place = usePlace();
  const question = explanationKey(relation, tuple, place, { before, rules, after });
  const tried = after === undefined ? undefined : readTried(after);
  return useQuery({
    queryKey: [...question, proofs, given ?? null],
    queryFn: ({ signal }) =>
      api
        .explain(
          {
            relation: relation ?? '',
            tuple: [...(tuple ?? [])],
            ...(given !== undefined && { given }),
            ...(before !== undefined && { before }),
            ...(rules !== undefined && { moduleHash: rules }),
            ...(tried !== undefined && { after: tried.call }),
          },
          {
            ...optionsAt(place, signal),
            ...(tried !== undefined && { context: { ...tried.context } }),
            ...(proofs > 1 && { proofs }),
          },
        )
        .then(({ result, moduleHash }) => ({ explanation: result, moduleHash })),
    enabled: relation !== undefined && tuple !== undefined && (after === undefined || tried !== undefined),
    placeholderData: (previous, query) =>
      query !== undefined && keyHash(query.queryKey.slice(0, question.length)) === keyHash(question)
        ? previous
        : undefined,
  });
}

/** Asked by itself, since it takes longer than the explanation; of a tuple that does not hold, or with `ending` of one that does. */
export function useSuggestions(relation: string, tuple: readonly JsonValue[], ending = false) {
  const place = usePlace();
  return useQuery({
    queryKey: ['facts', 'suggest', relation, tuple, place, ending],
    queryFn: ({ signal }) =>
      api
        .explain({ relation, tuple: [...tuple] }, { ...optionsAt(place, signal), suggest: !ending, ending })
        .then(({ result }) => result.suggestions ?? NO_SUGGESTIONS),
  });
}

const NO_SUGGESTIONS: Suggestions = { sets: [], complete: true };

/** Counts how often the facts that are looked at have changed, so that what was asked once can be asked again. */
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

let factsRevision = 0;
