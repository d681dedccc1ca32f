/** Reading the steps of a batch from the request body. */

import { describe, expect, it } from 'vitest';
import { readBatchBody } from './batch-body.js';

describe('readBatchBody', () => {
  it('returns all steps with their references', () => {
    const steps = [
      { mutation: 'lease::register', args: { name: 'Zoe' } },
      { mutation: 'lease::sign', args: { tenant: { $step: 0 }, rent: '700.50' } },
      { compute: 'lease::days', args: {} },
    ];
    expect(readBatchBody({ steps, fork: 'main' })).toEqual({ steps });
    const withoutArguments = [{ query: 'lease::leaseCount' }];
    expect(readBatchBody({ steps: withoutArguments })).toEqual({ steps: withoutArguments });
  });

  it.each([
    [undefined, 'no list of steps'],
    [{ steps: {} }, 'no list of steps'],
    [{ steps: [{ query: 'm::q' }, { args: {} }] }, 'Step 1 must name one query'],
    [{ steps: [{ query: 'm::q', mutation: 'm::w' }] }, 'Step 0 must name'],
    [{ steps: [{ query: '' }] }, 'Step 0 must name'],
    [{ steps: [{ query: 'm::q', args: [1] }] }, 'an object of arguments'],
    [{ steps: [{ query: 'm::q', more: 1 }] }, 'Step 0 must name'],
  ])('rejects an invalid body: %j', (body, words) => {
    expect(readBatchBody(body)).toEqual({ problem: expect.stringContaining(words) });
  });
});
