/** Rows of an import: column mapping, excluded rows, and rows rejected by the server. */

import type { RowProblem } from '../../../../src-runtime/api/tables/import-file.js';
import {
  guessMapping,
  type ImportRows,
  type Mapping,
  type Parameter,
} from '../../../../src-runtime/api/tables/import-rows.js';
import type { Taker } from './import-choice.js';

/** The previous mapping, for the columns that are still in the file. */
export function fittedMapping(
  { parameters, concepts }: Pick<Taker, 'parameters' | 'concepts'>,
  columns: readonly string[],
  kept: Mapping,
): Mapping {
  const isKept = ({ name }: Parameter): boolean => kept[name] === null || columns.includes(kept[name] ?? '');
  const taken = parameters.filter(isKept).map(({ name }) => kept[name]);
  const others = parameters.filter((parameter) => !isKept(parameter));
  const guess = guessMapping(
    others,
    columns.filter((column) => !taken.includes(column)),
    concepts,
  );
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, (isKept(parameter) ? kept : guess)[parameter.name] ?? null]),
  );
}

/** The rows that are sent, with their row numbers in the file. */
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

/** Row errors of the server in the format of local ones. `numbers` are the row numbers of the sent rows. */
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
  /** The index among the sent rows. */
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
