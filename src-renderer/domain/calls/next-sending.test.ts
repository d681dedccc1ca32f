/** A write is dry-run before it is run. */

import { describe, expect, it } from 'vitest';
import type { SentCall } from '../../model/calls/calls.js';
import type { CallOutcome } from '../../server-state/run-call.js';
import type { CallResponse } from '../../server-state/send-call.js';
import { nextSending } from './next-sending.js';

const sign = (code: string, place: Partial<SentCall> = {}): SentCall => ({
  request: { kind: 'mutation', path: 'lease::sign', args: { code } },
  context: {},
  fork: 'main',
  dryRun: false,
  ...place,
});
const asDryRun = (call: SentCall): SentCall => ({ ...call, dryRun: true });
const answered = (call: SentCall): CallOutcome => ({
  state: 'answered',
  call,
  answer: {} as CallResponse,
  durationMs: 1,
  at: 0,
});
const failed = (call: SentCall): CallOutcome => ({ state: 'failed', call, error: undefined, durationMs: 1, at: 0 });

/** `{{name}}` as typed, and the value sent for it. */
const variable = (name: string, value: string): SentCall =>
  sign(value, {
    typed: { request: { kind: 'mutation', path: 'lease::sign', args: { code: `{{${name}}}` } }, context: {} },
  });

describe('a write', () => {
  it.each<[string, CallOutcome | undefined, SentCall | undefined, string]>([
    ['is dry-run first', undefined, sign('L1'), 'dryRun'],
    ['is run after a dry run of the same call', answered(asDryRun(sign('L1'))), sign('L1'), 'run'],
    ['is dry-run again after its arguments change', answered(asDryRun(sign('L1'))), sign('L2'), 'dryRun'],
    ['is dry-run again on another fork', answered(asDryRun(sign('L1'))), sign('L1', { fork: 'f' }), 'dryRun'],
    [
      'is dry-run again in another context',
      answered(asDryRun(sign('L1'))),
      sign('L1', { context: { t: 'a' } }),
      'dryRun',
    ],
    ['is dry-run while the draft is not a valid call', answered(asDryRun(sign('L1'))), undefined, 'dryRun'],
    ['is dry-run again after a failed dry run', failed(asDryRun(sign('L1'))), sign('L1'), 'dryRun'],
    ['is dry-run again after it was run', answered(sign('L1')), sign('L1'), 'dryRun'],
    ['keeps its mode while it is running', { state: 'running', call: sign('L1'), since: 0 }, sign('L1'), 'run'],
    [
      'is dry-run again after a variable changes its value',
      answered(asDryRun(variable('c', '1'))),
      variable('c', '2'),
      'dryRun',
    ],
    [
      'is run although a generated value differs',
      answered(asDryRun(variable('$uuid', '1'))),
      variable('$uuid', '2'),
      'run',
    ],
  ])('%s', (_, outcome, call, expected) => expect(nextSending(true, outcome, call)).toBe(expected));
});

it('runs a read, even after a dry run', () => {
  expect(nextSending(false, answered(asDryRun(sign('L1'))), sign('L1'))).toBe('run');
  expect(nextSending(false, { state: 'running', call: asDryRun(sign('L1')), since: 0 }, sign('L1'))).toBe('run');
});
