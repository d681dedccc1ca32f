/**
 * What a proof rests on in the end, without the steps between: the facts that are stored or declared, those that must not be there,
 * and the clauses; and in how many of the proofs that are known each is. What is in all of them nothing gets by without.
 */

import { nodesOf } from '../../../../src-runtime/api/proof-nodes.js';
import type { Explanation, ProofPremise } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import { allSteps, type Step } from '../../../domain/proof/proof-outline.js';
import { rawFact } from '../../../model/sentences/sentence.js';

export interface Ground {
  /** The first of the steps that it is. */
  readonly step: Step;
  /** Of the proofs that are known, in how many it is. */
  readonly proofs: number;
}

export interface Grounds {
  readonly stored: readonly Ground[];
  readonly declared: readonly Ground[];
  readonly absent: readonly Ground[];
  /** By rule and clause, each with the first step that follows by it. */
  readonly clauses: readonly Ground[];
  /** How many proofs are known. */
  readonly known: number;
}

/** Of the proof that `roots` are the steps of. */
export function groundsOf(explanation: Explanation, roots: readonly Step[]): Grounds {
  const proofs = explanation.holds ? (explanation.proofs ?? [{ proof: explanation.proof }]) : [];
  const keys = proofs.map(({ proof }) => keysIn(proof));
  const found = new Map<string, Ground>();
  for (const step of allSteps(roots)) {
    const key = keyOf(step);
    if (key === undefined || found.has(key)) continue;
    found.set(key, { step, proofs: keys.filter((each) => each.has(key)).length });
  }
  const of = (kind: Step['kind']): Ground[] => [...found.values()].filter(({ step }) => step.kind === kind);
  return {
    ...{ stored: of('stored'), declared: of('declared'), absent: of('absent') },
    clauses: of('derived'),
    known: proofs.length,
  };
}

function keysIn(proof: ProofPremise): ReadonlySet<string> {
  return new Set(nodesOf(proof).flatMap((node) => keyOf(node) ?? []));
}

interface Named {
  readonly kind: string;
  readonly relation?: string | undefined;
  readonly tuple?: Step['tuple'];
  readonly rule?: { readonly path: string; readonly clause: number } | undefined;
}

/** Undefined of what nothing rests on: comparisons, and facts that are expanded elsewhere. */
function keyOf({ kind, relation, tuple = [], rule }: Named): string | undefined {
  if (kind === 'derived') return rule === undefined ? undefined : `clause ${rule.clause} of ${rule.path}`;
  if (relation === undefined || !['stored', 'declared', 'absent'].includes(kind)) return undefined;
  return `${kind === 'absent' ? 'not ' : ''}${rawFact(relation, tuple)}`;
}
