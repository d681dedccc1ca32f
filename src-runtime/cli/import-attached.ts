/** Reads tables of databases for an import: Parquet files and SQLite files. */

import { open, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import * as zlib from 'node:zlib';
import {
  asyncBufferFromFile,
  type FileMetaData,
  type ParquetReadOptions,
  parquetMetadataAsync,
  parquetRead,
} from 'hyparquet';
import initSqlJs, { type BindParams, type Database, type SqlValue, type Statement } from 'sql.js';
import type { Cell } from '../api/tables/delimited-text.js';
import { dateFromDays, dateTimeText } from '../base/dates.js';
import { didYouMean } from '../base/nearest.js';
import { reasonOf } from '../project/file-failures.js';
import { type Attached, BATCH_ROWS, type Rows, type Selection, tableOf } from './import-source.js';
import { CommandFailure } from './terminal.js';

/** Throws CommandFailure if the file cannot be read. */
export async function openAttached(kind: 'parquet' | 'sqlite', file: string, selection: Selection): Promise<Attached> {
  try {
    return kind === 'parquet' ? await openParquet(file) : await openSqlite(file, selection);
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure(`Cannot read ${file}: ${reasonOf(cause)}`, { cause });
  }
}

async function openParquet(file: string): Promise<Attached> {
  const buffer = await asyncBufferFromFile(file);
  const metadata = await parquetMetadataAsync(buffer);
  const total = Number(metadata.num_rows);
  const columns = metadata.schema.slice(1).filter(({ num_children }) => !num_children);
  requireExact(metadata);
  let read = 0;
  async function* batches(): AsyncGenerator<Rows, void> {
    for (const group of metadata.row_groups) {
      const start = read;
      const end = start + Number(group.num_rows);
      const values = await columnsOf({ file: buffer, metadata, rowStart: start, rowEnd: end });
      while (read < end) {
        const from = read - start;
        read = Math.min(read + BATCH_ROWS, end);
        yield Array.from({ length: read - start - from }, (_, at) =>
          columns.map(({ name, scale }) => cellOf(values.get(name)?.[from + at], scale)),
        );
      }
    }
  }
  const names = columns.map(({ name }) => name);
  return { table: await tableOf(names, batches()), size: buffer.byteLength, share: () => read / Math.max(total, 1) };
}

/** The values of each column, of whole row groups: to read some rows, the library unpacks most of their group. */
async function columnsOf(
  rows: Pick<ParquetReadOptions, 'file' | 'rowStart' | 'rowEnd'> & { readonly metadata: FileMetaData },
): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const columns = new Map<string, unknown[]>();
  await parquetRead({
    ...rows,
    compressors: COMPRESSORS,
    parsers: PARSERS,
    onChunk({ columnName, columnData }) {
      const values = columns.get(columnName) ?? [];
      for (const value of columnData) values.push(value);
      columns.set(columnName, values);
    },
  });
  return columns;
}

/** The library reads decimals as doubles. */
function requireExact({ schema }: FileMetaData): void {
  const long = schema.find(({ converted_type, precision = 0 }) => converted_type === 'DECIMAL' && precision > 15);
  if (long === undefined) return;
  throw new CommandFailure(
    `Column "${long.name}" has decimals of ${long.precision} digits, and at most 15 can be read exactly. Write it as text.`,
  );
}

const COMPRESSORS = {
  GZIP: (input: Uint8Array) => zlib.gunzipSync(input),
  BROTLI: (input: Uint8Array) => zlib.brotliDecompressSync(input),
};

/** Instants keep digits below a millisecond, so that the reader of cells rejects them. */
const PARSERS = {
  timestampFromMilliseconds: (ms: bigint) => dateTimeText(Number(ms)),
  timestampFromMicroseconds: (us: bigint) => instant(us, 1_000n, 3),
  timestampFromNanoseconds: (ns: bigint) => instant(ns, 1_000_000n, 6),
  dateFromDays: (days: number) => dateFromDays(days),
};

function instant(value: bigint, perMs: bigint, digits: number): string {
  const rest = ((value % perMs) + perMs) % perMs;
  const text = dateTimeText(Number((value - rest) / perMs));
  return rest === 0n ? text : `${text.slice(0, -1)}${String(rest).padStart(digits, '0')}Z`;
}

function cellOf(value: unknown, scale?: number): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' && scale !== undefined) return value.toFixed(scale);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** sql.js holds the whole file in memory. */
const SQLITE_BYTES_MAX = 2 ** 29;

async function openSqlite(file: string, selection: Selection): Promise<Attached> {
  const handle = await open(file);
  const { size } = await handle.stat().finally(() => handle.close());
  if (size > SQLITE_BYTES_MAX) {
    throw new CommandFailure(
      `${file} has ${Math.ceil(size / 2 ** 20)} MiB; a SQLite file of at most 512 MiB can be read. Export the table as CSV.`,
    );
  }
  const wasm = await readFile(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'));
  const engine = await initSqlJs({ wasmBinary: new Uint8Array(wasm).buffer });
  const database = new engine.Database(await readFile(file));
  const sql = selection.query ?? `SELECT * FROM "${tableIn(database, file, selection.table).replaceAll('"', '""')}"`;
  const statement = database.prepare(sql);
  function* batches(): Generator<Rows, void> {
    for (let isMore = statement.step(); isMore; ) {
      const rows: Cell[][] = [];
      for (; isMore && rows.length < BATCH_ROWS; isMore = statement.step()) {
        rows.push((statement as Exact).get(null, { useBigInt: true }).map((value) => cellOf(value)));
      }
      yield rows;
    }
    database.close();
  }
  return { table: await tableOf(statement.getColumnNames(), batches()), size, share: () => undefined };
}

/** The option that the library's types lack: integers beyond doubles keep their digits. */
interface Exact extends Statement {
  get(params?: BindParams, config?: { readonly useBigInt: true }): SqlValue[];
}

/** The named table, or the only one. */
function tableIn(database: Database, file: string, wanted: string | undefined): string {
  const sql =
    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name";
  const names = (database.exec(sql)[0]?.values ?? []).map(([name]) => String(name));
  const [only] = names;
  if (wanted === undefined && only !== undefined && names.length === 1) return only;
  if (wanted !== undefined && names.includes(wanted)) return wanted;
  const listed = `It has: ${names.join(', ') || 'none'}.`;
  throw new CommandFailure(
    wanted === undefined
      ? `${file} has several tables. Choose one with --table. ${listed}`
      : `${file} has no table "${wanted}"${didYouMean(wanted, names) || `. ${listed}`}`,
  );
}
