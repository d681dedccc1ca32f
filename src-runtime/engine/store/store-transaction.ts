/** A transaction: only its writer sees its changes until they are committed. */

import { invariant } from '../../base/invariant.js';
import type { Relation } from '../relation/relation.js';
import type { Transaction, View } from '../types.js';
import type { TryingInterner } from '../values/codec.js';
import type { FactStore } from './store.js';
import type { StoreView } from './store-view.js';
import type { StoredState } from './stored-state.js';

export class StoreTransaction implements Transaction {
  readonly view: StoreView;
  readonly version: number;
  private readonly store: FactStore;
  private readonly interner: TryingInterner;
  private readonly touched = new Set<string>();
  /** Versions that were undone while it was written. */
  private readonly undone: { readonly after: number; readonly last: number }[] = [];
  private phase: 'writing' | 'prepared' | 'committed' | 'undone' = 'writing';

  constructor(store: FactStore, firstVersion: number, commit: number) {
    this.store = store;
    this.version = commit;
    this.interner = store.interner.trying();
    this.view = store.openView(firstVersion, this.interner);
  }

  hasUndone(version: number): boolean {
    return this.phase === 'undone' || this.undone.some(({ after, last }) => version > after && version <= last);
  }

  insert(path: string, codes: readonly number[]): boolean {
    this.assertOpen();
    const { relation } = this.store.stored.of(path);
    invariant(codes.length === relation.arity, `a fact of ${path} has ${relation.arity} values`);
    if (relation.find(codes, this.view.version) >= 0) return false;
    const state = this.change(path);
    state.writtenSize += 1;
    this.add(relation, codes);
    return true;
  }

  insertAll(path: string, tuples: Int32Array, areNew: boolean): number[] {
    this.assertOpen();
    const { relation } = this.store.stored.of(path);
    const { arity } = relation;
    const count = tuples.length / arity;
    invariant(Number.isInteger(count), `a fact of ${path} has ${arity} values`);
    if (count === 0) return [];
    const state = this.change(path);
    const { version } = this.view;
    if (areNew) {
      relation.appendAll(tuples, version);
      state.writtenSize += count;
      return [];
    }
    const found: number[] = [];
    const codes = Array.from({ length: arity }, () => 0);
    for (let index = 0; index < count; index++) {
      for (let column = 0; column < arity; column++) codes[column] = tuples[index * arity + column] as number;
      if (relation.find(codes, version) >= 0) found.push(index);
      else this.add(relation, codes);
    }
    state.writtenSize += count - found.length;
    return found;
  }

  makeRoom(path: string, more: number): Generator<void, void> {
    return this.store.stored.of(path).relation.makeRoomInBlocks(more);
  }

  private add(relation: Relation, codes: readonly number[]): void {
    const { version } = this.view;
    // A row deleted at this version keeps its place when it is inserted again.
    const died = relation.lifetimes.deletions.last === version ? relation.findDeleted(codes, version) : -1;
    if (died >= 0) relation.restore(died);
    else relation.append(codes, version);
  }

  delete(path: string, codes: readonly number[]): boolean {
    this.assertOpen();
    const row = this.store.stored.of(path).relation.find(codes, this.view.version);
    if (row < 0) return false;
    this.remove(path, row);
    return true;
  }

  deleteMatching(path: string, pattern: readonly (number | null)[]): number[][] {
    this.assertOpen();
    const { relation } = this.store.stored.of(path);
    const columns = [...pattern.keys()].filter((column) => pattern[column] !== null);
    const key = columns.map((column) => pattern[column] ?? 0);
    return relation.matching(columns, key, this.view.version).map((row) => {
      this.remove(path, row);
      return relation.rowAt(row);
    });
  }

  mark(): View {
    this.assertOpen();
    this.view.isSealed = true;
    const marked = this.store.openView(this.view.version, this.interner);
    marked.isSealed = true;
    return marked;
  }

  undoTo(marked: View): void {
    this.assertOpen();
    const { version } = marked as StoreView;
    this.store.undoWriter(version, this.touched);
    this.undone.push({ after: version, last: this.view.version });
    // The next change takes a version above those that were undone, from which something may have been derived.
    this.view.isSealed = true;
  }

  prepare(): void {
    this.assertOpen();
    this.phase = 'prepared';
    this.interner.keep();
    this.store.prepare(this);
  }

  commit(): void {
    if (this.phase === 'writing') this.prepare();
    invariant(this.phase === 'prepared', 'a transaction is committed once');
    this.phase = 'committed';
    this.store.commit(this, this.touched);
    this.view.release();
  }

  rollback(): void {
    invariant(this.phase === 'writing' || this.phase === 'prepared', 'a committed transaction stays');
    const isWriting = this.phase === 'writing';
    this.phase = 'undone';
    this.store.rollback(this, this.touched);
    this.view.release();
    // Others may have continued from a prepared transaction.
    if (isWriting) this.interner.drop();
  }

  private remove(path: string, row: number): void {
    const { relation } = this.change(path);
    this.store.stored.of(path).writtenSize -= 1;
    relation.remove(row, this.view.version);
  }

  /** Called before each change. Sealed derivations keep the version that they were derived from. */
  private change(path: string): StoredState {
    if (this.view.isSealed) {
      this.view.version += 1;
      this.view.isSealed = false;
    }
    this.touched.add(path);
    return this.store.stored.touch(path, this.view.version);
  }

  private assertOpen(): void {
    invariant(this.phase === 'writing', 'a transaction is written until it is prepared, committed or rolled back');
  }
}
