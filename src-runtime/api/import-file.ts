/** From the bytes of a file to its records: which characters they are, CSV or JSON, and rows that are no rows of it. */

import papa from 'papaparse';
import { parseWithAllDigits } from '../base/exact-json.js';
import type { JsonValue } from './schemas.js';

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
  /** Rows that have other cells than the head line names. */
  readonly problems: readonly RowProblem[];
}

export type Parsing =
  | { readonly ok: true; readonly file: ParsedFile }
  | { readonly ok: false; readonly message: string };

/** How CSV is taken apart; what is absent is found out. */
export interface CsvOptions {
  readonly separator?: string | undefined;
  /** The first line names the columns; it does unless told. */
  readonly hasHead?: boolean | undefined;
}

export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
}

/** By its mark, else UTF-8, and where the bytes are none, what Windows writes in western Europe: no character is ever lost. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decoded(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be');
  try {
    return decoded(bytes, 'utf-8');
  } catch {
    return decoded(bytes, 'windows-1252');
  }
}

function decoded(bytes: Uint8Array, encoding: string): DecodedText {
  return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
}

/** JSON where the text begins like it, else CSV. */
export function parseFile(whole: string, options: CsvOptions = {}): Parsing {
  const text = whole.replace(/^\uFEFF/, '');
  const start = text.trimStart()[0];
  if (start === undefined) return refused('Paste CSV or JSON, or choose a file.');
  if (text.includes('\0')) return refused('This is no text. Save a workbook as CSV first.');
  return start === '[' || start === '{' ? parseJsonRows(text) : parseCsvRows(text, options);
}

function refused(message: string): Parsing {
  return { ok: false, message };
}

function parseJsonRows(text: string): Parsing {
  let value: unknown;
  try {
    value = parseWithAllDigits(text);
  } catch (error) {
    const lines = jsonLines(text);
    if (lines === undefined)
      return refused(`This is no JSON: ${error instanceof Error ? error.message : String(error)}.`);
    value = lines;
  }
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

/** An object a line; undefined where the text is something else. */
function jsonLines(text: string): unknown[] | undefined {
  try {
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseWithAllDigits(line)]));
  } catch {
    return undefined;
  }
}

/** Spreadsheets write it above the head line for each other. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/i;

function parseCsvRows(text: string, { separator, hasHead = true }: CsvOptions): Parsing {
  const [line = '', told] = SEPARATOR_LINE.exec(text) ?? [];
  const { rows: all, errors, delimiter } = csvRows(text.slice(line.length), separator ?? told ?? '');
  const quote = errors.find(({ type }) => type === 'Quotes');
  if (quote !== undefined) return refused(quoteMessage(text, line.length + (quote.index ?? 0), quote.code));
  const head = all[0]?.cells ?? [];
  const names = hasHead ? head.map((name) => name.trim()) : head.map((_, at) => `column ${at + 1}`);
  const rows = hasHead ? all.slice(1) : all;
  if (rows.length === 0) return refused('There is a head line and no row below it.');
  const columns = distinct(names);
  const problems = rows.flatMap(({ cells }, row) => {
    const message = cellsMessage(cells, columns.length);
    return message === undefined ? [] : [{ row, field: '', message }];
  });
  const records = rows.map(({ cells }) => Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])));
  const above = line === '' ? 0 : 1;
  const lines = rows.map((row) => row.line + above);
  return { ok: true, file: { format: 'csv', separator: delimiter, columns, records, lines, problems } };
}

interface CsvRow {
  /** On which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Those that are not empty. No delimiter is found out. */
function csvRows(text: string, told: string) {
  const { delimiter } = papa.parse(text, { delimiter: told, skipEmptyLines: 'greedy', preview: 10 }).meta;
  const rows: CsvRow[] = [];
  const errors: papa.ParseError[] = [];
  let line = 1;
  let from = 0;
  papa.parse<string[]>(text, {
    delimiter,
    step: ({ data: cells, errors: found, meta }) => {
      errors.push(...found);
      if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells });
      line += text.slice(from, meta.cursor).split('\n').length - 1;
      from = meta.cursor;
    },
  });
  return { rows, errors, delimiter };
}

/** Empty cells behind the last column are no others: spreadsheets leave them behind. */
function cellsMessage(cells: readonly string[], columns: number): string | undefined {
  if (cells.length === columns || (cells.length > columns && cells.slice(columns).every((cell) => cell === ''))) return;
  return `It has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, and the first line ${columns}.`;
}

/** Names that stand twice have a number behind them. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
    taken.add(free);
    return free;
  });
}

function quoteMessage(text: string, index: number, code: string): string {
  const line = text.slice(0, index).split('\n').length;
  return code === 'MissingQuotes'
    ? `The quotes that begin in line ${line} are never closed.`
    : `In line ${line}, a cell goes on behind its closing quotes; quotes inside of a cell are doubled.`;
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
    const column = columns.find((each) => !taken.has(each) && plainName(each) === plainName(name));
    if (column === undefined) continue;
    found.set(name, column);
    taken.add(column);
  }
  return found;
}

function plainName(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_.-]/g, '');
}
