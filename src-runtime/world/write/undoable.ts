/** A part of a transaction that can be taken back by itself, as long as nothing of the transaction will be committed then. */

import type { Transaction } from '../../engine/index.js';
import type { Writing } from './writing.js';

export interface Attempt {
  /** To be written to in place of the transaction as a whole. */
  readonly writing: Writing;
  /** The attempt becomes part of the transaction. */
  keep(): void;
  /**
   * The facts are again what they were. A row that was removed and is put back counts as born now, so that the transaction
   * tells the truth about its facts but not about when they came, and has to be rolled back in the end.
   */
  undo(): void;
}

export function undoable(whole: Writing): Attempt {
  const log: { readonly path: string; readonly codes: readonly number[]; readonly isInsert: boolean }[] = [];
  const { transaction } = whole;
  const noting: Transaction = {
    version: transaction.version,
    view: transaction.view,
    insert(path, codes) {
      const isNew = transaction.insert(path, codes);
      if (isNew) log.push({ path, codes, isInsert: true });
      return isNew;
    },
    delete(path, codes) {
      const wasThere = transaction.delete(path, codes);
      if (wasThere) log.push({ path, codes, isInsert: false });
      return wasThere;
    },
    deleteMatching(path, pattern) {
      const removed = transaction.deleteMatching(path, pattern);
      for (const codes of removed) log.push({ path, codes, isInsert: false });
      return removed;
    },
    mark: () => transaction.mark(),
    prepare: () => transaction.prepare(),
    commit: () => transaction.commit(),
    rollback: () => transaction.rollback(),
  };
  const eventsBefore = whole.events.length;
  const writing: Writing = {
    ...whole,
    transaction: noting,
    deleted: new Set(whole.deleted),
    forgotten: new Set(whole.forgotten),
  };
  return {
    writing,
    keep() {
      whole.nextIndividual = writing.nextIndividual;
      for (const id of writing.deleted) whole.deleted.add(id);
      for (const id of writing.forgotten) whole.forgotten.add(id);
    },
    undo() {
      for (const { path, codes, isInsert } of log.reverse()) {
        if (isInsert) transaction.delete(path, codes);
        else transaction.insert(path, codes);
      }
      whole.events.length = eventsBefore;
    },
  };
}
