/** The steps of an explanation: outline and graph side by side, and below them what there is to know of the chosen one. */

import { Button, SegmentedControl } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Explanation } from '../../src-runtime/api/explanation-schemas.js';
import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { GraphPending } from '../components/graph-pending.js';
import { Pane, Panes, useIsNarrow } from '../components/panes.js';
import { allSteps, collapsedAtFirst, explanationSteps, KIND_WORD, type Step } from '../components/proof-outline.js';
import { useLabels } from '../components/reference-label.js';
import { StepDetails } from '../components/step-details.js';
import { type Index, StepGlyph, StepLine } from '../components/step-view.js';
import { Tree } from '../components/tree.js';
import { loadPart } from '../data/load-part.js';
import { moduleLocation } from '../data/locations.js';
import type { RelationInfo } from '../data/relation-index.js';
import { useUrlText } from '../data/url-text.js';
import { ClauseExcerpt } from './clause-excerpt.js';
import { ExportMenu } from './export-menu.js';
import { GivenForm } from './given-form.js';
import { GroundsView } from './grounds-view.js';
import { NarrativeView } from './narrative-view.js';
import {
  allOpened,
  type Opened,
  openedAtFirst,
  openedTo,
  type ProofGraph,
  parentsOf,
  proofGraph,
  toggled,
} from './proof-graph.js';
import { type Naming, stepText, useNaming } from './step-text.js';
import { StoredBy } from './stored-by.js';
import { SuggestionsView } from './suggestions-view.js';

const loadGraph = () => loadPart(() => import('./proof-graph-view.js'));
const ProofGraphView = lazy(async () => ({ default: (await loadGraph()).ProofGraphView }));

/** Gets the drawing and the worker that lays it out on their way, while the explanation is still being asked for. */
export async function fetchGraph(): Promise<void> {
  (await loadGraph()).startLayouter();
}

interface ExplanationStepsProps {
  /** As it was answered. */
  readonly answer: Explanation;
  /** With the proof that is to be shown. */
  readonly explanation: Explanation;
  readonly info: RelationInfo;
  readonly tuple: readonly JsonValue[];
  readonly index: Index;
  /** What stands above the steps, with the tools that work on them. */
  readonly header: (tools: ReactNode) => ReactNode;
}

export function ExplanationSteps(props: ExplanationStepsProps) {
  const { answer, explanation, info, tuple, index, header } = props;
  const navigate = useNavigate();
  const labels = useLabels();
  const steps = useSteps(explanation);
  const naming = useNaming(steps.roots, index, labels);
  const { roots, byId, parents, selected, select, graph } = steps;
  const [wanted, setView] = useUrlText('view');
  const [ending, setEnding] = useUrlText('ending');
  const isNarrow = useIsNarrow();
  // Of what does not hold there is nothing that it rests on.
  const asked = wanted === 'grounds' && !explanation.holds ? '' : wanted;
  const view = isNarrow && asked === '' ? 'outline' : asked;
  const open = (step: Step): void => {
    const target = step.target === undefined ? undefined : byId.get(step.target);
    if (target !== undefined) select(target);
    else if (step.span !== undefined) void navigate(moduleLocation(step.span));
  };
  const chosen = selected === undefined ? undefined : byId.get(selected);
  const [root] = roots;
  const sides = <Sides {...{ answer, index, naming, steps, view }} holds={explanation.holds} onOpen={open} />;
  const details = (
    <section className="pane-body details-body" aria-label="Chosen step">
      <StepDetails step={chosen} index={index} />
      {chosen !== undefined && <GivenForm step={chosen} />}
      <ClauseExcerpt step={chosen} parents={parents} />
      {chosen?.event !== undefined && <StoredBy event={chosen.event} />}
    </section>
  );
  const above = { id: 'steps', minSize: 160, content: sides };
  // What is stored or declared ends by going itself.
  const canEnd = explanation.holds && explanation.proof.kind === 'derived';
  const isHelped = canEnd ? ending !== '' : !explanation.holds;
  const below = isHelped
    ? {
        id: 'help',
        size: 232,
        minSize: 72,
        fixed: true,
        content: <Help {...{ info, tuple, index, details }} holds={explanation.holds} />,
      }
    : { id: 'details', size: 168, minSize: 72, fixed: true, content: details };
  const tools = (
    <>
      {canEnd && (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={isHelped}
          onClick={() => setEnding(isHelped ? '' : 'yes')}
        >
          What would end it
        </Button>
      )}
      <SegmentedControl
        size="xs"
        aria-label="Show"
        value={view}
        onChange={setView}
        data={[
          { value: 'outline', label: 'Outline' },
          ...(isNarrow ? [] : [{ value: '', label: 'Both' }]),
          { value: 'graph', label: 'Graph' },
          { value: 'sentences', label: 'Sentences' },
          ...(explanation.holds ? [{ value: 'grounds', label: 'Rests on' }] : []),
        ]}
      />
      <ExportMenu
        answer={answer}
        shown={explanation}
        graph={graph}
        title={root === undefined ? '' : stepText(root, naming)}
        naming={naming}
        steps={roots}
      />
    </>
  );
  return (
    <>
      {header(tools)}
      <div className="explanation-body">
        <Panes id={isHelped ? 'why-not' : 'explanation'} orientation="vertical" panes={[above, below]} />
      </div>
    </>
  );
}

interface SidesProps {
  readonly answer: Explanation;
  readonly holds: boolean;
  readonly index: Index;
  readonly naming: Naming;
  readonly steps: StepsState;
  /** Empty for outline and graph side by side. */
  readonly view: string;
  readonly onOpen: (step: Step) => void;
}

/** The steps in one form, or in two side by side. */
function Sides({ answer, holds, index, naming, steps, view, onOpen }: SidesProps) {
  const { roots, byId, selected, select, graph } = steps;
  const chosen = selected === undefined ? undefined : byId.get(selected);
  const outline = <Outline holds={holds} index={index} steps={steps} onOpen={onOpen} />;
  const graphPane = (
    <Pane title="Graph">
      <Suspense fallback={<GraphPending />}>
        <ProofGraphView
          graph={graph}
          naming={naming}
          // What is shown elsewhere in the outline is one node with the fact itself here.
          selected={chosen?.target ?? selected}
          onSelect={select}
          onToggle={steps.toggle}
          onOpenAll={steps.openAll}
        />
      </Suspense>
    </Pane>
  );
  const sides = [
    { id: 'outline', size: '48%', minSize: 220, content: outline },
    { id: 'graph', minSize: 220, content: graphPane },
    {
      id: 'sentences',
      minSize: 220,
      content: <NarrativeView roots={roots} naming={naming} selected={selected} onSelect={select} />,
    },
    {
      id: 'grounds',
      minSize: 220,
      content: <GroundsView {...{ answer, roots, index, selected }} onSelect={select} />,
    },
  ].filter(({ id }) => (view === '' ? id === 'outline' || id === 'graph' : view === id));
  return <Panes id={`steps${view}`} panes={sides} />;
}

interface HelpProps extends Omit<ExplanationStepsProps, 'answer' | 'explanation' | 'header'> {
  readonly details: ReactNode;
  readonly holds: boolean;
}

/** Below a why-not: what would make the tuple hold, and the chosen step; below a proof what would end it, where that is asked. */
function Help({ details, ...question }: HelpProps) {
  const panes = [
    { id: 'suggestions', size: '50%', minSize: 220, content: <SuggestionsView {...question} /> },
    { id: 'details', minSize: 220, content: details },
  ];
  return <Panes id="help" panes={panes} />;
}

interface StepsState {
  readonly roots: readonly Step[];
  readonly byId: ReadonlyMap<string, Step>;
  readonly parents: ReadonlyMap<string, Step>;
  readonly graph: ProofGraph;
  readonly selected: string | undefined;
  readonly select: (step: Step) => void;
  readonly collapsed: ReadonlySet<string>;
  readonly setCollapsed: (collapsed: ReadonlySet<string>) => void;
  /** Draws the premises of a step in the graph, or hides them. */
  readonly toggle: (step: Step) => void;
  readonly openAll: () => void;
}

/** What is chosen, collapsed in the outline and opened in the graph; what is chosen is seen in both. */
function useSteps(explanation: Explanation): StepsState {
  const roots = useMemo(() => explanationSteps(explanation), [explanation]);
  const byId = useMemo(() => new Map(allSteps(roots).map((step) => [step.id, step])), [roots]);
  const parents = useMemo(() => parentsOf(roots), [roots]);
  const [selected, setSelected] = useState<string | undefined>(roots[0]?.id);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(() => collapsedAtFirst(roots));
  const [opened, setOpened] = useState<Opened>(() => openedAtFirst(roots));
  const graph = useMemo(() => proofGraph(roots, opened), [roots, opened]);
  const last = useRef({ roots, byId });
  useEffect(() => {
    if (last.current.roots === roots) return;
    const before = selected === undefined ? undefined : last.current.byId.get(selected);
    last.current = { roots, byId };
    setSelected((before === undefined ? undefined : sameStep(byId, before)?.id) ?? roots[0]?.id);
    setCollapsed(collapsedAtFirst(roots));
    setOpened(openedAtFirst(roots));
  }, [roots, byId, selected]);
  const select = useCallback(
    (step: Step) => {
      setSelected(step.id);
      setCollapsed((current) => withPathOpen(parents, step.id, current));
      setOpened((current) => openedTo(roots, step.target ?? step.id, current));
    },
    [roots, parents],
  );
  const toggle = useCallback(
    (step: Step) => {
      setSelected(step.id);
      setOpened((current) => toggled(graph, step, current));
    },
    [graph],
  );
  const openAll = useCallback(() => setOpened(allOpened(roots)), [roots]);
  return { roots, byId, parents, graph, selected, select, collapsed, setCollapsed, toggle, openAll };
}

/** The step that says the same in a new answer to the same question. */
function sameStep(byId: ReadonlyMap<string, Step>, before: Step): Step | undefined {
  const key = keyOf(before);
  return [...byId.values()].find((step) => keyOf(step) === key);
}

function keyOf({ kind, relation, tuple, text, rule }: Step): string {
  return JSON.stringify([kind, relation, tuple, text, kind === 'clause' ? rule : undefined]);
}

interface OutlineProps {
  readonly holds: boolean;
  readonly index: Index;
  readonly steps: StepsState;
  readonly onOpen: (step: Step) => void;
}

function Outline({ holds, index, steps, onOpen }: OutlineProps) {
  const { roots, collapsed, setCollapsed, selected, select } = steps;
  const collapse = (): void => {
    const inner = allSteps(roots).slice(1);
    setCollapsed(new Set(inner.filter((step) => step.children.length > 0).map((step) => step.id)));
  };
  const actions = (
    <>
      <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setCollapsed(new Set())}>
        Expand all
      </Button>
      <Button variant="subtle" color="gray" size="compact-xs" onClick={collapse}>
        Collapse
      </Button>
    </>
  );
  return (
    <Pane title="Outline" actions={actions}>
      <Tree
        roots={roots}
        collapsed={collapsed}
        onCollapsedChange={setCollapsed}
        selected={selected}
        onSelect={select}
        onOpen={onOpen}
        label={holds ? 'Proof' : 'Why it does not hold'}
        wraps
        renderNode={(step) => (
          <>
            <StepGlyph kind={step.kind} />
            <span className="step-lines">
              <StepLine step={step} index={index} />
            </span>
            <span className="step-kind">{KIND_WORD[step.kind]}</span>
          </>
        )}
      />
    </Pane>
  );
}

/** The collapsed steps without the ancestors of `id`, so that it is seen. */
function withPathOpen(
  parents: ReadonlyMap<string, Step>,
  id: string,
  collapsed: ReadonlySet<string>,
): ReadonlySet<string> {
  if (collapsed.size === 0) return collapsed;
  const next = new Set(collapsed);
  for (let at = parents.get(id); at !== undefined; at = parents.get(at.id)) next.delete(at.id);
  return next.size === collapsed.size ? collapsed : next;
}
