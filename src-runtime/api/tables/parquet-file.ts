/** Writes a stream of rows as a Parquet file, a group of rows at a time. */

import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { daysOfDate } from '../../base/dates.js';
import type { JsonValue, WireType } from '../schemas/schemas.js';
import { cellOf, idOf } from './cell-values.js';
import type { CodedColumn, CodedRows, TypedColumn } from './coded-rows.js';
import { valueIn } from './export-text.js';

/**
 * Rows of a group. The library writes a group in one step, which takes some ten milliseconds for eight columns, and half as long for each
 * row as with groups of 20,000.
 */
const GROUP_ROWS = 8192;

/**
 * Yields each group when it is complete. Decimals are texts, because a Parquet decimal has one scale for the whole column. Individuals are
 * their ids, and lists and records are JSON.
 */
export async function* parquetFile(
  columns: readonly TypedColumn[],
  blocks: AsyncIterable<readonly JsonValue[] | CodedRows>,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const written = columns.map((column) => new ParquetColumn(column));
  const elements = written.map(({ element }) => element);
  const schema = [{ name: 'root', num_children: elements.length }, ...elements];
  const writer = new ParquetWriter({ writer: bytes, schema });
  const writeGroup = (): void => {
    const columnData = written.map((column, at) => {
      const { name, converted_type } = column.element;
      // Rows are sorted by the first column. Elsewhere the bounds of texts help no reader, and take a fifth of the time.
      return { name, data: column.take(), statistics: at === 0 || converted_type !== 'UTF8' };
    });
    void writer.write({ columnData, rowGroupSize: Math.max(1, rows) });
    rows = 0;
  };
  let rows = 0;
  for await (const block of blocks) {
    for (const [at, column] of written.entries()) {
      if ('codes' in block) await column.addCodes(block, at);
      else for (const row of block) column.add(valueIn(row, column.element.name));
    }
    rows += 'codes' in block ? block.size : block.length;
    if (rows < GROUP_ROWS) continue;
    writeGroup();
    yield taken(bytes);
  }
  if (rows > 0) writeGroup();
  void writer.finish();
  yield taken(bytes);
}

/** The bytes so far. The offsets that the writer notes stay those of the file. */
function taken(bytes: ByteWriter): Uint8Array {
  const copy = bytes.getBytes().slice();
  bytes.index = 0;
  return copy;
}

/** The cells of the group that is not written yet. */
class ParquetColumn {
  readonly element: SchemaElement;
  private readonly cell: Form['cell'];
  private readonly cellsByCode = new Map<number, unknown>();
  private waiting: unknown[] = [];

  constructor({ name, type }: TypedColumn) {
    const { cell, ...element } = formOf(type);
    this.element = { name, repetition_type: 'OPTIONAL', ...element };
    this.cell = cell;
  }

  add(value: JsonValue): void {
    this.waiting.push(value === null ? undefined : this.cell(value));
  }

  async addCodes({ columns, size, codes }: CodedRows, at: number): Promise<void> {
    const { wireOf } = columns[at] as CodedColumn;
    const { cellsByCode, waiting } = this;
    for (let index = at, row = 0; row < size; row++, index += columns.length) {
      const code = codes[index] as number;
      if (!cellsByCode.has(code)) {
        const value = wireOf(code);
        this.add(value instanceof Promise ? await value : value);
        if (cellsByCode.size >= REMEMBERED_MAX) cellsByCode.clear();
        cellsByCode.set(code, waiting.at(-1));
      } else {
        waiting.push(cellsByCode.get(code));
      }
    }
  }

  take(): unknown[] {
    const cells = this.waiting;
    this.waiting = [];
    return cells;
  }
}

/** Cells that are remembered of a column. */
const REMEMBERED_MAX = 1 << 16;

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

function formOf(type: WireType | undefined): Form {
  if (type === undefined) return TEXT;
  if (type.kind === 'optional') return formOf(type.of);
  if (type.kind === 'scalar') return SCALARS[type.name] ?? TEXT;
  return type.kind === 'list' || type.kind === 'record' ? JSON_TEXT : TEXT;
}
