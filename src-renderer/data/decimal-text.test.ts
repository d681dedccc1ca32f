/** A decimal is sent and written as the API and the language write it, however it was typed. */

import { expect, it } from 'vitest';
import { plainDecimal, wireDecimal } from './decimal-text.js';

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
])('%j is sent as %j', (typed, sent) => {
  expect(wireDecimal(typed)).toBe(sent);
});

it.each([
  ['1e-7', '0.0000001'],
  ['1.5e-7', '0.00000015'],
  ['-12.5e1', '-125'],
  ['1e+21', '1000000000000000000000'],
  ['0.5e3', '500'],
  ['123.45e1', '1234.5'],
  ['12e-1', '1.2'],
  ['12e-2', '0.12'],
  ['12.50', '12.50'],
  ['1e99999', '1e99999'],
  ['x', 'x'],
])('%s is %s without an exponent', (text, plain) => {
  expect(plainDecimal(text)).toBe(plain);
});
