/** The explanation as sentences, to be read from top to bottom or aloud; each leads to the step that it is about. */

import { useMemo } from 'react';
import type { Step } from '../../../domain/proof/proof-outline.js';
import { Pane } from '../../../ui/panes/panes.js';
import { narrative } from './narrative.js';
import type { Naming } from './step-text.js';

interface NarrativeViewProps {
  readonly roots: readonly Step[];
  readonly naming: Naming;
  readonly selected: string | undefined;
  readonly onSelect: (step: Step) => void;
}

export function NarrativeView({ roots, naming, selected, onSelect }: NarrativeViewProps) {
  const sentences = useMemo(() => narrative(roots, naming), [roots, naming]);
  return (
    <Pane title="Sentences">
      <ol className="narrative">
        {sentences.map(({ step, text }) => (
          <li key={step.id}>
            <button
              type="button"
              className="plain narrative-sentence"
              aria-current={step.id === selected ? true : undefined}
              onClick={() => onSelect(step)}
            >
              {text}
            </button>
          </li>
        ))}
      </ol>
    </Pane>
  );
}
