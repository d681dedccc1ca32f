/** Parses the text of a file into records: CSV or JSON, its header, and the rows that do not fit it. */

import { duplicateKey, parseWithAllDigits } from '../../base/exact-json.js';
import type { JsonValue } from '../schemas/schemas.js';
import { type Cell, foundDelimiter, readDelimited } from './delimited-text.js';

/** Null is an empty cell of CSV, or null in JSON. */
export type FileRecord = Readonly<Record<string, JsonValue>>;

export interface RowProblem {
  /** From 0. */
  readonly row: number;
  /** The parameter; empty for the whole row. */
  readonly field: string;
  readonly message: string;
}

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
}

/** Reads JSON if the text begins like it, else CSV. */
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
  const doubled = texts.map(duplicateKey).find((key) => key !== undefined);
  if (doubled !== undefined) return refused(`An object has the key "${doubled}" twice. Remove or rename one of them.`);
  const records: unknown[] = Array.isArray(value) ? value : [value];
  const wrong = records.findIndex((record) => typeof record !== 'object' || record === null || Array.isArray(record));
  if (wrong >= 0) return refused(`Row ${wrong + 1} is not an object. The file must be a list of objects.`);
  if (records.length === 0) return refused('The list is empty.');
  const lists = Array.isArray(value) ? [] : listsIn(records[0] as FileRecord);
  if (lists.length > 0) return refused(listsMessage(lists));
  const rows = records as FileRecord[];
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { ok: true, file: { format: 'json', columns, records: rows, problems: [] } };
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

/** One value per line, or undefined if a line is not JSON. */
function jsonLines(lines: readonly string[]): unknown[] | undefined {
  try {
    return lines.map(parseWithAllDigits);
  } catch {
    return undefined;
  }
}

/** Spreadsheets write this line above the header. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/i;

function parseCsvRows(text: string, options: CsvOptions): Parsing {
  const { fileName = '', separator, hasHead = true, columns: named } = options;
  const [line = '', declared] = SEPARATOR_LINE.exec(text) ?? [];
  const delimiter = separator ?? declared ?? (/\.tsv$/i.test(fileName) ? '\t' : foundDelimiter(text));
  const { rows: all, problem } = readDelimited(text, { delimiter, from: line.length });
  if (problem !== undefined) return refused(problem);
  const first = all[0]?.cells ?? [];
  const columns = named ?? first.map((cell, at) => (hasHead ? (cell?.trim() ?? '') : '') || `column ${at + 1}`);
  const twice = columns.find((column, at) => columns.indexOf(column) < at);
  if (twice !== undefined) {
    return refused(`Two columns are named "${twice}". Rename one of them.`);
  }
  const rows = hasHead ? all.slice(1) : all;
  if (rows.length === 0) return refused('The file has a header and no rows.');
  const expected = `${columns.length} ${columns.length === 1 ? 'cell' : 'cells'}`;
  const problems = rows.flatMap(({ cells }, row) =>
    hasAsMany(cells, columns.length) ? [] : [{ row, field: '', message: `Expected ${expected}, got ${cells.length}.` }],
  );
  const records = rows.map(({ cells }) => Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null])));
  const lines = rows.map((row) => row.line);
  return { ok: true, file: { format: 'csv', separator: delimiter, columns, records, lines, problems } };
}

/** Ignores empty cells behind the last column, which spreadsheets leave behind. */
function hasAsMany(cells: readonly Cell[], columns: number): boolean {
  return cells.length === columns || (cells.length > columns && cells.slice(columns).every((cell) => !cell));
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
