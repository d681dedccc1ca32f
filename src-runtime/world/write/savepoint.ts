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
  const { transaction, adopt, forget } = innerOf(outer, overlay);
  return {
    transaction,
    release() {
      marked.release();
      adopt();
    },
    rollBack() {
      overlay.undoTo(marked);
      marked.release();
      forget();
    },
  };
}

export interface RowSavepoint extends Savepoint {
  /**
   * Whether a rollback restored a deleted fact, which may count as created now. If so, the transaction must be rolled back, at least
   * to an earlier savepoint.
   */
  readonly isInexact: boolean;
}

/** A savepoint for the few changes of a row. It remembers each of them. */
export function createRowSavepoint(outer: OpenTransaction): RowSavepoint {
  const log: { readonly path: string; readonly codes: readonly number[]; readonly isInsert: boolean }[] = [];
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
  const { transaction, adopt, forget } = innerOf(outer, noting);
  return {
    transaction,
    get isInexact() {
      return log.some(({ isInsert }) => !isInsert);
    },
    release: adopt,
    rollBack() {
      for (const { path, codes, isInsert } of log.toReversed()) {
        if (isInsert) overlay.delete(path, codes);
        else overlay.insert(path, codes);
      }
      forget();
    },
  };
}

function innerOf(outer: OpenTransaction, overlay: Transaction) {
  const eventsBefore = outer.events.length;
  const transaction: OpenTransaction = {
    ...outer,
    overlay,
    deleted: new Set(outer.deleted),
    forgotten: new Set(outer.forgotten),
  };
  return {
    transaction,
    adopt() {
      outer.nextIndividual = transaction.nextIndividual;
      for (const id of transaction.deleted) outer.deleted.add(id);
      for (const id of transaction.forgotten) outer.forgotten.add(id);
    },
    forget() {
      outer.events.length = eventsBefore;
    },
  };
}
