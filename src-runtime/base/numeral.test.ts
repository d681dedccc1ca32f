/** `Numeral` recognizes the numbers that no double equals in every notation. */

import { describe, expect, it } from 'vitest';
import { isBeyondDoubles, Numeral } from './numeral.js';

describe('isBeyondDoubles', () => {
  it.each([
    '0',
    '-0',
    '0.1',
    '1.0000000000000000000000',
    '100000000000000000000',
    '1e22',
    '1E+2',
    '0.000000000000000000000001',
    '9007199254740991',
    '9007199254740992',
    '1.7976931348623157e308',
    '5e-324',
    '0e999',
    '-12.50000000000000000000',
  ])('is false for %s', (text) => {
    expect(isBeyondDoubles(text)).toBe(false);
  });

  it.each([
    '9007199254740993',
    '12345678901234567890.5',
    '-0.10000000000000000000000001',
    '1e400',
    '-1e400',
    '1e-400',
    '9007199254740991.0000000001',
    '100000000000000000001e2',
  ])('is true for %s', (text) => {
    expect(isBeyondDoubles(text)).toBe(true);
  });
});

it('checks hundreds of thousands of zeros in linear time', () => {
  // Quadratic time would take a minute.
  expect(isBeyondDoubles(`1${'0'.repeat(400_000)}1`)).toBe(true);
});

it('prints a Numeral as text when JSON is compared', () => {
  expect(JSON.stringify([new Numeral('9007199254740993')])).toBe('["9007199254740993"]');
});
