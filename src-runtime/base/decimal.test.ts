/** A Decimal converts to the machine number that its text parses to. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalNumber, decimalText, parseDecimal, wireDecimal } from './decimal.js';
import { runs } from './testing/property-runs.js';

describe('a Decimal as a machine number', () => {
  it('is the nearest double, and its text has all digits, for all digits and exponents', () => {
    const digits = fc.oneof(fc.stringMatching(/^(0|[1-9][0-9]{0,33})$/), fc.stringMatching(/^[1-9][0-9]{0,14}$/));
    const exponent = fc.oneof(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -400, max: 400 }));
    fc.assert(
      fc.property(fc.boolean(), digits, exponent, (isNegative, coefficient, power) => {
        const value = parseDecimal(`${isNegative ? '-' : ''}${coefficient}e${power}`);
        if (value === undefined) throw new Error('expected a Decimal');
        expect(decimalNumber(value) + 0).toBe(Number(decimalText(value)) + 0);
        expect(decimalText(value)).toBe(value.isZero() ? '0' : value.toFixed());
      }),
      { numRuns: runs(2000) },
    );
  });
});

it.each([
  ['12.50', '12.50'],
  ['-0.5', '-0.5'],
  ['.5', '0.5'],
  ['-.5', '-0.5'],
  ['+5', '5'],
  ['007.10', '7.10'],
  ['000', '0'],
  ['1e-7', '1e-7'],
  ['', undefined],
  ['-', undefined],
  ['1.', undefined],
  ['.e5', undefined],
  ['1,5', undefined],
  ['0x10', undefined],
])('converts the input %j to the wire form %j', (typed, sent) => {
  expect(wireDecimal(typed)).toBe(sent);
});
