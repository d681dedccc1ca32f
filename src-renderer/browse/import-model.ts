/** From the text of a file to rows of arguments: records, which column feeds which parameter, and what does not fit, row by row. */

import { parse } from 'papaparse';
import type { ServedSchema } from '../../src-runtime/api/module-schemas.js';
import type { JsonValue, WireType } from '../../src-runtime/api/schemas.js';
import { readValue } from '../data/form-model.js';

export type Parameter = ServedSchema['mutations'][number]['parameters'][number];
export type FileRecord = Readonly<Record<string, JsonValue>>;

export interface ParsedFile {
  readonly format: 'csv' | 'json';
  readonly columns: readonly string[];
  readonly records: readonly FileRecord[];
}

export type Parsing =
  | { readonly ok: true; readonly file: ParsedFile }
  | { readonly ok: false; readonly message: string };

/** JSON where the text begins like it, else CSV with a head line; its delimiter is found out. */
export function parseFile(text: string): Parsing {
  const start = text.trimStart()[0];
  if (start === undefined) return { ok: false, message: 'Paste CSV or JSON, or choose a file.' };
  return start === '[' || start === '{' ? parseJsonRows(text) : parseCsvRows(text);
}

function parseJsonRows(text: string): Parsing {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `This is no JSON: ${error instanceof Error ? error.message : String(error)}.` };
  }
  const records: unknown[] = Array.isArray(value) ? value : [value];
  const wrong = records.findIndex((record) => typeof record !== 'object' || record === null || Array.isArray(record));
  if (wrong >= 0) return { ok: false, message: `Row ${wrong + 1} is no object; the file must be a list of objects.` };
  if (records.length === 0) return { ok: false, message: 'The list is empty; there is nothing to import.' };
  const rows = records as FileRecord[];
  return {
    ok: true,
    file: { format: 'json', columns: [...new Set(rows.flatMap((row) => Object.keys(row)))], records: rows },
  };
}

function parseCsvRows(text: string): Parsing {
  const { data, errors, meta } = parse<Record<string, string>>(text, { header: true, skipEmptyLines: 'greedy' });
  // A single column has no delimiter to be found, which is no fault.
  const error = errors.find(({ type }) => type !== 'Delimiter');
  if (error !== undefined) {
    const where = error.row === undefined ? '' : `Row ${error.row + 1}: `;
    return { ok: false, message: `${where}${error.message}.` };
  }
  const columns = meta.fields ?? [];
  if (data.length === 0) return { ok: false, message: 'There is a head line and no row below it.' };
  return { ok: true, file: { format: 'csv', columns, records: data } };
}

/** By parameter, the column that feeds it; null where it is left out. */
export type Mapping = Readonly<Record<string, string | null>>;

/** Columns that are named like parameters, whatever their case, blanks and underscores. */
export function guessMapping(parameters: readonly Parameter[], columns: readonly string[]): Mapping {
  const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
  return Object.fromEntries(
    parameters.map(({ name }) => [name, columns.find((column) => plain(column) === plain(name)) ?? null]),
  );
}

/** What was chosen before, as far as the file still has it. */
export function fittedMapping(parameters: readonly Parameter[], columns: readonly string[], kept: Mapping): Mapping {
  const guess = guessMapping(parameters, columns);
  return Object.fromEntries(
    parameters.map(({ name }) => {
      const column = kept[name];
      const isKept = column === null || (column !== undefined && columns.includes(column));
      return [name, isKept ? column : (guess[name] ?? null)];
    }),
  );
}

export interface RowProblem {
  /** From 0. */
  readonly row: number;
  /** The parameter; empty where it is the row as a whole. */
  readonly field: string;
  readonly message: string;
}

export interface ImportRows {
  readonly rows: readonly Record<string, JsonValue>[];
  readonly problems: readonly RowProblem[];
}

/** Each record as the arguments of one call. A cell that cannot be read is left as it is, and told. */
export function readRows(file: ParsedFile, parameters: readonly Parameter[], mapping: Mapping): ImportRows {
  const problems: RowProblem[] = [];
  const rows = file.records.map((record, row) => {
    const args: Record<string, JsonValue> = {};
    for (const parameter of parameters) {
      const column = mapping[parameter.name] ?? null;
      if (column === null) {
        if (parameter.required) problems.push({ row, field: parameter.name, message: 'No column feeds it.' });
        continue;
      }
      const reading = readCell(parameter, record[column]);
      if (reading === undefined) continue;
      args[parameter.name] = reading.value;
      if (reading.message !== undefined) problems.push({ row, field: parameter.name, message: reading.message });
    }
    return args;
  });
  return { rows, problems };
}

interface CellReading {
  readonly value: JsonValue;
  readonly message?: string;
}

/** Undefined leaves the argument out. */
function readCell({ type, required }: Parameter, cell: JsonValue | undefined): CellReading | undefined {
  if (cell === undefined || cell === null) return required ? { value: null, message: 'A value is needed.' } : undefined;
  // Numbers, lists and records of JSON are what they are; the server checks them.
  if (typeof cell !== 'string') return { value: cell };
  const plain = type.kind === 'optional' ? type.of : type;
  const isText = plain.kind === 'scalar' && plain.name === 'Text';
  if (cell.trim() === '' && !required && (!isText || type.kind === 'optional')) return undefined;
  return readText(plain, cell);
}

function readText(type: WireType, text: string): CellReading {
  if (type.kind === 'record') return readNested(text);
  if (type.kind === 'list') {
    if (text.trim().startsWith('[')) return readNested(text);
    const items = text.trim() === '' ? [] : text.split(';').map((item) => readText(type.of, item.trim()));
    const wrong = items.find(({ message }) => message !== undefined)?.message;
    return { value: items.map(({ value }) => value), ...(wrong !== undefined && { message: wrong }) };
  }
  if (type.kind === 'scalar' && type.name === 'Bool') return readBool(text);
  const reading = readValue(type, text, '');
  return reading.ok ? { value: reading.value } : { value: text, message: reading.message };
}

function readBool(text: string): CellReading {
  const word = text.trim().toLowerCase();
  if (['true', 'yes', '1'].includes(word)) return { value: true };
  if (['false', 'no', '0'].includes(word)) return { value: false };
  return { value: text, message: `"${text.trim()}" is neither true nor false.` };
}

function readNested(text: string): CellReading {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return { value: text, message: 'This is no JSON.' };
  }
}

/** What the server says of rows that it could not take, in the form of what was found here. */
export function serverProblems(details: Readonly<Record<string, unknown>>): RowProblem[] {
  const { failures } = details;
  if (!Array.isArray(failures)) return [];
  return (failures as readonly unknown[]).filter(isFailure).map(({ row, message, details: more }) => ({
    row,
    field: typeof more['parameter'] === 'string' ? more['parameter'] : '',
    message,
  }));
}

interface Failure {
  readonly row: number;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

function isFailure(value: unknown): value is Failure {
  if (typeof value !== 'object' || value === null) return false;
  const { row, message, details } = value as Readonly<Record<string, unknown>>;
  return typeof row === 'number' && typeof message === 'string' && typeof details === 'object' && details !== null;
}
