/** Decimals in the syntax of the language. */

import { expect, it } from 'vitest';
import { plainDecimal } from './decimal-text.js';

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
])('formats %s as %s', (text, plain) => {
  expect(plainDecimal(text)).toBe(plain);
});
