/** The steps as outline, graph or sentences, or two of these side by side. All share one selection. */

import { Button } from '@mantine/core';
import { clsx } from 'clsx';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { collapsedAtFirst, initialSelection } from '../../domain/proof/outline-opening.js';
import { allSteps, kindWord, type Step } from '../../domain/proof/proof-outline.js';
import { type Index, StepGlyph, StepLine } from '../../domain/proof/step-view.js';
import styles from '../../domain/proof/step-view.module.css';
import { GraphPending } from '../../graph/graph-pending.js';
import { moduleLocation } from '../../model/facts/locations.js';
import { loadPart } from '../../server-state/load-part.js';
import { Pane, Panes } from '../../ui/panes/panes.js';
import { Tree } from '../../ui/tree.js';
import explainStyles from './explain.module.css';
import {
  allOpened,
  initiallyOpened,
  type OpenedSteps,
  openedTo,
  type ProofGraph,
  parentsOf,
  proofGraph,
  toggled,
} from './graph/proof-graph.js';
import { narrative } from './steps/narrative.js';
import type { Naming } from './steps/step-text.js';

const loadGraph = () => loadPart(() => import('./graph/proof-graph-view.js'));
const ProofGraphView = lazy(async () => ({ default: (await loadGraph()).ProofGraphView }));

/** Loads the graph view and its layouter while the explanation is requested. */
export async function fetchGraph(): Promise<void> {
  (await loadGraph()).startLayoutWorker();
}

interface StepViewsProps {
  /** The accessible name of the outline. */
  readonly label: string;
  readonly index: Index;
  readonly naming: Naming;
  readonly steps: StepsState;
  /** Empty for outline and graph side by side. */
  readonly view: string;
  /** False if the steps are from a source that was replaced. */
  readonly hasSource?: boolean;
  /** The view *Based on*, if available. */
  readonly grounds?: ReactNode;
}

export function StepViews({ label, index, naming, steps, view, hasSource = true, grounds }: StepViewsProps) {
  const { roots, byId, selected, select, graph } = steps;
  const navigate = useNavigate();
  const open = (step: Step): void => {
    const target = step.target === undefined ? undefined : byId.get(step.target);
    if (target !== undefined) select(target);
    else if (hasSource && step.span !== undefined) void navigate(moduleLocation(step.span));
  };
  const selectedStep = selected === undefined ? undefined : byId.get(selected);
  const outline = <Outline label={label} index={index} steps={steps} onOpen={open} />;
  const graphPane = (
    <Pane title="Graph">
      <Suspense fallback={<GraphPending />}>
        <ProofGraphView
          graph={graph}
          naming={naming}
          // A repeated step of the outline is the node of its fact in the graph.
          selected={selectedStep?.kind === 'ref' ? (selectedStep.target ?? selected) : selected}
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
    { id: 'grounds', minSize: 220, content: grounds },
  ].filter(({ id }) => (view === '' ? id === 'outline' || id === 'graph' : view === id));
  return <Panes id={`steps${view}`} panes={sides} />;
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
  /** Shows or hides the premises of a step. */
  readonly toggle: (step: Step) => void;
  readonly openAll: () => void;
}

/**
 * The selection, the collapsed steps of the outline, and the opened steps of the graph. The selected step is visible in
 * both.
 */
export function useSteps(roots: readonly Step[]): StepsState {
  const byId = useMemo(() => new Map(allSteps(roots).map((step) => [step.id, step])), [roots]);
  const parents = useMemo(() => parentsOf(roots), [roots]);
  const [selected, setSelected] = useState(() => initialSelection(roots)?.id);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(() => collapsedAtFirst(roots));
  const [opened, setOpened] = useState(() => initiallyOpenedFor(roots));
  const graph = useMemo(() => proofGraph(roots, opened), [roots, opened]);
  const last = useRef({ roots, byId });
  useEffect(() => {
    if (last.current.roots === roots) return;
    const before = selected === undefined ? undefined : last.current.byId.get(selected);
    last.current = { roots, byId };
    setSelected((before === undefined ? undefined : sameStep(byId, before)?.id) ?? initialSelection(roots)?.id);
    setCollapsed(collapsedAtFirst(roots));
    setOpened(initiallyOpenedFor(roots));
  }, [roots, byId, selected]);
  const select = useCallback(
    (step: Step) => {
      setSelected(step.id);
      setCollapsed((current) => withPathOpen(parents, step.id, current));
      setOpened((current) => openedTo(roots, (step.kind === 'ref' ? step.target : undefined) ?? step.id, current));
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

/** The part drawn at first, including the step selected at first. */
function initiallyOpenedFor(roots: readonly Step[]): OpenedSteps {
  const selectedStep = initialSelection(roots);
  const opened = initiallyOpened(roots);
  return selectedStep === undefined ? opened : openedTo(roots, selectedStep.id, opened);
}

/** The step of the new response with the same meaning. */
function sameStep(byId: ReadonlyMap<string, Step>, before: Step): Step | undefined {
  const key = keyOf(before);
  return [...byId.values()].find((step) => keyOf(step) === key);
}

function keyOf({ kind, relation, tuple, text, rule }: Step): string {
  return JSON.stringify([kind, relation, tuple, text, kind === 'clause' ? rule : undefined]);
}

interface OutlineProps {
  readonly label: string;
  readonly index: Index;
  readonly steps: StepsState;
  readonly onOpen: (step: Step) => void;
}

function Outline({ label, index, steps, onOpen }: OutlineProps) {
  const { roots, collapsed, setCollapsed, selected, select } = steps;
  const collapse = (): void => {
    const inner = allSteps(roots).slice(1);
    setCollapsed(new Set(inner.filter((step) => step.children.length > 0).map((step) => step.id)));
  };
  const actions = (
    <>
      <Button variant="subtle" size="compact-xs" onClick={() => setCollapsed(new Set())}>
        Expand all
      </Button>
      <Button variant="subtle" size="compact-xs" onClick={collapse}>
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
        label={label}
        wraps
        renderNode={(step) => (
          <>
            <StepGlyph kind={step.kind} />
            <span className={styles.stepLines}>
              <StepLine step={step} index={index} />
            </span>
            <span className={styles.stepKind}>{kindWord(step)}</span>
          </>
        )}
      />
    </Pane>
  );
}

/** Expands the ancestors of `id`, so that it is visible. */
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

interface NarrativeViewProps {
  readonly roots: readonly Step[];
  readonly naming: Naming;
  readonly selected: string | undefined;
  readonly onSelect: (step: Step) => void;
}

/** The explanation as sentences, each a link to its step. */
function NarrativeView({ roots, naming, selected, onSelect }: NarrativeViewProps) {
  const sentences = useMemo(() => narrative(roots, naming), [roots, naming]);
  return (
    <Pane title="Sentences">
      <ol className={explainStyles.narrative}>
        {sentences.map(({ step, text }) => (
          <li key={step.id}>
            <button
              type="button"
              className={clsx('plain', explainStyles.narrativeSentence)}
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
