/** The stored relations of one store, with their state at each version. */

import { invariant } from '../../base/invariant.js';
import type { EngineProgram } from '../program/program.js';
import { Relation } from '../relation/relation.js';
import { dropPastStates, entriesAt, entryBy, type StateEntry, type StoredState, shareState } from './stored-state.js';

/** Numbers changes, across a store and all its forks. */
export interface Revisions {
  last: number;
}

/** What the relations of a fork begin as. */
interface ParentStates {
  readonly states: StoredStates;
  readonly version: number;
}

export class StoredStates {
  readonly revisions: Revisions;
  private readonly program: EngineProgram;
  private readonly parent: ParentStates | null;
  private readonly states = new Map<string, StoredState>();

  constructor(program: EngineProgram, parent: ParentStates | null, revisions: Revisions) {
    this.program = program;
    this.parent = parent;
    this.revisions = revisions;
  }

  /** The relation of a concept, a field or a stored relation. */
  of(path: string): StoredState {
    const known = this.states.get(path);
    if (known !== undefined) return known;
    const state = this.begin(path);
    this.states.set(path, state);
    return state;
  }

  private begin(path: string): StoredState {
    const info = this.program.relations.get(path);
    invariant(info !== undefined && !this.program.isRule(path), `${path} is a concept, a field or a stored relation`);
    const common = { isShared: false, writtenSize: 0, pending: [] };
    if (this.parent === null) {
      const relation = Relation.stored(info.endpoints.length);
      return { ...common, relation, committedSize: 0, history: [{ version: 0, revision: 0, size: 0 }] };
    }
    const { states, version } = this.parent;
    const state = states.at(path, version);
    const relation = Relation.overlay({ relation: states.of(path).relation, version });
    return { ...common, relation, committedSize: state.size, history: [state] };
  }

  /** Puts the rows of a relation in place that nothing was written to. They are read at these ascending versions. */
  restore(path: string, relation: Relation, versions: readonly number[]): void {
    const history: StateEntry[] = [{ version: 0, revision: 0, size: 0 }];
    let [created, deleted] = [0, 0];
    for (const version of versions) {
      const before = created + deleted;
      created = relation.createdEnd(version);
      deleted = relation.lifetimes.deletions.countBy(version);
      if (created + deleted === before) continue;
      this.revisions.last += 1;
      history.push({ version, revision: this.revisions.last, size: created - deleted });
    }
    const common = { isShared: false, writtenSize: 0, pending: [] };
    this.states.set(path, { ...common, relation, committedSize: created - deleted, history });
  }

  /** The state that the version sees. */
  at(path: string, version: number): StateEntry {
    const { history, pending, writtenSize } = this.of(path);
    const written = entryBy(pending, version);
    // The writer may still change its last state.
    if (written !== undefined) return written === pending.at(-1) ? { ...written, size: writtenSize } : written;
    return entryBy(history, version) ?? { version, revision: 0, size: 0 };
  }

  /** Equal for versions that see the same facts in all of these relations. */
  keyAt(paths: readonly string[], version: number): string {
    return paths.map((path) => this.at(path, version).revision).join(' ');
  }

  /** Notes that the writer changes the relation at its present version. */
  touch(path: string, version: number): StoredState {
    const state = this.of(path);
    const { pending } = state;
    const last = pending.at(-1);
    // Nothing has been read at a version that is still changing.
    if (last?.version === version) return state;
    if (last === undefined) state.writtenSize = state.committedSize;
    else pending[pending.length - 1] = { ...last, size: state.writtenSize };
    this.revisions.last += 1;
    pending.push({ version, revision: this.revisions.last, size: state.writtenSize });
    return state;
  }

  /** Commits what was written to these up to the version. */
  commit(paths: Iterable<string>, version: number): void {
    for (const path of paths) {
      const state = this.of(path);
      const { revision, size } = this.at(path, version);
      state.pending = state.pending.filter((entry) => entry.version > version);
      state.committedSize = size;
      state.history.push({ version, revision, size });
    }
  }

  /** Undoes what was written to these after the version. */
  rollback(paths: Iterable<string>, version: number): void {
    for (const path of paths) {
      const state = this.of(path);
      // The size of its last entry is out of date if nothing was written since.
      if ((state.pending.at(-1)?.version ?? 0) <= version) continue;
      state.relation.undoTo(version);
      state.pending = state.pending.filter((entry) => entry.version <= version);
      state.writtenSize = state.pending.at(-1)?.size ?? state.committedSize;
    }
  }

  /** Drops the states before the last committed one, and the rows of only those. Call only without readers. */
  dropPast(version: number): void {
    for (const state of this.states.values()) dropPastStates(state, version);
  }

  /** Drops the states of these that none of the versions sees, once they are many. */
  dropUnseen(paths: Iterable<string>, many: number, versions: readonly number[]): void {
    for (const path of paths) {
      const state = this.of(path);
      if (state.history.length > many) state.history = entriesAt(state.history, versions);
    }
  }

  /** Unlinks deleted rows that none of the versions sees. Call only while no reader but forks is open. */
  vacuum(versions: readonly number[]): void {
    for (const { relation, isShared } of this.states.values()) {
      if (relation.lifetimes.needsVacuum && !isShared) relation.vacuum(versions);
    }
  }

  /** Continues from the same rows as a store under another program. A guest leaves the other store as it is. */
  shareWith({ states }: StoredStates, isGuest: boolean): void {
    for (const [path, state] of states) this.states.set(path, shareState(state, isGuest));
  }
}
