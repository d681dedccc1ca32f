/**
 * The port behind which histories are kept: scopes, forks, transactions and events, and nothing of rules. Everything is
 * asynchronous, so that an engine on another machine can stand behind it.
 */

import type { Json } from '../artifact/types.js';
import type { Cause } from './cause.js';
import type { Renaming } from './renaming.js';

export type { Cause } from './cause.js';
// What a history says under other names is part of the port, as `redactor` is: the world reads by it before a store writes by it.
export { type Renaming, renamedValue, renamer, takenNames } from './renaming.js';

export const MAIN_FORK = 'main';

export interface ScopeRecord {
  readonly scopeId: string;
  /** Whom the id was made from; two tenants under one id are a configuration fault that the caller detects. */
  readonly tenant: string;
  readonly schemaHash: string;
}

export type ForkStatus = 'open' | 'promoted' | 'aborted';

export interface ForkRecord {
  readonly fork: string;
  /**
   * The number that its creation took among the scope's transactions: it sees what its parent did below it, its own
   * transactions come above it, and it tells a fork from an aborted one of the same id.
   */
  readonly txn: number;
  readonly parent: string;
  /** The scope's last event when it was created: of its parent, the fork sees events up to this one. */
  readonly baseSeq: number;
  readonly status: ForkStatus;
  readonly createdAt: string;
  readonly closedAt?: string;
  /** What people call it; no other part of a history names it so. */
  readonly label?: string;
}

/** A fork, open or closed, is called otherwise from now on. */
export interface ForkLabelling {
  readonly fork: string;
  /** The fork's own number, that of its creation. */
  readonly txn: number;
  /** Null takes the label away. */
  readonly label: string | null;
}

/** The end of an open fork. */
export interface ForkClosing {
  readonly fork: string;
  /** The fork's own number, that of its creation. */
  readonly txn: number;
  readonly status: Exclude<ForkStatus, 'open'>;
  readonly closedAt: string;
}

/** One change. Tuples and values are wire values, individuals by id (`#i3`) or declared path (`@lease::acme`). */
export type EventBody =
  | { readonly kind: 'insertIndividual'; readonly id: string; readonly concept: string }
  | { readonly kind: 'deleteIndividual'; readonly id: string; readonly concept: string }
  /** `value` null clears the field. */
  | { readonly kind: 'setField'; readonly id: string; readonly field: string; readonly value: Json }
  | { readonly kind: 'insertFact'; readonly relation: string; readonly tuple: readonly Json[] }
  | { readonly kind: 'deleteFact'; readonly relation: string; readonly tuple: readonly Json[] }
  /** Deletes; the append that brings it erases the individual from the history. */
  | { readonly kind: 'forgetIndividual'; readonly id: string; readonly concept: string }
  /** What is left of an event that told of the forgotten individual `id`; `clears` a field of another that referred to it. */
  | {
      readonly kind: 'redacted';
      readonly id: string;
      readonly clears?: { readonly id: string; readonly field: string };
    };

/** The last numbers that a scope has given out. */
export interface LastNumbers {
  readonly txn: number;
  readonly seq: number;
}

/** `seq` is unique and increasing in its scope, over all its forks. */
export type StoredEvent = EventBody & { readonly seq: number };

export interface StoredTransaction {
  readonly fork: string;
  /** Unique and increasing in its scope, over all its forks. */
  readonly txn: number;
  /** ISO instant. */
  readonly at: string;
  readonly cause: Cause;
  readonly principal: string | null;
  readonly events: readonly StoredEvent[];
}

/** A transaction with some of its events, as long ones are read: in order, one part after the other. */
export interface TransactionPart extends StoredTransaction {
  readonly isLast: boolean;
}

/** Which individuals an append erases, and how to tell a mention of one from a text that reads alike. */
export interface Erasure {
  readonly individuals: readonly string[];
  /** By relation or field: the positions of tuples that hold no individuals. What is not listed counts as a mention. */
  readonly plainPositions: Readonly<Record<string, readonly number[]>>;
}

/** Makes of an event one without anything that it said of erased individuals; itself where it said nothing of them. */
export function redactor({ individuals, plainPositions }: Erasure): (event: StoredEvent) => StoredEvent {
  const erased = new Set<Json>(individuals);
  const mentioned = (path: string, tuple: readonly Json[]): string | undefined => {
    const at = tuple.findIndex((value, index) => erased.has(value) && !plainPositions[path]?.includes(index));
    return at === -1 ? undefined : (tuple[at] as string);
  };
  return (event) => {
    const { seq } = event;
    switch (event.kind) {
      case 'insertIndividual':
      case 'deleteIndividual':
        return erased.has(event.id) ? { kind: 'redacted', seq, id: event.id } : event;
      case 'setField': {
        if (erased.has(event.id)) return { kind: 'redacted', seq, id: event.id };
        const id = mentioned(event.field, [event.id, event.value]);
        return id === undefined ? event : { kind: 'redacted', seq, id, clears: { id: event.id, field: event.field } };
      }
      case 'insertFact':
      case 'deleteFact': {
        const id = mentioned(event.relation, event.tuple);
        return id === undefined ? event : { kind: 'redacted', seq, id };
      }
      case 'redacted':
        return event.clears && erased.has(event.clears.id) ? { kind: 'redacted', seq, id: event.id } : event;
      case 'forgetIndividual':
        return event;
    }
  };
}

/** Storage refused or failed. `unreachable` where the directory is gone or not writable at all. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly reason: 'failed' | 'unreachable';
  /** What the system says and what to do, without any place: `the disk is full; free some space`. */
  readonly why: string | undefined;
  /**
   * The disk refused a write half way and then its undoing: a process that ends now may find it kept. Readers do not see it,
   * and it is undone before anything else is written.
   */
  readonly isUnknown: boolean;
  constructor(
    message: string,
    reason: 'failed' | 'unreachable',
    {
      why,
      isUnknown = false,
      ...options
    }: { cause?: unknown; why?: string | undefined; isUnknown?: boolean | undefined } = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.why = why;
    this.isUnknown = isUnknown;
  }
}

/** What becomes of scopes under another schema. */
export interface SchemaAdoption {
  readonly schemaHash: string;
  /** Those that it fits, for which it is recorded. */
  readonly scopeIds: readonly string[];
  /** Every event of theirs, in all their forks, is replaced by what `renamer` makes of it. */
  readonly renaming?: Renaming | undefined;
  /**
   * All of such a scope gets another id, under which nothing is stored yet. An empty one of the same tenant, under the schema,
   * takes its place and goes on from its numbers, so that no event of the one is ever taken for one of the other.
   */
  readonly setAside?: readonly { readonly scopeId: string; readonly asideId: string }[];
  /** Becomes `lastAdoption` with it. A safe integer above 0, by which the caller knows whether a crash left it in force. */
  readonly id?: number | undefined;
}

export interface EventStore {
  /** `sql.js` or `sql.js (memory)`. */
  readonly kind: string;
  /** What an operator should look at, in sentences without paths. */
  readonly warnings: readonly string[];
  /** Writes, syncs and renames a file. Rejects with an unreachable StorageError where the next write could not be kept. */
  probe(): Promise<void>;
  scopes(): Promise<readonly ScopeRecord[]>;
  /** The record under this id, whosever it is. */
  scope(scopeId: string): Promise<ScopeRecord | undefined>;
  createScope(record: ScopeRecord): Promise<void>;
  recordSchema(scopeId: string, schemaHash: string): Promise<void>;
  /** Zeros for a scope that is new, or not there. One that took the place of another goes on from its numbers. */
  lastNumbers(scopeId: string): Promise<LastNumbers>;
  /** Puts another schema in force: for all scopes that it tells of, or for none. */
  adoptSchema(adoption: SchemaAdoption): Promise<void>;
  /** The `id` of the last adoption that had one and changed anything; 0 before the first. */
  lastAdoption(): Promise<number>;
  /** All that ever were, in order of `txn`, but `main`, which always exists and has no record. */
  forks(scopeId: string): Promise<readonly ForkRecord[]>;
  /** Its `txn` goes on from the scope's last, as that of a transaction does. What it begins with is written as one whole with it. */
  createFork(scopeId: string, fork: ForkRecord, first?: StoredTransaction): Promise<void>;
  /** Closes an open fork, with what is promoted from it as one whole: both are durable, or neither is. */
  closeFork(scopeId: string, closing: ForkClosing, promoted?: StoredTransaction): Promise<void>;
  /** Takes no number, since no fact of the fork is another for it. */
  labelFork(scopeId: string, labelling: ForkLabelling): Promise<void>;
  /**
   * Makes transactions durable, all of them or none. Once the promise resolves, they survive `kill -9`. A rejected append left
   * nothing behind, unless the error says that the outcome is unknown.
   *
   * Ordering: appends commit in the order of the calls, and those that wait share a sync. Numbers of a scope are consecutive, so
   * when one append is refused, those after it are refused too, and the caller may reuse their numbers. The events must not be
   * modified until the promise settles.
   *
   * With an erasure, `redactor` replaces every event of the scope, in all its forks, in the same commit. Once the promise
   * resolves, no file holds the erased values.
   */
  append(scopeId: string, transactions: readonly StoredTransaction[], erasure?: Erasure): Promise<void>;
  /**
   * A fork's own transactions in order of `txn`, those above `afterTxn` only. Parts that end with the event `afterSeq` or an
   * earlier one may be left out.
   */
  read(scopeId: string, fork: string, afterTxn: number, afterSeq?: number): AsyncIterable<TransactionPart>;
  /** The first part of each of them, the last first, those below `beforeTxn` only. */
  readBack(scopeId: string, fork: string, beforeTxn: number): AsyncIterable<TransactionPart>;
  /** Finishes what runs and releases the directory. */
  close(): Promise<void>;
}
