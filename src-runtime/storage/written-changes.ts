/**
 * Serializes changes: one text for the journal, in pieces, and the events of a transaction in parts, each a row of the database. Events
 * are serialized once for both.
 */

import { causeOfSentence } from './cause.js';
import type { Change } from './database.js';
import type { StoredTransaction } from './event-store.js';

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
    if (change.kind === 'append') return { ...change, transaction: withTaggedCause(change.transaction) };
    if (change.kind !== 'closeFork' || change.promoted === undefined) return change;
    return { ...change, promoted: withTaggedCause(change.promoted) };
  });
}

function withTaggedCause(transaction: StoredTransaction): StoredTransaction {
  const { cause } = transaction as { readonly cause: StoredTransaction['cause'] | string };
  return typeof cause === 'string' ? { ...transaction, cause: causeOfSentence(cause) } : transaction;
}

function transactionOf(change: Change): StoredTransaction | undefined {
  if (change.kind === 'append') return change.transaction;
  return change.kind === 'closeFork' ? change.promoted : undefined;
}

function* partsOf(events: StoredTransaction['events']): Generator<void, Omit<WrittenChange, 'change'>> {
  const parts: EventsPart[] = [];
  let disorder: string | undefined;
  let text = '';
  let [firstSeq, last] = [0, Number.NEGATIVE_INFINITY];
  for (let start = 0; start < events.length; start += PIECE_EVENTS) {
    const piece = events.slice(start, start + PIECE_EVENTS);
    for (const { seq } of piece) {
      if (!Number.isSafeInteger(seq) || seq <= last) disorder ??= `event ${seq} does not come after event ${last}`;
      last = seq;
    }
    if (text === '') firstSeq = piece[0]?.seq ?? 0;
    text += `${text === '' ? '[' : ','}${JSON.stringify(piece).slice(1, -1)}`;
    const isLast = start + PIECE_EVENTS >= events.length;
    if (text.length < PART_CHARACTERS && !isLast) continue;
    parts.push({ firstSeq, lastSeq: last, text: `${text}]` });
    text = '';
    if (!isLast) yield;
  }
  return { parts, ...(disorder !== undefined && { disorder }) };
}

/** The change as JSON, with the serialized events in place. */
function textsOf(
  change: Change,
  transaction: StoredTransaction | undefined,
  parts: readonly EventsPart[],
): readonly string[] {
  if (transaction === undefined) return [JSON.stringify(change)];
  const member = change.kind === 'append' ? 'transaction' : 'promoted';
  const around = JSON.stringify({ ...change, [member]: undefined });
  const head = JSON.stringify({ ...transaction, events: undefined });
  const events = parts.flatMap(({ text }, at) => [at === 0 ? '' : ',', text.slice(1, -1)]);
  return [`${around.slice(0, -1)},"${member}":${head.slice(0, -1)},"events":[`, ...events, ']}}'];
}
