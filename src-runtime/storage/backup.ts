/**
 * A backup: the history of a store as lines of JSON, the same bytes whichever store it comes from.
 *
 * The first line names format and version. Then come the entries of the history (`copy-store.ts`), with at most 256 events a line. The
 * last line has the number of entries and the SHA-256 of all lines before it.
 */

import { createHash } from 'node:crypto';
import { appendEntries, entriesOf, type HistoryEntry } from './copy-store.js';
import { type EventStore, StorageError, type StoredEvent, type TransactionPart } from './event-store.js';

const FORMAT = 'entail-backup';
const VERSION = 1;
const LINE_EVENTS = 256;

export interface BackupCounts {
  readonly scopes: number;
  readonly forks: number;
  readonly transactions: number;
  readonly events: number;
}

/**
 * Each ends with a line feed. What was written before `compactBefore` (ms) is compacted. Throws if the history is rewritten meanwhile; a
 * backup without its last line is refused.
 */
export async function* backupLines(store: EventStore, compactBefore?: number): AsyncGenerator<string, void, undefined> {
  const hash = createHash('sha256');
  const counts = counting();
  const hashed = (line: object): string => {
    const text = `${JSON.stringify(line)}\n`;
    hash.update(text);
    return text;
  };
  const entries = inEqualParts(entriesOf(store, compactBefore));
  // Before the first line, so that a store that cannot be read fails the request.
  const first = await entries.next();
  yield hashed({ format: FORMAT, version: VERSION });
  for (let next = first; next.done !== true; next = await entries.next()) {
    const entry = next.value;
    counts.add(entry);
    yield hashed(lineOf(entry));
  }
  yield `${JSON.stringify({ kind: 'end', ...counts.all, sha256: hash.digest('hex') })}\n`;
}

/** Appends the history of a backup to an empty store. Throws a StorageError that names the line if the backup is damaged or cut short. */
export async function restoreBackup(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  to: EventStore,
): Promise<BackupCounts> {
  const counts = counting();
  async function* counted() {
    for await (const entry of entriesIn(chunks, name, counts)) {
      counts.add(entry);
      yield entry;
    }
  }
  await appendEntries(counted(), to);
  return counts.all;
}

/** Stores differ in how they divide the events of a long transaction. */
async function* inEqualParts(entries: AsyncIterable<HistoryEntry>): AsyncGenerator<HistoryEntry, void, undefined> {
  let waiting: StoredEvent[] = [];
  for await (const entry of entries) {
    if (entry.kind !== 'transaction') {
      yield entry;
      continue;
    }
    const { part } = entry;
    waiting = waiting.concat(part.events);
    let from = 0;
    while (waiting.length - from > LINE_EVENTS) {
      const events = waiting.slice(from, from + LINE_EVENTS);
      yield { kind: 'transaction', part: { ...part, events, isLast: false } };
      from += LINE_EVENTS;
    }
    waiting = waiting.slice(from);
    if (!part.isLast) continue;
    yield { kind: 'transaction', part: { ...part, events: waiting } };
    waiting = [];
  }
}

/** With its members in a fixed order. */
function lineOf(entry: HistoryEntry): object {
  switch (entry.kind) {
    case 'scope': {
      const { scopeId, tenant, schemaHash } = entry.record;
      return { kind: 'scope', scopeId, tenant, schemaHash };
    }
    case 'fork': {
      const { fork, txn, parent, baseSeq, status, createdAt, closedAt, label } = entry.record;
      return { kind: 'fork', fork, txn, parent, baseSeq, status, createdAt, closedAt, label };
    }
    case 'transaction': {
      const { txn, fork, at, cause, principal, events, isLast } = entry.part;
      return { kind: 'transaction', txn, fork, at, cause, principal, isLast, events };
    }
    case 'scopeEnd':
      return { kind: 'scopeEnd', txn: entry.last.txn, seq: entry.last.seq };
  }
}

function entryOf(line: Readonly<Record<string, unknown>>): HistoryEntry | undefined {
  const { kind, ...rest } = line;
  const fields: unknown = rest;
  if (kind === 'scope' || kind === 'fork') return { kind, record: fields } as HistoryEntry;
  if (kind === 'transaction') return { kind, part: fields as TransactionPart };
  return kind === 'scopeEnd' ? ({ kind, last: fields } as HistoryEntry) : undefined;
}

async function* entriesIn(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  counts: Counting,
): AsyncGenerator<HistoryEntry, void, undefined> {
  const hash = createHash('sha256');
  let number = 0;
  let isEnded = false;
  for await (const bytes of lines(chunks)) {
    number += 1;
    const line = parsed(bytes);
    if (number === 1) checkFirst(line, name);
    else if (isEnded || line === undefined) throw unreadable(name, number);
    else if (line['kind'] === 'end') {
      const { sha256 } = line;
      const expected = JSON.stringify({ kind: 'end', ...counts.all, sha256: hash.digest('hex') });
      if (JSON.stringify(line) !== expected) {
        throw new StorageError(`${name} is damaged: its lines do not match its checksum (${String(sha256)})`, 'failed');
      }
      isEnded = true;
    } else {
      const entry = entryOf(line);
      if (entry === undefined) throw unreadable(name, number);
      yield entry;
    }
    if (!isEnded) hash.update(bytes).update('\n');
  }
  if (number === 0) checkFirst(undefined, name);
  if (!isEnded) throw new StorageError(`${name} is cut short after line ${number}. Make the backup again`, 'failed');
}

function checkFirst(line: Readonly<Record<string, unknown>> | undefined, name: string): void {
  if (line?.['format'] !== FORMAT) throw new StorageError(`${name} is no backup of Entail`, 'failed');
  if (line['version'] === VERSION) return;
  const message = `${name} has version ${String(line['version'])}, and this Entail reads version ${VERSION}`;
  throw new StorageError(`${message}; restore it with the Entail that wrote it or a newer one`, 'failed');
}

function unreadable(name: string, line: number): StorageError {
  return new StorageError(`${name} is damaged in line ${line}`, 'failed');
}

function parsed(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The lines without their line feeds. Bytes behind the last one are a line too. */
async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let before: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      const piece = chunk.subarray(from, end);
      yield before.length === 0 ? piece : Buffer.concat([...before, piece]);
      before = [];
      from = end + 1;
    }
    if (from < chunk.length) before.push(chunk.subarray(from));
  }
  if (before.length > 0) yield Buffer.concat(before);
}

const LINE_FEED = 10;

interface Counting {
  readonly all: BackupCounts;
  add(entry: HistoryEntry): void;
}

function counting(): Counting {
  const all = { scopes: 0, forks: 0, transactions: 0, events: 0 };
  return {
    all,
    add(entry) {
      if (entry.kind === 'scope') all.scopes += 1;
      if (entry.kind === 'fork') all.forks += 1;
      if (entry.kind !== 'transaction') return;
      all.transactions += entry.part.isLast ? 1 : 0;
      all.events += entry.part.events.length;
    },
  };
}
