/** What the history says of a transaction, in words. */

import { shortName } from './locations.js';

interface CauseWords {
  readonly words: string;
  /** Whose promotion it was, or the undoing of it, or whose changes they are, or whose transaction was picked. */
  readonly fork?: string | undefined;
  readonly mutation?: string;
  /** The transaction that it undid or picked, or to which it went back; 0 for what was before the first. */
  readonly txn?: number;
}

export function causeOf(cause: string): CauseWords {
  const ofTransaction = /^(undo|as of) #([0-9]+)$/.exec(cause);
  if (ofTransaction !== null) {
    const txn = Number(ofTransaction[2]);
    const which = txn === 0 ? 'before the first transaction' : `transaction ${txn.toLocaleString('en')}`;
    return { words: ofTransaction[1] === 'undo' ? `the undoing of ${which}` : `going back to ${which}`, txn };
  }
  const picked = /^pick #([0-9]+) of (.+)$/.exec(cause);
  if (picked !== null) {
    const txn = Number(picked[1]);
    return { words: `transaction ${txn.toLocaleString('en')} picked from`, fork: picked[2], txn };
  }
  const ofFork = /^(promote|undo|changes of) (.+)$/.exec(cause);
  if (ofFork !== null) return { words: FORK_WORDS[ofFork[1] ?? ''] ?? '', fork: ofFork[2] };
  if (cause === 'adhoc') return { words: 'a mutation that was sent as text' };
  if (cause === 'batch') return { words: 'a batch' };
  return { words: shortName(cause), mutation: cause };
}

const FORK_WORDS: Readonly<Record<string, string>> = {
  promote: 'the promotion of',
  undo: 'the undoing of',
  'changes of': 'the changes of',
};
