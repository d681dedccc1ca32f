/** What a call came to, in a few words. */

import { isWrite, type SentCall } from '../../model/calls/calls.js';
import { Unanswered } from '../../server-state/unanswered.js';

interface Ended {
  readonly state: 'answered' | 'failed';
  readonly call: Pick<SentCall, 'request' | 'dryRun'>;
  readonly error?: unknown;
}

/** Where what a write changed is kept; on a fork that is gone by now it is not. */
export type Keeping = 'disk' | 'memory' | 'nowhere';

export function outcomeWords({ state, call, error }: Ended, keeping: Keeping): string {
  if (state === 'failed') return error instanceof Unanswered ? 'Given up' : 'Failed';
  if (!isWrite(call.request)) return 'Answered';
  if (call.dryRun) return 'Dry run: nothing was kept';
  return DONE[keeping];
}

const DONE: Readonly<Record<Keeping, string>> = {
  disk: 'Done and on disk',
  memory: 'Done, in memory',
  nowhere: 'Done, on a fork that is gone',
};
