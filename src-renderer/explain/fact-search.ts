/** Finding facts by what one remembers of them: words of their sentence, in any order. */

import type { Fact } from '../../src-runtime/api/schemas.js';
import type { Index } from '../components/step-view.js';
import { idLabel } from '../data/labels.js';
import type { RelationInfo } from '../data/relation-index.js';
import { rawFact, sentenceOf, sentenceText } from '../data/sentence.js';

export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Nothing for no words. Fields last: what they hold is mostly told by other facts too. */
export function relationsToSearch(words: readonly string[], index: Index): RelationInfo[] {
  if (words.length === 0) return [];
  const score = (info: RelationInfo): number => {
    const name = `${info.path} ${emptySentence(info)}`.toLowerCase();
    return words.filter((word) => name.includes(word)).length - (info.kind === 'field' ? 0.5 : 0);
  };
  return [...index.values()]
    .map((info) => ({ info, score: score(info) }))
    .sort((a, b) => b.score - a.score)
    .map(({ info }) => info);
}

/** The facts that have each of the words in their sentence, their relation or their raw form. */
export function matchingFacts(
  facts: readonly Fact[],
  words: readonly string[],
  index: Index,
  label: (id: string) => string | undefined,
): Fact[] {
  if (words.length === 0) return [];
  return facts.filter(({ relation, tuple }) => {
    const sentence = sentenceText(sentenceOf(relation, tuple, index.get(relation)), (id) => label(id) ?? idLabel(id));
    const text = `${sentence} ${rawFact(relation, tuple)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function emptySentence(info: RelationInfo): string {
  return sentenceText(
    sentenceOf(
      info.path,
      info.endpoints.map(() => null),
      info,
    ),
    (id) => id,
  );
}
