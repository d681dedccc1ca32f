/** How the edges of a proof run, the same on the page and in a file. */

import { type Point, wayPath } from '../../../graph/graph-route.js';
import type { ProofPlaces } from './graph-layout.js';
import type { ProofGraph } from './proof-graph.js';

/** From the middle of the side where one node ends to the middle of that where another begins, beside those between them. */
export function edgePath({ id, from, to }: ProofGraph['edges'][number], places: ProofPlaces): string {
  const { positions, ways, form } = places;
  const { direction, nodeWidth, nodeHeight } = form;
  const side = (node: string, part: 0 | 1): Point => {
    const { x, y } = positions[node] ?? { x: 0, y: 0 };
    return direction === 'down'
      ? { x: x + nodeWidth / 2, y: y + part * nodeHeight }
      : { x: x + part * nodeWidth, y: y + nodeHeight / 2 };
  };
  const thickness = direction === 'down' ? nodeHeight : nodeWidth;
  return wayPath(side(from, 1), ways[id] ?? [], side(to, 0), thickness, direction);
}
