/** Suggests a unique name and label for a new fork, by its starting point. */

import type { ForkInfo } from '../../../src-runtime/api/schemas/fork-schemas.js';
import type { ListedTransaction } from '../../../src-runtime/api/schemas/schemas.js';
import { FORK_LABEL_LENGTH_MAX } from '../../../src-runtime/api/schemas/wire-constants.js';
import { MAIN } from '../../model/calls/place.js';
import { causeWords } from '../../model/facts/cause-words.js';
import { type NameOfFork, namesOf } from '../../model/facts/fork-names.js';
import { looksLikeReference, piecesByIds } from '../../model/facts/labels.js';
import { humanize } from '../../model/sentences/name-grammar.js';
import { freeName } from './fork-tree.js';

export interface Beginning {
  readonly from: string;
  /** Transaction to start after; null for the current state. */
  readonly asOf: number | null;
  /** What that transaction did, in a few words; empty if unknown. */
  readonly description: string;
}

/** The id, limited to some characters, and a label; the label is empty if it equals the id. */
export function forkSuggestion(
  { from, asOf, description }: Beginning,
  forks: readonly ForkInfo[],
): { readonly name: string; readonly label: string } {
  const called = namesOf(forks)(from);
  if (asOf !== null) {
    const name = freeName(`${from}-at-${asOf}`, forks);
    return {
      name,
      label: freeLabel(`${called} – ${description === '' ? `at ${asOf}` : `after ${description}`}`, forks),
    };
  }
  const name = freeName(from === MAIN ? 'what-if' : `${from}-what-if`, forks);
  return { name, label: called === from ? '' : freeLabel(`${called} – what if`, forks) };
}

/** What a transaction did: `raise rent NEW-1`, `the promotion of sale`. */
export function transactionText(
  { cause, first = [] }: Pick<ListedTransaction, 'cause' | 'first'>,
  label: (id: string) => string,
  nameOf: NameOfFork,
): string {
  const { words, fork, mutation } = causeWords(cause);
  if (fork !== undefined) return `${words} ${nameOf(fork)}`;
  if (mutation === undefined) return words;
  const [event] = first;
  const about = event?.id ?? event?.tuple?.find((value) => looksLikeReference(value));
  return [humanize(words), ...(about === undefined ? [] : [label(String(about))])].join(' ');
}

/** Replaces ids by labels; empty while a label is unknown, because an id is no label for a fork. */
export function withLabels(description: string, nameOf: (id: string) => string | undefined): string {
  const pieces = piecesByIds(description).map((piece) => (looksLikeReference(piece) ? nameOf(piece) : piece));
  return pieces.includes(undefined) ? '' : pieces.join('');
}

/** The label, numbered if an open fork has it, and limited in length. */
export function freeLabel(preferred: string, forks: readonly ForkInfo[]): string {
  const taken = new Set(forks.filter(({ status }) => status === 'open').map(({ id, label }) => label ?? id));
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` ${number}`;
    const label = `${preferred.slice(0, FORK_LABEL_LENGTH_MAX - end.length).trimEnd()}${end}`;
    if (!taken.has(label)) return label;
  }
}
