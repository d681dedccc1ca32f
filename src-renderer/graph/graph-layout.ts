/** Where each node of a graph stands: elk's layered layout, in a worker, so that a large graph never freezes the page. */

import ELK, { type ElkEdgeSection, type ElkNode } from 'elkjs/lib/elk-api.js';
import ElkWorker from 'elkjs/lib/elk-worker.min.js?worker';
import { useEffect, useState } from 'react';
import { type Point, passages } from './graph-route.js';

export interface GraphShape {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly id: string; readonly from: string; readonly to: string }[];
}

export interface LayoutOptions {
  /** All nodes are of one size. */
  readonly nodeWidth: number;
  readonly nodeHeight: number;
  /** Between nodes side by side, and between one layer and the next. */
  readonly gap: number;
  readonly layerGap: number;
}

export type Positions = Readonly<Record<string, { readonly x: number; readonly y: number }>>;

export interface Places {
  readonly positions: Positions;
  /** Of each edge over several layers: where it comes to those between, beside their nodes. */
  readonly ways: Readonly<Record<string, readonly Point[]>>;
}

/** Of more nodes, keeping their order would take seconds. */
const ORDERED_MAX = 200;
/** To consider the order is not enough: fewer crossings would still put the nodes of a layer in another one. */
const ORDERED = {
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.crossingMinimization.strategy': 'NONE',
  'elk.layered.crossingMinimization.greedySwitch.type': 'OFF',
};
const QUICK = { 'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF', 'elk.layered.thoroughness': '2' };

/** One layouter for the page: its worker takes a moment to start. */
let elk: InstanceType<typeof ELK> | undefined;

/** Downward. Nodes of one layer stand in the order in which they come, unless there are very many. */
export async function layoutGraph({ nodes, edges }: GraphShape, options: LayoutOptions): Promise<Places> {
  const { nodeWidth: width, nodeHeight: height, gap, layerGap } = options;
  const layered = (how: typeof ORDERED | typeof QUICK): ElkNode => ({
    id: 'graph',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'DOWN',
      'elk.spacing.nodeNode': String(gap),
      'elk.layered.spacing.nodeNodeBetweenLayers': String(layerGap),
      // Lines are drawn soft: they need no room for turning beside each other between two layers.
      'elk.layered.spacing.edgeEdgeBetweenLayers': '1',
      ...how,
    },
    children: nodes.map(({ id }) => ({ id, width, height })),
    edges: edges.map(({ id, from, to }) => ({ id, sources: [from], targets: [to] })),
  });
  // Where many edges go over many layers, keeping the order takes more calls within calls than the layouter has room for.
  const laidOut = await (nodes.length > ORDERED_MAX
    ? withElk(layered(QUICK))
    : withElk(layered(ORDERED)).catch(() => withElk(layered(QUICK))));
  const positions = positionsIn(laidOut);
  const tops = [...new Set(Object.values(positions).map(({ y }) => y))].sort((one, other) => one - other);
  const ways = (laidOut.edges ?? []).map(
    ({ id, sections }) => [id, passages(pointsOf(sections), tops, height)] as const,
  );
  return { positions, ways: Object.fromEntries(ways.filter(([, points]) => points.length > 0)) };
}

export interface SizedGraph {
  /** One that grows becomes higher where many edges need room for their ends. */
  readonly nodes: readonly {
    readonly id: string;
    readonly width: number;
    readonly height: number;
    readonly grows: boolean;
  }[];
  /** A label stands at the end that it belongs to, and has room there. */
  readonly edges: readonly (GraphShape['edges'][number] & {
    readonly label?: { readonly width: number; readonly height: number; readonly at: 'from' | 'to' } | undefined;
  })[];
}

export interface Routes {
  readonly positions: Positions;
  readonly sizes: Readonly<Record<string, { readonly width: number; readonly height: number }>>;
  readonly lines: Readonly<Record<string, { readonly points: readonly Point[]; readonly label: Point | undefined }>>;
}

/** Of nodes of their own sizes, from left to right, with the ways of the edges around them. */
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

/** Its worker takes a moment to start: whoever knows that a graph is coming starts it before. */
export function startLayouter(): InstanceType<typeof ELK> {
  elk ??= new ELK({ workerFactory: () => new ElkWorker() });
  return elk;
}

function withElk(graph: ElkNode) {
  return startLayouter().layout(graph);
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

/** The layout of `graph`; until it is there, the one before stays. `layout` must be the same function each time. */
export function useGraphLayout<G, P = Positions>(graph: G, layout: (graph: G) => Promise<P>): Layout<G, P> {
  const [current, setCurrent] = useState<Layout<G, P>>({ state: 'pending' });
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
  { nodeWidth, nodeHeight }: Pick<LayoutOptions, 'nodeWidth' | 'nodeHeight'>,
): { x: number; y: number; width: number; height: number } {
  const [xs, ys] = [Object.values(positions).map(({ x }) => x), Object.values(positions).map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) + nodeWidth - x, height: Math.max(...ys) + nodeHeight - y };
}
