/** What a call came to, in a few words. */

import { isWrite, type SentCall } from '../data/calls.js';

interface Ended {
  readonly state: 'answered' | 'failed';
  readonly call: Pick<SentCall, 'request' | 'dryRun'>;
}

/** `inMemory` where the server keeps facts nowhere else. */
export function outcomeWords({ state, call }: Ended, inMemory: boolean): string {
  if (state === 'failed') return 'Failed';
  if (!isWrite(call.request)) return 'Answered';
  if (call.dryRun) return 'Dry run: nothing was kept';
  return inMemory ? 'Done, in memory' : 'Done and on disk';
}
