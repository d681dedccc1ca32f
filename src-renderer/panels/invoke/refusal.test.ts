import { expect, it } from 'vitest';
import { ApiFailure } from '../../../src-runtime/api/failures.js';
import type { SentCall } from '../../model/calls/calls.js';
import type { CallOutcome } from '../../server-state/run-call.js';
import { refusalOf, stillRefused } from './refusal.js';

function failed(request: SentCall['request'], path: string, typed?: SentCall['typed']): CallOutcome {
  const code = 'SVC_RUNTIME_VALIDATION_FAILED';
  const details = { path };
  const error = new ApiFailure(400, { error: { code, message: 'too low', details }, requestId: 'r', moduleHash: '' });
  return {
    state: 'failed',
    call: { request, typed, context: {}, fork: 'main', dryRun: false },
    error,
    durationMs: 1,
    at: 0,
  };
}

it('shows the error at the refused input until its text changes', () => {
  const args = { lines: [{ amount: '-1' }] };
  const refusal = refusalOf(failed({ kind: 'mutation', path: 'm::buy', args }, '$.args.lines[0].amount'));
  const reading = (amount: string) => ({ typed: { lines: [{ amount }] }, args: { lines: [{ amount }] } });
  expect(stillRefused(refusal, reading('-1'))).toEqual({ 'lines.0.amount': 'too low' });
  expect(stillRefused(refusal, reading('1'))).toEqual({});
});

it('counts a changed variable as a change, but not a generated one', () => {
  const args = { amount: '-1' };
  const refusedAs = (amount: string) => {
    const typed = { request: { kind: 'mutation', path: 'm::buy', args: { amount } }, context: {} } as const;
    return refusalOf(failed({ kind: 'mutation', path: 'm::buy', args }, '$.args.amount', typed));
  };
  const reading = (amount: string, sent: string) => ({ typed: { amount }, args: { amount: sent } });
  const errors = { amount: 'too low' };
  expect(stillRefused(refusedAs('{{rent}}'), reading('{{rent}}', '-1'))).toEqual(errors);
  expect(stillRefused(refusedAs('{{rent}}'), reading('{{rent}}', '1'))).toEqual({});
  expect(stillRefused(refusedAs('{{$randomInt}}'), reading('{{$randomInt}}', '417'))).toEqual(errors);
  expect(stillRefused(refusedAs('{{$randomInt}}'), reading('1{{$randomInt}}', '1417'))).toEqual({});
});

it('ignores failures that are not about an argument', () => {
  expect(refusalOf(undefined)).toBeUndefined();
  expect(refusalOf(failed({ kind: 'mutation', path: 'm::buy', args: {} }, '$.fork'))).toBeUndefined();
  expect(refusalOf(failed({ kind: 'batch', steps: [] }, '$.args.a'))).toBeUndefined();
});
