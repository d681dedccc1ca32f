/** Where each node of a proof graph stands: elk's layered layout, in a worker, conclusions above their premises. */

import ELK from 'elkjs/lib/elk-api.js';
import ElkWorker from 'elkjs/lib/elk-worker.min.js?worker';
import type { ProofGraph } from './proof-graph.js';

export const NODE_WIDTH = 208;
export const NODE_HEIGHT = 56;

export type Positions = Readonly<Record<string, { readonly x: number; readonly y: number }>>;

/** One layouter for the page: its worker takes a moment to start. */
let elk: InstanceType<typeof ELK> | undefined;

export async function layoutGraph(graph: ProofGraph): Promise<Positions> {
  elk ??= new ELK({ workerFactory: () => new ElkWorker() });
  const laidOut = await elk.layout({
    id: 'proof',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'DOWN',
      'elk.spacing.nodeNode': '24',
      'elk.layered.spacing.nodeNodeBetweenLayers': '40',
      'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
      // Premises keep the order in which the rule names them.
      'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
    },
    children: graph.steps.map((step) => ({ id: step.id, width: NODE_WIDTH, height: NODE_HEIGHT })),
    edges: graph.edges.map((edge) => ({ id: edge.id, sources: [edge.from], targets: [edge.to] })),
  });
  return Object.fromEntries((laidOut.children ?? []).map((child) => [child.id, { x: child.x ?? 0, y: child.y ?? 0 }]));
}
