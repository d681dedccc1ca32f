/** An explanation as a graph: each fact once, with an edge from whatever follows to what it follows from. */

import type { Step } from '../components/proof-outline.js';

export interface ProofGraph {
  readonly steps: readonly Step[];
  readonly edges: readonly { readonly id: string; readonly from: string; readonly to: string }[];
  /** Steps that are left out because there are too many to draw. */
  readonly leftOut: number;
}

/** More than this is no picture any more; the outline has them all. */
const GRAPH_STEPS_MAX = 160;

/** Level by level from the root, so that what is left out is what lies deepest. */
export function proofGraph(roots: readonly Step[], stepsMax = GRAPH_STEPS_MAX): ProofGraph {
  const steps: Step[] = [];
  const drawn = new Set<string>();
  let leftOut = 0;
  let level = [...roots];
  while (level.length > 0) {
    const next: Step[] = [];
    for (const step of level) {
      if (step.kind === 'ref') continue;
      if (steps.length >= stepsMax) {
        leftOut += 1;
        continue;
      }
      steps.push(step);
      drawn.add(step.id);
      next.push(...step.children);
    }
    level = next;
  }
  const edges = new Map<string, { id: string; from: string; to: string }>();
  for (const step of steps) {
    for (const child of step.children) {
      const to = child.kind === 'ref' ? child.target : child.id;
      if (to === undefined || !drawn.has(to)) continue;
      const id = `${step.id}-${to}`;
      edges.set(id, { id, from: step.id, to });
    }
  }
  return { steps, edges: [...edges.values()], leftOut };
}
