/** Exported files and cells are imported again unchanged, for all types. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonValue, WireType } from '../schemas/schemas.js';
import { exportText } from './export-text.js';
import { parseFile } from './import-file.js';
import { guessMapping, type Parameter, readRows } from './import-rows.js';

it('has a column for every field of any row', () => {
  const lease = { $id: '#i1', $meta: { type: 'l::L', classes: [] }, code: 'a "b", c', tenants: ['#i2', '@x'] };
  expect(exportText([lease, { ...lease, $id: '#i3', code: null, extra: { a: 1 } }], 'csv')).toBe(
    '$id,code,tenants,extra\r\n#i1,"a ""b"", c",#i2;@x,\r\n#i3,,#i2;@x,"{""a"":1}"\r\n',
  );
  expect(exportText([1, 'x\ny', null], 'csv')).toBe('value\r\n1\r\n"x\ny"\r\n,\r\n');
  expect(exportText([{ p: lease, n: 2 }], 'csv')).toBe('p,n\r\n#i1,2\r\n');
  expect(exportText([['a;b', 'c'], ['[x]'], [''], []], 'csv')).toBe(
    'value\r\n"[""a;b"",""c""]"\r\n"[""[x]""]"\r\n"[""""]"\r\n[]\r\n',
  );
  expect(exportText([{ a: 'x', b: '' }], 'tsv')).toBe('a\tb\nx\t""\n');
});

it('writes JSON without changes', () => {
  const records = [{ who: '#i1', what: 'a, "b"', tags: ['x'], none: null }];
  expect(JSON.parse(exportText(records, 'json'))).toEqual(records);
});

const TYPES: readonly (readonly [type: WireType, values: fc.Arbitrary<JsonValue>])[] = [
  [{ kind: 'scalar', name: 'Bool' }, fc.boolean()],
  [{ kind: 'scalar', name: 'Int' }, fc.maxSafeInteger().map((number) => number + 0)],
  [
    { kind: 'scalar', name: 'Decimal' },
    fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 9999 })).map(([whole, part]) => `${whole + 0}.${part}5`),
  ],
  [
    { kind: 'scalar', name: 'Text' },
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', ' ', 'null', '007', '1,5', '31.12.2026', '[1]', 'a;b', '"x"'),
    ),
  ],
  [
    { kind: 'scalar', name: 'Date' },
    fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
  ],
  [
    { kind: 'scalar', name: 'DateTime' },
    fc
      .date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  ],
  [{ kind: 'enum', path: 'm::Color' }, fc.constantFrom('red', 'green')],
  [
    { kind: 'class', path: 'm::Person' },
    fc.oneof(
      fc.nat().map((id) => `#i${id}`),
      fc.constant('@m::ada'),
    ),
  ],
  [
    { kind: 'record', fields: [{ name: 'a', type: { kind: 'scalar', name: 'Text' } }] },
    fc.record({ a: fc.string({ unit: 'grapheme' }), b: fc.boolean() }),
  ],
];

/** The type, a list of it, and both as optional. */
const COLUMNS = TYPES.flatMap(([type, values]) => {
  const list: WireType = { kind: 'list', of: type };
  const lists = fc.array(values, { maxLength: 3 });
  return [
    { type, values },
    { type: list, values: lists },
    { type: { kind: 'optional', of: type } as WireType, values: fc.option(values) },
    { type: { kind: 'optional', of: list } as WireType, values: fc.option(lists) },
  ];
});

it.each(['csv', 'tsv', 'json'] as const)('reads values of every type back unchanged from %s', (format) => {
  const parameters: readonly Parameter[] = COLUMNS.map(({ type }, at) => ({
    name: `p${at}`,
    type,
    required: type.kind !== 'optional',
  }));
  const row = fc.tuple(...COLUMNS.map(({ values }) => values));
  const enums = [{ path: 'm::Color', members: [{ name: 'red' }, { name: 'green' }] }] as never;
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), fc.nat(COLUMNS.length), (rows, only) => {
      // All columns together, or one alone.
      const fed = only === COLUMNS.length ? parameters : parameters.slice(only, only + 1);
      const records = rows.map((values) =>
        Object.fromEntries(fed.map(({ name }) => [name, values[Number(name.slice(1))] ?? null])),
      );
      const parsing = parseFile(exportText(records, format), { fileName: `rows.${format}` });
      if (!parsing.ok) throw new Error(parsing.message);
      const mapping = guessMapping(fed, parsing.file.columns);
      const read = readRows(parsing.file, fed, mapping, { enums });
      expect(read.problems).toEqual([]);
      expect(read.rows.map((args) => fed.map(({ name }) => args[name] ?? null))).toEqual(
        records.map((record) => fed.map(({ name }) => record[name])),
      );
    }),
  );
});
