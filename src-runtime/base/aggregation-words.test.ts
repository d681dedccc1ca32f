/** A summary lists a few values; of many values it lists the first ones and counts the rest. */

import { expect, it } from 'vitest';
import { takenText, workedOut } from './aggregation-words.js';

const of = (values: readonly (number | null)[]) => values.map((value) => ({ value }));
const count = (number: number) => Array.from({ length: number }, (_, place) => place + 1);

it.each([
  ['sum', [10, -2, null, 3], 11, '10 + (-2) + 3 = 11'],
  ['sum', [7], 7, '7 = 7'],
  ['sum', count(12), 78, '1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12 = 78'],
  ['sum', count(13), 91, '1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 2 more = 91'],
  ['avg', [1, 2], 1.5, '(1 + 2) / 2 = 1.5'],
  ['min', [2, 4], 2, '2, the least of 2'],
  ['max', [4, 2], 4, '4, the greatest of 2'],
  ['avg', [null], null, undefined],
  ['count', [], 3, undefined],
] as const)('%s of %j', (name, values, value, printed) => {
  const taken = values.filter((each) => each !== null).length;
  expect(workedOut({ function: name, value, taken, contributions: of(values) }, String)).toBe(printed);
});

it('counts the rows without a value', () => {
  expect(takenText({ taken: 1200 })).toBe('1,200');
  expect(takenText({ taken: 40, skipped: 3 })).toBe('40, and 3 without a value');
});
