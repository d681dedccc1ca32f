/** Reads scopes and their history, on any connection or in one snapshot. Histories are read in pages, so that memory is bounded. */

import type {
  Entry,
  ForkRecord,
  ForkStatus,
  LastNumbers,
  Position,
  ScopeRecord,
  TransactionPart,
} from '../event-store.js';
import type { Session } from './connections.js';
import { type EntryRow, entryOf, type PartRow, partOf } from './entries.js';

/** The row of a scope. */
export interface HeadRow extends Position {
  readonly key: string;
  readonly last_txn: number;
  readonly last_seq: number;
  readonly fence: number;
  readonly rewritten_txn: number;
}

export interface ScopeRow {
  readonly scope_id: string;
  readonly tenant: string;
  readonly schema_hash: string;
}

export function recordOfRow({ scope_id, tenant, schema_hash }: ScopeRow): ScopeRecord {
  return { scopeId: scope_id, tenant, schemaHash: schema_hash };
}

export interface ForkRow {
  readonly fork: string;
  readonly txn: number;
  readonly parent: string;
  readonly base_seq: number;
  readonly status: ForkStatus;
  readonly created_at: string;
  readonly closed_at: string | null;
  readonly label: string | null;
}

export function forkOfRow({ fork, txn, parent, status, ...row }: ForkRow): ForkRecord {
  return {
    ...{ fork, txn, parent, baseSeq: row.base_seq, status, createdAt: row.created_at },
    ...(row.closed_at === null ? {} : { closedAt: row.closed_at }),
    ...(row.label === null ? {} : { label: row.label }),
  };
}

export async function forks(session: Session, scopeId: string): Promise<readonly ForkRecord[]> {
  return (await session.rows<ForkRow>('forks', [scopeId])).map(forkOfRow);
}

export async function lastNumbers(session: Session, scopeId: string): Promise<LastNumbers> {
  const [head] = await session.rows<HeadRow>('head', [scopeId]);
  return { txn: head?.last_txn ?? 0, seq: head?.last_seq ?? 0 };
}

/** See `EventStore.read`. */
export async function* read(
  session: Session,
  scopeId: string,
  fork: string,
  afterTxn: number,
  afterSeq: number,
): AsyncGenerator<TransactionPart, void, undefined> {
  // Higher than the number of any part.
  let after = [afterTxn, PARTS_MAX];
  let first: TransactionPart | undefined;
  const page = (limit: number) => session.rows<PartRow>('read', [scopeId, fork, ...after, afterSeq, limit]);
  for await (const row of pages(page)) {
    after = [row.txn, row.part];
    const part = partOf(fork, row, first);
    if (row.part === 0) first = part;
    yield part;
  }
}

const PARTS_MAX = 2 ** 31 - 1;

/** See `EventStore.readBack`. */
export async function* readBack(
  session: Session,
  scopeId: string,
  fork: string,
  beforeTxn: number,
): AsyncGenerator<TransactionPart, void, undefined> {
  let before = beforeTxn;
  for await (const row of pages((limit) => session.rows<PartRow>('readBack', [scopeId, fork, before, limit]))) {
    before = row.txn;
    yield partOf(fork, row);
  }
}

/** See `SharedStore.entriesAfter`. */
export async function* entriesAfter(
  session: Session,
  scopeId: string,
  version: number,
): AsyncGenerator<Entry, void, undefined> {
  let after = [version, PARTS_MAX];
  let first: TransactionPart | undefined;
  for await (const row of pages((limit) => session.rows<EntryRow>('entriesAfter', [scopeId, ...after, limit]))) {
    after = [row.version, row.ordinal];
    const entry = entryOf(row, first);
    if (entry.kind === 'transaction' && row.part === 0) first = entry.part;
    yield entry;
  }
}

/** About so many characters are read at once. */
const PAGE_CHARACTERS = 1 << 20;
const PAGE_ROWS = { first: 64, max: 4096 };

/** Reads pages until one is short, with more rows a page if they are small. */
export async function* pages<Row extends { readonly body: string }>(
  page: (limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void, undefined> {
  for (let limit = PAGE_ROWS.first; ; ) {
    const rows = await page(limit);
    yield* rows;
    if (rows.length < limit) return;
    const characters = rows.reduce((sum, { body }) => sum + body.length, 1);
    limit = Math.max(1, Math.min(PAGE_ROWS.max, 4 * limit, Math.floor((limit * PAGE_CHARACTERS) / characters)));
  }
}
