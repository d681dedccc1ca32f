/** Explanations of a state that there would be: calls are tried as by a dry run, and what they come to is explained before it is gone. */

import type { Explanation } from '../api/explanation-schemas.js';
import type { Pacer } from '../base/ports.js';
import { prepareMutation } from './adhoc.js';
import { type BatchOptions, tryBatch } from './batch.js';
import { requireForgettable } from './callables.js';
import { explanationSite } from './explanation-site.js';
import type { ExplanationSite } from './explanations.js';
import { requireOpen } from './forks.js';
import { namesIn } from './labels.js';
import type { TriedCall } from './runtime.js';
import type { SessionParts } from './session-parts.js';
import { runGuarded, transact } from './transact.js';
import type { Writing } from './writing.js';

/** With what those are called that only the call has made. Throws what the call does. */
export async function explainAfter(
  parts: SessionParts,
  { call, granted }: TriedCall,
  explain: (site: ExplanationSite) => Promise<Explanation>,
  options: Pick<BatchOptions, 'surroundings' | 'request'>,
  pacer: Pacer,
): Promise<Explanation> {
  const { scope, fork } = parts;
  requireOpen(fork);
  const run = async (writing: Writing): Promise<void> => {
    if ('steps' in call) return tryBatch(parts, call.steps, { ...options, granted, dryRun: true }, writing, pacer);
    const mutation = prepareMutation(scope.program, call);
    requireForgettable(scope.program, mutation, fork.id, granted);
    await runGuarded(writing, { mutation, args: call.args, surroundings: options.surroundings }, pacer, {});
  };
  const { value } = await transact(parts, { cause: 'explain', dryRun: true }, pacer, async (writing) => {
    const kept = writing.branch.facts.latest();
    try {
      await run(writing);
      const { view } = writing.transaction;
      const explanation = await explain(explanationSite(parts, view, writing.branch, fork));
      return { ...explanation, names: await namesIn(explanation, view, pacer, kept) };
    } finally {
      kept.release();
    }
  });
  return value;
}
