/**
 * Writes rows of a file as lines of a streamed import: a JSON list of the arguments of each row, in the order of the parameters.
 * `bench:data` needs the fast forms: without them, the cells of a million rows take three times as long.
 */

import type { WireType } from '../schemas/schemas.js';
import type { CellTerms } from './cell-values.js';
import { membersOf } from './enum-members.js';
import { type FileRow, type ParsedFile, raggedness } from './import-file.js';
import {
  columnNotations,
  type Fed,
  fedBy,
  type Mapping,
  type Parameter,
  type RowTerms,
  readValue,
  valueIn,
} from './import-rows.js';

export interface CellProblem {
  /** The parameter; empty for the whole row. */
  readonly field: string;
  readonly message: string;
}

/** A row that the client cannot read, or that the server rejects. */
export interface RejectedRow {
  /** The row's number: of its line for CSV, counted from 0 for JSON. */
  readonly place: number;
  readonly row: FileRow;
  readonly problems: readonly CellProblem[];
}

export interface RowLines {
  /** The parameters in the order of the cells of a line. */
  readonly columns: readonly string[];
  /** The line of a row, or why it has none. */
  write(row: FileRow): string | readonly CellProblem[];
}

/** `sample` are the first rows, which decide how numbers and dates are written. */
export function createRowLines(
  sample: ParsedFile,
  parameters: readonly Parameter[],
  mapping: Mapping,
  terms: RowTerms,
): RowLines {
  const fed = fedBy(parameters, mapping);
  const notations = columnNotations(sample, fed, terms.notation);
  const termsOf = notations.map((notation): CellTerms => ({ ...terms, notation }));
  const places = fed.map(({ column }) => sample.columns.indexOf(column));
  const fastForms = fed.map(({ parameter }, at) => fastForm(parameter.type, termsOf[at] as CellTerms));
  const { format } = sample;

  function write(row: FileRow): string | readonly CellProblem[] {
    const cells = 'cells' in row ? row.cells : undefined;
    const ragged = cells && raggedness(cells, sample.columns.length);
    if (ragged !== undefined) return [{ field: '', message: ragged }];
    let line = '[';
    let problems: CellProblem[] | undefined;
    for (let at = 0; at < fed.length; at++) {
      const { parameter, column } = fed[at] as Fed;
      const value = 'record' in row ? valueIn(row.record, column) : (cells?.[places[at] ?? -1] ?? null);
      let written = typeof value === 'string' ? fastForms[at]?.(value) : undefined;
      if (written === undefined) {
        const reading = readValue(format, parameter, value, termsOf[at] as CellTerms);
        if (reading?.message === undefined) {
          written = reading === undefined ? 'null' : JSON.stringify(reading.value);
        } else {
          problems ??= [];
          problems.push({ field: parameter.name, message: reading.message });
        }
      }
      line += at === 0 ? written : `,${written}`;
    }
    return problems ?? `${line}]`;
  }

  return { columns: fed.map(({ parameter }) => parameter.name), write };
}

/** The JSON of a cell in the usual form of its type. Undefined for any other form, which `readCell` reads. */
type FastForm = (cell: string) => string | undefined;

function fastForm(type: WireType, terms: CellTerms): FastForm | undefined {
  switch (type.kind) {
    case 'optional':
      return fastForm(type.of, terms);
    case 'enum': {
      const members = new Set(membersOf(type.path, terms.enums));
      return (cell) => (members.has(cell) ? `"${cell}"` : undefined);
    }
    case 'scalar':
      return SCALARS[type.name]?.(terms);
    default:
      return undefined;
  }
}

const INT = /^(?:0|-?[1-9]\d{0,14})$/;
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** The longest text that has at most the digits of a Decimal, whichever digits it has. */
const DECIMAL_CHARACTERS_MAX = 34;
/** Days that every month has. */
const DATE = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;
const INSTANT =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/;

const SCALARS: Readonly<Record<string, (terms: CellTerms) => FastForm>> = {
  Text: () => (cell) => JSON.stringify(cell),
  Int: () => (cell) => (INT.test(cell) ? cell : undefined),
  Decimal:
    ({ notation }) =>
    (cell) => {
      if (cell.length > DECIMAL_CHARACTERS_MAX || !DECIMAL.test(cell)) return undefined;
      return notation.numbers === 'comma' && cell.includes('.') ? undefined : `"${cell}"`;
    },
  Bool: () => (cell) => (cell === 'true' || cell === 'false' ? cell : undefined),
  Date: () => (cell) => (DATE.test(cell) ? `"${cell}"` : undefined),
  DateTime: () => (cell) => (INSTANT.test(cell) ? `"${cell}"` : undefined),
};
