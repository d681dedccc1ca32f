/** Parts contain all rows in order without duplicates, and respect the size limit. */

import { expect, it } from 'vitest';
import { halved, jsonBytes, partsWithin } from './import-parts.js';

const sentRows = (...texts: string[]) => ({
  missing: [],
  problems: [],
  rows: texts.map((text) => ({ text })),
  // The second row of the file is excluded.
  numbers: texts.map((_, at) => (at === 0 ? 0 : at + 1)),
});

it('fills each part up to the limit in UTF-8 bytes', () => {
  const parts = partsWithin(sentRows('a', 'b', '🚢🚢', 'c', 'd'), 2 * (jsonBytes({ text: 'a' }) + 1));
  expect(parts?.map(({ rows }) => rows.map(({ text }) => text))).toEqual([['a', 'b'], ['🚢🚢'], ['c', 'd']]);
  expect(parts?.flatMap(({ numbers }) => numbers)).toEqual([0, 2, 3, 4, 5]);
});

it('returns no parts if a single row exceeds the limit', () => {
  expect(partsWithin(sentRows('a', 'much too long'), 16)).toBeUndefined();
});

it('splits a part in two after a timeout, except a single row', () => {
  const [first, second] = halved(sentRows('a', 'b', 'c'));
  expect([first?.numbers, second?.numbers]).toEqual([[0, 2], [3]]);
  expect(halved(sentRows('a'))).toHaveLength(1);
});
