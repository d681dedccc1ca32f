/** A savepoint: part of a transaction that can be rolled back alone, if the transaction itself is not committed afterwards. */

import type { Transaction } from '../../engine/index.js';
import type { OpenTransaction } from './open-transaction.js';

export interface Savepoint {
  /** Write to this instead of the outer transaction. */
  readonly transaction: OpenTransaction;
  /** Keeps the changes in the outer transaction. */
  release(): void;
  /**
   * Restores the facts. A row that was removed and restored counts as born now. So the transaction's facts are right, but their birth
   * versions are not, and it must be rolled back in the end.
   */
  rollBack(): void;
}

export function createSavepoint(outer: OpenTransaction): Savepoint {
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
    prepare: () => overlay.prepare(),
    commit: () => overlay.commit(),
    rollback: () => overlay.rollback(),
  };
  const eventsBefore = outer.events.length;
  const transaction: OpenTransaction = {
    ...outer,
    overlay: noting,
    deleted: new Set(outer.deleted),
    forgotten: new Set(outer.forgotten),
  };
  return {
    transaction,
    release() {
      outer.nextIndividual = transaction.nextIndividual;
      for (const id of transaction.deleted) outer.deleted.add(id);
      for (const id of transaction.forgotten) outer.forgotten.add(id);
    },
    rollBack() {
      for (const { path, codes, isInsert } of log.reverse()) {
        if (isInsert) overlay.delete(path, codes);
        else overlay.insert(path, codes);
      }
      outer.events.length = eventsBefore;
    },
  };
}
