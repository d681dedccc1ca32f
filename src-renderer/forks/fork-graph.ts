/** The forks as a graph: each with an edge from the fork that it was made from, which leads back where it was promoted. */

import type { ForkInfo } from '../../src-runtime/api/fork-schemas.js';
import { type LayoutOptions, layoutGraph, type Positions } from '../components/graph-layout.js';
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
  /** Forks that are not drawn because there are too many. */
  readonly leftOut: number;
}

/** More than this is no picture any more; the list has them all. */
const GRAPH_FORKS_MAX = 120;

/** Generation by generation, so that what is left out lies deepest. */
export function forkGraph(roots: readonly ForkNode[], forksMax = GRAPH_FORKS_MAX): ForkGraph {
  const forks: ForkInfo[] = [];
  const edges: ForkEdge[] = [];
  let leftOut = 0;
  let level = roots.map((node) => ({ node, parent: undefined as string | undefined }));
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { node, parent } of level) {
      next.push(...node.children.map((child) => ({ node: child, parent: node.id })));
      if (forks.length >= forksMax) {
        leftOut += 1;
        continue;
      }
      forks.push(node.fork);
      if (parent === undefined) continue;
      edges.push({
        id: `${parent}>${node.id}`,
        from: parent,
        to: node.id,
        promoted: node.fork.status === 'promoted',
      });
    }
    level = next;
  }
  return { forks, edges, leftOut };
}

export const FORK_LAYOUT: LayoutOptions = {
  direction: 'RIGHT',
  nodeWidth: 168,
  nodeHeight: 44,
  gap: 16,
  layerGap: 80,
};

/** Forks stand to the right of what they were made from. */
export function layoutForks({ forks, edges }: ForkGraph): Promise<Positions> {
  return layoutGraph({ nodes: forks, edges }, FORK_LAYOUT);
}
