/** Layout of a proof graph: conclusions before premises, which keep the order of the rule. */

import { type LayeredLayout, type LayoutOptions, layoutGraph } from '../../../graph/graph-layout.js';
import type { Direction, Point } from '../../../graph/graph-route.js';
import { inReadingOrder, type ProofGraph } from './proof-graph.js';

/** The direction and node size of a graph. */
export interface ProofForm extends LayoutOptions {
  readonly direction: Direction;
  /** Lines of text that fit a node. */
  readonly lines: number;
}

export interface ProofLayout extends LayeredLayout {
  readonly form: ProofForm;
}

const DOWN: ProofForm = { direction: 'down', nodeWidth: 148, nodeHeight: 56, lines: 3, gap: 8, layerGap: 28 };

/** The form that shows most steps depends on graph and viewport. A file uses the first. */
export const PROOF_FORMS: readonly [ProofForm, ...ProofForm[]] = [
  DOWN,
  { ...DOWN, nodeWidth: 124 },
  { direction: 'right', nodeWidth: 172, nodeHeight: 40, lines: 2, gap: 8, layerGap: 28 },
  { direction: 'right', nodeWidth: 136, nodeHeight: 56, lines: 3, gap: 8, layerGap: 28 },
];

export async function layoutProof(graph: ProofGraph, form: ProofForm = PROOF_FORMS[0]): Promise<ProofLayout> {
  const shape = { nodes: inReadingOrder(graph), edges: graph.edges };
  if (form.direction === 'down') return { form, ...(await layoutGraph(shape, form)) };
  // Left to right is top to bottom with x and y swapped.
  const transposed = { ...form, nodeWidth: form.nodeHeight, nodeHeight: form.nodeWidth };
  const { positions, waypoints } = await layoutGraph(shape, transposed);
  return {
    form,
    positions: mapped(positions, transpose),
    waypoints: mapped(waypoints, (points) => points.map(transpose)),
  };
}

function transpose({ x, y }: Point): Point {
  return { x: y, y: x };
}

function mapped<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
