/** Compares the order of rows with a plain sort of their values, for every type of value. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnumDeclaration, Type } from '../../artifact/types.js';
import { Decimal } from '../../base/decimal.js';
import { noDeadline } from '../../base/ports.js';
import { runs } from '../../base/testing/property-runs.js';
import { drive } from '../scheduling/drive.js';
import { DATE, DATE_TIME, DECIMAL, INT, SPAN, TEXT } from '../testing/ir.js';
import { Interner } from '../values/codec.js';
import { compareValues } from '../values/compare.js';
import { BOOL, type Value } from '../values/value.js';
import { changedOrder, orderRows } from './row-order.js';

const STATUS: Type = { kind: 'enum', path: 'm::Status' };
const PARTY: Type = { kind: 'class', path: 'm::Party' };
const status: EnumDeclaration = {
  path: 'm::Status',
  public: true,
  span: SPAN,
  members: [{ name: 'signed' }, { name: 'draft' }, { name: 'ended' }],
};
const program = {
  enums: new Map([[status.path, status]]),
  individuals: new Map(['m::b', 'm::a', 'm::c'].map((path) => [path, true])),
};

const columns: readonly [Type, fc.Arbitrary<Value>][] = [
  [BOOL, fc.boolean()],
  [INT, fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -(2 ** 30) + 1, max: 2 ** 30 - 1 }))],
  [INT, fc.oneof(fc.integer({ min: -5, max: 5 }), fc.maxSafeInteger())],
  [DECIMAL, fc.integer({ min: -900, max: 900 }).map((cents) => new Decimal(cents).div(100))],
  [TEXT, fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('\u{1F600}', '\uFFFD', 'Z', 'z', ''))],
  [DATE, fc.constantFrom('0001-01-01', '1969-12-31', '1970-01-01', '2026-11-21', '9999-12-31')],
  [DATE_TIME, fc.constantFrom(-1, 0, 1, 1_700_000_000_000)],
  [STATUS, fc.constantFrom('signed', 'draft', 'ended')],
  [PARTY, fc.constantFrom('@m::a', '@m::b', '@m::c', '#i1', '#i9', '#i10', '#i999999999')],
];

const relations = fc.array(fc.nat({ max: columns.length - 1 }), { minLength: 0, maxLength: 3 }).chain((picked) => {
  const chosen = picked.map((index) => columns[index] as (typeof columns)[number]);
  const tuple = fc.tuple(...chosen.map(([, value]) => value));
  return fc.record({
    types: fc.constant(chosen.map(([type]) => type)),
    rows: fc.array(tuple, { maxLength: chosen.length === 0 ? 1 : 30 }),
    others: fc.array(tuple, { maxLength: 5 }),
  });
});

describe('the order of rows', () => {
  it('follows their values, and counts the rows up to any tuple', async () => {
    await fc.assert(
      fc.asyncProperty(relations, async ({ types, rows, others }) => {
        const interner = new Interner(program);
        const encode = (row: readonly Value[]) => types.map((type, index) => interner.encode(type, row[index] ?? null));
        const compare = (left: readonly Value[], right: readonly Value[]) => {
          for (const [index, type] of types.entries()) {
            const order = compareValues(program, type, left[index] ?? null, right[index] ?? null);
            if (order !== 0) return order;
          }
          return 0;
        };
        const distinct = [...new Map(rows.map((row) => [encode(row).join(), row])).values()];
        const codes = Int32Array.from(distinct.flatMap(encode));
        const order = await drive(
          orderRows({ program, interner }, types, { codes, size: distinct.length }),
          noDeadline,
        );
        const sorted = distinct.toSorted(compare);
        expect(Array.from({ length: order.size }, (_, index) => order.at(index))).toEqual(sorted.map(encode));
        for (const row of [...distinct, ...others]) {
          expect(order.countUpTo(row)).toBe(sorted.filter((each) => compare(each, row) <= 0).length);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('is updated by changes, and rejects changes that do not match', async () => {
    const pair = fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 }));
    const pairs = fc.uniqueArray(pair, { maxLength: 40, selector: String });
    await fc.assert(
      fc.asyncProperty(pairs, pairs, async (before, after) => {
        const context = { program, interner: new Interner(program) };
        const types = [INT, INT];
        const orderOf = (rows: readonly (readonly number[])[]) =>
          drive(orderRows(context, types, { codes: Int32Array.from(rows.flat()), size: rows.length }), noDeadline);
        const without = (rows: typeof before, others: typeof before) =>
          rows.filter((row) => !others.some((other) => String(other) === String(row)));
        const changes = { added: without(after, before), removed: without(before, after) };
        const old = await orderOf(before);
        const changed = await drive(changedOrder(context, types, old, changes), noDeadline);
        expect(changed?.codes).toEqual((await orderOf(after)).codes);
        const none = [
          { added: before.slice(0, 1), removed: [] },
          { added: [], removed: without(after, before).slice(0, 1) },
        ];
        for (const each of none.filter(({ added, removed }) => added.length + removed.length > 0)) {
          expect(await drive(changedOrder(context, types, old, each), noDeadline)).toBeUndefined();
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
