/** Compares sorting by columns with a plain stable sort, for any columns and directions. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Decimal } from '../../base/decimal.js';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import { loadProgram } from '../program/program.js';
import { drive } from '../scheduling/drive.js';
import { artifact, INT } from '../testing/ir.js';
import { Interner, NONE } from '../values/codec.js';
import { compareValues } from '../values/compare.js';
import type { Value } from '../values/value.js';
import { DECIMAL, TEXT } from '../values/value.js';
import { placesByColumns } from './column-order.js';

const program = loadProgram(artifact({}));

const column = fc.oneof(
  fc.record({ type: fc.constant(INT), values: fc.array(fc.option(fc.integer({ min: -3, max: 3 }))) }),
  fc.record({
    type: fc.constant(TEXT),
    values: fc.array(fc.option(fc.constantFrom('', 'a', 'b', 'Z', '\uffff', '😀'))),
  }),
  fc.record({
    type: fc.constant(DECIMAL),
    values: fc.array(fc.option(fc.integer({ min: -2, max: 2 }).map((value) => new Decimal(value)))),
  }),
);

it('sorts like a stable sort by columns, with missing values last in both directions', async () => {
  const columns = fc.array(fc.record({ column, descending: fc.boolean() }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(columns, async (wanted) => {
      const interner = new Interner(program);
      const size = Math.min(...wanted.map(({ column: { values } }) => values.length));
      const placed = wanted.map(({ column: { type, values }, descending }) => ({
        type,
        descending,
        codes: Int32Array.from<Value>(values.slice(0, size), (value) => interner.encode(type, value)),
      }));
      const places = await drive(placesByColumns({ program, interner }, size, placed), noDeadline);
      const expected = Array.from({ length: size }, (_, place) => place).sort((left, right) => {
        for (const { type, codes, descending } of placed) {
          const [a, b] = [codes[left] as number, codes[right] as number];
          if ((a === NONE) !== (b === NONE)) return a === NONE ? 1 : -1;
          const order = compareValues(program, type, decoded(type, a), decoded(type, b));
          if (order !== 0) return descending ? -order : order;
        }
        return left - right;
      });
      function decoded(type: (typeof placed)[number]['type'], code: number): Value {
        return interner.decode(type, code);
      }
      expect([...places]).toEqual(expected);
    }),
    { numRuns: runs(300) },
  );
});
