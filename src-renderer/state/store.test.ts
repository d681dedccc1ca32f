/** Merging what two open pages store. */

import { expect, it } from 'vitest';
import { mergedMembers } from './store.js';

it('adds the members changed here to those of other pages, and removes those removed here', () => {
  const before = { a: 1, b: 1, c: 1 };
  expect(mergedMembers<Record<string, number>>({ a: 2, b: 1, c: 1, d: 2 }, before, { a: 1, b: 3, e: 3 })).toEqual({
    a: 2,
    b: 3,
    d: 2,
    e: 3,
  });
  expect(mergedMembers<Record<string, number>>({}, before, { ...before, a: 4 })).toEqual({ a: 4 });
});
