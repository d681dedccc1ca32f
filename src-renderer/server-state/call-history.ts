/**
 * The history of sent calls, the latest first, shared by all pages of this server. The browser keeps the last thousand over restarts;
 * without storage (a private window) the history lasts as long as the page.
 */

import type { JsonValue } from '../../src-runtime/api/schemas/schemas.js';
import { callText, callTitle, type SentCall } from '../model/calls/calls.js';
import { momentText } from '../model/text/time-text.js';
import { createEntryList } from '../state/browser-database.js';
import { createStore } from '../state/store.js';

export type CallResult =
  | { readonly ok: true; readonly summary: string }
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface HistoryEntry extends SentCall {
  /** Ascending; the key in the database. */
  readonly id: number;
  readonly at: number;
  readonly durationMs: number;
  readonly requestId: string;
  readonly outcome: CallResult;
  /** Kept if small: scenarios expect it, and refer to the individuals in it. */
  readonly result?: JsonValue | undefined;
}

const ENTRIES_MAX = 1_000;
/** A larger request is listed without its arguments. */
const REQUEST_CHARACTERS_MAX = 256 * 1024;
const RESULT_CHARACTERS_MAX = 4 * 1024;

/** The latest first. */
export const callHistory = createStore<readonly HistoryEntry[]>([]);

const CLEARED = 'cleared';
type PageMessage = HistoryEntry | typeof CLEARED;

const stored = createEntryList<HistoryEntry>('entail', 'calls');
/** Notifies other pages of each change, because IndexedDB does not. */
let pages: BroadcastChannel | undefined;
let opened: Promise<void> | undefined;
let lastId = 0;
/** Differs from page to page, so that two calls in the same millisecond have two ids. */
const idFraction = Math.random();

/** Reads the stored history once, when it is first needed. */
export function openHistory(): Promise<void> {
  opened ??= (async () => {
    if (typeof indexedDB === 'undefined') return;
    // Listening starts before reading, so that no call of another page falls between the two.
    pages = new BroadcastChannel('entail.history');
    pages.onmessage = ({ data }: MessageEvent<PageMessage>) => (data === CLEARED ? callHistory.set([]) : take([data]));
    take(await stored.read());
  })();
  return opened;
}

export async function recordCall(call: Omit<HistoryEntry, 'id'>): Promise<void> {
  await openHistory();
  const entry: HistoryEntry = { ...keepable(call), id: Math.floor(Math.max(lastId + 1, call.at)) + idFraction };
  take([entry]);
  pages?.postMessage(entry satisfies PageMessage);
  const full = callHistory.get().length === ENTRIES_MAX;
  await stored.put([entry], full ? callHistory.get().at(-1)?.id : undefined);
}

export async function clearHistory(): Promise<void> {
  callHistory.set([]);
  await openHistory();
  pages?.postMessage(CLEARED satisfies PageMessage);
  await stored.clear();
}

/** Entries with every word of the filter in the request, its time or its outcome. */
export function searchHistory(
  entries: readonly HistoryEntry[],
  filter: string,
  shown: (entry: HistoryEntry) => string = () => '',
): readonly HistoryEntry[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries.filter((entry) => {
    const { outcome } = entry;
    const result = outcome.ok ? `${outcome.summary} succeeded` : `${outcome.code} ${outcome.message} failed`;
    const called = `${callText(entry)} ${callTitle(entry.request)} ${shown(entry)}`;
    const text = `${called} ${result} ${entry.dryRun ? 'dry run' : ''} ${momentText(entry.at)} ${entry.requestId}`;
    return words.every((word) => text.toLowerCase().includes(word));
  });
}

/** The part of a call that is stored: without its result, or its arguments, if they are too large to store. */
export function keepable(call: Omit<HistoryEntry, 'id'>): Omit<HistoryEntry, 'id'> {
  const { result, ...rest } = call;
  const small = result !== undefined && JSON.stringify(result).length <= RESULT_CHARACTERS_MAX;
  const kept = small ? call : rest;
  if (JSON.stringify(call.request).length <= REQUEST_CHARACTERS_MAX) return kept;
  const { request } = call;
  const cut = request.kind === 'batch' ? { ...request, steps: [] } : { ...request, args: {} };
  return { ...kept, request: cut, typed: undefined };
}

function take(entries: readonly HistoryEntry[]): void {
  lastId = Math.max(lastId, entries[0]?.id ?? 0);
  callHistory.update((own) => merged(own, entries));
}

function merged(own: readonly HistoryEntry[], others: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const ids = new Set(own.map(({ id }) => id));
  const all = [...own, ...others.filter(({ id }) => !ids.has(id))];
  return all.sort((a, b) => b.id - a.id).slice(0, ENTRIES_MAX);
}
