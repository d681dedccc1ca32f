/** Which transactions of a history have been undone since, as later ones say. */

import type { ListedTransaction } from '../../../../src-runtime/api/schemas/schemas.js';
import { causeOf } from '../../../model/facts/cause-words.js';

/** The last ones first. What was undone and has been brought back by undoing that is not among them. */
export function undoneIn(rows: readonly Pick<ListedTransaction, 'txn' | 'cause'>[]): ReadonlySet<number> {
  const undone = new Set<number>();
  const promotions = new Set<string>();
  for (const { txn, cause } of rows) {
    const { fork } = causeOf(cause);
    if (fork !== undefined && cause === `promote ${fork}` && promotions.has(fork)) undone.add(txn);
    if (undone.has(txn)) continue;
    const [, taken] = /^undo #([0-9]+)$/.exec(cause) ?? [];
    if (taken !== undefined) undone.add(Number(taken));
    else if (fork !== undefined && cause === `undo ${fork}`) promotions.add(fork);
  }
  return undone;
}
