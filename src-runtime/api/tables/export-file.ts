/** Turns streamed JSON lines into other files, in constant memory: a JSON list, and Parquet. */

import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { daysOfDate } from '../../base/dates.js';
import type { JsonValue, WireType } from '../schemas/schemas.js';
import { cellOf, idOf } from './cell-values.js';
import type { TypedColumn } from './export-source.js';
import { columnsOf, valueIn } from './export-text.js';

type Bytes = AsyncIterable<Uint8Array>;

/** A JSON list with a row on each line. */
export async function* jsonList(jsonLines: Bytes): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let before = '[';
  for await (const lines of lineBlocks(jsonLines)) {
    yield encoder.encode(before + lines.join(',\n'));
    before = ',\n';
  }
  yield encoder.encode(before === '[' ? '[]\n' : ']\n');
}

/** Rows in memory before they are written: as many, or so much text. */
const GROUP_ROWS_MAX = 20_000;
const GROUP_CHARACTERS_MAX = 4_000_000;

/**
 * A Parquet file. Decimals are texts, because a Parquet decimal has one scale for the whole column. Individuals are their ids, and lists
 * and records are JSON. Without `columns` they are those of the first rows. A column of unknown type is
 * typed by its first value.
 */
export async function* parquetFile(
  jsonLines: Bytes,
  columns: readonly TypedColumn[] | undefined,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  let writer: ParquetWriter | undefined;
  let written: readonly ParquetColumn[] = [];
  const write = async (rows: readonly JsonValue[]): Promise<void> => {
    if (writer === undefined) {
      written = (columns ?? columnsOf(rows).map((name) => ({ name, type: undefined }))).map((column) =>
        parquetColumn(column, rows),
      );
      const elements = written.map(({ element }) => element);
      writer = new ParquetWriter({
        writer: bytes,
        schema: [{ name: 'root', num_children: elements.length }, ...elements],
      });
    }
    const columnData = written.map(({ element: { name }, cell }) => ({
      name,
      data: rows.map((row) => cell(valueIn(row, name))),
    }));
    await writer.write({ columnData, rowGroupSize: Math.max(1, rows.length) });
  };
  let rows: JsonValue[] = [];
  let characters = 0;
  for await (const lines of lineBlocks(jsonLines)) {
    for (const line of lines) {
      rows.push(JSON.parse(line) as JsonValue);
      characters += line.length;
    }
    if (rows.length < GROUP_ROWS_MAX && characters < GROUP_CHARACTERS_MAX) continue;
    await write(rows);
    yield taken(bytes);
    rows = [];
    characters = 0;
  }
  await write(rows);
  await (writer as ParquetWriter | undefined)?.finish();
  yield taken(bytes);
}

/** The bytes so far. The offsets that the writer notes stay those of the file. */
function taken(bytes: ByteWriter): Uint8Array {
  const copy = bytes.getBytes().slice();
  bytes.index = 0;
  return copy;
}

/** The complete lines of each chunk. */
async function* lineBlocks(chunks: Bytes): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
}

interface ParquetColumn {
  readonly element: SchemaElement;
  cell(value: JsonValue): unknown;
}

function parquetColumn({ name, type }: TypedColumn, rows: readonly JsonValue[]): ParquetColumn {
  const plain = type?.kind === 'optional' ? type.of : type;
  const { cell, ...element } = plain === undefined ? guessedForm(rows, name) : formOf(plain);
  return {
    element: { name, repetition_type: 'OPTIONAL', ...element },
    cell: (value) => (value === null ? undefined : cell(value)),
  };
}

interface Form extends Omit<SchemaElement, 'name'> {
  cell(value: NonNullable<JsonValue>): unknown;
}

const TEXT: Form = { type: 'BYTE_ARRAY', converted_type: 'UTF8', cell: (value) => cellOf(value) };
const JSON_TEXT: Form = {
  type: 'BYTE_ARRAY',
  converted_type: 'JSON',
  cell: (value) => (Array.isArray(value) ? value.map((item) => idOf(item) ?? item) : value),
};
const BOOL: Form = { type: 'BOOLEAN', cell: (value) => value };
const INT: Form = { type: 'INT64', cell: (value) => BigInt(value as number) };
const DATE: Form = { type: 'INT32', converted_type: 'DATE', cell: (value) => daysOfDate(value as string) };
const DATE_TIME: Form = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  cell: (value) => BigInt(Date.parse(value as string)),
};

const SCALARS: Readonly<Record<string, Form>> = { Bool: BOOL, Int: INT, Date: DATE, DateTime: DATE_TIME };

function formOf(type: WireType): Form {
  if (type.kind === 'scalar') return SCALARS[type.name] ?? TEXT;
  return type.kind === 'list' || type.kind === 'record' ? JSON_TEXT : TEXT;
}

function guessedForm(rows: readonly JsonValue[], name: string): Form {
  const value = rows.map((row) => valueIn(row, name)).find((each) => each !== null) ?? '';
  if (typeof value === 'boolean') return BOOL;
  if (typeof value === 'number') return INT;
  return typeof value === 'object' && idOf(value) === undefined ? JSON_TEXT : TEXT;
}
