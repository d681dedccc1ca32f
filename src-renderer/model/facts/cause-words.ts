/** The cause of a transaction in words. */

import type { Cause } from '../../../src-runtime/api/schemas/schemas.js';
import { shortName } from './locations.js';

interface CauseWords {
  readonly words: string;
  /** Ends the words: the promoted fork, or the one that changes came from. */
  readonly fork?: string;
  readonly mutation?: string;
  /** The transaction in question; 0 for the state before the first. */
  readonly txn?: number;
}

export function causeWords(cause: Cause): CauseWords {
  switch (cause.kind) {
    case 'mutation':
      return { words: shortName(cause.path), mutation: cause.path };
    case 'adhoc':
      return { words: 'an ad-hoc mutation' };
    case 'batch':
      return { words: 'a batch' };
    case 'promote':
      return { words: 'the promotion of', fork: cause.fork };
    case 'undoPromotion':
      return { words: 'the revert of', fork: cause.fork };
    case 'update':
      return { words: 'the changes of', fork: cause.fork };
    case 'pick':
      return { words: `${transactionText(cause.txn)} cherry-picked from`, fork: cause.fork, txn: cause.txn };
    case 'undo':
      return { words: `the revert of ${transactionText(cause.txn)}`, txn: cause.txn };
    case 'asOf':
      return {
        words: cause.txn === 0 ? 'a return to the start' : `a return to ${transactionText(cause.txn)}`,
        txn: cause.txn,
      };
    case 'compaction':
      return { words: 'the compaction of the earlier history' };
    case 'other':
      return { words: cause.text };
  }
}

function transactionText(txn: number): string {
  return `transaction ${txn.toLocaleString('en')}`;
}
