/** How what is typed is sent next: a read is run; what writes is tried first, and run once it was tried as it stands. */

import { asTyped, isWrite, questionOf, type SentCall } from '../../model/calls/calls.js';
import { isMadeName } from '../../model/calls/made-variables.js';
import { namesIn } from '../../model/calls/variables.js';
import type { CallOutcome } from '../../server-state/run-call.js';

export type Sending = 'dryRun' | 'run';

/** `call` is undefined while what is typed does not make one. While one is under way, it is that. */
export function nextSending(isWriting: boolean, outcome: CallOutcome | undefined, call: SentCall | undefined): Sending {
  if (!isWriting) return 'run';
  if (outcome?.state === 'running' && isWrite(outcome.call.request)) return outcome.call.dryRun ? 'dryRun' : 'run';
  const isTried =
    outcome?.state === 'answered' && outcome.call.dryRun && call !== undefined && isAsTyped(outcome.call, call);
  return isTried ? 'run' : 'dryRun';
}

/** In the same place, with the same variables; but not with the same value where one has another each time. */
function isAsTyped(sent: SentCall, now: SentCall): boolean {
  const typed = questionOf(asTyped(now));
  if (questionOf(asTyped(sent)) !== typed) return false;
  return namesIn(typed).some(isMadeName) || questionOf(sent) === questionOf(now);
}
