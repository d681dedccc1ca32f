/** The options of `entail import`, and those that exclude each other. */

import { resolve } from 'node:path';
import type { Assignment, ConnectionOptions } from './connect.js';
import { STANDARD_INPUT, WrongUsage } from './terminal.js';

export interface ImportOptions extends ConnectionOptions {
  /** By parameter, the field that identifies an individual. */
  readonly key: readonly Assignment[];
  /** By parameter, its column; by default the column of the same name. */
  readonly column: readonly Assignment[];
  /** False if the first line is a row. */
  readonly header: boolean;
  /** Column names for a file without a header. */
  readonly columns?: readonly string[];
  readonly delimiter?: string;
  /** The decimal separator; detected by default. */
  readonly decimal?: ',' | '.';
  /** The order of year, month and day; detected by default. */
  readonly dates?: 'ymd' | 'dmy' | 'mdy';
  readonly encoding?: string;
  /** The text of a cell that has no value. */
  readonly null?: string;
  /** The table of a database. */
  readonly table?: string;
  /** The query whose rows are imported from a database. */
  readonly query?: string;
  readonly oneTransaction?: boolean;
  /** The most rows of a transaction. */
  readonly part?: number;
  /** The file that rejected rows go to. */
  readonly rejects?: string;
  /** Go on where an interrupted import of the file ended. */
  readonly resume?: boolean;
  /** The first row to import, from 1. */
  readonly fromRow?: number;
  readonly dryRun?: boolean;
}

export function refuseContradictions(file: string, options: ImportOptions): void {
  const { header, columns, rejects, oneTransaction, dryRun, resume, fromRow } = options;
  if (header && columns !== undefined) {
    throw new WrongUsage('--columns names the columns of a file without a header. Add --no-header.');
  }
  if (rejects !== undefined && (oneTransaction === true || dryRun === true)) {
    const option = dryRun === true ? '--dry-run' : '--one-transaction';
    throw new WrongUsage(`--rejects needs an import in parts. Leave out ${option}.`);
  }
  if (rejects !== undefined && file !== STANDARD_INPUT && resolve(rejects) === resolve(file)) {
    throw new WrongUsage('--rejects names the imported file itself. Name another file.');
  }
  if (resume === true && fromRow !== undefined)
    throw new WrongUsage('--resume finds the first row. Leave out --from-row.');
  if (resume === true && (oneTransaction === true || dryRun === true)) {
    throw new WrongUsage('--resume goes on with an import in parts. Leave it out.');
  }
}
