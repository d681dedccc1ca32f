/** Rows of codes have the text of their values, in every form. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import type { JsonValue } from '../schemas/schemas.js';
import { createCodedWriter } from './coded-rows.js';
import { rowWriter } from './export-text.js';
import type { TextForm } from './row-form.js';

const value: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, '', ' ', 'a,b', 'a\tb', '"q"', 'two\nlines', '#i1', 0, -12, true),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom<JsonValue>('a', 'b;c', 1), { maxLength: 3 }),
  fc.constant<JsonValue>({ $id: '#i7', $meta: { type: 'm::P', classes: [] }, name: 'Ada' }),
);

const table = fc.uniqueArray(fc.constantFrom('a', '__proto__', 'b "c"', 'd,e'), { minLength: 1 }).chain((names) =>
  fc.record({
    names: fc.constant(names),
    blocks: fc.array(fc.array(fc.array(value, { minLength: names.length, maxLength: names.length })), {
      maxLength: 3,
    }),
  }),
);

it.each<TextForm>(['csv', 'tsv', 'jsonl'])('writes the same %s as from values', async (form) => {
  await fc.assert(
    fc.asyncProperty(table, async ({ names, blocks }) => {
      const values = new Map<string, readonly [code: number, value: JsonValue]>();
      const codeOf = (cell: JsonValue): number => {
        const key = JSON.stringify(cell);
        const known = values.get(key) ?? [-values.size, cell];
        values.set(key, known);
        return known[0];
      };
      const byCode = (code: number): JsonValue => [...values.values()].find(([each]) => each === code)?.[1] ?? null;
      // Some values are available later.
      const wireOf = (code: number) => (code % 2 === 0 ? byCode(code) : Promise.resolve(byCode(code)));
      const columns = names.map((name) => ({ name, wireOf }));
      const [write, { text }] = [createCodedWriter(form), rowWriter(form, names)];
      for (const block of blocks) {
        const rows = block.map(
          (cells): JsonValue => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null])),
        );
        const codes = Int32Array.from(block.flat(), codeOf);
        expect(await write({ columns, size: block.length, codes })).toBe(text(rows));
      }
    }),
    { numRuns: runs(100) },
  );
});
