/** Layered layout by elk, in a worker, so that a large graph never blocks the page. */

import ELK, { type ElkEdgeSection, type ElkNode } from 'elkjs/lib/elk-api.js';
import ElkWorker from 'elkjs/lib/elk-worker.min.js?worker';
import { useEffect, useState } from 'react';
import { layerCrossings, type Point } from './graph-route.js';

export interface LayoutGraph {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly id: string; readonly from: string; readonly to: string }[];
}

export interface LayoutOptions {
  /** All nodes have one size. */
  readonly nodeWidth: number;
  readonly nodeHeight: number;
  /** Distance between nodes of a layer, and between layers. */
  readonly gap: number;
  readonly layerGap: number;
}

export type Positions = Readonly<Record<string, { readonly x: number; readonly y: number }>>;

export interface LayeredLayout {
  readonly positions: Positions;
  /** For each edge over several layers: the point where it crosses each layer between. */
  readonly waypoints: Readonly<Record<string, readonly Point[]>>;
}

/** Keeping the order of more nodes would take seconds. */
const ORDERED_MAX = 200;
/** Considering the order is not enough: elk would reorder a layer to reduce crossings. */
const ORDERED = {
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.crossingMinimization.strategy': 'NONE',
  'elk.layered.crossingMinimization.greedySwitch.type': 'OFF',
};
const QUICK = { 'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF', 'elk.layered.thoroughness': '2' };

/** One layouter for the page, because its worker takes a moment to start. */
let elk: InstanceType<typeof ELK> | undefined;

/** From top to bottom. Nodes of a layer keep their order, unless there are very many. */
export async function layoutGraph({ nodes, edges }: LayoutGraph, options: LayoutOptions): Promise<LayeredLayout> {
  const { nodeWidth: width, nodeHeight: height, gap, layerGap } = options;
  const layered = (how: typeof ORDERED | typeof QUICK): ElkNode => ({
    id: 'graph',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'DOWN',
      'elk.spacing.nodeNode': String(gap),
      'elk.layered.spacing.nodeNodeBetweenLayers': String(layerGap),
      // Curved edges need no room for parallel segments between layers.
      'elk.layered.spacing.edgeEdgeBetweenLayers': '1',
      ...how,
    },
    children: nodes.map(({ id }) => ({ id, width, height })),
    edges: edges.map(({ id, from, to }) => ({ id, sources: [from], targets: [to] })),
  });
  // With many long edges, keeping the order overflows the layouter's stack.
  const laidOut = await (nodes.length > ORDERED_MAX
    ? withElk(layered(QUICK))
    : withElk(layered(ORDERED)).catch(() => withElk(layered(QUICK))));
  const positions = positionsIn(laidOut);
  const tops = [...new Set(Object.values(positions).map(({ y }) => y))].sort((one, other) => one - other);
  const waypoints = (laidOut.edges ?? []).map(
    ({ id, sections }) => [id, layerCrossings(pointsOf(sections), tops, height)] as const,
  );
  return { positions, waypoints: Object.fromEntries(waypoints.filter(([, points]) => points.length > 0)) };
}

export interface SizedGraph {
  /** A node with `grows` becomes higher if its edges need more room. */
  readonly nodes: readonly {
    readonly id: string;
    readonly width: number;
    readonly height: number;
    readonly grows: boolean;
  }[];
  /** A label is placed at its end of the edge, and gets room there. */
  readonly edges: readonly (LayoutGraph['edges'][number] & {
    readonly label?: { readonly width: number; readonly height: number; readonly at: 'from' | 'to' } | undefined;
  })[];
}

export interface Routes {
  readonly positions: Positions;
  readonly sizes: Readonly<Record<string, { readonly width: number; readonly height: number }>>;
  readonly lines: Readonly<Record<string, { readonly points: readonly Point[]; readonly label: Point | undefined }>>;
}

/** From left to right, for nodes of different sizes, with routed edges. */
export async function routeGraph({ nodes, edges }: SizedGraph): Promise<Routes> {
  const laidOut = await withElk({
    id: 'graph',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.edgeRouting': 'ORTHOGONAL',
      'elk.aspectRatio': '1.6',
      'elk.spacing.nodeNode': '20',
      'elk.spacing.componentComponent': '32',
      'elk.spacing.edgeLabel': '2',
      'elk.spacing.portPort': '20',
      'elk.spacing.portsSurrounding': '[top=10,left=0,bottom=10,right=0]',
      'elk.layered.spacing.nodeNodeBetweenLayers': '28',
      'elk.layered.spacing.edgeNodeBetweenLayers': '16',
      ...(nodes.length > ORDERED_MAX
        ? {
            'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
            'elk.layered.thoroughness': '1',
            'elk.layered.crossingMinimization.greedySwitch.type': 'OFF',
          }
        : { 'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX' }),
    },
    children: nodes.map(({ id, width, height, grows }) => ({
      id,
      width,
      height,
      ...(grows && {
        layoutOptions: {
          'elk.nodeSize.constraints': 'PORTS MINIMUM_SIZE',
          'elk.nodeSize.minimum': `(${width},${height})`,
        },
      }),
    })),
    edges: edges.map(({ id, from, to, label }) => ({
      id,
      sources: [from],
      targets: [to],
      ...(label !== undefined && {
        labels: [
          {
            text: id,
            width: label.width,
            height: label.height,
            layoutOptions: { 'elk.edgeLabels.placement': label.at === 'from' ? 'TAIL' : 'HEAD' },
          },
        ],
      }),
    })),
  });
  const lines = (laidOut.edges ?? []).map(({ id, sections = [], labels = [] }) => {
    const [label] = labels;
    return [id, { points: pointsOf(sections), label: label && { x: label.x ?? 0, y: label.y ?? 0 } }] as const;
  });
  const sizes = (laidOut.children ?? []).map(({ id, width = 0, height = 0 }) => [id, { width, height }] as const);
  return { positions: positionsIn(laidOut), sizes: Object.fromEntries(sizes), lines: Object.fromEntries(lines) };
}

/** Starts the worker. Call it early if a graph is about to be shown. */
export function startLayoutWorker(): InstanceType<typeof ELK> {
  elk ??= new ELK({ workerFactory: () => new ElkWorker() });
  return elk;
}

function withElk(graph: ElkNode) {
  return startLayoutWorker().layout(graph);
}

function pointsOf(sections: readonly ElkEdgeSection[] = []): Point[] {
  return sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint]);
}

function positionsIn({ children = [] }: ElkNode): Positions {
  return Object.fromEntries(children.map((child) => [child.id, { x: child.x ?? 0, y: child.y ?? 0 }]));
}

export type Layout<G, P = Positions> =
  | { readonly state: 'pending' }
  | { readonly state: 'ready'; readonly graph: G; readonly positions: P }
  | { readonly state: 'failed'; readonly message: string };

/** The layout of `graph`. While it is computed, the previous layout stays. `layout` must keep its identity. */
export function useGraphLayout<G, P = Positions>(graph: G, layout: (graph: G) => Promise<P>): Layout<G, P> {
  const [current, setCurrent] = useState<Layout<G, P>>({ state: 'pending' });
  useEffect(() => {
    let isCurrent = true;
    layout(graph).then(
      (positions) => isCurrent && setCurrent({ state: 'ready', graph, positions }),
      (error: unknown) => isCurrent && setCurrent({ state: 'failed', message: String(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [graph, layout]);
  return current;
}

export function boundsOf(
  positions: Positions,
  { nodeWidth, nodeHeight }: Pick<LayoutOptions, 'nodeWidth' | 'nodeHeight'>,
): { x: number; y: number; width: number; height: number } {
  const [xs, ys] = [Object.values(positions).map(({ x }) => x), Object.values(positions).map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) + nodeWidth - x, height: Math.max(...ys) + nodeHeight - y };
}
