/** A refused argument is told at its input, for as long as it is what is typed. */

import { expect, it } from 'vitest';
import { ApiFailure } from '../../src-runtime/api/failures.js';
import type { SentCall } from './calls.js';
import { refusalOf, stillRefused } from './refusal.js';
import type { CallOutcome } from './run-call.js';

function failed(request: SentCall['request'], path: string): CallOutcome {
  const code = 'SVC_RUNTIME_VALIDATION_FAILED';
  const details = { path };
  const error = new ApiFailure(400, { error: { code, message: 'too low', details }, requestId: 'r', moduleHash: '' });
  return { state: 'failed', call: { request, context: {}, fork: 'main', dryRun: false }, error, durationMs: 1, at: 0 };
}

it('a refused argument is told at its input, until something else is typed', () => {
  const args = { lines: [{ amount: '-1' }] };
  const refusal = refusalOf(failed({ kind: 'mutation', path: 'm::buy', args }, '$.args.lines[0].amount'));
  expect(stillRefused(refusal, () => ({ lines: [{ amount: '-1' }] }))).toEqual({ 'lines.0.amount': 'too low' });
  expect(stillRefused(refusal, () => ({ lines: [{ amount: '1' }] }))).toEqual({});
});

it('what failed for another reason is no input’s', () => {
  expect(refusalOf(undefined)).toBeUndefined();
  expect(refusalOf(failed({ kind: 'mutation', path: 'm::buy', args: {} }, '$.fork'))).toBeUndefined();
  expect(refusalOf(failed({ kind: 'batch', steps: [] }, '$.args.a'))).toBeUndefined();
});
