/** The sentence of a step inside a node: as in the outline, without a tooltip for each value, of which a graph has thousands. */

import { SENSE, type Step } from '../../../domain/proof/proof-outline.js';
import { StepSentence } from '../../../domain/proof/step-view.js';
import { inBrief } from '../../../model/facts/labels.js';
import { type SentencePart, sentenceIn } from '../../../model/sentences/sentence.js';
import { valueText } from '../../../model/text/value-text.js';
import { LettersMax } from '../../../ui/brief.js';
import { ReferenceLabel, valueClass } from '../../../ui/reference-label.js';
import { type Naming, NODE_LETTERS_MAX } from './step-text.js';

export function NodeSentence({ step, naming }: { step: Step; naming: Naming }) {
  const { kind, relation, reason } = step;
  if (
    relation === undefined ||
    step.tuple === undefined ||
    reason !== undefined ||
    kind === 'open' ||
    kind === 'test' ||
    kind === 'aggregate'
  ) {
    return (
      <LettersMax value={NODE_LETTERS_MAX}>
        <StepSentence step={step} index={naming.index} />
      </LettersMax>
    );
  }
  const sentence = sentenceIn(SENSE[kind], relation, step.tuple, naming.index.get(relation));
  return (
    <span className="sentence">
      {sentence.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words have no identity but their place.
        <Part key={place} part={part} naming={naming} />
      ))}
    </span>
  );
}

function Part({ part, naming }: { part: SentencePart; naming: Naming }) {
  if (part.kind !== 'value') return <span className={`sentence-${part.kind}`}>{part.text}</span>;
  const { value, reference } = part;
  const label = reference && typeof value === 'string' ? naming.label(value) : valueText(value, false, (id) => id);
  // A name that is not at hand is asked for.
  if (label === undefined) return <ReferenceLabel value={value} reference />;
  const name = inBrief(label, NODE_LETTERS_MAX);
  const mark = reference && typeof value === 'string' ? naming.mark(value) : undefined;
  return (
    <span className={valueClass(name)}>
      {name}
      {mark !== undefined && <span className="name-mark"> ({mark})</span>}
    </span>
  );
}
