/** The status of a call in a few words. */

import { isWrite, type SentCall } from '../../model/calls/calls.js';
import { NoResponseError } from '../../server-state/interrupted-calls.js';

interface Ended {
  readonly state: 'answered' | 'failed';
  readonly call: Pick<SentCall, 'request' | 'dryRun'>;
  readonly error?: unknown;
}

/** Where a write is stored. On a fork that no longer exists, nowhere. */
export type Keeping = 'disk' | 'memory' | 'nowhere';

export function outcomeWords({ state, call, error }: Ended, keeping: Keeping): string {
  if (state === 'failed') return error instanceof NoResponseError ? 'Cancelled' : 'Failed';
  if (!isWrite(call.request)) return 'Completed';
  if (call.dryRun) return 'Dry run, nothing saved';
  return DONE[keeping];
}

const DONE: Readonly<Record<Keeping, string>> = {
  disk: 'Saved',
  memory: 'Saved (in memory)',
  nowhere: 'Saved on a fork that no longer exists',
};
