/** Paths of the edges of a proof. The page and exported files use the same. */

import { type Point, smoothPath } from '../../../graph/graph-route.js';
import type { ProofGraph } from './proof-graph.js';
import type { ProofLayout } from './proof-layout.js';

/** From the middle of one side to the middle of another, around the nodes between. */
export function edgePath({ id, from, to }: ProofGraph['edges'][number], layout: ProofLayout): string {
  const { positions, waypoints, form } = layout;
  const { direction, nodeWidth, nodeHeight } = form;
  const side = (node: string, part: 0 | 1): Point => {
    const { x, y } = positions[node] ?? { x: 0, y: 0 };
    return direction === 'down'
      ? { x: x + nodeWidth / 2, y: y + part * nodeHeight }
      : { x: x + part * nodeWidth, y: y + nodeHeight / 2 };
  };
  const thickness = direction === 'down' ? nodeHeight : nodeWidth;
  return smoothPath(side(from, 1), waypoints[id] ?? [], side(to, 0), thickness, direction);
}
