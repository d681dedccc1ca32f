/** Finding facts by what one remembers of them: words of their relation, and of what stands in them, in any order. */

import type { ListFilter } from '../../../../src-runtime/api/schemas/schemas.js';
import type { Index } from '../../../domain/proof/step-view.js';
import { shortName } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { sentenceOf, sentenceText } from '../../../model/sentences/sentence.js';

export interface RelationSearch {
  readonly info: RelationInfo;
  /** Those words that the relation does not have in its own name: its facts have to have them. */
  readonly words: readonly string[];
}

export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/**
 * Which relations are asked, for which words; none for no words. Those whose names have more of the words come first, and
 * fields last: what they hold is mostly told by other facts too.
 */
export function searchesFor(words: readonly string[], index: Index): RelationSearch[] {
  if (words.length === 0) return [];
  const score = ({ info, words: left }: RelationSearch): number => -left.length - (info.kind === 'field' ? 0.5 : 0);
  return [...index.values()]
    .map((info) => {
      const name = nameOf(info);
      return { info, words: words.filter((word) => !name.includes(word)) };
    })
    .sort((a, b) => score(b) - score(a));
}

/** A list takes no more conditions. */
const WORDS_MAX = 16;

/** Each of the words stands in some column: in a text, a number, a date, or what an individual is called. */
export function filterOf(words: readonly string[]): ListFilter[] {
  return words.slice(0, WORDS_MAX).map((word) => ['*', 'contains', word]);
}

/** `works for`, `worksFor`: the words of its sentence, and its name as the module writes it. */
function nameOf(info: RelationInfo): string {
  const open = info.endpoints.map(() => null);
  const parts = sentenceOf(info.path, open, info).filter(({ kind }) => kind === 'words' || kind === 'relation');
  return `${shortName(info.path)} ${sentenceText(parts, (id) => id)}`.toLowerCase();
}
