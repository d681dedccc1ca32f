/** A fact as a sentence, its values by their labels. */

import type { JsonValue } from '../../src-runtime/api/schemas.js';
import type { RelationInfo } from '../data/relation-index.js';
import { negatedSentenceOf, sentenceOf, valueText } from '../data/sentence.js';
import { ReferenceLabel } from './reference-label.js';
import './value.css';

interface SentenceViewProps {
  readonly relation: string;
  readonly tuple: readonly (JsonValue | null)[];
  readonly info: RelationInfo | undefined;
  /** The fact is absent. */
  readonly negated?: boolean;
}

export function SentenceView({ relation, tuple, info, negated = false }: SentenceViewProps) {
  return (
    <span className="sentence">
      {(negated ? negatedSentenceOf : sentenceOf)(relation, tuple, info).map((part, index) => {
        if (part.kind === 'value') {
          return part.reference ? (
            <ReferenceLabel key={index} value={part.value} reference />
          ) : (
            <span key={index} className="value">
              {valueText(part.value, false, (id) => id)}
            </span>
          );
        }
        return (
          <span key={index} className={`sentence-${part.kind}`}>
            {part.text}
          </span>
        );
      })}
    </span>
  );
}
