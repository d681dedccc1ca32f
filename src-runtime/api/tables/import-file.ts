/** From the text of a file to its records: CSV or JSON, its header, and rows that do not fit the header. */

import { doubledKey, parseWithAllDigits } from '../../base/exact-json.js';
import type { JsonValue } from '../schemas/schemas.js';
import { type Cell, foundDelimiter, readDelimited } from './delimited-text.js';

/** In CSV, null is an empty cell; in JSON, it is null. */
export type FileRecord = Readonly<Record<string, JsonValue>>;

export interface RowProblem {
  /** From 0. */
  readonly row: number;
  /** The parameter; empty where it is the row as a whole. */
  readonly field: string;
  readonly message: string;
}

export interface ParsedFile {
  readonly format: 'csv' | 'json';
  /** Of CSV. */
  readonly separator?: string;
  readonly columns: readonly string[];
  readonly records: readonly FileRecord[];
  /** Of CSV, on which line of the text each record begins, from 1. */
  readonly lines?: readonly number[];
  /** Rows with more or fewer cells than there are columns. */
  readonly problems: readonly RowProblem[];
}

export type Parsing =
  | { readonly ok: true; readonly file: ParsedFile }
  | { readonly ok: false; readonly message: string };

/** How CSV is taken apart; what is absent is detected. */
export interface CsvOptions {
  /** A name that ends in `.tsv` says what separates the cells. */
  readonly fileName?: string | undefined;
  readonly separator?: string | undefined;
  /** Whether the first line names the columns; by default it does. */
  readonly hasHead?: boolean | undefined;
  /** The names of the columns, where the first line does not name them. */
  readonly columns?: readonly string[] | undefined;
}

/** JSON where the text begins like it, else CSV. */
export function parseFile(whole: string, options: CsvOptions = {}): Parsing {
  const text = whole.replace(/^\uFEFF/, '');
  const start = /\S/.exec(text)?.[0];
  if (start === undefined) return refused('Paste CSV or JSON, or choose a file.');
  return start === '[' || start === '{' ? parseJsonRows(text) : parseCsvRows(text, options);
}

function refused(message: string): Parsing {
  return { ok: false, message };
}

function parseJsonRows(text: string): Parsing {
  let value: unknown;
  let texts = [text];
  try {
    value = parseWithAllDigits(text);
  } catch (error) {
    texts = text.split('\n').filter((line) => line.trim() !== '');
    value = jsonLines(texts);
    if (value === undefined) {
      return refused(`This is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
  const doubled = texts.map(doubledKey).find((key) => key !== undefined);
  if (doubled !== undefined) return refused(`An object has the key "${doubled}" twice. Remove or rename one of them.`);
  const records: unknown[] = Array.isArray(value) ? value : [value];
  const wrong = records.findIndex((record) => typeof record !== 'object' || record === null || Array.isArray(record));
  if (wrong >= 0) return refused(`Row ${wrong + 1} is no object; the file must be a list of objects.`);
  if (records.length === 0) return refused('The list is empty; there is nothing to import.');
  const lists = Array.isArray(value) ? [] : listsIn(records[0] as FileRecord);
  if (lists.length > 0) return refused(listsMessage(lists));
  const rows = records as FileRecord[];
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { ok: true, file: { format: 'json', columns, records: rows, problems: [] } };
}

/** The names of those members that may hold the rows. */
function listsIn(record: FileRecord): string[] {
  const isRows = (value: JsonValue): boolean =>
    Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && !('$id' in item));
  return Object.keys(record).filter((name) => isRows(record[name] ?? null));
}

function listsMessage(lists: readonly string[]): string {
  const named = lists.slice(0, 5).map((name) => `"${name}"`);
  return `It is an object; give a list of objects, one a row, such as ${named.join(', ')} in it, each in a file of its own.`;
}

/** One value a line, or undefined if a line is not JSON. */
function jsonLines(lines: readonly string[]): unknown[] | undefined {
  try {
    return lines.map(parseWithAllDigits);
  } catch {
    return undefined;
  }
}

/** Spreadsheets write it above the header for each other. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/i;

function parseCsvRows(text: string, options: CsvOptions): Parsing {
  const { fileName = '', separator, hasHead = true, columns: named } = options;
  const [line = '', told] = SEPARATOR_LINE.exec(text) ?? [];
  const delimiter = separator ?? told ?? (/\.tsv$/i.test(fileName) ? '\t' : foundDelimiter(text));
  const { rows: all, problem } = readDelimited(text, { delimiter, from: line.length });
  if (problem !== undefined) return refused(problem);
  const first = all[0]?.cells ?? [];
  const columns = named ?? first.map((cell, at) => (hasHead ? (cell?.trim() ?? '') : '') || `column ${at + 1}`);
  const twice = columns.find((column, at) => columns.indexOf(column) < at);
  if (twice !== undefined) {
    return refused(`Two columns are named "${twice}". Rename one of them.`);
  }
  const rows = hasHead ? all.slice(1) : all;
  if (rows.length === 0) return refused('There is a head line and no row below it.');
  const width = named === undefined ? `the first line ${columns.length}` : `${columns.length} columns are named`;
  const problems = rows.flatMap(({ cells }, row) =>
    hasAsMany(cells, columns.length)
      ? []
      : [{ row, field: '', message: `It has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, and ${width}.` }],
  );
  const records = rows.map(({ cells }) => Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null])));
  const lines = rows.map((row) => row.line);
  return { ok: true, file: { format: 'csv', separator: delimiter, columns, records, lines, problems } };
}

/** Empty cells behind the last column are left behind by spreadsheets. */
function hasAsMany(cells: readonly Cell[], columns: number): boolean {
  return cells.length === columns || (cells.length > columns && cells.slice(columns).every((cell) => !cell));
}

/**
 * By name, the column that is named so, or else one that is but for case, blanks, `_`, `-` and `.`: `First Name` for `firstName`. What is
 * named exactly so comes first, and no column stands for two names.
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

/** The columns that are named so but for case, blanks, `_`, `-` and `.`. */
export function columnsLike(name: string, columns: readonly string[]): readonly string[] {
  return columns.filter((column) => plainName(column) === plainName(name));
}

function plainName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_.-]/g, '');
}
