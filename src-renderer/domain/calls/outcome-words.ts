/** The status of a call in a few words. */

import { isWrite, type SentCall } from '../../model/calls/calls.js';
import type { EffectItem } from '../../model/sentences/effects-model.js';
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

/** `3 facts added, 1 changed, 2 conclusions`. An individual counts as one fact, together with its fields. */
export function changesText(
  written: readonly Pick<EffectItem, 'change'>[],
  conclusions: number,
  warnings: number,
): string {
  const facts = (['added', 'changed', 'removed'] as const)
    .map((word) => [written.filter(({ change }) => change === word).length, word] as const)
    .filter(([number]) => number > 0);
  return [
    ...facts.map(([number, word], at) => `${at === 0 ? counted(number, 'fact') : number.toLocaleString('en')} ${word}`),
    ...(conclusions > 0 ? [counted(conclusions, 'conclusion')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ].join(', ');
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

const DONE: Readonly<Record<Keeping, string>> = {
  disk: 'Saved',
  memory: 'Saved (in memory)',
  nowhere: 'Saved on a fork that no longer exists',
};
