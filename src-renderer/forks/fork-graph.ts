/** The forks as a graph: each with an edge from the fork that it was made from, which leads back where it was promoted. */

import type { ForkInfo } from '../../src-runtime/api/fork-schemas.js';
import type { Positions } from '../components/graph-layout.js';
import type { Point } from '../components/graph-route.js';
import type { ForkNode } from './fork-tree.js';

export interface ForkEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Its changes went back to where it came from. */
  readonly promoted: boolean;
}

export interface ForkGraph {
  readonly forks: readonly ForkInfo[];
  readonly edges: readonly ForkEdge[];
  readonly positions: Positions;
  /** Forks that are not drawn because there are too many. */
  readonly leftOut: number;
}

/** More than this is no picture any more; the list has them all. */
const GRAPH_FORKS_MAX = 120;

/**
 * Generation by generation, so that what is left out lies deepest, and of one generation last in the list; but for the fork
 * that is shown and those that it came of, which are drawn always.
 */
export function forkGraph(roots: readonly ForkNode[], shown: string, forksMax = GRAPH_FORKS_MAX): ForkGraph {
  const drawn = new Set(pathTo(roots, shown));
  let leftOut = 0;
  for (let level = roots; level.length > 0; level = level.flatMap(({ children }) => children)) {
    for (const node of level) {
      if (drawn.size < forksMax) drawn.add(node);
      else if (!drawn.has(node)) leftOut += 1;
    }
  }
  const forks: ForkInfo[] = [];
  const edges: ForkEdge[] = [];
  const positions: Record<string, Point> = {};
  let row = 0;
  // Each beside the first of those that were made from it, so that one with many stands where the newest of them are.
  const place = (nodes: readonly ForkNode[], depth: number): void => {
    for (const { id, fork, children } of nodes.filter((node) => drawn.has(node))) {
      forks.push(fork);
      positions[id] = { x: depth * FORK_LAYOUT.columnWidth, y: row * FORK_LAYOUT.rowHeight };
      const inner = children.filter((child) => drawn.has(child));
      for (const child of inner) {
        edges.push({ id: `${id}>${child.id}`, from: id, to: child.id, promoted: child.fork.status === 'promoted' });
      }
      if (inner.length === 0) row += 1;
      else place(inner, depth + 1);
    }
  };
  place(roots, 0);
  return { forks, edges, positions, leftOut };
}

/** Empty where it is not among them. */
function pathTo(nodes: readonly ForkNode[], wanted: string): ForkNode[] {
  for (const node of nodes) {
    if (node.id === wanted) return [node];
    const below = pathTo(node.children, wanted);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}

/** Forks stand to the right of what they were made from. */
export const FORK_LAYOUT = { nodeWidth: 168, nodeHeight: 44, columnWidth: 248, rowHeight: 56 } as const;
