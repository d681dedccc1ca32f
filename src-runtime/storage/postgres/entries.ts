/** Rows of `entail_entries`: from changes, and back to entries and parts of transactions. */

import type { Cause } from '../cause.js';
import { readEvents } from '../event-runs.js';
import type { Entry, ForkClosing, ForkLabelling, ForkRecord, TransactionPart } from '../event-store.js';
import type { WrittenChange } from '../written-changes.js';
import type { Value } from './connections.js';

/** A row without its scope. The values are in the order of the columns. */
export interface NewEntry {
  /** The place of its write in the group, from 1. */
  readonly rank: number;
  /** The place of the row in its write. */
  readonly ordinal: number;
  readonly kind: Entry['kind'];
  readonly fork: string | null;
  readonly txn: number;
  readonly part: number;
  readonly isLast: boolean;
  readonly lastSeq: number;
  readonly at: string;
  readonly cause: string;
  readonly principal: string | null;
  readonly body: string;
}

/** The rows of one write. */
export function newEntries(changes: readonly WrittenChange[], rank: number): readonly NewEntry[] {
  const rows: NewEntry[] = [];
  const other = (kind: Entry['kind'], txn: number, body: object): void => {
    const empty = { fork: null, part: 0, isLast: true, lastSeq: 0, at: '', cause: '', principal: null };
    rows.push({ rank, ordinal: rows.length, kind, txn, ...empty, body: JSON.stringify(body) });
  };
  for (const { change, parts } of changes) {
    const transaction = change.kind === 'append' ? change.transaction : change.kind === 'closeFork' && change.promoted;
    if (transaction) {
      const { fork, txn, at, cause, principal } = transaction;
      const texts = parts.length === 0 ? [{ lastSeq: 0, text: '[]' }] : parts;
      for (const [part, { lastSeq, text }] of texts.entries()) {
        const head = part === 0 ? { at, cause: JSON.stringify(cause), principal } : { at, cause: '', principal: null };
        const isLast = part === texts.length - 1;
        const ordinal = rows.length;
        rows.push({ rank, ordinal, kind: 'transaction', fork, txn, part, isLast, lastSeq, ...head, body: text });
      }
    }
    if (change.kind === 'createFork') other('createFork', change.fork.txn, change.fork);
    if (change.kind === 'closeFork') other('closeFork', change.closing.txn, change.closing);
    if (change.kind === 'labelFork') other('labelFork', change.labelling.txn, change.labelling);
  }
  return rows;
}

/** An array a column. */
export function columnsOf(rows: readonly NewEntry[]): readonly Value[] {
  const column = <K extends keyof NewEntry>(name: K) => rows.map((row) => row[name]);
  return [
    ...[column('rank'), column('ordinal'), column('kind'), column('fork'), column('txn'), column('part')],
    ...[column('isLast'), column('lastSeq'), column('at'), column('cause'), column('principal'), column('body')],
  ];
}

/** A part of a transaction. Only the first part of each has cause and principal. */
export interface PartRow {
  readonly txn: number;
  readonly part: number;
  readonly is_last: boolean;
  readonly written_at: string;
  readonly cause: string;
  readonly principal: string | null;
  readonly body: string;
}

/** `first` is an earlier part of the transaction. */
export function partOf(fork: string, row: PartRow, first?: TransactionPart): TransactionPart {
  const { txn, is_last: isLast, written_at: at, body } = row;
  const { cause, principal } = row.part === 0 || first === undefined ? ownHead(row) : first;
  return { fork, txn, at, cause, principal, events: readEvents(body), isLast };
}

function ownHead({ cause, principal }: PartRow): Pick<TransactionPart, 'cause' | 'principal'> {
  return { cause: cause === '' ? { kind: 'other', text: '' } : (JSON.parse(cause) as Cause), principal };
}

export interface EntryRow extends PartRow {
  readonly version: number;
  readonly ordinal: number;
  readonly kind: Entry['kind'];
  readonly fork: string | null;
}

export function entryOf(row: EntryRow, first?: TransactionPart): Entry {
  const { version, kind, body } = row;
  switch (kind) {
    case 'transaction':
      return { version, kind, part: partOf(row.fork ?? '', row, first) };
    case 'createFork':
      return { version, kind, fork: JSON.parse(body) as ForkRecord };
    case 'closeFork':
      return { version, kind, closing: JSON.parse(body) as ForkClosing };
    case 'labelFork':
      return { version, kind, labelling: JSON.parse(body) as ForkLabelling };
  }
}
