/** Facts explained together are encoded in the URL. */

import { expect, it } from 'vitest';
import { explainLocation } from './locations.js';
import { distinctFacts, explainTogetherLocation, factsAt, parseFacts } from './together.js';

const ADA = { relation: 'l::Person', tuple: ['#i1'] };
const RENT = { relation: 'l::Lease.rent', tuple: ['@l::elm & co', '900'] };

it('an address says all facts that are explained, of one as if it were alone', () => {
  expect(factsAt(explainTogetherLocation([ADA, RENT]))).toEqual([ADA, RENT]);
  expect(explainTogetherLocation([RENT])).toBe(explainLocation(RENT.relation, RENT.tuple));
  expect(factsAt('/explain')).toEqual([]);
});

it('an address has keys of facts that are too long for it', () => {
  const long = { relation: 'l::said', tuple: ['#i1', 'x'.repeat(3_000_000)] };
  const location = explainTogetherLocation([ADA, long]);
  expect(location.length).toBeLessThan(200);
  expect(factsAt(location)).toEqual([ADA, long]);
});

it('what is no list of facts says none', () => {
  for (const text of [null, '', '{', '[1]', '[["l::Person"]]']) expect(parseFacts(text)).toEqual([]);
});

it('a fact that is said twice is explained once', () => {
  expect(distinctFacts([ADA, RENT, { ...ADA }])).toEqual([ADA, RENT]);
});
