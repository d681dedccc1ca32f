/** How the edges of a proof run, the same on the page and in a file. */

import type { LayoutOptions, Places } from '../components/graph-layout.js';
import { wayPath } from '../components/graph-route.js';
import type { ProofGraph } from './proof-graph.js';

/** From the middle of the lower side of one node to that of the upper side of another, beside those between them. */
export function edgePath(
  { id, from, to }: ProofGraph['edges'][number],
  { positions, ways }: Places,
  { nodeWidth, nodeHeight }: Pick<LayoutOptions, 'nodeWidth' | 'nodeHeight'>,
): string {
  const start = positions[from] ?? { x: 0, y: 0 };
  const end = positions[to] ?? { x: 0, y: 0 };
  const half = nodeWidth / 2;
  const below = { x: start.x + half, y: start.y + nodeHeight };
  return wayPath(below, ways[id] ?? [], { x: end.x + half, y: end.y }, nodeHeight);
}
