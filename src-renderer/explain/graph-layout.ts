/** The layout of a proof graph: conclusions above their premises, which keep the order in which the rule names them. */

import { type LayoutOptions, layoutGraph, type Positions } from '../components/graph-layout.js';
import { inReadingOrder, type ProofGraph } from './proof-graph.js';

export const PROOF_LAYOUT: LayoutOptions = {
  direction: 'DOWN',
  nodeWidth: 160,
  nodeHeight: 64,
  gap: 12,
  layerGap: 36,
};

export function layoutProof(graph: ProofGraph): Promise<Positions> {
  return layoutGraph({ nodes: inReadingOrder(graph), edges: graph.edges }, PROOF_LAYOUT);
}
