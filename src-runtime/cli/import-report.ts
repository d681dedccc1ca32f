/** How far an import came: what `entail import` says on stderr, and where an interrupted one goes on. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Client } from '../api/client.js';
import { ApiFailure } from '../api/failures.js';
import type { ImportFailure, ImportTarget } from '../api/schemas/import-schemas.js';
import type { ParsedFile } from '../api/tables/import-file.js';
import type { RejectedRow } from '../api/tables/row-lines.js';
import { type ConnectionOptions, whereOf } from './connect.js';
import { CommandFailure } from './terminal.js';

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

/** Identifies an import: what takes the rows, the size of the file and its first rows. */
export function sourceId(target: ImportTarget, size: number | undefined, { columns, records }: ParsedFile): string {
  const identity = JSON.stringify([target, size, columns, records.slice(0, ROWS_COMPARED)]);
  return bytesToHex(sha256(utf8ToBytes(identity))).slice(0, ID_LENGTH);
}

const ROWS_COMPARED = 100;
const ID_LENGTH = 32;
const PAGE_ROWS = 500;

/** How many rows of the file are done, which the server stores in the transaction of each part. Throws CommandFailure if the server knows nothing of it. */
export async function savedRows(client: Client, id: string, file: string, options: ConnectionOptions): Promise<number> {
  let page: string | undefined;
  do {
    const { result, nextCursor } = await client.transactions({ ...whereOf(options), limit: PAGE_ROWS, page });
    for (const { cause } of result) if ('source' in cause && cause.source?.id === id) return cause.source.rows;
    page = nextCursor;
  } while (page !== undefined);
  throw new CommandFailure(
    `Nothing of ${file} is imported, or the file has changed since. Import it without --resume, or name its first row with --from-row.`,
  );
}
