/** Nodes and edges of a proof graph, for the library and for the overview. */

import type { Edge, Node } from '@xyflow/react';
import { useMemo } from 'react';
import { kindWord, type Step } from '../../../domain/proof/proof-outline.js';
import { STEP_GLYPH } from '../../../domain/proof/step-view.js';
import { boundsOf } from '../../../graph/graph-layout.js';
import { TAB_STOP } from '../../../graph/graph-options.js';
import type { GraphShape } from '../../../graph/graph-shapes.js';
import { measured } from '../../../graph/use-level-of-detail.js';
import { type Naming, stepText } from '../steps/step-text.js';
import { edgePath } from './proof-edges.js';
import type { ProofGraph } from './proof-graph.js';
import type { ProofForm, ProofLayout } from './proof-layout.js';

interface StepNodeData extends Record<string, unknown> {
  readonly step: Step;
  readonly naming: Naming;
  readonly hidden: number;
  readonly form: ProofForm;
  readonly onToggle: (step: Step) => void;
}

export type StepNode = Node<StepNodeData, 'step'>;

export type ProofEdge = Edge<{ readonly path: string }, 'way'>;

interface Shown {
  readonly graph: ProofGraph;
  readonly layout: ProofLayout;
  readonly naming: Naming;
  readonly selected: string | undefined;
  readonly onToggle: (step: Step) => void;
}

export function useShape(graph: ProofGraph, layout: ProofLayout): GraphShape {
  return useMemo(() => {
    const { positions, form } = layout;
    const size = { width: form.nodeWidth, height: form.nodeHeight };
    return {
      bounds: boundsOf(positions, form),
      nodes: graph.steps.map(({ id, kind }) => ({
        id,
        glyph: STEP_GLYPH[kind],
        ...(positions[id] ?? { x: 0, y: 0 }),
        ...size,
      })),
      edges: graph.edges.map((edge) => ({ from: edge.from, to: edge.to, path: edgePath(edge, layout) })),
    };
  }, [graph, layout]);
}

export function useProofEdges(graph: ProofGraph, shape: GraphShape, selected: string | undefined): ProofEdge[] {
  return useMemo(
    () =>
      graph.edges.map(({ id, from, to }, place) => ({
        id,
        type: 'way',
        data: { path: shape.edges[place]?.path ?? '' },
        source: from,
        target: to,
        focusable: false,
        // Hidden from screen readers, which get the structure from the outline and the names of nodes.
        domAttributes: { 'aria-hidden': true },
        className: from === selected || to === selected ? 'edge-near' : '',
      })),
    [graph, shape, selected],
  );
}

export function useStepNodes({ graph, layout, naming, selected, onToggle }: Shown): StepNode[] {
  const plain = useMemo<StepNode[]>(() => {
    const { positions, form } = layout;
    const size = measured(form.nodeWidth, form.nodeHeight, form.direction);
    return graph.steps.map((step) => {
      const hidden = graph.hidden.get(step.id) ?? 0;
      return {
        id: step.id,
        type: 'step',
        position: positions[step.id] ?? { x: 0, y: 0 },
        ...size,
        focusable: false,
        data: { step, naming, hidden, form, onToggle },
        ariaLabel: nodeLabel(step, hidden, naming),
      };
    });
  }, [graph, layout, naming, onToggle]);
  // Unselected nodes keep their identity, so that a selection renders two nodes instead of thousands.
  return useMemo(() => {
    const isDrawn = plain.some(({ id }) => id === selected);
    // If the selected step is not drawn, the conclusion is the tab stop.
    const isTabStop = isDrawn ? selected : plain[0]?.id;
    return plain.map((node) => (node.id === isTabStop ? { ...node, ...TAB_STOP, selected: isDrawn } : node));
  }, [plain, selected]);
}

function nodeLabel(step: Step, hidden: number, naming: Naming): string {
  const more = hidden === 0 ? '' : `, ${hidden} more ${hidden === 1 ? 'premise' : 'premises'}: press Enter to show`;
  return `${stepText(step, naming)}, ${kindWord(step)}${more}`;
}
