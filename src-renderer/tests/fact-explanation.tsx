/** Why a fact of a test holds or does not, as the outline of an explanation, with the details of the chosen step. */

import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Explanation } from '../../src-runtime/api/explanation-schemas.js';
import { allSteps, collapsedAtFirst, explanationSteps, KIND_WORD, type Step } from '../components/proof-outline.js';
import { StepDetails } from '../components/step-details.js';
import { type Index, StepGlyph, StepLine } from '../components/step-view.js';
import { SuggestionSets } from '../components/suggestion-sets.js';
import { Tree } from '../components/tree.js';
import { useRowHeight } from '../data/density.js';
import { moduleLocation } from '../data/locations.js';
import { useSchema } from '../data/queries.js';
import { relationIndex } from '../data/relation-index.js';

const NO_RELATIONS: Index = new Map();
/** Of a longer outline the rest is scrolled to. */
const ROWS_MAX = 14;

export function FactExplanation({ explanation }: { explanation: Explanation }) {
  const navigate = useNavigate();
  const rowHeight = useRowHeight();
  const schema = useSchema().data;
  const index = useMemo(() => (schema === undefined ? NO_RELATIONS : relationIndex(schema)), [schema]);
  const roots = useMemo(() => explanationSteps(explanation), [explanation]);
  const byId = useMemo(() => new Map(allSteps(roots).map((step) => [step.id, step])), [roots]);
  const [selected, setSelected] = useState(roots[0]?.id);
  const [collapsed, setCollapsed] = useState(() => collapsedAtFirst(roots));
  const open = (step: Step): void => {
    if (step.target !== undefined && byId.has(step.target)) setSelected(step.target);
    else if (step.span !== undefined) void navigate(moduleLocation(step.span));
  };
  const title = explanation.holds ? 'Why it holds' : 'Why it does not hold';
  return (
    <section className="test-fact" aria-label={title}>
      <h3 className="group-title">{title}</h3>
      <div style={{ height: Math.min(byId.size, ROWS_MAX) * rowHeight }}>
        <Tree
          label={title}
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
              <span className="step-kind">{KIND_WORD[step.kind]}</span>
            </>
          )}
        />
      </div>
      <div className="test-step">
        <StepDetails step={selected === undefined ? undefined : byId.get(selected)} index={index} />
      </div>
      {!explanation.holds && explanation.suggestions !== undefined && (
        <section className="test-step" aria-label="What would make it hold">
          <h3 className="group-title">What would make it hold</h3>
          <SuggestionSets suggestions={explanation.suggestions} index={index} />
        </section>
      )}
    </section>
  );
}
