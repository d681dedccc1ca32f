/** What changed in an explanation while it was open, because facts or the module changed. */

import { useEffect, useRef, useState } from 'react';
import { nodesOf } from '../../../src-runtime/api/proof-nodes.js';
import type { Explanation, ProofPremise } from '../../../src-runtime/api/schemas/explanation-schemas.js';

export interface News {
  /** `fell`: true before, false now. `rose`: false before, true now. `moved`: still true, with another proof. */
  readonly what: 'fell' | 'rose' | 'moved';
  /** Whether the module changed, not only facts. */
  readonly byModule: boolean;
}

interface Answer {
  readonly explanation: Explanation;
  readonly moduleHash: string;
}

export function newsOf(before: Answer, after: Answer): News | undefined {
  const what = changeOf(before.explanation, after.explanation);
  return what === undefined ? undefined : { what, byModule: before.moduleHash !== after.moduleHash };
}

function changeOf(before: Explanation, after: Explanation): News['what'] | undefined {
  if (before.holds !== after.holds) return after.holds ? 'rose' : 'fell';
  if (!before.holds || !after.holds) return undefined;
  return signatureOf(before.proof) === signatureOf(after.proof) ? undefined : 'moved';
}

/** The latest change of this explanation, until it is dismissed or another fact is selected. */
export function useNews(question: string, answer: Answer | undefined) {
  const seen = useRef<{ question: string; answer: Answer } | undefined>(undefined);
  const [news, setNews] = useState<{ question: string; news: News } | undefined>(undefined);
  useEffect(() => {
    const before = seen.current;
    if (answer === undefined || before?.answer === answer) return;
    seen.current = { question, answer };
    const found = before?.question === question ? newsOf(before.answer, answer) : undefined;
    if (found !== undefined) setNews({ question, news: found });
  }, [question, answer]);
  return { news: news?.question === question ? news.news : undefined, dismiss: () => setNews(undefined) };
}

/** The facts and rules of the proof, whatever events stored the facts. */
function signatureOf(proof: ProofPremise): string {
  const parts = nodesOf(proof).map(({ kind, factId, text, value, rule }) =>
    JSON.stringify([kind, factId, text, value, rule?.path, rule?.clause]),
  );
  return parts.sort().join('\n');
}
