/** A Parquet file has the rows of the stream, for all types. */

import fc from 'fast-check';
import { parquetRead, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import type { JsonValue, WireType } from '../schemas/schemas.js';
import type { CodedRows } from './coded-rows.js';
import { parquetFile } from './parquet-file.js';

type Row = Record<string, JsonValue>;

const scalar = (name: 'Text' | 'Int' | 'Decimal' | 'Bool' | 'Date' | 'DateTime'): WireType => ({
  kind: 'scalar',
  name,
});
const text = fc.string({ unit: 'grapheme' });
const moment = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });

const COLUMNS: readonly { readonly name: string; readonly type: WireType; readonly values: fc.Arbitrary<JsonValue> }[] =
  [
    { name: 'text', type: scalar('Text'), values: text },
    { name: 'int', type: scalar('Int'), values: fc.maxSafeInteger().map((number) => number + 0) },
    {
      name: 'decimal',
      type: scalar('Decimal'),
      values: fc.constantFrom('0.1', '-12', '1234567890123456789012345678.901234'),
    },
    { name: 'bool', type: scalar('Bool'), values: fc.boolean() },
    { name: 'date', type: scalar('Date'), values: moment.map((date) => date.toISOString().slice(0, 10)) },
    { name: 'dateTime', type: scalar('DateTime'), values: moment.map((date) => date.toISOString()) },
    { name: 'enum', type: { kind: 'enum', path: 'm::Color' }, values: fc.constantFrom('red', 'green') },
    { name: '__proto__', type: { kind: 'class', path: 'm::P' }, values: fc.nat().map((id) => `#i${id}`) },
    { name: 'list', type: { kind: 'list', of: scalar('Text') }, values: fc.array(text, { maxLength: 3 }) },
    { name: 'record', type: { kind: 'record', fields: [] }, values: fc.record({ a: text, b: fc.boolean() }) },
  ];

const rows = fc.array(
  fc
    .tuple(...COLUMNS.map(({ values }) => fc.option(values)))
    .map((values): Row => Object.fromEntries(COLUMNS.map(({ name }, at) => [name, values[at] ?? null]))),
  { maxLength: 5 },
);

async function* blocksOf<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all;
}

/** The code of a value is its place among all values. */
function codedBlocks(blocks: readonly (readonly Row[])[]): CodedRows[] {
  const values: JsonValue[] = [];
  const columns = COLUMNS.map(({ name }) => ({ name, wireOf: (code: number) => values[code] ?? null }));
  return blocks.map((rows) => ({
    columns,
    size: rows.length,
    codes: Int32Array.from(rows.flatMap((row) => COLUMNS.map(({ name }) => values.push(row[name] ?? null) - 1))),
  }));
}

async function gathered(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Uint8Array.from(all.flatMap((chunk) => [...chunk]));
}

it.each(['values', 'codes'])('has rows of %s', async (kind) => {
  await fc.assert(
    fc.asyncProperty(fc.array(rows, { maxLength: 3 }), async (blocks) => {
      const all = blocks.flat();
      const { buffer } = await gathered(
        parquetFile(COLUMNS, kind === 'values' ? blocksOf(blocks) : blocksOf(codedBlocks(blocks))),
      );
      // As lists: an object of the reader cannot have a column `__proto__`.
      let read: readonly (readonly unknown[])[] = [];
      await parquetRead({
        file: buffer as ArrayBuffer,
        onComplete: (found) => {
          read = found as unknown as unknown[][];
        },
      });
      expect(read.map(wireRow)).toEqual(all);
    }),
    { numRuns: runs(200) },
  );
});

it('has columns of unknown type as text, and individuals as their ids', async () => {
  const person: WireType = { kind: 'class', path: 'm::P' };
  const columns = [
    { name: 'who', type: person },
    { name: 'all', type: { kind: 'list', of: person } },
    { name: 'mixed', type: undefined },
  ] as const;
  const entity: JsonValue = { $id: '#i1', $meta: { type: 'm::P', classes: [] } };
  const all = [
    { who: entity, all: [entity], mixed: 1 },
    { who: null, all: null, mixed: ['a'] },
  ];
  const { buffer } = await gathered(parquetFile(columns, blocksOf([all])));
  expect(await parquetReadObjects({ file: buffer as ArrayBuffer })).toEqual([
    { who: '#i1', all: ['#i1'], mixed: '1' },
    { who: null, all: null, mixed: 'a' },
  ]);
});

it('has more rows than a group', async () => {
  const columns = [{ name: 'no', type: scalar('Int') }];
  const blocks = Array.from({ length: 20 }, (_, block) =>
    Array.from({ length: 1000 }, (_, no) => ({ no: block * 1000 + no })),
  );
  const { buffer } = await gathered(parquetFile(columns, blocksOf(blocks)));
  const read = await parquetReadObjects({ file: buffer as ArrayBuffer });
  expect(read.map(({ no }) => Number(no))).toEqual(Array.from({ length: 20_000 }, (_, no) => no));
});

function wireRow(cells: readonly unknown[]): Row {
  return Object.fromEntries(COLUMNS.map(({ name, type }, at) => [name, wireOf(type, cells[at])]));
}

function wireOf(type: WireType, value: unknown): JsonValue {
  if (typeof value === 'bigint') return Number(value);
  if (!(value instanceof Date)) return value as JsonValue;
  const isDay = type.kind === 'scalar' && type.name === 'Date';
  return isDay ? value.toISOString().slice(0, 10) : value.toISOString();
}
