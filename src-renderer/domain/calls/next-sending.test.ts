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
const tried = (call: SentCall): SentCall => ({ ...call, dryRun: true });
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

describe('what writes', () => {
  it.each<[string, CallOutcome | undefined, SentCall | undefined, string]>([
    ['is tried at first', undefined, sign('L1'), 'dryRun'],
    ['is run once it was tried as it stands', answered(tried(sign('L1'))), sign('L1'), 'run'],
    ['is tried again with other arguments', answered(tried(sign('L1'))), sign('L2'), 'dryRun'],
    ['is tried again on another fork', answered(tried(sign('L1'))), sign('L1', { fork: 'f' }), 'dryRun'],
    ['is tried again in another context', answered(tried(sign('L1'))), sign('L1', { context: { t: 'a' } }), 'dryRun'],
    ['is tried while what is typed makes no call', answered(tried(sign('L1'))), undefined, 'dryRun'],
    ['is tried again where that was refused', failed(tried(sign('L1'))), sign('L1'), 'dryRun'],
    ['is tried again once it was run', answered(sign('L1')), sign('L1'), 'dryRun'],
    ['is what is under way until that has ended', { state: 'running', call: sign('L1'), since: 0 }, sign('L1'), 'run'],
    [
      'is tried again with another value of a variable',
      answered(tried(variable('c', '1'))),
      variable('c', '2'),
      'dryRun',
    ],
    ['is run with what is made anew each time', answered(tried(variable('$uuid', '1'))), variable('$uuid', '2'), 'run'],
  ])('%s', (_, outcome, call, expected) => expect(nextSending(true, outcome, call)).toBe(expected));
});

it('what reads is run, whatever was tried in its place before', () => {
  expect(nextSending(false, answered(tried(sign('L1'))), sign('L1'))).toBe('run');
  expect(nextSending(false, { state: 'running', call: tried(sign('L1')), since: 0 }, sign('L1'))).toBe('run');
});
