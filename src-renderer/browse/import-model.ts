/** From the records of a file to rows of arguments: which column feeds which parameter, and what does not fit, row by row. */

import { columnsNamed, type ParsedFile, type RowProblem } from '../../src-runtime/api/import-file.js';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { JsonValue, WireType } from '../../src-runtime/api/schemas.js';
import { bareRecord } from '../../src-runtime/base/bare-record.js';
import { parseWithAllDigits } from '../../src-runtime/base/exact-json.js';
import { readValue, truthOf } from '../data/form-model.js';
import { ownValue } from '../data/own-value.js';
import { misfit } from './enum-members.js';
import {
  dateWriting,
  isAmbiguousDate,
  isoDate,
  numberWriting,
  PLAIN_WRITING,
  plainNumber,
  type Writing,
  writtenKind,
} from './import-writing.js';

export type Parameter = ServedSchema['mutations'][number]['parameters'][number];

/** By parameter, the column that feeds it; null where it is left out. */
export type Mapping = Readonly<Record<string, string | null>>;

/** Columns that are named like parameters, however that is written. */
export function guessMapping(parameters: readonly Parameter[], columns: readonly string[]): Mapping {
  const names = parameters.map(({ name }) => name);
  const found = columnsNamed(names, columns);
  return Object.fromEntries(names.map((name) => [name, found.get(name) ?? null]));
}

/** What was chosen before, as far as the file still has it. */
export function fittedMapping(parameters: readonly Parameter[], columns: readonly string[], kept: Mapping): Mapping {
  const isKept = ({ name }: Parameter): boolean => kept[name] === null || columns.includes(kept[name] ?? '');
  const taken = parameters.filter(isKept).map(({ name }) => kept[name]);
  const others = parameters.filter((parameter) => !isKept(parameter));
  const guess = guessMapping(
    others,
    columns.filter((column) => !taken.includes(column)),
  );
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, (isKept(parameter) ? kept : guess)[parameter.name] ?? null]),
  );
}

/** How the cells that are mapped write numbers and dates. */
export function foundWriting(file: ParsedFile, parameters: readonly Parameter[], mapping: Mapping): Writing {
  function* cellsOf(kind: keyof Writing): Generator<string> {
    for (const { name, type } of parameters) {
      const column = mapping[name] ?? null;
      if (column === null || writtenKind(type) !== kind) continue;
      for (const record of file.records) if (typeof record[column] === 'string') yield record[column];
    }
  }
  return { numbers: numberWriting(cellsOf('numbers')), dates: dateWriting(cellsOf('dates')) };
}

export interface ImportRows {
  /** Parameters that have to be fed, and are not. */
  readonly missing: readonly string[];
  readonly rows: readonly Record<string, JsonValue>[];
  readonly problems: readonly RowProblem[];
}

/** What a cell is read by, beside its type. */
interface CellTerms {
  readonly writing: Writing;
  readonly enums: ServedSchema['enums'];
  /** What to do about a date that may mean two days. */
  readonly whereDates: string;
}

/** Each record as the arguments of one call. A cell that cannot be read is left as it is, and told. */
export function readRows(
  file: ParsedFile,
  parameters: readonly Parameter[],
  mapping: Mapping,
  { writing = PLAIN_WRITING, enums = [], whereDates = 'choose above how dates are written' }: Partial<CellTerms> = {},
): ImportRows {
  const problems = [...file.problems];
  // In which column the cells of such a row stand nobody knows.
  const ragged = new Set(problems.map(({ row }) => row));
  const rows = file.records.map((record, row) => {
    const args = bareRecord<JsonValue>();
    for (const parameter of parameters) {
      const column = mapping[parameter.name] ?? null;
      if (column === null) continue;
      const reading = readCell(parameter, ownValue(record, column), { writing, enums, whereDates });
      if (reading === undefined) continue;
      args[parameter.name] = reading.value;
      if (reading.message === undefined || ragged.has(row)) continue;
      problems.push({ row, field: parameter.name, message: reading.message });
    }
    return args;
  });
  const missing = parameters.filter(({ name, required }) => required && (mapping[name] ?? null) === null);
  return { missing: missing.map(({ name }) => name), rows, problems: problems.sort((a, b) => a.row - b.row) };
}

/** What is sent, and which rows of the file that is. */
export interface SentRows extends ImportRows {
  readonly numbers: readonly number[];
}

export function rowsWithout({ missing, rows, problems }: ImportRows, leftOut: ReadonlySet<number>): SentRows {
  const numbers = [...rows.keys()].filter((row) => !leftOut.has(row));
  return {
    missing,
    numbers,
    rows: rows.filter((_, row) => !leftOut.has(row)),
    problems: problems.filter(({ row }) => !leftOut.has(row)),
  };
}

interface CellReading {
  readonly value: JsonValue;
  readonly message?: string;
}

/** Undefined leaves the argument out. */
function readCell(
  { type, required }: Parameter,
  cell: JsonValue | undefined,
  terms: CellTerms,
): CellReading | undefined {
  if (cell === undefined || cell === null) return required ? { value: null, message: 'A value is needed.' } : undefined;
  // Numbers, lists and records of JSON are what they are; the server checks them.
  if (typeof cell !== 'string') return { value: cell };
  const plain = type.kind === 'optional' ? type.of : type;
  const isText = plain.kind === 'scalar' && plain.name === 'Text';
  if (cell.trim() === '' && !required && (!isText || type.kind === 'optional')) return undefined;
  return readText(plain, cell, terms);
}

function readText(type: WireType, text: string, terms: CellTerms): CellReading {
  const { writing, enums, whereDates } = terms;
  if (type.kind === 'record') return readNested(text);
  if (type.kind === 'list') {
    if (text.trim().startsWith('[')) return readNested(text);
    const items = text.trim() === '' ? [] : text.split(';').map((item) => readText(type.of, item.trim(), terms));
    const wrong = items.find(({ message }) => message !== undefined)?.message;
    return { value: items.map(({ value }) => value), ...(wrong !== undefined && { message: wrong }) };
  }
  if (type.kind === 'scalar' && type.name === 'Bool') return readBool(text);
  const kind = writtenKind(type);
  if (kind === 'dates' && isAmbiguousDate(text, writing.dates))
    return { value: text, message: `"${text.trim()}" may mean two days; ${whereDates}.` };
  const plain =
    kind === 'numbers' ? plainNumber(text, writing.numbers) : kind === 'dates' ? isoDate(text, writing.dates) : text;
  const reading = readValue(type, plain, '');
  if (reading.ok) {
    const message = type.kind === 'enum' ? misfit(type.path, text.trim(), enums) : undefined;
    return { value: reading.value, ...(message !== undefined && { message }) };
  }
  const isDate = kind === 'dates' && text.trim() !== '';
  return { value: text, message: isDate ? `"${text.trim()}" is no date of the calendar.` : reading.message };
}

function readBool(text: string): CellReading {
  const value = truthOf(text);
  return value === undefined ? { value: text, message: `"${text.trim()}" is neither true nor false.` } : { value };
}

function readNested(text: string): CellReading {
  try {
    return { value: parseWithAllDigits(text) as JsonValue };
  } catch {
    return { value: text, message: 'This is no JSON.' };
  }
}

/** What the server says of rows that it could not take, in the form of what was found here. `numbers` are those of the rows it was sent. */
export function serverProblems(
  details: Readonly<Record<string, unknown>>,
  numbers: readonly number[],
): ServerProblem[] {
  const { failures } = details;
  if (!Array.isArray(failures)) return [];
  return (failures as readonly unknown[]).filter(isFailure).map(({ row, code, message, details: more }) => ({
    at: row,
    code,
    row: numbers[row] ?? row,
    field: typeof more['parameter'] === 'string' ? more['parameter'] : '',
    message,
  }));
}

export interface ServerProblem extends RowProblem {
  /** The row among those that were sent. */
  readonly at: number;
  readonly code: string;
}

interface Failure {
  readonly row: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

function isFailure(value: unknown): value is Failure {
  if (typeof value !== 'object' || value === null) return false;
  const { row, code, message, details } = value as Readonly<Record<string, unknown>>;
  const texts = [code, message].every((text) => typeof text === 'string');
  return typeof row === 'number' && texts && typeof details === 'object' && details !== null;
}
