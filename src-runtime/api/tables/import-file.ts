/** Parses a file, whole or as it arrives, to rows: CSV or JSON, its header, and the rows that do not fit it. */

import type { JsonValue } from '../schemas/schemas.js';
import { type Cell, createDelimitedReader, foundDelimiter, type TextRow } from './delimited-text.js';
import { createJsonReader, type JsonRow } from './json-rows.js';

/** Null is an empty cell of CSV, or null in JSON. */
export type FileRecord = Readonly<Record<string, JsonValue>>;

/** A row of cells in the order of the columns, or an object of JSON. */
export type FileRow = TextRow | JsonRow;

export interface RowProblem {
  /** From 0. */
  readonly row: number;
  /** The parameter; empty for the whole row. */
  readonly field: string;
  readonly message: string;
}

/** A file in memory, or the beginning of one. */
export interface ParsedFile {
  readonly format: 'csv' | 'json';
  /** Of CSV. */
  readonly separator?: string;
  readonly columns: readonly string[];
  readonly records: readonly FileRecord[];
  /** For CSV, the line on which each record begins, from 1. */
  readonly lines?: readonly number[];
  /** Rows with more or fewer cells than there are columns. */
  readonly problems: readonly RowProblem[];
}

/** A file that is read as a stream. */
export interface Table {
  readonly encoding: string;
  readonly isCompressed: boolean;
  /** The first rows, from which formats are detected; all rows of a small file. */
  readonly sample: ParsedFile;
  /** All rows in order, with those of the sample. Can be read once. Throws UnreadableTable where the file is malformed. */
  readonly rows: AsyncIterable<readonly FileRow[]>;
}

export type Parsing =
  | { readonly ok: true; readonly file: ParsedFile }
  | { readonly ok: false; readonly message: string };

/** How to read CSV. Absent options are detected. */
export interface CsvOptions {
  /** Tabs separate the cells if the name ends in `.tsv`. */
  readonly fileName?: string | undefined;
  readonly separator?: string | undefined;
  /** Whether the first line names the columns; true by default. */
  readonly hasHead?: boolean | undefined;
  /** The names of the columns, if the first line does not have them. */
  readonly columns?: readonly string[] | undefined;
  /** A cell of exactly this text is empty. */
  readonly nullWord?: string | undefined;
}

/** A file that is no table, or is malformed from somewhere on. The message is for the user. */
export class UnreadableTable extends Error {
  override readonly name = 'UnreadableTable';
}

/** Reads JSON if the text begins like it, else CSV. */
export function parseFile(text: string, options: CsvOptions = {}): Parsing {
  try {
    const reader = createRowReader(text.replace(/^\uFEFF/, ''), true, options);
    return { ok: true, file: parsedFile(reader, reader.first) };
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error;
    return { ok: false, message: error.message };
  }
}

/** Rows of a file as a file in memory. */
export function parsedFile({ format, separator, columns }: RowReader, rows: readonly FileRow[]): ParsedFile {
  if (format === 'json') {
    const records = rows.map((row) => ('record' in row ? row.record : {}));
    return { format, columns: [...new Set(records.flatMap(Object.keys))], records, problems: [] };
  }
  const cells = rows.map((row) => ('cells' in row ? row.cells : []));
  const problems = cells.flatMap((each, row) => {
    const message = raggedness(each, columns.length);
    return message === undefined ? [] : [{ row, field: '', message }];
  });
  const records = cells.map((each) => Object.fromEntries(columns.map((column, at) => [column, each[at] ?? null])));
  const lines = rows.map(({ line }) => line);
  return { format, ...(separator !== undefined && { separator }), columns, records, lines, problems };
}

/** Why the cells of a row do not fit the columns. Ignores empty cells behind the last column, which spreadsheets leave behind. */
export function raggedness(cells: readonly Cell[], columns: number): string | undefined {
  if (cells.length === columns || (cells.length > columns && cells.slice(columns).every((cell) => !cell)))
    return undefined;
  return `Expected ${columns} ${columns === 1 ? 'cell' : 'cells'}, got ${cells.length}.`;
}

export interface RowReader extends Pick<ParsedFile, 'format' | 'separator'> {
  /** The columns of CSV. Objects of JSON have their own. */
  readonly columns: readonly string[];
  /** The rows of the text that it was created with. */
  readonly first: readonly FileRow[];
  /** The rows that end in the text so far. Throws UnreadableTable where the text is malformed, after all rows before. */
  read(text: string, isLast: boolean): readonly FileRow[];
}

/**
 * Detects the format from the first text of a file. `isWhole` says that it is all of it. Throws UnreadableTable if there are no
 * rows, or if they are not objects or have no clear columns.
 */
export function createRowReader(text: string, isWhole: boolean, options: CsvOptions): RowReader {
  const start = /\S/.exec(text)?.[0];
  if (start === undefined) throw new UnreadableTable('Paste CSV or JSON, or choose a file.');
  return start === '[' || start === '{' ? jsonReader(text, isWhole) : csvReader(text, isWhole, options);
}

function jsonReader(text: string, isWhole: boolean): RowReader {
  const reader = createJsonReader();
  const read = failing(reader);
  const first = read(text, isWhole);
  if (first.length === 0 && isWhole) throw new UnreadableTable('The list is empty.');
  const [only] = first;
  if (only !== undefined && first.length === 1 && isWhole && !reader.isList) {
    const lists = listsIn(only.record);
    if (lists.length > 0) throw new UnreadableTable(listsMessage(lists));
  }
  return { format: 'json', columns: [], first, read };
}

interface Reader<Row> {
  read(text: string, isLast: boolean): readonly Row[];
  readonly problem: string | undefined;
}

/** Throws the problem of a reader in place of the rows after those before it. */
function failing<Row>(reader: Reader<Row>): Reader<Row>['read'] {
  return (text, isLast) => {
    const rows = reader.problem === undefined ? reader.read(text, isLast) : [];
    if (reader.problem !== undefined && (rows.length === 0 || isLast)) throw new UnreadableTable(reader.problem);
    return rows;
  };
}

/** The names of the members that may hold the rows. */
function listsIn(record: FileRecord): string[] {
  const isRows = (value: JsonValue): boolean =>
    Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && !('$id' in item));
  return Object.keys(record).filter((name) => isRows(record[name] ?? null));
}

function listsMessage(lists: readonly string[]): string {
  const named = lists.slice(0, 5).map((name) => `"${name}"`);
  return `Expected a list of objects, one per row. Save ${named.join(', ')} as a separate file.`;
}

/** Spreadsheets write this line above the header. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/i;

function csvReader(text: string, isWhole: boolean, options: CsvOptions): RowReader {
  const { fileName = '', separator, hasHead = true, columns: named, nullWord } = options;
  const [line = '', declared] = SEPARATOR_LINE.exec(text) ?? [];
  const delimiter = separator ?? declared ?? (/\.tsv(\.gz)?$/i.test(fileName) ? '\t' : foundDelimiter(text));
  const reader = createDelimitedReader({ delimiter, nullWord, firstLine: line === '' ? 1 : 2 });
  const read = failing(reader);
  const all = read(text.slice(line.length), isWhole);
  const head = all[0]?.cells ?? [];
  const columns = named ?? head.map((cell, at) => (hasHead ? (cell?.trim() ?? '') : '') || `column ${at + 1}`);
  const twice = columns.find((column, at) => columns.indexOf(column) < at);
  if (twice !== undefined) throw new UnreadableTable(`Two columns are named "${twice}". Rename one of them.`);
  const first = hasHead ? all.slice(1) : all;
  if (first.length === 0 && isWhole) throw new UnreadableTable('The file has a header and no rows.');
  return { format: 'csv', separator: delimiter, columns, first, read };
}

/**
 * Finds the column of each name: the column of exactly that name, or else one that differs in case, blanks, `_`, `-` or `.`, such as
 * `First Name` for `firstName`. No column is found for two names.
 */
export function columnsNamed(names: readonly string[], columns: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map(names.flatMap((name) => (columns.includes(name) ? [[name, name] as const] : [])));
  const taken = new Set(found.values());
  for (const name of names) {
    if (found.has(name)) continue;
    const [column] = columnsLike(name, columns).filter((each) => !taken.has(each));
    if (column === undefined) continue;
    found.set(name, column);
    taken.add(column);
  }
  return found;
}

/** The columns whose names differ at most in case, blanks, `_`, `-` and `.`. */
export function columnsLike(name: string, columns: readonly string[]): readonly string[] {
  return columns.filter((column) => plainName(column) === plainName(name));
}

function plainName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_.-]/g, '');
}
