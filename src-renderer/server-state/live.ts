/**
 * Keeps the cache of server state fresh: the one place that invalidates facts, forks and the module. The event stream says which
 * relations changed. A write of this page refreshes the lists as soon as it is answered; its events then refresh nothing.
 */

import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ForkInfo } from '../../src-runtime/api/schemas/fork-schemas.js';
import type { WireEvent } from '../../src-runtime/api/schemas/schemas.js';
import type { CallRequest } from '../model/calls/calls.js';
import { placeOptions, requiredContext, tenantOf, usePlace } from '../model/calls/place.js';
import { hasCode } from '../model/facts/failure.js';
import { createStore, useStore } from '../state/store.js';
import { whileVisible } from '../state/while-visible.js';
import { api } from './api.js';
import { type Changed, changedBy, collectChanges, createBurst, forgetShown, noteShown, union } from './changes.js';
import { HEALTH, useHealth, useIsSilent } from './health.js';
import { MODULE_INFO, SCHEMA, useMayAskFacts } from './module.js';
import { PROJECT } from './projects.js';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The stored relation that the query lists. Facts of other stored relations do not make it stale. */
      readonly storedRelation?: string | undefined;
    };
  }
}

/** A write of this page, with its response. */
export interface OwnWrite {
  /** Null if it changed nothing. */
  readonly txn: number | null;
  /** All events of the transaction; undefined if the response does not list them. */
  readonly events?: readonly WireEvent[] | undefined;
  /** The context that the request was sent with. */
  readonly context: Readonly<Record<string, string>>;
}

/** What the user did, for the message about the write. */
export type UserAction =
  | { readonly kind: 'call'; readonly request: CallRequest }
  /** In the Data panel. */
  | { readonly kind: 'edit' }
  | { readonly kind: 'run'; readonly calls: number }
  | { readonly kind: 'import'; readonly rows: number; readonly changes: number }
  | { readonly kind: 'promote' | 'rebase' | 'revertPromotion'; readonly fork: string }
  | { readonly kind: 'pick' | 'revert'; readonly txn: number }
  | { readonly kind: 'undo'; readonly of: ReportedWrite };

/** A write of this page that changed something, in one transaction or several. */
export interface ReportedWrite {
  readonly action: UserAction;
  /** Where the transactions are. */
  readonly fork: string;
  readonly context: Readonly<Record<string, string>>;
  /** In the order in which they were written. */
  readonly txns: readonly number[];
  readonly events: readonly WireEvent[];
}

/** The last write of this page. The shell reports it, with a way to undo it. */
export const lastWrite = createStore<ReportedWrite | undefined>(undefined);

/** Refreshes what writes of this page changed, unless their events have done so already, and reports them. */
export async function refreshWritten(
  client: QueryClient,
  writes: readonly OwnWrite[],
  done?: Pick<ReportedWrite, 'action' | 'fork'>,
): Promise<void> {
  const news = noteWritten(writes);
  if (done !== undefined) report(writes, done);
  if (news !== undefined) await refresh(client, news);
}

/** The same after operations on forks, which change their list too. */
export async function refreshMerged(
  client: QueryClient,
  writes: readonly OwnWrite[],
  done: Pick<ReportedWrite, 'action' | 'fork'>,
): Promise<void> {
  const news = noteWritten(writes);
  report(writes, done);
  await (news === undefined ? refreshForks(client) : refresh(client, news));
}

function report(writes: readonly OwnWrite[], done: Pick<ReportedWrite, 'action' | 'fork'>): void {
  const txns = writes.flatMap(({ txn }) => txn ?? []);
  if (txns.length === 0) return;
  const { context = {} } = writes[0] ?? {};
  lastWrite.set({ ...done, txns, context, events: writes.flatMap(({ events = [] }) => events) });
}

/** Records that the page shows the writes. Returns the changes that it did not show yet; undefined if there are none. */
export function noteWritten(writes: readonly OwnWrite[]): Changed | undefined {
  let news: Changed | undefined;
  for (const { txn, events, context } of writes) {
    if (txn === null) continue;
    const changed = noteShown(tenantOf(context), txn, events === undefined ? 'everything' : changedBy(events));
    if (changed !== undefined) news = union(news, changed);
    // The stream may deliver a large transaction in several parts.
    noteShown(tenantOf(context), txn, 'everything');
  }
  return news;
}

/** Refreshes everything after a write of unknown outcome, unless the event stream will report its changes. */
export async function refreshIfUnfollowed(client: QueryClient): Promise<void> {
  await (following.get() ? refreshForks(client) : refresh(client, 'everything'));
}

/** Refreshes the list of forks: no event says that one was created, derived or closed. */
export function refreshForks(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['forks'] });
}

/** Replaces the record of a fork in the cached lists, without a request. */
export function noteFork(client: QueryClient, fork: ForkInfo): void {
  client.setQueriesData<readonly ForkInfo[]>({ queryKey: ['forks'] }, (forks) =>
    forks?.map((each) => (each.id === fork.id ? fork : each)),
  );
}

/** Refreshes everything after the server loaded a module. */
export async function refreshModule(client: QueryClient): Promise<void> {
  await Promise.all([
    ...[HEALTH, PROJECT].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
    refreshDeclarations(client),
  ]);
}

/** The `loadedAt` of the last load by this page whose changes it has refreshed already. */
let ownLoadedAt: string | null | undefined;

/** Refreshes everything but the sources, which this page has saved itself. */
export async function refreshSavedModule(client: QueryClient, moduleHash: string): Promise<void> {
  void refreshDeclarations(client, ({ queryKey }) => queryKey[1] !== 'sources');
  await client.invalidateQueries({ queryKey: HEALTH.queryKey });
  const module = client.getQueryData(HEALTH.queryKey)?.module;
  // If another load came in between, the lists may show the state before it.
  if (module?.moduleHash === moduleHash) ownLoadedAt = module.loadedAt;
}

/** Refreshes the schema first: it says which context all other requests need. */
async function refreshDeclarations(client: QueryClient, isStale = (_query: Query) => true): Promise<void> {
  const isFirst = ({ queryKey }: Query): boolean =>
    [MODULE_INFO, SCHEMA].some((each) => each.queryKey[1] === queryKey[1]);
  await client.invalidateQueries({ queryKey: ['module'], predicate: isFirst });
  await Promise.all([
    client.invalidateQueries({ queryKey: ['module'], predicate: (query) => !isFirst(query) && isStale(query) }),
    refresh(client, 'everything'),
  ]);
}

async function refresh(client: QueryClient, changed: Changed): Promise<void> {
  const isStale = ({ meta, queryKey }: Query): boolean =>
    changed === 'everything' ||
    (!queryKey.some(isPast) && (meta?.storedRelation === undefined || changed.has(meta.storedRelation)));
  await Promise.all([client.invalidateQueries({ queryKey: ['facts'], predicate: isStale }), refreshForks(client)]);
}

/** A write does not change the past. */
function isPast(part: unknown): boolean {
  return typeof part === 'object' && part !== null && 'asOf' in part;
}

/** Used once, by the shell. */
export function useLiveUpdates(): void {
  useFollowServer();
  useFollowEvents();
}

/** Refreshes everything when the server answers again after silence, or has loaded the module again. */
function useFollowServer(): void {
  const client = useQueryClient();
  const health = useHealth();
  const loadedAt = health.data?.module.loadedAt;
  const silent = health.isError;
  const seen = useRef<{ loadedAt: string | null | undefined; silent: boolean }>({ loadedAt: undefined, silent: false });
  useEffect(() => requiredContext.subscribe(() => void refresh(client, 'everything')), [client]);
  useEffect(() => {
    const before = seen.current;
    const cameBack = before.silent && !silent;
    const changed = before.loadedAt !== undefined && loadedAt !== undefined && before.loadedAt !== loadedAt;
    seen.current = { loadedAt: loadedAt === undefined ? before.loadedAt : loadedAt, silent };
    if (!cameBack && (!changed || loadedAt === ownLoadedAt)) return;
    // A server that was started again may have another history.
    forgetHistory();
    void refreshDeclarations(client);
    if (cameBack) void client.invalidateQueries({ queryKey: ['requests'] });
  }, [client, loadedAt, silent]);
}

/** Throttles refreshes: the lists are at most this old. */
const PAUSE_MS = 200;
/** While a large import runs, everything is refreshed at this interval. */
const BURST_PAUSE_MS = 2_000;

/** Whether the event stream is open. */
export const following = createStore(false);

/** The last event that the page has seen, where the next stream resumes. Events are numbered by tenant, across all forks. */
let lastEvent: { readonly tenant: string; readonly seq: number } | undefined;

function forgetHistory(): void {
  lastEvent = undefined;
  forgetShown();
}

/** Follows the events of the page's place. A hidden page closes its stream: a browser has six connections to a server. */
function useFollowEvents(): void {
  const client = useQueryClient();
  const { context, fork } = usePlace();
  const required = useStore(requiredContext);
  const isLoaded = useHealth().data?.module.loaded === true;
  const mayAsk = useMayAskFacts();
  const isSilent = useIsSilent();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place has other events to follow.
  useEffect(() => {
    if (!isLoaded || !mayAsk || isSilent) return undefined;
    const tenant = tenantOf(context);
    const since = Date.now();
    const changes = collectChanges(tenant, (changed) => void refresh(client, changed), PAUSE_MS);
    const stop = whileVisible(() => follow(client, { tenant, since, changes }));
    return () => {
      stop();
      changes.cancel();
    };
  }, [client, context, required, fork, isLoaded, mayAsk, isSilent]);
}

interface Followed {
  readonly tenant: string;
  /** When the page came to this place. */
  readonly since: number;
  readonly changes: ReturnType<typeof collectChanges>;
}

/** Follows until the returned function is called. */
function follow(client: QueryClient, { tenant, since, changes }: Followed): () => void {
  const abort = new AbortController();
  const isKnown = (): boolean => lastEvent?.tenant === tenant;
  /** False if the stream has ended. */
  const followUntilBurst = async (): Promise<boolean> => {
    const stream = api.follow({
      ...placeOptions(abort.signal),
      ...(lastEvent !== undefined && isKnown() && { after: lastEvent.seq }),
      onOpen() {
        following.set(true);
        // No event tells what happened before the first stream was open, nor here while the page was at another fork.
        if (isKnown()) refreshOlder(client, since);
        else changes.restarted();
      },
      onLost() {
        following.set(false);
        void client.invalidateQueries({ queryKey: HEALTH.queryKey });
      },
      onOther: (_type, record) => noteFork(client, record as ForkInfo),
      onSeq: (seq) => {
        lastEvent = { tenant, seq };
      },
    });
    const burst = createBurst(() => performance.now());
    try {
      for await (const event of stream) {
        changes.happened(event);
        if (!burst.isReached()) continue;
        // The next stream begins with what is new then, and refreshes everything.
        lastEvent = undefined;
        return true;
      }
      return false;
    } catch (failure) {
      if (!isReplaced(failure) && !(isKnown() && hasCode(failure, 'SVC_RUNTIME_VALIDATION_FAILED'))) throw failure;
      forgetHistory();
      return await followUntilBurst();
    }
  };
  const followOn = async (): Promise<void> => {
    while (await followUntilBurst()) {
      await new Promise((resolve) => setTimeout(resolve, BURST_PAUSE_MS));
      if (abort.signal.aborted) return;
    }
  };
  void followOn()
    // Refused (a closed fork, a missing tenant) or not reached: the lists say so where they are shown.
    .catch(() => undefined)
    .finally(() => following.set(false));
  return () => abort.abort();
}

/** Refreshes what was read before; a request under way is newer. */
function refreshOlder(client: QueryClient, since: number): void {
  const isOlder = ({ state }: Query): boolean => state.dataUpdatedAt < since;
  void client.invalidateQueries({ queryKey: ['facts'], predicate: isOlder }, { cancelRefetch: false });
}

/** Another history has taken the name: another fork took the id, or the facts were archived. */
function isReplaced(failure: unknown): boolean {
  return hasCode(failure, 'SVC_RUNTIME_FORK_CLOSED') || hasCode(failure, 'SVC_RUNTIME_MODULE_INCOMPATIBLE');
}
