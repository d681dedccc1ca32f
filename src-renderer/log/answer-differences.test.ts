/** Two answers are compared place by place, without what is never the same twice. */

import { describe, expect, it } from 'vitest';
import { answerDifferences } from './answer-differences.js';

describe('the differences of two answers', () => {
  it('are none where they say the same in another order, at another time', () => {
    const before = { result: { a: 1, b: [1, 2] }, txn: 7, events: [{ seq: 3, txn: 7, at: 'x' }], requestId: 'one' };
    const now = { requestId: 'two', txn: null, events: [{ at: 'y', seq: 3, txn: null }], result: { b: [1, 2], a: 1 } };
    expect(answerDifferences(before, now)).toEqual([]);
  });

  it('are values that changed, came and went, each with its place', () => {
    const before = { result: [{ rent: '900', note: null }, { rent: '1' }], moduleHash: 'a' };
    const now = { result: [{ rent: '950', note: null, code: 'L1' }], moduleHash: 'a' };
    expect(answerDifferences(before, now)).toEqual([
      { path: '$.result[0].rent', before: '900', now: '950' },
      { path: '$.result[0].code', now: 'L1' },
      { path: '$.result[1]', before: { rent: '1' } },
    ]);
  });

  it('are the whole place where one has a list, an object or nothing and the other does not', () => {
    expect(answerDifferences({ result: [] }, { result: {} })).toEqual([{ path: '$.result', before: [], now: {} }]);
    expect(answerDifferences({ result: null }, { result: { a: 1 } })).toEqual([
      { path: '$.result', before: null, now: { a: 1 } },
    ]);
    expect(answerDifferences({ result: 1 }, { error: { code: 'X' } })).toEqual([
      { path: '$.result', before: 1 },
      { path: '$.error', now: { code: 'X' } },
    ]);
  });
});
