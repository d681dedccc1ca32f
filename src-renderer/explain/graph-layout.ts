/** The layout of a proof graph: conclusions above their premises, which keep the order in which the rule names them. */

import { type LayoutOptions, layoutGraph, type Places } from '../components/graph-layout.js';
import { inReadingOrder, type ProofGraph } from './proof-graph.js';

export const PROOF_LAYOUT: LayoutOptions = {
  nodeWidth: 160,
  nodeHeight: 64,
  gap: 12,
  layerGap: 36,
};

export function layoutProof(graph: ProofGraph): Promise<Places> {
  return layoutGraph({ nodes: inReadingOrder(graph), edges: graph.edges }, PROOF_LAYOUT);
}
