/** Opens what `entail import` reads: a file, standard input, or a table of a database. */

import { open } from 'node:fs/promises';
import type { Cell } from '../api/tables/delimited-text.js';
import type { Table } from '../api/tables/import-file.js';
import { reasonOf } from '../project/file-failures.js';
import { CommandFailure, STANDARD_INPUT, type Terminal } from './terminal.js';

export interface ImportSource {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Undefined for a pipe. */
  readonly size: number | undefined;
  /** How much of a file is read, from 0 to 1. */
  share(): number | undefined;
}

/** V8 keeps longer strings apart, where it collects them late. */
const CHUNK_BYTES = 2 ** 16;

export async function openSource(file: string, terminal: Terminal): Promise<ImportSource> {
  if (file === STANDARD_INPUT) return { bytes: terminal.input(), size: undefined, share: () => undefined };
  try {
    const handle = await open(file);
    const found = await handle.stat();
    if (found.isDirectory()) {
      await handle.close();
      throw new CommandFailure(`${file} is a folder. Name a file in it.`);
    }
    const size = found.isFile() ? found.size : undefined;
    const bytes = handle.createReadStream({ highWaterMark: CHUNK_BYTES });
    return { bytes, size, share: () => size && bytes.bytesRead / size };
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure(`Cannot read ${file}: ${reasonOf(cause)}`, { cause });
  }
}

export type DatabaseKind = 'parquet' | 'sqlite' | 'postgres';

/** Undefined for a file of text, and for one that cannot be opened, about which `openSource` says more. */
export async function databaseKind(file: string): Promise<DatabaseKind | undefined> {
  if (/^postgres(ql)?:\/\//i.test(file)) return 'postgres';
  const handle = file === STANDARD_INPUT ? undefined : await open(file).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    const start = buffer.toString('latin1', 0, bytesRead);
    if (start.startsWith('PAR1')) return 'parquet';
    return start === 'SQLite format 3\0' ? 'sqlite' : undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/** The name of the source in messages: that of a database without its password. */
export function shownName(file: string): string {
  if (!/^postgres(ql)?:/i.test(file)) return file;
  try {
    const { protocol, username, host, pathname } = new URL(file);
    return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
  } catch {
    return 'The PostgreSQL database';
  }
}

/** Which rows of a database to read. */
export interface Selection {
  readonly table?: string | undefined;
  readonly query?: string | undefined;
}

/** A table of a database. */
export interface Attached extends Omit<ImportSource, 'bytes'> {
  readonly table: Table;
  close?(): Promise<void>;
}

export type Rows = readonly (readonly Cell[])[];

/** Rows count from 1. The first batch is the sample. */
export async function tableOf(
  columns: readonly string[],
  batches: AsyncIterator<Rows> | Iterator<Rows>,
): Promise<Table> {
  let count = 0;
  const numbered = (rows: Rows) => rows.map((cells) => ({ line: ++count, cells }));
  const next = await batches.next();
  if (next.done === true || next.value.length === 0) throw new CommandFailure('The table has no rows.');
  const first = numbered(next.value);
  async function* rows() {
    yield first;
    for (let more = await batches.next(); more.done !== true; more = await batches.next()) yield numbered(more.value);
  }
  const records = first.map(({ cells }) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null])));
  const sample = { format: 'csv', columns, records, problems: [] } as const;
  return { encoding: 'utf-8', isCompressed: false, sample, rows: rows() };
}

/** Rows of a batch, unless its reader has reasons for another number. */
export const BATCH_ROWS = 5_000;
