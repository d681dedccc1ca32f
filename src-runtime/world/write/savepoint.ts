/** A part of a transaction that can be taken back by itself, as long as nothing of the transaction will be committed then. */

import type { Transaction } from '../../engine/index.js';
import type { OpenTransaction } from './open-transaction.js';

export interface Savepoint {
  /** To be written to in place of the transaction as a whole. */
  readonly transaction: OpenTransaction;
  /** The attempt becomes part of the transaction. */
  release(): void;
  /**
   * The facts are again what they were. A row that was removed and is put back counts as born now, so that the transaction
   * tells the truth about its facts but not about when they came, and has to be rolled back in the end.
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
