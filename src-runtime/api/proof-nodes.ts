/** Walks proofs. Separate from the schemas, so that the page need not load them. */

import type { ProofNode, ProofPremise, WhyNot } from './schemas/explanation-schemas.js';

/** All nodes below this one and itself, including those that only occur in contributions. */
export function nodesOf(premise: ProofPremise): ProofNode[] {
  const nodes: ProofNode[] = [];
  const waiting = [premise];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('ref' in next) continue;
    nodes.push(next);
    waiting.push(...next.premises);
    for (const { contributions } of next.aggregates ?? [])
      for (const each of contributions) waiting.push(...each.premises);
  }
  return nodes;
}

/** The proofs in a why-not. */
export function proofsIn({ clauses }: WhyNot): ProofPremise[] {
  return clauses.flatMap(({ satisfied, fails, behind = [] }) => {
    const failing = [...(fails === null ? [] : [fails]), ...behind];
    return [
      ...satisfied,
      ...failing.flatMap(({ blockedBy, aggregate }) => [blockedBy ?? [], aggregate ?? []].flat()),
      ...(fails?.whyNot === undefined ? [] : proofsIn(fails.whyNot)),
    ];
  });
}

/** Splits a node's premises by whether a contribution to one of its aggregates is based on them. */
export function premisesTaken({ aggregates = [], premises }: ProofNode): {
  readonly taken: readonly ProofPremise[];
  readonly others: readonly ProofPremise[];
} {
  const named = new Set(
    aggregates.flatMap(({ contributions }) => contributions.flatMap((each) => idsIn(each.premises))),
  );
  const isTaken = (premise: ProofPremise): boolean => idsIn([premise]).some((id) => named.has(id));
  return { taken: premises.filter(isTaken), others: premises.filter((premise) => !isTaken(premise)) };
}

/** The facts of the premises, including those in comparisons. */
function idsIn(premises: readonly ProofPremise[]): string[] {
  return premises.flatMap((premise) => {
    if ('ref' in premise) return [premise.ref];
    if (premise.factId !== undefined) return [premise.factId];
    const { aggregates = [] } = premise;
    const inside = aggregates.flatMap(({ contributions }) => contributions.flatMap((each) => each.premises));
    return idsIn([...premise.premises, ...inside]);
  });
}
