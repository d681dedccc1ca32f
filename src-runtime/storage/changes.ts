/** Which changes a history refuses: those for a scope that is not there, and those whose numbers do not go on from its last. */

import type { Change, ScopeHead } from './database.js';
import { MAIN_FORK, StorageError, type StoredTransaction } from './event-store.js';

/**
 * Says for one change after the other, each as if those before it had been applied, why it must be refused;
 * undefined where it may go ahead. `headOf` reads what is stored, undefined where there is no such scope.
 */
export function changeChecker(
  headOf: (scopeId: string) => ScopeHead | undefined,
): (change: Change) => StorageError | undefined {
  const staged = new Map<string, ScopeHead>();
  return (change) => {
    const scopeId = change.kind === 'createScope' ? change.record.scopeId : change.scopeId;
    const head = staged.get(scopeId) ?? headOf(scopeId);
    if (change.kind === 'createScope') {
      if (head !== undefined) return refusal(`Scope ${scopeId} exists already`);
      staged.set(scopeId, { txn: 0, seq: 0 });
      return undefined;
    }
    if (head === undefined) return refusal(`There is no scope ${scopeId}; create it first`);
    if (change.kind === 'putFork' && change.fork.fork === MAIN_FORK) {
      return refusal(`Fork ${MAIN_FORK} always exists and has no record of its own`);
    }
    if (change.kind !== 'append') return undefined;
    const problem = outOfOrder(change.transaction, head);
    if (problem !== undefined)
      return refusal(`Transaction ${change.transaction.txn} of scope ${scopeId} is refused: ${problem}`);
    staged.set(scopeId, { txn: change.transaction.txn, seq: change.transaction.events.at(-1)?.seq ?? head.seq });
    return undefined;
  };
}

function outOfOrder(transaction: StoredTransaction, head: ScopeHead): string | undefined {
  if (!Number.isSafeInteger(transaction.txn) || transaction.txn <= head.txn) {
    return `its number does not come after ${head.txn}, the scope's last`;
  }
  let last = head.seq;
  for (const { seq } of transaction.events) {
    if (!Number.isSafeInteger(seq) || seq <= last) return `event ${seq} does not come after event ${last}`;
    last = seq;
  }
  return undefined;
}

function refusal(message: string): StorageError {
  return new StorageError(message, 'failed');
}
