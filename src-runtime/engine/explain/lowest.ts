/** One proof of a fact, and whether it is a lowest one. */

import type { Derivations, FactNode, Instance } from './derivations.js';
import { ProofGraph, reach, type SelectedProof, UNRESTRICTED } from './minimal.js';

export interface Lowest {
  readonly proof: SelectedProof;
  /** True if no proof of the fact is lower, false if unknown. */
  readonly isLowest: boolean;
  /** False if the proof has more facts than the limit. */
  readonly isWhole: boolean;
}

/** Facts to search for a proof lower than known heights tell. */
const FACTS_MAX = 2000;

/** The lowest proof that a bounded search finds. */
export function* lowestOf(graph: Derivations, root: FactNode, factsMax: number): Generator<void, Lowest> {
  const known = yield* completed(graph, { facts: [root], choice: new Map(), height: root.height }, factsMax);
  if (root.isLowest || !known.isWhole) return { ...known, isLowest: root.isLowest };
  // A fact of a lower proof is at least two steps nearer to its root than the height of the known one.
  const depth = known.proof.height - 1;
  const reached = yield* reach(graph, [root], { facts: FACTS_MAX, depth, stopsAtLowest: true });
  const lower = new ProofGraph(reached.nodes, new Map()).lowest(UNRESTRICTED);
  const isLowest = reached.isWhole;
  if (lower === undefined || lower.height >= known.proof.height) return { ...known, isLowest };
  return { ...(yield* completed(graph, lower, factsMax)), isLowest };
}

/** The proof with an instance for every fact in it: the chosen one, or one below the fact's own height. */
function* completed(
  graph: Derivations,
  proof: SelectedProof,
  factsMax: number,
): Generator<void, { readonly proof: SelectedProof; readonly isWhole: boolean }> {
  const choice = new Map<FactNode, Instance>();
  const facts = [...proof.facts];
  const seen = new Set(facts);
  for (let next = 0; next < facts.length; next++) {
    if (next >= factsMax)
      return { proof: { facts: facts.slice(0, next), choice, height: proof.height }, isWhole: false };
    const node = facts[next] as FactNode;
    const instance = proof.choice.get(node) ?? (yield* graph.lowest(node));
    choice.set(node, instance);
    for (const premise of instance.premises) {
      if (seen.has(premise)) continue;
      seen.add(premise);
      facts.push(premise);
    }
    yield;
  }
  return { proof: { facts, choice, height: rankOf(facts[0] as FactNode, choice) }, isWhole: true };
}

/** The number of derived facts on the longest path. Chosen instances never lead back to a fact. */
function rankOf(root: FactNode, choice: ReadonlyMap<FactNode, Instance>): number {
  const heights = new Map<FactNode, number>();
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.at(-1) as FactNode;
    const premises = choice.get(node)?.premises ?? [];
    const open = heights.has(node) ? [] : premises.filter((premise) => !heights.has(premise));
    if (open.length > 0) stack.push(...open);
    else {
      heights.set(node, 1 + premises.reduce((most, premise) => Math.max(most, heights.get(premise) ?? 0), 0));
      stack.pop();
    }
  }
  return heights.get(root) ?? 0;
}
