/** Whether the draft is run or dry-run next: a read runs; a write is dry-run first, and run once this draft was dry-run. */

import { asTyped, isWrite, questionOf, type SentCall } from '../../model/calls/calls.js';
import { isGeneratedName } from '../../model/calls/generated-variables.js';
import { namesIn } from '../../model/calls/variables.js';
import type { CallOutcome } from '../../server-state/run-call.js';

export type Sending = 'dryRun' | 'run';

/** `call` is undefined while the draft is not a valid call. For a running call, returns how it runs. */
export function nextSending(isWriting: boolean, outcome: CallOutcome | undefined, call: SentCall | undefined): Sending {
  if (!isWriting) return 'run';
  if (outcome?.state === 'running' && isWrite(outcome.call.request)) return outcome.call.dryRun ? 'dryRun' : 'run';
  const isTried =
    outcome?.state === 'answered' && outcome.call.dryRun && call !== undefined && isAsTyped(outcome.call, call);
  return isTried ? 'run' : 'dryRun';
}

/** Same fork, context and variables. Generated values may differ. */
function isAsTyped(sent: SentCall, now: SentCall): boolean {
  const typed = questionOf(asTyped(now));
  if (questionOf(asTyped(sent)) !== typed) return false;
  return namesIn(typed).some(isGeneratedName) || questionOf(sent) === questionOf(now);
}
