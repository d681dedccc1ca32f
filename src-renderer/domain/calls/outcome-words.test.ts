/** The status above a result says whether a write was saved, and where. */

import { expect, it } from 'vitest';
import type { SentCall } from '../../model/calls/calls.js';
import { NoResponseError } from '../../server-state/interrupted-calls.js';
import { changesText, type Keeping, outcomeWords } from './outcome-words.js';

it('says where a write is stored, and that a dry run saves nothing', () => {
  const written = (dryRun: boolean, keeping: Keeping) => {
    const request = { kind: 'mutation' as const, path: 'm::sign', args: {} };
    return outcomeWords({ state: 'answered', call: { request, dryRun } }, keeping);
  };
  expect(written(false, 'disk')).toBe('Saved');
  expect(written(false, 'memory')).toBe('Saved (in memory)');
  expect(written(false, 'nowhere')).toBe('Saved on a fork that no longer exists');
  expect([written(true, 'disk'), written(true, 'memory')]).toEqual(Array(2).fill('Dry run, nothing saved'));
});

it('calls a write without a response cancelled, and says that it may have taken effect', () => {
  const request = { kind: 'mutation' as const, path: 'm::sign', args: {} };
  const call: SentCall = { request, context: {}, fork: 'main', dryRun: false };
  const error = new NoResponseError(call, 'It was given up.');
  expect(outcomeWords({ state: 'failed', call, error }, 'disk')).toBe('Cancelled');
  expect(error.message).toBe('It was given up. It may have taken effect: see the log.');
  expect(new NoResponseError({ ...call, dryRun: true }, 'It was given up.').message).toBe('It was given up.');
});

it('counts the changes of a write by kind, conclusions and warnings', () => {
  const items = (['added', 'removed', 'added', 'changed'] as const).map((change) => ({ change }));
  expect(changesText(items, 1, 0)).toBe('2 facts added, 1 changed, 1 removed, 1 conclusion');
  expect(changesText([{ change: 'removed' }], 0, 2)).toBe('1 fact removed, 2 warnings');
  expect(changesText([], 0, 0)).toBe('');
});
