/** Finds out how far an interrupted import came. The server stores that with each part, in the same transaction. */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Client } from '../api/client.js';
import type { ImportTarget } from '../api/schemas/import-schemas.js';
import type { ParsedFile } from '../api/tables/import-file.js';
import { type ConnectionOptions, whereOf } from './connect.js';
import { CommandFailure } from './terminal.js';

/** Identifies an import: what takes the rows, the size of the file and its first rows. */
export function sourceId(target: ImportTarget, size: number | undefined, { columns, records }: ParsedFile): string {
  const identity = JSON.stringify([target, size, columns, records.slice(0, ROWS_COMPARED)]);
  return bytesToHex(sha256(utf8ToBytes(identity))).slice(0, ID_LENGTH);
}

const ROWS_COMPARED = 100;
const ID_LENGTH = 32;
const PAGE_ROWS = 500;

/** How many rows of the file are done. Throws CommandFailure if the server knows nothing of it. */
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
