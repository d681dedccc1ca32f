/** Queries whose results are kept in sight: asked again whenever facts or the module change, with what that did to them. */

import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { JsonValue } from '../../src-runtime/api/schemas/schemas.js';
import { type CallRequest, callTitle } from '../model/calls/calls.js';
import { placeOptions, usePlace } from '../model/calls/place.js';
import { ApiFailure } from '../model/facts/failure.js';
import { changeOf, type RowChange } from '../model/facts/row-change.js';
import { createKeptStore, createStore, useStore } from '../state/store.js';
import { PAGE_ROWS } from './facts.js';
import { sendCall } from './send-call.js';

export interface PinnedQuery {
  readonly id: string;
  readonly name: string;
  /** Of a query, a derive or a function: what only reads. */
  readonly request: CallRequest;
  readonly paged: boolean;
}

export interface PinnedResult {
  readonly pinned: PinnedQuery;
  readonly result: JsonValue | undefined;
  /** Only the first page is kept in sight. */
  readonly more: boolean;
  readonly error: unknown;
  readonly pending: boolean;
  /** Rows that came and went when it last gave another result. */
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

export const pinnedQueries = createKeptStore<readonly PinnedQuery[]>(
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

/** Results by the query's id, so that several views of them agree on what changed. */
const changes = createStore<Readonly<Record<string, RowChange>>>({});
const lastRows = new Map<string, { readonly rows: JsonValue; readonly module: string }>();
/** Where they are of; the place may change while nothing shows them. */
let lastPlace: string | undefined;
const NO_CHANGE: RowChange = { added: 0, removed: 0 };

/** What the last other module did to a result, by the query's id. */
const changesByModule = createStore<Readonly<Record<string, { readonly to: string; readonly change: RowChange }>>>({});

/** The results that the module of this hash gave otherwise than the one before it; all are asked for before it changes and after. */
export function usePinnedChangedBy(module: string | undefined): readonly PinnedResult[] {
  const results = usePinnedResults();
  const changed = useStore(changesByModule);
  return results.flatMap((result) => {
    const { to, change } = changed[result.pinned.id] ?? {};
    return change === undefined || to !== module ? [] : [{ ...result, change }];
  });
}

/** Every pinned query with its result; asked again by itself while a component with this hook is shown. */
export function usePinnedResults(): readonly PinnedResult[] {
  const pinned = useStore(pinnedQueries);
  const changed = useStore(changes);
  const place = usePlace();
  const client = useQueryClient();
  const placeText = JSON.stringify(place);
  // In another fork or scope every row is another one; that is no change.
  useEffect(() => {
    if (lastPlace === placeText) return;
    lastPlace = placeText;
    lastRows.clear();
    changes.set({});
    changesByModule.set({});
  }, [placeText]);
  const answers = useQueries(
    {
      queries: pinned.map(({ id, request, paged }) => ({
        queryKey: ['facts', 'pinned', id, place],
        queryFn: async ({ signal }: { signal: AbortSignal }) => {
          const { context, fork } = placeOptions(signal);
          const call = { request, context, fork, dryRun: false };
          const asked = sendCall(call, { signal, limit: paged ? PAGE_ROWS : undefined });
          const answer = await asked.catch((error: unknown) => {
            if (error instanceof ApiFailure)
              noteChange(placeText, id, { failure: error.code }, error.envelope.moduleHash);
            throw error;
          });
          noteChange(placeText, id, answer.result, answer.moduleHash);
          return { result: answer.result, more: answer.nextCursor !== undefined };
        },
        retry: false,
      })),
    },
    client,
  );
  return pinned.map((each, index) => {
    const answer = answers[index];
    return {
      pinned: each,
      result: answer?.data?.result,
      more: answer?.data?.more ?? false,
      error: answer?.error ?? undefined,
      pending: answer?.isPending ?? true,
      change: changed[each.id] ?? NO_CHANGE,
    };
  });
}

function noteChange(place: string, id: string, result: JsonValue, module: string): void {
  // Of a place that has been left meanwhile.
  if (place !== lastPlace) return;
  const before = lastRows.get(id);
  lastRows.set(id, { rows: result, module });
  if (before === undefined) return;
  const change = changeOf(before.rows, result);
  // One change of facts may make it be asked twice; what the first time told stays in sight until there is another.
  if (change.added + change.removed === 0) return;
  changes.update((all) => ({ ...all, [id]: change }));
  if (before.module !== module) changesByModule.update((all) => ({ ...all, [id]: { to: module, change } }));
}
