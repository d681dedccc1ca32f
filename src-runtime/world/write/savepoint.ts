/** Savepoints: parts of a transaction that can be rolled back alone. */

import type { Transaction } from '../../engine/index.js';
import type { OpenTransaction } from './open-transaction.js';

export interface Savepoint {
  /** Write to this instead of the outer transaction. */
  readonly transaction: OpenTransaction;
  /** Keeps the changes in the outer transaction. */
  release(): void;
  /** Restores the facts and events of before. */
  rollBack(): void;
}

/** A savepoint for many changes. It is exact, and costs the transaction a version. */
export function createSavepoint(outer: OpenTransaction): Savepoint {
  const { overlay } = outer;
  const marked = overlay.mark();
  const inner = new Inner(outer, overlay);
  inner.begin();
  return {
    transaction: inner.transaction,
    release() {
      marked.release();
      inner.adopt();
    },
    rollBack() {
      overlay.undoTo(marked);
      marked.release();
      inner.forget();
    },
  };
}

/** One savepoint after the other, each for the few changes of a row. They remember each change. */
export interface RowSavepoints extends Savepoint {
  /** Begins the next one. */
  begin(): void;
  /**
   * Whether a rollback now would restore a deleted fact, which may then count as created now. If so, the transaction must be rolled
   * back, at least to an earlier savepoint.
   */
  readonly isInexact: boolean;
}

export function createRowSavepoints(outer: OpenTransaction): RowSavepoints {
  let log: { readonly path: string; readonly codes: readonly number[]; readonly isInsert: boolean }[] = [];
  const { overlay } = outer;
  const noting: Transaction = {
    version: overlay.version,
    view: overlay.view,
    insert(path, codes) {
      const isNew = overlay.insert(path, codes);
      if (isNew) log.push({ path, codes, isInsert: true });
      return isNew;
    },
    insertAll: (path, tuples, areNew) => {
      const arity = overlay.view.program.relations.get(path)?.endpoints.length ?? 1;
      const found: number[] = [];
      for (let start = 0; start < tuples.length; start += arity) {
        const isNew = noting.insert(path, [...tuples.subarray(start, start + arity)]);
        if (!isNew && !areNew) found.push(start / arity);
      }
      return found;
    },
    makeRoom: (path, more) => overlay.makeRoom(path, more),
    delete(path, codes) {
      const wasThere = overlay.delete(path, codes);
      if (wasThere) log.push({ path, codes, isInsert: false });
      return wasThere;
    },
    deleteMatching(path, pattern) {
      const removed = overlay.deleteMatching(path, pattern);
      for (const codes of removed) log.push({ path, codes, isInsert: false });
      return removed;
    },
    mark: () => overlay.mark(),
    undoTo: (marked) => overlay.undoTo(marked),
    prepare: () => overlay.prepare(),
    commit: () => overlay.commit(),
    rollback: () => overlay.rollback(),
  };
  const inner = new Inner(outer, noting);
  return {
    transaction: inner.transaction,
    begin() {
      log = [];
      inner.begin();
    },
    get isInexact() {
      return log.some(({ isInsert }) => !isInsert);
    },
    release: () => inner.adopt(),
    rollBack() {
      for (const { path, codes, isInsert } of log.toReversed()) {
        if (isInsert) overlay.delete(path, codes);
        else overlay.insert(path, codes);
      }
      inner.forget();
    },
  };
}

/** What a savepoint keeps beside the facts. It shares events and individuals with the outer transaction. */
class Inner {
  readonly transaction: OpenTransaction;
  private readonly outer: OpenTransaction;
  private events = 0;
  private deleted = 0;
  private forgotten = 0;

  constructor(outer: OpenTransaction, overlay: Transaction) {
    this.outer = outer;
    this.transaction = { ...outer, overlay };
  }

  begin(): void {
    const { events, deleted, forgotten, nextIndividual } = this.outer;
    this.transaction.nextIndividual = nextIndividual;
    [this.events, this.deleted, this.forgotten] = [events.length, deleted.size, forgotten.size];
  }

  adopt(): void {
    this.outer.nextIndividual = this.transaction.nextIndividual;
  }

  forget(): void {
    const { events, deleted, forgotten } = this.outer;
    events.length = this.events;
    cut(deleted, this.deleted);
    cut(forgotten, this.forgotten);
  }
}

/** Removes all but the first so many, in order of insertion. */
function cut(set: Set<string>, size: number): void {
  if (set.size > size) for (const each of [...set].slice(size)) set.delete(each);
}
