/** What a call came to, in a few words. */

import { isWrite, type SentCall } from '../data/calls.js';
import { Unanswered } from '../data/unanswered.js';

interface Ended {
  readonly state: 'answered' | 'failed';
  readonly call: Pick<SentCall, 'request' | 'dryRun'>;
  readonly error?: unknown;
}

/** `inMemory` where the server keeps facts nowhere else. */
export function outcomeWords({ state, call, error }: Ended, inMemory: boolean): string {
  if (state === 'failed') return error instanceof Unanswered ? 'Given up' : 'Failed';
  if (!isWrite(call.request)) return 'Answered';
  if (call.dryRun) return 'Dry run: nothing was kept';
  return inMemory ? 'Done, in memory' : 'Done and on disk';
}
