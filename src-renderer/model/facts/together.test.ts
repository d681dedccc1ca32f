/** Facts explained together are encoded in the URL. */

import { expect, it } from 'vitest';
import { explainLocation } from './locations.js';
import { distinctFacts, explainTogetherLocation, factsAt, parseFacts } from './together.js';

const ADA = { relation: 'l::Person', tuple: ['#i1'] };
const RENT = { relation: 'l::Lease.rent', tuple: ['@l::elm & co', '900'] };

it('encodes all facts in the URL, and a single fact as in its own explanation', () => {
  expect(factsAt(explainTogetherLocation([ADA, RENT]))).toEqual([ADA, RENT]);
  expect(explainTogetherLocation([RENT])).toBe(explainLocation(RENT.relation, RENT.tuple));
  expect(factsAt('/explain')).toEqual([]);
});

it('uses keys for facts that are too long for a URL', () => {
  const long = { relation: 'l::said', tuple: ['#i1', 'x'.repeat(3_000_000)] };
  const location = explainTogetherLocation([ADA, long]);
  expect(location.length).toBeLessThan(200);
  expect(factsAt(location)).toEqual([ADA, long]);
});

it('ignores text that is not a list of facts', () => {
  for (const text of [null, '', '{', '[1]', '[["l::Person"]]']) expect(parseFacts(text)).toEqual([]);
});

it('removes duplicate facts', () => {
  expect(distinctFacts([ADA, RENT, { ...ADA }])).toEqual([ADA, RENT]);
});
