/** Sorting many values gives the same order as comparing them, wherever radix sort falls back to comparing. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../base/decimal.js';
import { countingDeadline } from '../../base/testing/counting-deadline.js';
import { runs } from '../../base/testing/property-runs.js';
import { drive } from '../scheduling/drive.js';
import { DATE_TIME, DECIMAL, INT, TEXT } from '../testing/ir.js';
import { compareValues } from './compare.js';
import type { Value } from './value.js';
import { orderOfValues } from './value-order.js';

const schema = { enums: new Map() };
const unit = fc.constantFrom('', '\0', 'a', 'b', 'é', 'ÿ', 'Ā', '\ud7ff', '\ue000', '\uffff', '😀', '\ud83d', '\udfff');
const text = fc
  .tuple(fc.constantFrom('', 'a shared beginning ', '😀😀😀'), fc.array(unit, { maxLength: 14 }))
  .map(([start, units]) => start + units.join(''));
const decimal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.constantFrom('0.1', '1', '9007199254740993', '0.30000000000000000'),
    fc.nat({ max: 9 }),
  )
  .map(([sign, head, tail]) => new Decimal(`${sign}${head}${head.includes('.') ? tail : ''}`).plus(tail));

const columns = [
  { type: TEXT, value: text as fc.Arbitrary<Value> },
  { type: INT, value: fc.maxSafeInteger() as fc.Arbitrary<Value> },
  { type: DATE_TIME, value: fc.integer({ min: -1e13, max: 1e13 }) as fc.Arbitrary<Value> },
  { type: DECIMAL, value: decimal as fc.Arbitrary<Value> },
];

describe('the order of many values', () => {
  it.each(columns)('equals a comparison sort: $type.name', async ({ type, value }) => {
    const selector = (each: Value): string => String(each);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(value, { selector, maxLength: 60 }),
        fc.constantFrom(1, 4, 100),
        async (values, max) => {
          const order = await drive(orderOfValues(schema, type, values, max), countingDeadline());
          const expected = values.toSorted((left, right) => compareValues(schema, type, left, right));
          expect([...order].map((at) => values[at])).toEqual(expected);
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('yields between blocks', async () => {
    const deadline = countingDeadline();
    const values = Array.from({ length: 100_000 }, (_, at) => `item ${(at * 7919) % 100_003}`);
    const order = await drive(orderOfValues(schema, TEXT, values), deadline);
    expect(order).toHaveLength(values.length);
    expect(deadline.checkpoints).toBeGreaterThan(40);
  });
});
