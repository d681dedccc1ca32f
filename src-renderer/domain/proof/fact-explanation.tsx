/** Explanation of a fact inside another view: outline and details of the selected step. */

import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Explanation } from '../../../src-runtime/api/schemas/explanation-schemas.js';
import { moduleLocation } from '../../model/facts/locations.js';
import { relationIndex } from '../../model/facts/relation-index.js';
import { useSchema } from '../../server-state/module.js';
import { useRowHeight } from '../../state/density.js';
import { Tree } from '../../ui/tree.js';
import styles from './fact-explanation.module.css';
import { collapsedAtFirst, initialSelection } from './outline-opening.js';
import { allSteps, explanationSteps, kindWord, type Step } from './proof-outline.js';
import { StepDetails } from './step-details.js';
import { StepGlyph, StepLine } from './step-view.js';
import stepViewStyles from './step-view.module.css';
import { SuggestionSets } from './suggestion-sets.js';

/** Rows before the outline scrolls. */
const ROWS_MAX = 14;

interface FactExplanationProps {
  readonly explanation: Explanation;
  /** Distinguishes it from other explanations beside it. */
  readonly about?: string;
  /** False for an explanation of another module version, whose source places do not match. */
  readonly hasSource?: boolean;
}

export function FactExplanation({ explanation, about, hasSource = true }: FactExplanationProps) {
  const navigate = useNavigate();
  const rowHeight = useRowHeight();
  const schema = useSchema().data;
  const index = useMemo(() => relationIndex(schema), [schema]);
  const roots = useMemo(() => explanationSteps(explanation), [explanation]);
  const byId = useMemo(() => new Map(allSteps(roots).map((step) => [step.id, step])), [roots]);
  const [selected, setSelected] = useState(initialSelection(roots)?.id);
  const [collapsed, setCollapsed] = useState(() => collapsedAtFirst(roots));
  const open = (step: Step): void => {
    if (step.target !== undefined && byId.has(step.target)) setSelected(step.target);
    else if (hasSource && step.span !== undefined) void navigate(moduleLocation(step.span));
  };
  const title = explanation.holds ? 'Why it is true' : 'Why it is false';
  const wayOut = explanation.holds ? 'How to make it false' : 'How to make it true';
  const label = about === undefined ? title : `${title}: ${about}`;
  return (
    <section className={styles.factExplanation} aria-label={label}>
      <h3 className="group-title">{title}</h3>
      <div style={{ height: Math.min(byId.size, ROWS_MAX) * rowHeight }}>
        <Tree
          label={label}
          roots={roots}
          collapsed={collapsed}
          onCollapsedChange={setCollapsed}
          selected={selected}
          onSelect={(step) => setSelected(step.id)}
          onOpen={open}
          renderNode={(step) => (
            <>
              <StepGlyph kind={step.kind} />
              <StepLine step={step} index={index} />
              <span className={stepViewStyles.stepKind}>{kindWord(step)}</span>
            </>
          )}
        />
      </div>
      <div className={styles.factExplanationPart}>
        <StepDetails
          step={selected === undefined ? undefined : byId.get(selected)}
          index={index}
          hasSource={hasSource}
        />
      </div>
      {explanation.suggestions !== undefined && (
        <section className={styles.factExplanationPart} aria-label={wayOut}>
          <h3 className="group-title">{wayOut}</h3>
          <SuggestionSets suggestions={explanation.suggestions} index={index} ends={explanation.holds} />
        </section>
      )}
    </section>
  );
}
