/** Decimals in a column are padded after their last digit. */

import { expect, it } from 'vitest';
import { decimalPadding, decimalPlaces } from './decimal-places.js';

it('counts decimal places of numbers only', () => {
  expect(['1.50', '-0.125', '12', 7, 2.5, 'v1.25', '1.2.3', '#i1', null, ['0.5']].map(decimalPlaces)).toEqual([
    2, 3, 0, 0, 1, 0, 0, 0, 0, 0,
  ]);
});

it('pads to the decimal places of the column, up to a limit', () => {
  expect(['12', '1.5', '0.125', null].map((value) => decimalPadding(value, 3))).toEqual(['.000', '00', '', '.000']);
  expect(decimalPadding('12', 0)).toBe('');
  expect(decimalPadding('1.5', 30)).toBe('0000000');
});
