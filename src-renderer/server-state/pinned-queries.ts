/** Pinned queries: sent again after each change of facts or module, with the rows that were added and removed. */

import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { JsonValue } from '../../src-runtime/api/schemas/schemas.js';
import { type CallRequest, callTitle } from '../model/calls/calls.js';
import { placeOptions, usePlace } from '../model/calls/place.js';
import { ApiFailure } from '../model/facts/failure.js';
import { changeOf, type RowChange } from '../model/facts/row-change.js';
import { createPersistentStore, createStore, useStore } from '../state/store.js';
import { PAGE_ROWS } from './facts.js';
import { sendCall } from './send-call.js';

export interface PinnedQuery {
  readonly id: string;
  readonly name: string;
  /** A query, a derive or a function: a call that only reads. */
  readonly request: CallRequest;
  readonly paged: boolean;
}

export interface PinnedResult {
  readonly pinned: PinnedQuery;
  readonly result: JsonValue | undefined;
  /** Whether there are rows beyond the first page, which is all that is shown. */
  readonly more: boolean;
  readonly error: unknown;
  readonly pending: boolean;
  /** Rows added and removed when the result last changed. */
  readonly change: RowChange;
}

const isPinned = (value: unknown): value is PinnedQuery => {
  const pinned = value as Partial<PinnedQuery> | null;
  return (
    typeof pinned === 'object' &&
    pinned !== null &&
    typeof pinned.id === 'string' &&
    typeof pinned.name === 'string' &&
    typeof pinned.request === 'object'
  );
};

export const pinnedQueries = createPersistentStore<readonly PinnedQuery[]>(
  'entail.pinned',
  [],
  (value): value is readonly PinnedQuery[] => Array.isArray(value) && value.every(isPinned),
  { isShared: true },
);

export function pinQuery(request: CallRequest, paged: boolean, name = callTitle(request)): void {
  if (isPinnedRequest(pinnedQueries.get(), request)) return;
  pinnedQueries.update((all) => [...all, { id: crypto.randomUUID(), name, request, paged }]);
}

export function unpinQuery(id: string): void {
  pinnedQueries.update((all) => all.filter((pinned) => pinned.id !== id));
}

export function unpinRequest(request: CallRequest): void {
  pinnedQueries.update((all) => all.filter((pinned) => !isOf(pinned, request)));
}

export function isPinnedRequest(all: readonly PinnedQuery[], request: CallRequest): boolean {
  return all.some((pinned) => isOf(pinned, request));
}

function isOf(pinned: PinnedQuery, request: CallRequest): boolean {
  return JSON.stringify(pinned.request) === JSON.stringify(request);
}

/** By the query's id, so that several views show the same change. */
const changes = createStore<Readonly<Record<string, RowChange>>>({});
const lastRows = new Map<string, { readonly rows: JsonValue; readonly module: string }>();
/** The place of `lastRows`. It may change while no view is mounted. */
let lastPlace: string | undefined;
const NO_CHANGE: RowChange = { added: 0, removed: 0 };

/** How the last change of the module changed a result, by the query's id. */
const changesByModule = createStore<Readonly<Record<string, { readonly to: string; readonly change: RowChange }>>>({});

/** The results that changed with the load of this module. Only queries that ran before and after the load are known. */
export function usePinnedChangedBy(module: string | undefined): readonly PinnedResult[] {
  const results = usePinnedResults();
  const changed = useStore(changesByModule);
  return results.flatMap((result) => {
    const { to, change } = changed[result.pinned.id] ?? {};
    return change === undefined || to !== module ? [] : [{ ...result, change }];
  });
}

/** Every pinned query with its result. Results are live while a component with this hook is mounted. */
export function usePinnedResults(): readonly PinnedResult[] {
  const pinned = useStore(pinnedQueries);
  const changed = useStore(changes);
  const place = usePlace();
  const client = useQueryClient();
  const placeText = JSON.stringify(place);
  // Rows of another fork or tenant are not a change of these.
  useEffect(() => {
    if (lastPlace === placeText) return;
    lastPlace = placeText;
    lastRows.clear();
    changes.set({});
    changesByModule.set({});
  }, [placeText]);
  const results = useQueries(
    {
      queries: pinned.map(({ id, request, paged }) => ({
        queryKey: ['facts', 'pinned', id, place],
        queryFn: async ({ signal }: { signal: AbortSignal }) => {
          const { context, fork } = placeOptions(signal);
          const call = { request, context, fork, dryRun: false };
          const sent = sendCall(call, { signal, limit: paged ? PAGE_ROWS : undefined });
          const response = await sent.catch((error: unknown) => {
            if (error instanceof ApiFailure)
              noteChange(placeText, id, { failure: error.code }, error.envelope.moduleHash);
            throw error;
          });
          noteChange(placeText, id, response.result, response.moduleHash);
          return { result: response.result, more: response.nextCursor !== undefined };
        },
        retry: false,
      })),
    },
    client,
  );
  return pinned.map((each, index) => {
    const result = results[index];
    return {
      pinned: each,
      result: result?.data?.result,
      more: result?.data?.more ?? false,
      error: result?.error ?? undefined,
      pending: result?.isPending ?? true,
      change: changed[each.id] ?? NO_CHANGE,
    };
  });
}

function noteChange(place: string, id: string, result: JsonValue, module: string): void {
  // The page has gone to another place since the request.
  if (place !== lastPlace) return;
  const before = lastRows.get(id);
  lastRows.set(id, { rows: result, module });
  if (before === undefined) return;
  const change = changeOf(before.rows, result);
  // A second request after the same write finds nothing new. The change stays until there is another.
  if (change.added + change.removed === 0) return;
  changes.update((all) => ({ ...all, [id]: change }));
  if (before.module !== module) changesByModule.update((all) => ({ ...all, [id]: { to: module, change } }));
}
