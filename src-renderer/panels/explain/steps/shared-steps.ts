/** What several explanations have in common. */

import { allSteps, type Step } from '../../../domain/proof/proof-outline.js';

/** How many steps several of the explanations share. */
export function sharedSteps(roots: readonly Step[]): number {
  const byId = new Map(allSteps(roots).map((step) => [step.id, step]));
  const uses = new Map<string, number>();
  for (const root of roots) {
    const reached = new Set<string>();
    const stack = [root];
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      const at = step.kind === 'ref' ? byId.get(step.target ?? '') : step;
      if (at === undefined || reached.has(at.id)) continue;
      reached.add(at.id);
      stack.push(...at.children);
    }
    for (const id of reached) uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  return [...uses.values()].filter((count) => count > 1).length;
}
