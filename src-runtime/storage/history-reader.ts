/** Reads the history of a fork: older transactions from sealed segments, the others from the current database. */

import type { Database } from './database.js';
import type { TransactionPart } from './event-store.js';
import type { SegmentOfFork, Segments } from './segments.js';

/** The databases that hold the history. */
export interface HistorySource {
  readonly segments: Segments;
  /** Readers take turns, with a turn of the event loop for each, so that many who follow the history block no request. */
  nextRead(): Promise<void>;
  /** Reads the current database. */
  current<T>(work: (database: Database) => T): T;
}

/** See `EventStore.read`. */
export async function* readForwards(
  source: HistorySource,
  scopeId: string,
  fork: string,
  afterTxn: number,
  afterSeq: number,
): AsyncGenerator<TransactionPart, void, undefined> {
  let last = afterTxn;
  for (;;) {
    const chunk = await readChunk(source, { direction: 'read', scopeId, fork, from: last });
    const end = chunk.at(-1);
    if (end === undefined) return;
    yield* chunk;
    if (!end.isLast) yield* readRest(source, scopeId, end, afterSeq);
    last = end.txn;
  }
}

/** See `EventStore.readBack`. */
export async function* readBackwards(
  source: HistorySource,
  scopeId: string,
  fork: string,
  beforeTxn: number,
): AsyncGenerator<TransactionPart, void, undefined> {
  let last = beforeTxn;
  for (;;) {
    const chunk = await readChunk(source, { direction: 'readBack', scopeId, fork, from: last });
    const end = chunk.at(-1);
    if (end === undefined) return;
    yield* chunk;
    last = end.txn;
  }
}

interface ChunkRequest {
  readonly direction: 'read' | 'readBack';
  readonly scopeId: string;
  readonly fork: string;
  readonly from: number;
}

/** Looks up the scope and its segments anew for each chunk, because an adoption or a rewrite may have replaced them. */
async function readChunk(source: HistorySource, request: ChunkRequest): Promise<readonly TransactionPart[]> {
  for (;;) {
    await source.nextRead();
    const chunk = request.direction === 'read' ? await chunkAfter(source, request) : await chunkBefore(source, request);
    if (chunk !== undefined) return chunk;
  }
}

/** Undefined if a segment was replaced meanwhile. */
async function chunkAfter(
  { segments, current }: HistorySource,
  { scopeId, fork, from }: ChunkRequest,
): Promise<readonly TransactionPart[] | undefined> {
  const scope = current((database) => database.scopeKey(scopeId));
  if (scope === undefined) return [];
  const read = (database: Database) => database.readChunk('read', scope, fork, from);
  const sealed = segments.of(scope, fork);
  const at = sealed.findIndex(({ lastTxn }) => lastTxn > from);
  const found = sealed[at];
  if (found === undefined) return current(read);
  const chunk = await segments.use(found.segment, read);
  return chunk?.map((part) => withRest(part, sealed[at + 1]));
}

async function chunkBefore(
  { segments, current }: HistorySource,
  { scopeId, fork, from }: ChunkRequest,
): Promise<readonly TransactionPart[] | undefined> {
  const scope = current((database) => database.scopeKey(scopeId));
  if (scope === undefined) return [];
  const read = (database: Database) => database.readChunk('readBack', scope, fork, from);
  const recent = current(read);
  if (recent.length > 0) return recent;
  const sealed = segments.of(scope, fork);
  for (let at = sealed.findLastIndex(({ firstTxn }) => firstTxn < from); at >= 0; at -= 1) {
    const found = sealed[at];
    const chunk = found && (await segments.use(found.segment, read));
    // A segment may hold only later parts of a transaction that begins in the one before it.
    if (chunk === undefined || chunk.length > 0) return chunk?.map((part) => withRest(part, sealed[at + 1]));
  }
  return [];
}

/** A long transaction may go on in the next segment. */
function withRest(part: TransactionPart, next: SegmentOfFork | undefined): TransactionPart {
  return next?.firstTxn === part.txn ? { ...part, isLast: false } : part;
}

/** The later parts of a long transaction. */
async function* readRest(
  source: HistorySource,
  scopeId: string,
  first: TransactionPart,
  afterSeq: number,
): AsyncGenerator<TransactionPart, void, undefined> {
  const { fork, txn } = first;
  let seq = Math.max(first.events.at(-1)?.seq ?? 0, afterSeq);
  for (let skipped = 0; ; ) {
    await source.nextRead();
    const scope = source.current((database) => database.scopeKey(scopeId));
    if (scope === undefined) return;
    const holding = source.segments.of(scope, fork).filter((each) => each.firstTxn <= txn && txn <= each.lastTxn);
    const next = holding[skipped];
    const read = (database: Database) => database.readMore(scope, first, seq);
    const parts = next === undefined ? source.current(read) : await source.segments.use(next.segment, read);
    if (parts === undefined) continue;
    const end = parts.at(-1);
    const isEndOfSegment = end === undefined || end.isLast;
    const goesOn = skipped < holding.length - 1;
    yield* parts.map((part) => (goesOn ? { ...part, isLast: false } : part));
    if (isEndOfSegment && !goesOn) return;
    if (isEndOfSegment) skipped += 1;
    seq = end?.events.at(-1)?.seq ?? seq;
  }
}
