/** What the library is given of a graph to draw: from near what is in sight, from afar one drawing of it all. */

import { type Edge, type Node, Position, type Rect } from '@xyflow/react';
import { useMemo } from 'react';
import { REACHED } from '../components/graph-options.js';
import { kindWord, type Step } from '../components/proof-outline.js';
import type { ProofForm, ProofPlaces } from './graph-layout.js';
import { inSight, useSight } from './in-sight.js';
import { afarNode, reachedNode, useAfar } from './proof-afar-view.js';
import { edgePath } from './proof-edges.js';
import type { ProofGraph } from './proof-graph.js';
import { type Naming, stepText } from './step-text.js';

interface StepNodeData extends Record<string, unknown> {
  readonly step: Step;
  readonly naming: Naming;
  readonly hidden: number;
  readonly form: ProofForm;
  readonly onToggle: (step: Step) => void;
}

export type StepNode = Node<StepNodeData, 'step'>;

export type WayEdge = Edge<{ readonly path: string }, 'way'>;

interface Shown {
  readonly graph: ProofGraph;
  readonly places: ProofPlaces;
  readonly naming: Naming;
  readonly selected: string | undefined;
  readonly onToggle: (step: Step) => void;
}

export function useDrawn(props: Shown, bounds: Rect, far: boolean) {
  const { graph, places, selected } = props;
  const nodes = useNodes(props);
  const edges = useMemo<WayEdge[]>(
    () =>
      graph.edges.map((edge) => ({
        id: edge.id,
        type: 'way',
        data: { path: edgePath(edge, places) },
        source: edge.from,
        target: edge.to,
        focusable: false,
        // What follows from what is told by the outline; the steps here have names of their own.
        domAttributes: { 'aria-hidden': true },
        className: edge.from === selected || edge.to === selected ? 'edge-near' : '',
      })),
    [graph, places, selected],
  );
  const reached = nodes.find(({ focusable }) => focusable);
  const afar = useAfar(graph, places, bounds, reached);
  const sight = useSight();
  const drawn = useMemo<{ nodes: Node[]; edges: WayEdge[] }>(() => {
    const all = afarNode(bounds);
    if (far) return { nodes: reached === undefined ? [all] : [all, reachedNode(reached)], edges: [] };
    const near = inSight(nodes, edges, sight, places.form);
    return { nodes: [all, ...near.nodes], edges: near.edges };
  }, [far, bounds, nodes, reached, edges, sight, places]);
  return { ...drawn, afar };
}

/**
 * All nodes are of one size, and their edges begin and end in the middle of a side. Without being told so, the library draws
 * all nodes once to measure them, in sight or not: a thousand take a second.
 */
function measured({ direction, nodeWidth: width, nodeHeight: height }: ProofForm): Partial<StepNode> {
  const [x, y] = direction === 'down' ? [width / 2, height] : [width, height / 2];
  const { source, target } = SIDES[direction];
  return {
    measured: { width, height },
    width,
    height,
    handles: [
      { type: 'target', position: target, x: width - x, y: height - y, width: 0, height: 0 },
      { type: 'source', position: source, x, y, width: 0, height: 0 },
    ],
  };
}

export const SIDES = {
  down: { source: Position.Bottom, target: Position.Top },
  right: { source: Position.Right, target: Position.Left },
} as const;

function useNodes({ graph, places, naming, selected, onToggle }: Shown): StepNode[] {
  const plain = useMemo<StepNode[]>(() => {
    const { positions, form } = places;
    const size = measured(form);
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
  }, [graph, places, naming, onToggle]);
  // All but the chosen one stay the same objects, so that choosing draws two nodes anew and not a thousand.
  return useMemo(() => {
    const isDrawn = plain.some(({ id }) => id === selected);
    // Of a graph that leaves out the chosen one, the conclusion is what the keyboard comes to.
    const reached = isDrawn ? selected : plain[0]?.id;
    return plain.map((node) => (node.id === reached ? { ...node, ...REACHED, selected: isDrawn } : node));
  }, [plain, selected]);
}

function nodeLabel(step: Step, hidden: number, naming: Naming): string {
  const more = hidden === 0 ? '' : `, ${hidden} more ${hidden === 1 ? 'premise' : 'premises'}: Enter shows them`;
  return `${stepText(step, naming)}, ${kindWord(step)}${more}`;
}
