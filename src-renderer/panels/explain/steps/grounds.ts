/**
 * The grounds of a proof: its stored, declared and absent facts and its clauses, without the steps between. Counts how
 * many of the known proofs share each. A ground in all of them is necessary.
 */

import { nodesOf } from '../../../../src-runtime/api/proof-nodes.js';
import type { Explanation, ProofPremise } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import { allSteps, type Step } from '../../../domain/proof/proof-outline.js';
import { rawFact } from '../../../model/sentences/sentence.js';

export interface Ground {
  /** The first step with this ground. */
  readonly step: Step;
  /** Number of known proofs with this ground. */
  readonly proofs: number;
}

export interface Grounds {
  readonly stored: readonly Ground[];
  readonly declared: readonly Ground[];
  readonly absent: readonly Ground[];
  /** Keyed by rule and clause, with the first step that uses it. */
  readonly clauses: readonly Ground[];
  /** Number of known proofs. */
  readonly known: number;
}

/** For the proof with these roots. */
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

interface NamedGround {
  readonly kind: string;
  readonly relation?: string | undefined;
  readonly tuple?: Step['tuple'];
  readonly rule?: { readonly path: string; readonly clause: number } | undefined;
}

/** Undefined for comparisons, and for facts expanded elsewhere. */
function keyOf({ kind, relation, tuple = [], rule }: NamedGround): string | undefined {
  if (kind === 'derived') return rule === undefined ? undefined : `clause ${rule.clause} of ${rule.path}`;
  if (relation === undefined || !['stored', 'declared', 'absent'].includes(kind)) return undefined;
  return `${kind === 'absent' ? 'not ' : ''}${rawFact(relation, tuple)}`;
}
