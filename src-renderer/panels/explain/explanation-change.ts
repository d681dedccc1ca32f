/** What changed in an explanation while it was open, because facts or the module changed. */

import { useEffect, useRef, useState } from 'react';
import { nodesOf } from '../../../src-runtime/api/proof-nodes.js';
import type { Explanation, ProofPremise } from '../../../src-runtime/api/schemas/explanation-schemas.js';

export interface ExplanationChange {
  /** `otherProof`: still true, with another proof. */
  readonly what: 'nowFalse' | 'nowTrue' | 'otherProof';
  /** Whether the module changed, not only facts. */
  readonly byModule: boolean;
}

interface Received {
  readonly explanation: Explanation;
  readonly moduleHash: string;
}

export function changeBetween(before: Received, after: Received): ExplanationChange | undefined {
  const what = changeOf(before.explanation, after.explanation);
  return what === undefined ? undefined : { what, byModule: before.moduleHash !== after.moduleHash };
}

function changeOf(before: Explanation, after: Explanation): ExplanationChange['what'] | undefined {
  if (before.holds !== after.holds) return after.holds ? 'nowTrue' : 'nowFalse';
  if (!before.holds || !after.holds) return undefined;
  return signatureOf(before.proof) === signatureOf(after.proof) ? undefined : 'otherProof';
}

/** The latest change of this explanation, until it is dismissed or another fact is selected. */
export function useExplanationChange(question: string, received: Received | undefined) {
  const previous = useRef<{ question: string; received: Received } | undefined>(undefined);
  const [change, setChange] = useState<{ question: string; change: ExplanationChange } | undefined>(undefined);
  useEffect(() => {
    const before = previous.current;
    if (received === undefined || before?.received === received) return;
    previous.current = { question, received };
    const found = before?.question === question ? changeBetween(before.received, received) : undefined;
    if (found !== undefined) setChange({ question, change: found });
  }, [question, received]);
  const shown = change?.question === question ? change.change : undefined;
  return { change: shown, dismiss: () => setChange(undefined) };
}

/** The facts and rules of the proof, whatever events stored the facts. */
function signatureOf(proof: ProofPremise): string {
  const parts = nodesOf(proof).map(({ kind, factId, text, value, rule }) =>
    JSON.stringify([kind, factId, text, value, rule?.path, rule?.clause]),
  );
  return parts.sort().join('\n');
}
