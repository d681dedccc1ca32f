/** Why a transaction was written, and reading it from the sentences that older formats stored. */

export type Cause =
  /** A call or an import of a declared mutation. */
  | { readonly kind: 'mutation'; readonly path: string; readonly source?: ImportSource | undefined }
  | { readonly kind: 'adhoc'; readonly source?: ImportSource | undefined }
  | { readonly kind: 'batch' }
  | { readonly kind: 'promote'; readonly fork: string }
  /** The first transaction of a rebased fork: the changes of `fork`. */
  | { readonly kind: 'update'; readonly fork: string }
  /** A cherry-pick of a transaction that was written to `fork`. */
  | { readonly kind: 'pick'; readonly txn: number; readonly fork: string }
  | { readonly kind: 'undo'; readonly txn: number }
  /** Reverts the promotion of `fork`. */
  | { readonly kind: 'undoPromotion'; readonly fork: string }
  /** The first transaction of a fork of an earlier state: reverts what came after `txn`. */
  | { readonly kind: 'asOf'; readonly txn: number }
  /** The facts of an earlier history, which a backup has left out. */
  | { readonly kind: 'compaction' }
  /** Anything else, in words. */
  | { readonly kind: 'other'; readonly text: string };

/** What an import of several parts has consumed of its source at the end of the part. */
export interface ImportSource {
  readonly id: string;
  readonly rows: number;
}

/** Reads what databases up to format 4 and journals up to format 2 stored. An unknown sentence keeps its text. */
export function causeOfSentence(sentence: string): Cause {
  if (sentence === 'adhoc' || sentence === 'batch') return { kind: sentence };
  const [, verb, number] = /^(undo|as of) #([0-9]+)$/.exec(sentence) ?? [];
  if (number !== undefined) return { kind: verb === 'undo' ? 'undo' : 'asOf', txn: Number(number) };
  const [, picked, source] = /^pick #([0-9]+) of (.+)$/.exec(sentence) ?? [];
  if (source !== undefined) return { kind: 'pick', txn: Number(picked), fork: source };
  for (const [prefix, kind] of FORK_SENTENCES)
    if (sentence.startsWith(prefix)) return { kind, fork: sentence.slice(prefix.length) };
  return /^[^\s]+::[^\s]+$/.test(sentence) ? { kind: 'mutation', path: sentence } : { kind: 'other', text: sentence };
}

const FORK_SENTENCES = [
  ['promote ', 'promote'],
  ['undo ', 'undoPromotion'],
  ['changes of ', 'update'],
] as const;
