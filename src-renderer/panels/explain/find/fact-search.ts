/** Finds facts by words, in any order: words of the relation's name, and of the values. */

import type { ListFilter } from '../../../../src-runtime/api/schemas/schemas.js';
import type { Index } from '../../../domain/proof/step-view.js';
import { shortName } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { sentenceOf, sentenceText } from '../../../model/sentences/sentence.js';

export interface RelationSearch {
  readonly info: RelationInfo;
  /** The words that the relation's name lacks. A fact must have them. */
  readonly words: readonly string[];
}

export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/**
 * The relations to search. Those whose names have more of the words come first, and fields last, because other facts
 * mostly repeat their values.
 */
export function searchesFor(words: readonly string[], index: Index): RelationSearch[] {
  if (words.length === 0) return [];
  const score = ({ info, words: remaining }: RelationSearch): number =>
    -remaining.length - (info.kind === 'field' ? 0.5 : 0);
  return [...index.values()]
    .map((info) => {
      const name = nameOf(info);
      return { info, words: words.filter((word) => !name.includes(word)) };
    })
    .sort((a, b) => score(b) - score(a));
}

/** The server accepts at most so many conditions. */
const WORDS_MAX = 16;

/** A condition for each word: some column contains it, as text, number, date or label. */
export function filterOf(words: readonly string[]): ListFilter[] {
  return words.slice(0, WORDS_MAX).map((word) => ['*', 'contains', word]);
}

/** The words of the relation's sentence, and its name as written: `works for`, `worksFor`. */
function nameOf(info: RelationInfo): string {
  const open = info.endpoints.map(() => null);
  const parts = sentenceOf(info.path, open, info).filter(({ kind }) => kind === 'words' || kind === 'relation');
  return `${shortName(info.path)} ${sentenceText(parts, (id) => id)}`.toLowerCase();
}
