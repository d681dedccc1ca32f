/** The state of one stored relation: its rows, and its history by version. */

import type { Relation } from '../relation/relation.js';

/** The state of a relation from a version on. Readers identify the state by this object. */
export interface StateEntry {
  readonly version: number;
  readonly revision: number;
  readonly size: number;
}

/** Revisions are never reused, so equal revisions mean equal facts. */
export interface StoredState {
  relation: Relation;
  /** Whether a store under another program reads its rows too, so that they must not move. */
  isShared: boolean;
  /** Rows that the last committed version sees. */
  committedSize: number;
  /** Rows that the writer sees. */
  writtenSize: number;
  /** Ascending. The first entry is the empty relation. */
  history: StateEntry[];
  /** Of the writer and of prepared transactions, by the version from which they are visible. */
  pending: StateEntry[];
}

/**
 * The same rows for a store under another program. Its state entries differ, because caches keyed by them may belong to
 * one program.
 */
export function shareState(state: StoredState, isGuest: boolean): StoredState {
  state.isShared ||= !isGuest;
  return { ...state, isShared: true, history: state.history.map((entry) => ({ ...entry })), pending: [] };
}

/** The entry that the version sees, of ascending ones. */
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

/** Drops the states before the last committed one, and the rows of only those. Call only without readers. */
export function dropPastStates(state: StoredState, version: number): void {
  state.history = state.history.slice(-1);
  const { relation } = state;
  const isSparse = relation.count > 64 && state.committedSize * 2 < relation.count;
  // A sharer of an overlay may still read it at old versions.
  if (relation.base !== null && !state.isShared) relation.vacuum([version]);
  if (!(isSparse || relation.lifetimes.needsVacuum) || relation.base !== null) return;
  if (state.isShared) state.relation = relation.compacted(version);
  else relation.compact(version);
  state.isShared = false;
}
