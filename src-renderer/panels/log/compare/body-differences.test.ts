/** Bodies are compared path by path, except for values that always differ. */

import { describe, expect, it } from 'vitest';
import { bodyDifferences } from './body-differences.js';

describe('the differences of two bodies', () => {
  it('ignore the order of keys, and values that differ per request', () => {
    const before = { result: { a: 1, b: [1, 2] }, txn: 7, events: [{ seq: 3, txn: 7, at: 'x' }], requestId: 'one' };
    const now = { requestId: 'two', txn: null, events: [{ at: 'y', seq: 3, txn: null }], result: { b: [1, 2], a: 1 } };
    expect(bodyDifferences(before, now)).toEqual([]);
  });

  it('list changed, added and removed values by path', () => {
    const before = { result: [{ rent: '900', note: null }, { rent: '1' }], moduleHash: 'a' };
    const now = { result: [{ rent: '950', note: null, code: 'L1' }], moduleHash: 'a' };
    expect(bodyDifferences(before, now)).toEqual([
      { path: '$.result[0].rent', before: '900', now: '950' },
      { path: '$.result[0].code', now: 'L1' },
      { path: '$.result[1]', before: { rent: '1' } },
    ]);
  });

  it('align the items of a list around insertions and removals', () => {
    expect(bodyDifferences(['a', 'b', 'c', 'd', 'e'], ['a', 'x', 'b', 'd', 'E'])).toEqual([
      { path: '$[1]', now: 'x' },
      { path: '$[2]', before: 'c' },
      { path: '$[4]', before: 'e', now: 'E' },
    ]);
    const [ada, ben, cleo] = [{ $id: '#i1' }, { $id: '#i2', name: 'B' }, { $id: '#i3' }];
    expect(bodyDifferences([ada, ben], [{ ...ben, name: 'Ben' }, cleo])).toEqual([
      { path: '$[0]', before: ada },
      { path: '$[1].name', before: 'B', now: 'Ben' },
      { path: '$[1]', now: cleo },
    ]);
  });

  it('have the whole body if the other is missing', () => {
    expect(bodyDifferences(undefined, { a: 1 })).toEqual([{ path: '$', now: { a: 1 } }]);
    expect(bodyDifferences(undefined, undefined)).toEqual([]);
  });

  it('have the whole value if its kind differs', () => {
    expect(bodyDifferences({ result: [] }, { result: {} })).toEqual([{ path: '$.result', before: [], now: {} }]);
    expect(bodyDifferences({ result: null }, { result: { a: 1 } })).toEqual([
      { path: '$.result', before: null, now: { a: 1 } },
    ]);
    expect(bodyDifferences({ result: 1 }, { error: { code: 'X' } })).toEqual([
      { path: '$.result', before: 1 },
      { path: '$.error', now: { code: 'X' } },
    ]);
  });
});
