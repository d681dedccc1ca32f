/**
 * Serializes changes: records of the journal, and the events of a transaction in parts, each a row of the database. Events are
 * serialized once for both.
 */

import { causeOfSentence } from './cause.js';
import type { Change } from './database.js';
import { isRun, lastSeqOf, singleEvents } from './event-runs.js';
import type { StoredTransaction, WrittenEvent, WrittenTransaction } from './event-store.js';

/** Consecutive events of a transaction. */
export interface EventsPart {
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** A JSON array. */
  readonly text: string;
}

export interface WrittenChange {
  readonly change: Change;
  /** JSON of the change without its events. */
  readonly head: string;
  /** The events of its transaction, in order; empty without a transaction. */
  readonly parts: readonly EventsPart[];
  /** Why the numbers of its events are not increasing. */
  readonly disorder?: string;
}

export interface Written {
  readonly changes: readonly WrittenChange[];
  readonly characters: number;
}

/** A part has about this much text, unless a single event has more. */
const PART_CHARACTERS = 32_768;

/** Events that are serialized at once. */
const PIECE_EVENTS = 64;

/** Yields after each part except the last, so that short changes take one step. */
export function* written(changes: readonly Change[]): Generator<void, Written> {
  const all: WrittenChange[] = [];
  let characters = 0;
  for (const change of changes) {
    const { parts, disorder } = yield* partsOf(transactionOf(change)?.events ?? []);
    const head = headOf(change, parts);
    characters = parts.reduce((sum, { text }) => sum + text.length, characters + head.length);
    all.push({ change, head, parts, ...(disorder !== undefined && { disorder }) });
  }
  return { changes: all, characters };
}

/**
 * The text of a journal record, in pieces: the changes without their events on the first line, then each part of events on a line. So
 * a record may be longer than the longest string, and is read without parsing its events.
 */
export function recordOf(changes: readonly WrittenChange[]): readonly string[] {
  const pieces: string[] = [];
  let piece = '[';
  const add = (text: string): void => {
    piece += text;
    if (piece.length < PART_CHARACTERS) return;
    pieces.push(piece);
    piece = '';
  };
  for (const [at, { head }] of changes.entries()) add(at === 0 ? head : `,${head}`);
  add(']');
  for (const { parts } of changes) for (const { text } of parts) add(`\n${text}`);
  if (piece !== '') pieces.push(piece);
  return pieces;
}

/** Reads a journal record. Yields between parts. */
export function* readRecord(version: number, payload: Uint8Array): Generator<void, readonly WrittenChange[]> {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  if (version < LINES_VERSION) return (yield* written(readChanges(bytes.toString('utf8')))).changes;
  let start = 0;
  const line = (): string => {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found === -1 ? bytes.length : found;
    const text = bytes.toString('utf8', start, end);
    start = end + 1;
    return text;
  };
  const changes: WrittenChange[] = [];
  for (const head of JSON.parse(line()) as readonly RecordHead[]) {
    const parts: EventsPart[] = [];
    for (const [firstSeq, lastSeq] of head.parts) {
      parts.push({ firstSeq, lastSeq, text: line() });
      yield;
    }
    changes.push({ change: head.change, head: '', parts });
  }
  return changes;
}

/** The first journal format with parts on lines. */
const LINES_VERSION = 4;
const NEWLINE = 10;

interface RecordHead {
  /** Its transaction has no events. */
  readonly change: Change;
  /** The first and last event of each part. */
  readonly parts: readonly (readonly [number, number])[];
}

/** The changes of a record up to format 3. Up to format 2 it holds causes as sentences. */
function readChanges(text: string): readonly Change[] {
  const changes = JSON.parse(text) as Change[];
  return changes.map((change) => {
    if (change.kind === 'append') return { ...change, transaction: readTransaction(change.transaction) };
    if (change.kind !== 'closeFork' || change.promoted === undefined) return change;
    return { ...change, promoted: readTransaction(change.promoted) };
  });
}

/** Its events are single, because a run in parsed JSON is no text. */
function readTransaction(transaction: WrittenTransaction): StoredTransaction {
  const { cause, events } = transaction as StoredTransaction & { readonly cause: StoredTransaction['cause'] | string };
  return {
    ...transaction,
    events: singleEvents(events),
    ...(typeof cause === 'string' && { cause: causeOfSentence(cause) }),
  };
}

function transactionOf(change: Change): WrittenTransaction | undefined {
  if (change.kind === 'append') return change.transaction;
  return change.kind === 'closeFork' ? change.promoted : undefined;
}

function* partsOf(events: readonly WrittenEvent[]): Generator<void, Omit<WrittenChange, 'change' | 'head'>> {
  const parts: EventsPart[] = [];
  let disorder: string | undefined;
  let text = '';
  let [firstSeq, last] = [0, Number.NEGATIVE_INFINITY];
  for (let start = 0; start < events.length; ) {
    const piece = pieceAt(events, start);
    for (const event of piece) {
      const { seq } = event;
      if (!Number.isSafeInteger(seq) || seq <= last) disorder ??= `event ${seq} does not come after event ${last}`;
      last = lastSeqOf(event);
    }
    if (text === '') firstSeq = piece[0]?.seq ?? 0;
    text += `${text === '' ? '[' : ','}${textOf(piece)}`;
    start += piece.length;
    const isLast = start >= events.length;
    if (text.length < PART_CHARACTERS && !isLast) continue;
    parts.push({ firstSeq, lastSeq: last, text: `${text}]` });
    text = '';
    if (!isLast) yield;
  }
  return { parts, ...(disorder !== undefined && { disorder }) };
}

/** The next events, which are serialized at once: a run, or single ones. */
function pieceAt(events: readonly WrittenEvent[], start: number): readonly WrittenEvent[] {
  let end = start + 1;
  const isSingle = (at: number): boolean => at < events.length && !isRun(events[at] as WrittenEvent);
  if (isSingle(start)) while (end < start + PIECE_EVENTS && isSingle(end)) end += 1;
  return events.slice(start, end);
}

function textOf(piece: readonly WrittenEvent[]): string {
  const [first] = piece;
  if (first === undefined || !isRun(first)) return JSON.stringify(piece).slice(1, -1);
  // A part is one line of a record. Between JSON tokens a space is as good.
  return first.text.includes('\n') ? first.text.replaceAll('\n', ' ') : first.text;
}

function headOf(change: Change, parts: readonly EventsPart[]): string {
  const bare =
    change.kind === 'append'
      ? { ...change, transaction: { ...change.transaction, events: [] } }
      : change.kind === 'closeFork' && change.promoted !== undefined
        ? { ...change, promoted: { ...change.promoted, events: [] } }
        : change;
  return JSON.stringify({
    change: bare,
    parts: parts.map(({ firstSeq, lastSeq }) => [firstSeq, lastSeq]),
  } satisfies RecordHead);
}
