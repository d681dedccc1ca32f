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

it('puts as many rows into a part as fit, whatever they take as UTF-8', () => {
  const parts = partsWithin(sentRows('a', 'b', '🚢🚢', 'c', 'd'), 2 * (jsonBytes({ text: 'a' }) + 1));
  expect(parts?.map(({ rows }) => rows.map(({ text }) => text))).toEqual([['a', 'b'], ['🚢🚢'], ['c', 'd']]);
  expect(parts?.flatMap(({ numbers }) => numbers)).toEqual([0, 2, 3, 4, 5]);
});

it('has no parts where one row is too large by itself', () => {
  expect(partsWithin(sentRows('a', 'much too long'), 16)).toBeUndefined();
});

it('tries in two what takes too long as one', () => {
  const [first, second] = halved(sentRows('a', 'b', 'c'));
  expect([first?.numbers, second?.numbers]).toEqual([[0, 2], [3]]);
  expect(halved(sentRows('a'))).toHaveLength(1);
});
