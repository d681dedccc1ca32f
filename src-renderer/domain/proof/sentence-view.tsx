/** A fact as a sentence with labels. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { valueText } from '../../model/facts/value-text.js';
import { type Sense, type SentencePart, sentenceIn } from '../../model/sentences/sentence.js';
import { LettersMax, LINE_LETTERS_MAX } from '../../ui/brief.js';
import { PlainValue, ReferenceLabel } from '../../ui/reference-label.js';

interface SentenceViewProps {
  readonly relation: string;
  readonly tuple: readonly (JsonValue | null)[];
  readonly info: RelationInfo | undefined;
  /** Default: the fact is true. */
  readonly sense?: Sense | undefined;
}

export function SentenceView({ relation, tuple, info, sense }: SentenceViewProps) {
  const sentence = sentenceIn(sense, relation, tuple, info);
  return (
    <span>
      {sentence.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words have no identity but their place.
        <Part key={index} part={part} />
      ))}
    </span>
  );
}

/** In a list, long labels are truncated. */
export function SentenceLine(props: SentenceViewProps) {
  return (
    <LettersMax value={LINE_LETTERS_MAX}>
      <SentenceView {...props} />
    </LettersMax>
  );
}

function Part({ part }: { part: SentencePart }) {
  if (part.kind !== 'value') return <span className={`sentence-${part.kind}`}>{part.text}</span>;
  // Isolated, so that values do not change the text direction of the sentence.
  return (
    <bdi>
      {part.reference || typeof part.value === 'object' ? (
        <ReferenceLabel value={part.value} reference={part.reference} />
      ) : (
        <PlainValue text={valueText(part.value, false, (id) => id)} />
      )}
    </bdi>
  );
}
