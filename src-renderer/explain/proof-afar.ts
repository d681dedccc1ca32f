/**
 * A graph of a proof from afar, where text would be dust: the shapes of all steps in one path a kind, and all edges in one. A
 * thousand elements that come into sight at once cost a quarter of a second, and tens of milliseconds whenever they move.
 */

import type { Rect } from '@xyflow/react';
import type { Step, StepKind } from '../components/proof-outline.js';
import type { ProofPlaces } from './graph-layout.js';
import { edgePath } from './proof-edges.js';
import type { ProofGraph } from './proof-graph.js';

export interface Afar {
  readonly bounds: Rect;
  readonly edges: string;
  /** By kind of step, the boxes of its steps, and a path through the middles of them. */
  readonly kinds: readonly { readonly kind: StepKind; readonly boxes: string; readonly middles: string }[];
}

export function afarOf(graph: ProofGraph, places: ProofPlaces, bounds: Rect): Afar {
  const { positions, form } = places;
  const { nodeWidth: width, nodeHeight: height } = form;
  const paths = new Map<StepKind, { boxes: string[]; middles: string[] }>();
  for (const { id, kind } of graph.steps) {
    const { x, y } = positions[id] ?? { x: 0, y: 0 };
    const path = paths.get(kind) ?? { boxes: [], middles: [] };
    paths.set(kind, path);
    path.boxes.push(`M${x} ${y}h${width}v${height}h${-width}z`);
    path.middles.push(`${x + width / 2} ${y + height / 2}`);
  }
  return {
    bounds,
    edges: graph.edges.map((edge) => edgePath(edge, places)).join(''),
    kinds: [...paths].map(([kind, { boxes, middles }]) => ({
      kind,
      boxes: boxes.join(''),
      middles: `M${middles.join('L')}`,
    })),
  };
}

/** The step at a point of the graph, or the nearest one no farther from it than `reach`: what is small is hard to hit. */
export function stepAt(
  graph: ProofGraph,
  { positions, form }: ProofPlaces,
  point: { readonly x: number; readonly y: number },
  reach: number,
): Step | undefined {
  let nearest: Step | undefined;
  let least = reach;
  for (const step of graph.steps) {
    const at = positions[step.id];
    if (at === undefined) continue;
    const beside = Math.max(at.x - point.x, point.x - at.x - form.nodeWidth, 0);
    const above = Math.max(at.y - point.y, point.y - at.y - form.nodeHeight, 0);
    const distance = Math.hypot(beside, above);
    if (distance <= least) [nearest, least] = [step, distance];
  }
  return nearest;
}
