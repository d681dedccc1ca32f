/** Which transactions of a history later ones have reverted. */

import type { ListedTransaction } from '../../../../src-runtime/api/schemas/schemas.js';

/** `rows` are newest first. Reverting a revert makes the first transaction count again. */
export function revertedIn(rows: readonly Pick<ListedTransaction, 'txn' | 'cause'>[]): ReadonlySet<number> {
  const reverted = new Set<number>();
  const promotions = new Set<string>();
  for (const { txn, cause } of rows) {
    if (cause.kind === 'promote' && promotions.has(cause.fork)) reverted.add(txn);
    if (reverted.has(txn)) continue;
    if (cause.kind === 'undo') reverted.add(cause.txn);
    else if (cause.kind === 'undoPromotion') promotions.add(cause.fork);
  }
  return reverted;
}
