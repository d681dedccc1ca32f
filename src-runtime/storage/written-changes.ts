/**
 * Serializes changes: one text for the journal, in pieces, and the events of a transaction in parts, each a row of the database. Events
 * are serialized once for both.
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
  /** The events of its transaction, in order; empty without a transaction. */
  readonly parts: readonly EventsPart[];
  /** Why the numbers of its events are not increasing. */
  readonly disorder?: string;
}

export interface Written {
  readonly changes: readonly WrittenChange[];
  /** All changes as the items of a JSON array. */
  readonly texts: readonly string[];
  readonly characters: number;
}

/** A part has about this much text, unless a single event has more. */
const PART_CHARACTERS = 32_768;

/** Events that are serialized at once. */
const PIECE_EVENTS = 64;

/** Yields after each part except the last, so that short changes take one step. */
export function* written(changes: readonly Change[]): Generator<void, Written> {
  const all: WrittenChange[] = [];
  const texts: string[] = [];
  for (const change of changes) {
    const transaction = transactionOf(change);
    const { parts, disorder } = yield* partsOf(transaction?.events ?? []);
    if (all.length > 0) texts.push(',');
    texts.push(...textsOf(change, transaction, parts));
    all.push({ change, parts, ...(disorder !== undefined && { disorder }) });
  }
  return { changes: all, texts, characters: texts.reduce((sum, { length }) => sum + length, 0) };
}

/** The changes of a journal record. Journals up to format 2 hold causes as sentences. */
export function readChanges(text: string): readonly Change[] {
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

function* partsOf(events: readonly WrittenEvent[]): Generator<void, Omit<WrittenChange, 'change'>> {
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
  return first !== undefined && isRun(first) ? first.text : JSON.stringify(piece).slice(1, -1);
}

/** The change as JSON, with the serialized events in place. */
function textsOf(
  change: Change,
  transaction: WrittenTransaction | undefined,
  parts: readonly EventsPart[],
): readonly string[] {
  if (transaction === undefined) return [JSON.stringify(change)];
  const member = change.kind === 'append' ? 'transaction' : 'promoted';
  const around = JSON.stringify({ ...change, [member]: undefined });
  const head = JSON.stringify({ ...transaction, events: undefined });
  const events = parts.flatMap(({ text }, at) => [at === 0 ? '' : ',', text.slice(1, -1)]);
  return [`${around.slice(0, -1)},"${member}":${head.slice(0, -1)},"events":[`, ...events, ']}}'];
}
