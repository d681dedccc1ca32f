/** Where each node of a graph stands: elk's layered layout, in a worker, so that a large graph never freezes the page. */

import ELK from 'elkjs/lib/elk-api.js';
import ElkWorker from 'elkjs/lib/elk-worker.min.js?worker';
import { useEffect, useState } from 'react';

export interface GraphShape {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly id: string; readonly from: string; readonly to: string }[];
}

export interface LayoutOptions {
  readonly direction: 'DOWN' | 'RIGHT';
  /** All nodes are of one size. */
  readonly nodeWidth: number;
  readonly nodeHeight: number;
  /** Between nodes side by side, and between one layer and the next. */
  readonly gap: number;
  readonly layerGap: number;
}

export type Positions = Readonly<Record<string, { readonly x: number; readonly y: number }>>;

/** Of more nodes, keeping their order would take ten seconds and not one. */
const ORDERED_MAX = 200;
const ORDERED = {
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
};
const QUICK = { 'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF', 'elk.layered.thoroughness': '2' };

/** One layouter for the page: its worker takes a moment to start. */
let elk: InstanceType<typeof ELK> | undefined;

/** Nodes and edges keep their order where the layout leaves a choice, unless there are very many. */
export async function layoutGraph({ nodes, edges }: GraphShape, options: LayoutOptions): Promise<Positions> {
  elk ??= new ELK({ workerFactory: () => new ElkWorker() });
  const { direction, nodeWidth: width, nodeHeight: height, gap, layerGap } = options;
  const laidOut = await elk.layout({
    id: 'graph',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': direction,
      'elk.spacing.nodeNode': String(gap),
      'elk.layered.spacing.nodeNodeBetweenLayers': String(layerGap),
      ...(nodes.length > ORDERED_MAX ? QUICK : ORDERED),
    },
    children: nodes.map(({ id }) => ({ id, width, height })),
    edges: edges.map(({ id, from, to }) => ({ id, sources: [from], targets: [to] })),
  });
  return Object.fromEntries((laidOut.children ?? []).map((child) => [child.id, { x: child.x ?? 0, y: child.y ?? 0 }]));
}

export type Layout<G> =
  | { readonly state: 'pending' }
  | { readonly state: 'ready'; readonly graph: G; readonly positions: Positions }
  | { readonly state: 'failed'; readonly message: string };

/** The layout of `graph`; until it is there, the one before stays. `layout` must be the same function each time. */
export function useGraphLayout<G>(graph: G, layout: (graph: G) => Promise<Positions>): Layout<G> {
  const [current, setCurrent] = useState<Layout<G>>({ state: 'pending' });
  useEffect(() => {
    let wanted = true;
    layout(graph).then(
      (positions) => wanted && setCurrent({ state: 'ready', graph, positions }),
      (error: unknown) => wanted && setCurrent({ state: 'failed', message: String(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [graph, layout]);
  return current;
}

export function boundsOf(
  positions: Positions,
  { nodeWidth, nodeHeight }: LayoutOptions,
): { x: number; y: number; width: number; height: number } {
  const all = Object.values(positions);
  const width = Math.max(...all.map(({ x }) => x)) + nodeWidth;
  const height = Math.max(...all.map(({ y }) => y)) + nodeHeight;
  return { x: 0, y: 0, width, height };
}
