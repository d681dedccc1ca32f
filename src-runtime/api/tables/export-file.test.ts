/** Files made of streamed JSON lines have the rows of the stream, for all types and however the bytes are cut. */

import fc from 'fast-check';
import { parquetRead, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import type { JsonValue, WireType } from '../schemas/schemas.js';
import { jsonList, parquetFile } from './export-file.js';
import { rowWriter } from './export-text.js';

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

/** The rows as JSON lines, cut into pieces of so many bytes. */
async function* linesOf(all: readonly Row[], size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(rowWriter('jsonl', []).text(all));
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function gathered(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Uint8Array.from(all.flatMap((chunk) => [...chunk]));
}

it('makes a JSON list of the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 90 }), async (all, size) => {
      const bytes = await gathered(jsonList(linesOf(all, size)));
      expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(all);
    }),
    { numRuns: runs(200) },
  );
});

it('makes a Parquet file of the same rows', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 90 }), async (all, size) => {
      const { buffer } = await gathered(parquetFile(linesOf(all, size), COLUMNS));
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

it('finds the columns of a Parquet file and their types in the first rows', async () => {
  const entity = { $id: '#i1', $meta: { type: 'm::P', classes: [] } };
  const all = [
    { who: entity, n: 1, on: true, day: '2026-01-31', none: null, tags: ['a'] },
    { who: null, n: null, on: null, day: null, none: null, tags: null },
  ] as unknown as Row[];
  const { buffer } = await gathered(parquetFile(linesOf(all, 50), undefined));
  expect(await parquetReadObjects({ file: buffer as ArrayBuffer })).toEqual([
    { who: '#i1', n: 1n, on: true, day: '2026-01-31', none: null, tags: ['a'] },
    { who: null, n: null, on: null, day: null, none: null, tags: null },
  ]);
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
