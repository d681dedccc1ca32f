/** One explanation: its outline and its graph side by side, and below them what there is to know of the chosen step. */

import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Explanation, JsonValue } from '../../src-runtime/api/schemas.js';
import { Glyph } from '../components/glyph.js';
import { Pane, Panes } from '../components/panes.js';
import { allSteps, collapsedAtFirst, explanationSteps, type Step } from '../components/proof-outline.js';
import { SentenceView } from '../components/sentence-view.js';
import { LoadFailure, LoadingRows } from '../components/states.js';
import { StepDetails } from '../components/step-details.js';
import { type Index, KIND_WORD, StepGlyph, StepSentence } from '../components/step-view.js';
import { Tree } from '../components/tree.js';
import { moduleLocation } from '../data/locations.js';
import { useExplanation } from '../data/queries.js';
import type { RelationInfo } from '../data/relation-index.js';
import { SuggestionsView } from './suggestions-view.js';

const ProofGraphView = lazy(async () => ({ default: (await import('./proof-graph-view.js')).ProofGraphView }));

interface ExplanationViewProps {
  readonly info: RelationInfo;
  readonly tuple: readonly JsonValue[];
  readonly index: Index;
}

export function ExplanationView({ info, tuple, index }: ExplanationViewProps) {
  const explanation = useExplanation(info.path, tuple);
  return (
    <section className="pane" aria-label="Explanation">
      <header className="pane-header">
        <h2 className="pane-title cut explanation-title">
          {explanation.data !== undefined && (
            <Glyph
              kind={explanation.data.holds ? 'good' : 'absent'}
              label={explanation.data.holds ? 'holds' : 'does not hold'}
            />
          )}
          <SentenceView relation={info.path} tuple={tuple} info={info} />
        </h2>
        <span className="pane-spacer" />
        {explanation.data !== undefined && (
          <span className="dim explanation-verdict">{verdictOf(explanation.data)}</span>
        )}
      </header>
      {explanation.isPending && <LoadingRows rows={8} />}
      {explanation.isError && <LoadFailure error={explanation.error} onRetry={() => void explanation.refetch()} />}
      {explanation.data !== undefined && (
        <Steps explanation={explanation.data} info={info} tuple={tuple} index={index} />
      )}
    </section>
  );
}

const OTHERS = { none: 'the only proof', some: 'one of several proofs', unknown: 'there may be other proofs' };

/** What there is to know of the explanation as a whole. */
function verdictOf(explanation: Explanation): string {
  if (!explanation.holds) return explanation.cut ? 'does not hold · cut at a limit' : 'does not hold';
  const { height, minimal, cut, others } = explanation;
  if (height === 0) return 'holds';
  const lowest = cut ? 'cut at the node limit' : `height ${height}${minimal ? '' : ', perhaps not the lowest'}`;
  return `holds · ${lowest} · ${OTHERS[others]}`;
}

interface StepsProps extends ExplanationViewProps {
  readonly explanation: Explanation;
}

function Steps({ explanation, info, tuple, index }: StepsProps) {
  const navigate = useNavigate();
  const roots = useMemo(() => explanationSteps(explanation), [explanation]);
  const byId = useMemo(() => new Map(allSteps(roots).map((step) => [step.id, step])), [roots]);
  const [selected, setSelected] = useState<string | undefined>(roots[0]?.id);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(() => collapsedAtFirst(roots));
  useEffect(() => {
    setSelected(roots[0]?.id);
    setCollapsed(collapsedAtFirst(roots));
  }, [roots]);
  const select = (step: Step): void => {
    setSelected(step.id);
    setCollapsed((current) => withPathOpen(roots, step.id, current));
  };
  const open = (step: Step): void => {
    const target = step.target === undefined ? undefined : byId.get(step.target);
    if (target !== undefined) select(target);
    else if (step.span !== undefined) void navigate(moduleLocation(step.span));
  };
  const outline = (
    <Outline
      explanation={explanation}
      index={index}
      roots={roots}
      collapsed={collapsed}
      onCollapsedChange={setCollapsed}
      selected={selected}
      onSelect={select}
      onOpen={open}
    />
  );
  const graph = (
    <Pane title="Graph">
      <Suspense fallback={null}>
        <ProofGraphView roots={roots} index={index} selected={selected} onSelect={select} />
      </Suspense>
    </Pane>
  );
  const sides = [
    { id: 'outline', size: '50%', minSize: 220, content: outline },
    { id: 'graph', minSize: 220, content: graph },
  ];
  const details = (
    <div className="pane-body details-body">
      <StepDetails step={selected === undefined ? undefined : byId.get(selected)} index={index} />
    </div>
  );
  const steps = { id: 'steps', minSize: 160, content: <Panes id="steps" panes={sides} /> };
  if (explanation.holds) {
    const below = { id: 'details', size: 152, minSize: 72, fixed: true, content: details };
    return (
      <div className="explanation-body">
        <Panes id="explanation" orientation="vertical" panes={[steps, below]} />
      </div>
    );
  }
  const suggestions = <SuggestionsView info={info} tuple={tuple} index={index} />;
  const besides = [
    { id: 'suggestions', size: '50%', minSize: 220, content: suggestions },
    { id: 'details', minSize: 220, content: details },
  ];
  const below = { id: 'help', size: 208, minSize: 72, fixed: true, content: <Panes id="help" panes={besides} /> };
  return (
    <div className="explanation-body">
      <Panes id="why-not" orientation="vertical" panes={[steps, below]} />
    </div>
  );
}

interface OutlineProps {
  readonly explanation: Explanation;
  readonly index: Index;
  readonly roots: readonly Step[];
  readonly collapsed: ReadonlySet<string>;
  readonly onCollapsedChange: (collapsed: ReadonlySet<string>) => void;
  readonly selected: string | undefined;
  readonly onSelect: (step: Step) => void;
  readonly onOpen: (step: Step) => void;
}

function Outline({ explanation, index, ...tree }: OutlineProps) {
  const collapse = (): void => {
    const inner = allSteps(tree.roots).slice(1);
    tree.onCollapsedChange(new Set(inner.filter((step) => step.children.length > 0).map((step) => step.id)));
  };
  const actions = (
    <>
      <Button variant="subtle" color="gray" size="compact-xs" onClick={() => tree.onCollapsedChange(new Set())}>
        Expand all
      </Button>
      <Button variant="subtle" color="gray" size="compact-xs" onClick={collapse}>
        Collapse
      </Button>
    </>
  );
  return (
    <Pane title="Outline" actions={actions}>
      {explanation.holds && explanation.cut && (
        <div className="notice" data-tone="warning">
          <Glyph kind="warning" />
          <div className="notice-body">The proof reached the server’s limit of nodes and is not whole.</div>
        </div>
      )}
      <Tree
        {...tree}
        label={explanation.holds ? 'Proof' : 'Why it does not hold'}
        renderNode={(step) => (
          <>
            <StepGlyph kind={step.kind} />
            <StepSentence step={step} index={index} />
            <span className="step-kind">{KIND_WORD[step.kind]}</span>
          </>
        )}
      />
    </Pane>
  );
}

/** The collapsed steps without the ancestors of `id`, so that it is seen. */
function withPathOpen(roots: readonly Step[], id: string, collapsed: ReadonlySet<string>): ReadonlySet<string> {
  if (collapsed.size === 0) return collapsed;
  const parents = new Map(
    allSteps(roots).flatMap((step) => step.children.map((child) => [child.id, step.id] as const)),
  );
  const next = new Set(collapsed);
  for (let at = parents.get(id); at !== undefined; at = parents.get(at)) next.delete(at);
  return next.size === collapsed.size ? collapsed : next;
}
