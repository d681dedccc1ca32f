/** The layout of a proof graph: conclusions before their premises, which keep the order in which the rule names them. */

import { type LayoutOptions, layoutGraph, type Places } from '../../../graph/graph-layout.js';
import type { Direction, Point } from '../../../graph/graph-route.js';
import { inReadingOrder, type ProofGraph } from './proof-graph.js';

/** The form of a graph: where its layers follow each other, and how large its nodes are. */
export interface ProofForm extends LayoutOptions {
  readonly direction: Direction;
  /** So many lines of text have room in a node. */
  readonly lines: number;
}

export interface ProofPlaces extends Places {
  readonly form: ProofForm;
}

const DOWN: ProofForm = { direction: 'down', nodeWidth: 148, nodeHeight: 56, lines: 3, gap: 8, layerGap: 28 };

/** Which of them shows most depends on the graph and on the room for it. Of a file there is room enough: that has the first. */
export const PROOF_FORMS: readonly [ProofForm, ...ProofForm[]] = [
  DOWN,
  { ...DOWN, nodeWidth: 124 },
  { direction: 'right', nodeWidth: 172, nodeHeight: 40, lines: 2, gap: 8, layerGap: 28 },
  { direction: 'right', nodeWidth: 136, nodeHeight: 56, lines: 3, gap: 8, layerGap: 28 },
];

export async function layoutProof(graph: ProofGraph, form: ProofForm = PROOF_FORMS[0]): Promise<ProofPlaces> {
  const shape = { nodes: inReadingOrder(graph), edges: graph.edges };
  if (form.direction === 'down') return { form, ...(await layoutGraph(shape, form)) };
  // To the right is downward, with what is beside and what is below changed for each other.
  const turned = { ...form, nodeWidth: form.nodeHeight, nodeHeight: form.nodeWidth };
  const { positions, ways } = await layoutGraph(shape, turned);
  return { form, positions: mapped(positions, turn), ways: mapped(ways, (points) => points.map(turn)) };
}

function turn({ x, y }: Point): Point {
  return { x: y, y: x };
}

function mapped<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
