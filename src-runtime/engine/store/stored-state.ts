/** What a store knows of one stored relation: its rows, and which version left it in which state. */

import type { Relation } from '../relation/relation.js';

/** The state that a relation has from a version on. Readers know the state by this very object. */
export interface StateEntry {
  readonly version: number;
  readonly revision: number;
  readonly size: number;
}

/** Revisions are never used twice, so equal revisions mean equal facts. */
export interface StoredState {
  relation: Relation;
  /** Whether a store under another program reads its rows too, which then have to stay where they are. */
  isShared: boolean;
  /** Rows that the last committed version sees. */
  committedSize: number;
  /** Rows that the writer sees. */
  writtenSize: number;
  /** Ascending; the first entry is that of the empty relation. */
  history: StateEntry[];
  /** Those of the writer and of what is prepared, by the version since which they are seen. */
  pending: StateEntry[];
}

/** The same rows for a store under another program. Its states are others: what is kept of one may be of its program. */
export function shareState(state: StoredState): StoredState {
  state.isShared = true;
  return { ...state, history: state.history.map((entry) => ({ ...entry })), pending: [] };
}

/** The one of these, ascending, that the version sees. */
export function entryBy(entries: readonly StateEntry[], version: number): StateEntry | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as StateEntry).version <= version) low = middle + 1;
    else high = middle;
  }
  return entries[low - 1];
}

/** The entries that these versions see. */
export function entriesAt(history: readonly StateEntry[], versions: readonly number[]): StateEntry[] {
  const seen = new Set(versions.map((version) => entryBy(history, version)));
  return history.filter((entry) => seen.has(entry));
}

/** Forgets the states before the last committed one, and what only they have. While nobody reads them. */
export function forgetPastStates(state: StoredState, version: number): void {
  state.history = state.history.slice(-1);
  const { relation } = state;
  const isSparse = relation.count > 64 && state.committedSize * 2 < relation.count;
  // Who shares an overlay may read it at versions that are past here.
  if (relation.base !== null && !state.isShared) relation.vacuum([version]);
  if (!(isSparse || relation.lifetimes.needsVacuum) || relation.base !== null) return;
  if (state.isShared) state.relation = relation.compacted(version);
  else relation.compact(version);
  state.isShared = false;
}
