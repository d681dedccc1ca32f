/** Runs of saved calls, on the current fork or on temporary ones. They continue while the panel is closed. */

import { useQueryClient } from '@tanstack/react-query';
import type { Collection, SavedCall } from '../../../src-runtime/api/schemas/collection-schemas.js';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import { currentFork, MAIN, placeContext, tenantOf, typedContext } from '../../model/calls/place.js';
import { sendingScope } from '../../model/calls/variable-arguments.js';
import { variableScope } from '../../model/calls/variable-scope.js';
import { ConnectionFailure } from '../../model/facts/failure.js';
import { api } from '../../server-state/api.js';
import { type OwnWrite, refreshForks, refreshWritten } from '../../server-state/live.js';
import {
  type CallOutcome,
  callOutcomes,
  cancelCall,
  runCall,
  setOutcome,
  writesOf,
} from '../../server-state/run-call.js';
import { type CallResponse, isPagedText } from '../../server-state/send-call.js';
import { isClosed, ownPage } from '../../state/own-page.js';
import { ownValue } from '../../state/own-value.js';
import { storageOf, storedJson, storeText } from '../../state/page-storage.js';
import { createPersistentStore, createStore } from '../../state/store.js';
import { type Callable, callablesOf, isPaged } from './callables.js';
import { callsToRepeat, numbered, runInOrder, sentCallOf } from './run-logic.js';

export interface RunOptions {
  /** On a temporary fork; else on the current one. */
  readonly isOnFork: boolean;
  readonly stopsAtFailure: boolean;
}

export const runOptions = createPersistentStore<RunOptions>(
  'entail.run-saved',
  { isOnFork: true, stopsAtFailure: false },
  (value): value is RunOptions => {
    const options = (value ?? {}) as Partial<RunOptions>;
    return typeof options.isOnFork === 'boolean' && typeof options.stopsAtFailure === 'boolean';
  },
);

export interface SavedRun {
  /** What was sent (`sendingOf`). If the file sends something else now, its results no longer count. */
  readonly sending: string;
  readonly state: 'running' | 'cancelled' | 'ended';
  readonly isOnFork: boolean;
  /** Why a fork could not be created or removed. */
  readonly failure?: unknown;
}

/** The last run of each file, by name. */
export const savedRuns = createStore<Readonly<Record<string, SavedRun>>>({});

const aborts = new Map<string, AbortController>();

/** Sends no further call, and cancels the one in progress. */
export function cancelRun(collection: string): void {
  aborts.get(collection)?.abort();
}

/** The key of the outcome of a call of the file. */
export function runKey(collection: string, index: number): string {
  return `run ${collection} ${index}`;
}

/** Equal for two files that send the same requests. */
export function sendingOf({ calls }: Collection): string {
  return JSON.stringify(calls.map(({ note: _, sets: __, ...sent }) => sent));
}

export function outcomesOf(
  { name, calls }: Collection,
  outcomes: Readonly<Record<string, CallOutcome>>,
): readonly (CallOutcome | undefined)[] {
  return calls.map((_, index) => outcomes[runKey(name, index)]);
}

/** Runs all calls of a file, or its failed ones. Does nothing during a run. */
export function useRunSaved(schema: ServedSchema): (collection: Collection, which: 'all' | 'failed') => Promise<void> {
  const client = useQueryClient();
  return async (collection, which) => {
    const { name } = collection;
    const sending = sendingOf(collection);
    if (ownValue(savedRuns.get(), name)?.state === 'running') return;
    const { isOnFork, stopsAtFailure } = runOptions.get();
    const calls = numbered(collection.calls);
    const before = outcomesOf(collection, callOutcomes.get());
    const selected =
      which === 'all' ? new Set(calls.keys()) : callsToRepeat(calls, (index) => before[index]?.state, isOnFork);
    for (const index of selected) setOutcome(runKey(name, index), undefined);
    const report = (run: Pick<SavedRun, 'state' | 'failure'>): void =>
      savedRuns.update((runs) => ({ ...runs, [name]: { sending, isOnFork, ...run } }));
    report({ state: 'running' });
    const abort = new AbortController();
    aborts.set(name, abort);
    const callables = callablesOf(schema);
    const forks = isOnFork ? temporaryForks(name) : undefined;
    const { environment, variables: given } = variableScope.get();
    const place = { context: typedContext(), fork: currentFork.get() };
    const writes: OwnWrite[] = [];
    const forksOfRun = new Set<string>();
    let failure: unknown;
    try {
      await runInOrder(calls, selected, {
        stopsAtFailure,
        isCancelled: () => abort.signal.aborted,
        earlier: (index) => resultOf(before[index]),
        send: async ({ index, call: saved }, variables) => {
          const key = runKey(name, index);
          const scope = sendingScope({ environment, variables: { ...given, ...variables } });
          const parametersOf = (path: string) => callables.find((each) => each.path === path)?.parameters ?? [];
          const { call: resolved, problem } = sentCallOf(saved, place, scope, parametersOf);
          if (problem !== undefined) {
            const error = new Error(problem);
            setOutcome(key, { state: 'failed', call: resolved, error, durationMs: 0, at: Date.now() });
            return undefined;
          }
          const call = { ...resolved, fork: (await forks?.forkFor(resolved.context)) ?? resolved.fork };
          if (abort.signal.aborted) return undefined;
          const giveUp = (): void => cancelCall(key);
          abort.signal.addEventListener('abort', giveUp);
          const ended = await runCall(client, key, call, isPagedCall(saved, callables), { ofRun: true });
          if (ended !== undefined) writes.push(...writesOf(ended));
          forksOfRun.add(call.fork);
          abort.signal.removeEventListener('abort', giveUp);
          return resultOf(callOutcomes.get()[key]);
        },
      });
    } catch (thrown) {
      failure = thrown;
    }
    await forks?.remove().catch((thrown: unknown) => {
      failure ??= thrown;
    });
    report({ state: abort.signal.aborted ? 'cancelled' : 'ended', failure });
    // Calls in several places cannot be undone together.
    const isOnePlace = new Set(writes.map(({ context }) => tenantOf(context))).size === 1 && forksOfRun.size === 1;
    const action = { kind: 'run', calls: calls.length } as const;
    await (forks === undefined
      ? refreshWritten(client, writes, isOnePlace ? { action, fork: place.fork } : undefined)
      : refreshForks(client));
  };
}

function resultOf(outcome: CallOutcome | undefined): CallResponse | undefined {
  return outcome?.state === 'answered' ? outcome.answer : undefined;
}

function isPagedCall({ query, adhoc }: SavedCall, callables: readonly Callable[]): boolean {
  if (adhoc !== undefined) return isPagedText(adhoc);
  const callable = callables.find(({ path }) => path === query);
  return callable !== undefined && isPaged(callable);
}

/** Creates a fork for each tenant when it is first needed. */
function temporaryForks(collection: string) {
  const from = { tenant: placeContext.get()['tenantId'] ?? '', fork: currentFork.get() };
  const made = new Map<string, { readonly id: string; readonly context: Record<string, string> }>();
  return {
    async forkFor(given: Readonly<Record<string, string>>): Promise<string> {
      const context = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
      const tenant = context['tenantId'] ?? '';
      const known = made.get(tenant);
      if (known !== undefined) return known.id;
      const id = `run ${collection.slice(0, 48).trim()} ${crypto.randomUUID().slice(0, 8)}`;
      rememberRunFork(id, context);
      await api.createFork({ id, from: tenant === from.tenant ? from.fork : MAIN }, { context });
      made.set(tenant, { id, context });
      return id;
    },
    async remove(): Promise<void> {
      const removed = await Promise.allSettled([...made.values()].map(({ id, context }) => removeRunFork(id, context)));
      const failed = removed.find((each) => each.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
  };
}

interface TemporaryFork {
  readonly page: string;
  readonly context: Readonly<Record<string, string>>;
}

const PREFIX = 'entail.run-fork ';

/** Recorded before the request, because the user may leave the page before the response. */
function rememberRunFork(id: string, context: TemporaryFork['context']): void {
  storeText('localStorage', PREFIX + id, JSON.stringify({ page: ownPage, context } satisfies TemporaryFork));
}

/** Rejects if the fork could not be removed. */
async function removeRunFork(id: string, context: TemporaryFork['context']): Promise<void> {
  storeText('localStorage', PREFIX + id, null);
  await api.abortFork(id, { context });
}

async function removeLeftovers(): Promise<void> {
  for (const key of Object.keys(storageOf('localStorage') ?? {})) {
    if (!key.startsWith(PREFIX)) continue;
    const { page, context } = (storedJson('localStorage', key) ?? {}) as Partial<TemporaryFork>;
    if ((await isClosed(String(page))) !== true) continue;
    const id = key.slice(PREFIX.length);
    await removeRunFork(id, context ?? {}).catch((error: unknown) => {
      // Retrying would not help: the fork no longer exists.
      if (error instanceof ConnectionFailure) storeText('localStorage', key, JSON.stringify({ page, context }));
    });
  }
}

void removeLeftovers();
