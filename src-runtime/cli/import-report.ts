/** What `entail import` says on stderr: rows that were rejected, what is saved, and how to go on. */

import { ApiFailure } from '../api/failures.js';
import type { ImportFailure } from '../api/schemas/import-schemas.js';
import type { ParsedFile } from '../api/tables/import-file.js';
import type { RejectedRow } from '../api/tables/row-lines.js';

type Reasons = Pick<RejectedRow, 'place' | 'problems'>;

/** Most rows listed, one per line. */
const SHOWN_ROWS_MAX = 20;

export function rowLines({ separator }: ParsedFile, rejected: readonly Reasons[], behind = ''): string {
  // Only text with separators has lines.
  const word = separator === undefined ? 'row' : 'line';
  const all = rejected.flatMap(({ place, problems }) =>
    problems.map(({ message }) => `${word} ${place}: ${message}\n`),
  );
  const more = all.length - SHOWN_ROWS_MAX;
  return `${all.slice(0, SHOWN_ROWS_MAX).join('')}${more > 0 ? `and ${more} more${behind}\n` : ''}`;
}

/** The rows that the server names in a failure. */
export function failedRows(sample: ParsedFile, { details }: ApiFailure, placeOf: (row: number) => number): string {
  const failures = (details['failures'] ?? []) as readonly ImportFailure[];
  const isCut = details['cut'] === true;
  const rejected = failures.map(({ row, message }) => ({ place: placeOf(row), problems: [{ field: '', message }] }));
  const lines = rowLines(sample, rejected, isCut ? '; later rows were not checked' : '');
  return isCut && failures.length <= SHOWN_ROWS_MAX ? `${lines}there may be more\n` : lines;
}

/** What is saved of a file after an import that did not reach its end. */
export function savedText(done: number, rejected: number): string {
  if (done === 0) return 'Nothing was imported.\n';
  const except = rejected > 0 ? `, except ${rejected} that were rejected` : '';
  return `The first ${done} rows are imported${except}. To go on, add --from-row ${done + 1}.\n`;
}

/** Whether smaller parts may help. */
export function isTooMuch(error: unknown): error is ApiFailure {
  if (!(error instanceof ApiFailure)) return false;
  return error.code === 'SVC_RUNTIME_REQUEST_TOO_LARGE' || error.code === 'SVC_RUNTIME_REQUEST_TIMEOUT';
}

export function sizeHint({ code }: ApiFailure, isWhole: boolean): string {
  const option = code === 'SVC_RUNTIME_REQUEST_TOO_LARGE' ? '--body-limit' : '--timeout-ms';
  return isWhole
    ? `The server cannot take the file in one transaction. Start it with a larger ${option}, or import in parts.`
    : `A single row exceeds the limit of the server. Start it with a larger ${option}.`;
}
