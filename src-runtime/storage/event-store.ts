/**
 * The port to the store of histories: scopes, forks, transactions and events. It knows no rules. Everything is asynchronous, so that
 * a store may be on another machine.
 */

import type { Json } from '../artifact/types.js';
import type { Cause } from './cause.js';
import type { EventRun } from './event-runs.js';
import { mapNested, type NestedPositions } from './nested-values.js';
import type { Renaming } from './renaming.js';

export type { Cause, ImportSource } from './cause.js';
export { countEvents, type EventRun, eventsIn, lastSeqOf, runOfFacts, runOfIndividuals } from './event-runs.js';
// Renaming is part of the port, as `redactor` is: the world applies it to what it reads before a store writes it.
export type { Nested, NestedPositions } from './nested-values.js';
export { type Renaming, renamedValue, renamer, takenNames } from './renaming.js';

export const MAIN_FORK = 'main';

export interface ScopeRecord {
  readonly scopeId: string;
  /** The tenant that the id is a hash of. Two tenants with one id are a configuration fault, which the caller detects. */
  readonly tenant: string;
  readonly schemaHash: string;
}

export type ForkStatus = 'open' | 'promoted' | 'aborted';

export interface ForkRecord {
  readonly fork: string;
  /**
   * The transaction number of its creation. The fork sees the parent's transactions below it, and its own come above it. It tells a
   * fork from an aborted one with the same id.
   */
  readonly txn: number;
  readonly parent: string;
  /** The last event of the scope at its creation. The fork sees the parent's events up to this one. */
  readonly baseSeq: number;
  readonly status: ForkStatus;
  readonly createdAt: string;
  readonly closedAt?: string;
  /** A name for people; nothing else in a history uses it. */
  readonly label?: string;
}

/** A new label for an open or closed fork. */
export interface ForkLabelling {
  readonly fork: string;
  /** The transaction number of the fork's creation. */
  readonly txn: number;
  /** Null removes the label. */
  readonly label: string | null;
}

/** Closes an open fork. */
export interface ForkClosing {
  readonly fork: string;
  /** The transaction number of the fork's creation. */
  readonly txn: number;
  readonly status: Exclude<ForkStatus, 'open'>;
  readonly closedAt: string;
}

/** One change. Tuples and values are wire values, individuals by id (`#i3`) or declared path (`@lease::acme`). */
export type EventBody =
  | { readonly kind: 'insertIndividual'; readonly id: string; readonly concept: string }
  | { readonly kind: 'deleteIndividual'; readonly id: string; readonly concept: string }
  /** A null `value` clears the field. */
  | { readonly kind: 'setField'; readonly id: string; readonly field: string; readonly value: Json }
  | { readonly kind: 'insertFact'; readonly relation: string; readonly tuple: readonly Json[] }
  | { readonly kind: 'deleteFact'; readonly relation: string; readonly tuple: readonly Json[] }
  /** Deletes. Its append erases the individual from the history. */
  | { readonly kind: 'forgetIndividual'; readonly id: string; readonly concept: string }
  /** The rest of an event about the erased individual `id`; `clears` names a field of another individual that referred to it. */
  | {
      readonly kind: 'redacted';
      readonly id: string;
      readonly clears?: { readonly id: string; readonly field: string };
    };

/** The highest numbers that a scope has used. */
export interface LastNumbers {
  readonly txn: number;
  readonly seq: number;
}

/** All scopes at one moment. */
export interface Overview {
  readonly scopes: readonly {
    readonly record: ScopeRecord;
    readonly last: LastNumbers;
    readonly forks: readonly ForkRecord[];
  }[];
  /** Counts what changed stored history since the store was opened: erasures, renames and archived scopes. */
  readonly rewrites: number;
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

/** An event to store, or many as one text. */
export type WrittenEvent = StoredEvent | EventRun;

/** A transaction to store. */
export interface WrittenTransaction extends Omit<StoredTransaction, 'events'> {
  readonly events: readonly WrittenEvent[];
}

/** A transaction with some of its events. Long ones are read in parts, in order. */
export interface TransactionPart extends StoredTransaction {
  readonly isLast: boolean;
}

/** The individuals that an append erases, and how to tell a reference to one from an equal text. */
export interface Erasure {
  readonly individuals: readonly string[];
  /** By relation or field, the positions of tuples that hold no individuals. Every other position may hold a reference. */
  readonly plainPositions: Readonly<Record<string, readonly number[]>>;
  /** Where lists and records hold individuals. Their positions are plain otherwise. */
  readonly nested?: NestedPositions<'individual'>;
}

/** Returns an event without what it said about erased individuals, or the event itself if that is nothing. */
export function redactor({ individuals, plainPositions, nested }: Erasure): (event: StoredEvent) => StoredEvent {
  const erased = new Set<Json>(individuals);
  const mentioned = (path: string, tuple: readonly Json[]): string | undefined => {
    const at = tuple.findIndex((value, index) => erased.has(value) && !plainPositions[path]?.includes(index));
    if (at !== -1) return tuple[at] as string;
    let found: string | undefined;
    for (const [position, places] of Object.entries(nested?.[path] ?? {})) {
      mapNested(places, tuple[Number(position)] ?? null, (_, value) => {
        if (erased.has(value)) found ??= value as string;
        return value;
      });
    }
    return found;
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

/** A failure of the store. `unreachable` if the directory is gone or not writable. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly reason: 'failed' | 'unreachable';
  /** The system's reason and the remedy, without paths: `the disk is full; free some space`. */
  readonly why: string | undefined;
  /**
   * The disk refused a write half-way, and its rollback too. Readers do not see it, and it is rolled back before the next write. If the
   * process ends before that, the next start may find it kept.
   */
  readonly isUnknown: boolean;
  /** The folder or file that prevents opening. The host offers another folder. */
  readonly place: string | undefined;
  /** Where in the file the damage begins. */
  readonly offset: number | undefined;
  constructor(
    message: string,
    reason: 'failed' | 'unreachable',
    {
      why,
      isUnknown = false,
      place,
      offset,
      ...options
    }: {
      cause?: unknown;
      why?: string | undefined;
      isUnknown?: boolean | undefined;
      place?: string | undefined;
      offset?: number | undefined;
    } = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.why = why;
    this.isUnknown = isUnknown;
    this.place = place;
    this.offset = offset;
  }
}

/** A new schema for scopes. */
export interface SchemaAdoption {
  readonly schemaHash: string;
  /** The scopes that it fits. */
  readonly scopeIds: readonly string[];
  /** `renamer` replaces every event of these scopes, in all their forks. */
  readonly renaming?: Renaming | undefined;
  /**
   * Archives scopes that the schema does not fit: each moves to an unused id. An empty scope of the same tenant, with the new schema,
   * replaces it and continues its numbers, so that no event number has two meanings.
   */
  readonly setAside?: readonly { readonly scopeId: string; readonly asideId: string }[];
  /** Becomes `lastAdoption`, which tells the caller after a crash whether the schema is in force. A safe integer above 0. */
  readonly id?: number | undefined;
}

/** How far a scope has come in a store that several servers write to. */
export interface Position {
  /** Counts the writes to the scope: calls of `createFork`, `closeFork`, `labelFork` and `append`. */
  readonly version: number;
  /** Counts what changed its stored history: erasures, renames and archives. */
  readonly epoch: number;
  /** The deployment under which it is written to; 0 before the first. */
  readonly deployment: number;
}

/** Another server, or another process, has written to the scope since `at`. Nothing was written. */
export class ScopeBehind extends Error {
  override readonly name = 'ScopeBehind';
}

/**
 * The response to a request with an Idempotency-Key, written with its transaction. Dropped 24 hours later, and emptied when an
 * individual is erased from the scope.
 */
export interface Outcome {
  /** Unique in its scope. A new outcome replaces an older one. */
  readonly key: string;
  /** A hash of the request: its operation, context, fork and body. Empty after an erasure. */
  readonly request: string;
  /** JSON. */
  readonly response: string;
  /** ISO instant. */
  readonly at: string;
}

/**
 * What remains of an outcome after an erasure: that the request was executed, and as which transaction. Its response may hold an erased
 * value, and the hash of its request would let somebody test guesses.
 */
export function erasedOutcome({ key, response, at }: Outcome): Outcome {
  return { key, request: '', response: JSON.stringify(JSON.parse(response), withoutFacts), at };
}

function withoutFacts(name: string, value: unknown): unknown {
  return Object.hasOwn(EMPTY_MEMBERS, name) ? EMPTY_MEMBERS[name] : value;
}

const EMPTY_MEMBERS: Readonly<Record<string, unknown>> = { result: null, warnings: [], events: [], effects: undefined };

export const OUTCOME_AGE_MAX_MS = 24 * 60 * 60 * 1000;

/** What a write has to fit, and what it writes along. */
export interface WriteOptions {
  /** What the write builds on. A shared store throws ScopeBehind if the scope has moved on. By default, whatever is stored. */
  readonly at?: Position | undefined;
  readonly erasure?: Erasure | undefined;
  readonly outcome?: Outcome | undefined;
}

/** A write to a scope, as other servers read it. Those of one write have the same version. */
export type Entry = { readonly version: number } & (
  | { readonly kind: 'transaction'; readonly part: TransactionPart }
  | { readonly kind: 'createFork'; readonly fork: ForkRecord }
  | { readonly kind: 'closeFork'; readonly closing: ForkClosing }
  | { readonly kind: 'labelFork'; readonly labelling: ForkLabelling }
);

/** A module that all servers serve. */
export interface Deployment {
  /** Increasing. */
  readonly id: number;
  /** The artifact's `integrity`. */
  readonly moduleHash: string;
  readonly artifact: Uint8Array;
}

/** What a store does for several servers. */
export interface SharedStore {
  /** Where these scopes are now. Unknown ones are absent. */
  positions(scopeIds: readonly string[]): Promise<ReadonlyMap<string, Position>>;
  /** Everything written to the scope after the version, in order; long transactions in parts. For a scope whose epoch is the same. */
  entriesAfter(scopeId: string, version: number): AsyncIterable<Entry>;
  /** The id of the last deployment; 0 before the first. */
  lastDeployment(): Promise<number>;
  deployment(id: number): Promise<Deployment>;
  /**
   * Deploys a module, and puts its schema in force like `adoptSchema`, for all scopes or none. `at` are the positions at which its scopes
   * were checked, archives not included. Throws ScopeBehind if another deployment came first, or if there are other scopes or positions
   * by now. Returns the id.
   */
  deploy(
    module: Pick<Deployment, 'moduleHash' | 'artifact'>,
    adoption: SchemaAdoption,
    at: { readonly deployment: number; readonly scopes: ReadonlyMap<string, Position> },
  ): Promise<number>;
  /**
   * Locks all scopes but archives: until `deploy` or `release`, no server writes to them, creates one or deploys. Throws ScopeBehind if
   * another transaction was first.
   */
  lockScopes(): Promise<LockedScopes>;
  /**
   * Calls back soon after other servers have written to a scope, or deployed (undefined), until the returned function is called. A call
   * may be missing or superfluous.
   */
  onChange(callback: (scopeId: string | undefined) => void): () => void;
  /** A secret of all servers, of 32 bytes. */
  secret(): Promise<Uint8Array>;
}

/** Nobody but the holder writes to these scopes. */
export interface LockedScopes {
  /** The id of the last deployment. */
  readonly deployment: number;
  readonly scopes: ReadonlyMap<string, Position>;
  /** Deploys a module that was checked at these positions, and unlocks. Returns the id. */
  deploy(module: Pick<Deployment, 'moduleHash' | 'artifact'>, adoption: SchemaAdoption): Promise<number>;
  /** Unlocks. Never rejects. */
  release(): Promise<void>;
}

/** What opening a scope reads. */
export type ScopeHistory = Pick<EventStore, 'forks' | 'lastNumbers' | 'read'> & Partial<Pick<EventStore, 'savedState'>>;

/** A piece of a saved state. */
export interface StatePart {
  readonly header: Json;
  readonly numbers: Int32Array;
}

/** Connections to a database, and work that waits for one. */
export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface EventStore {
  /** `sql.js`, `sql.js (memory)` or `postgres`. */
  readonly kind: string;
  /** Undefined if only this process writes to the store. */
  readonly shared: SharedStore | undefined;
  /** Absent without a database. */
  readonly connections?: ConnectionCounts;
  /** Sentences for the operator, without paths. */
  readonly warnings: readonly string[];
  /** Writes, syncs and renames a file. Rejects with an unreachable StorageError if the next write would fail. */
  probe(): Promise<void>;
  scopes(): Promise<readonly ScopeRecord[]>;
  overview(): Promise<Overview>;
  /** The record with this id, whichever tenant it is of. */
  scope(scopeId: string): Promise<ScopeRecord | undefined>;
  /** Throws ScopeBehind if another server created it first, or has deployed since `deployment`. */
  createScope(record: ScopeRecord, deployment?: number): Promise<void>;
  /** Hands over the scope as it is at one moment, however it is written to meanwhile. */
  opening<T>(scopeId: string, use: (history: ScopeHistory, at: Position) => Promise<T>): Promise<T>;
  recordSchema(scopeId: string, schemaHash: string): Promise<void>;
  /** Zeros for a new or unknown scope. A scope that replaced an archived one continues its numbers. */
  lastNumbers(scopeId: string): Promise<LastNumbers>;
  /** Puts a new schema in force, for all the scopes or for none. */
  adoptSchema(adoption: SchemaAdoption): Promise<void>;
  /** The `id` of the last adoption with an id and an effect; 0 before the first. */
  lastAdoption(): Promise<number>;
  /** Every fork, closed ones included, in order of `txn`. `main` always exists and has no record. */
  forks(scopeId: string): Promise<readonly ForkRecord[]>;
  /** Its `txn` follows the scope's last, like that of a transaction. `first`, its first transaction, is in the same commit. */
  createFork(scopeId: string, fork: ForkRecord, first?: WrittenTransaction, options?: WriteOptions): Promise<void>;
  /** Closes an open fork, in one commit with the transaction that promotes it. */
  closeFork(
    scopeId: string,
    closing: ForkClosing,
    promoted?: WrittenTransaction,
    options?: WriteOptions,
  ): Promise<void>;
  /** Takes no transaction number, because no fact changes. */
  labelFork(scopeId: string, labelling: ForkLabelling, options?: WriteOptions): Promise<void>;
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
  append(scopeId: string, transactions: readonly WrittenTransaction[], options?: WriteOptions): Promise<void>;
  /** Appends the history of one fork of another scope, whose numbers have gaps where other forks were written to. */
  appendCopy(scopeId: string, transactions: readonly StoredTransaction[]): Promise<void>;
  /** Creates the copy of a fork of another scope, open or closed, whose number may leave a gap too. */
  copyFork(scopeId: string, fork: ForkRecord): Promise<void>;
  /** Continues after the numbers of another scope, which may be higher than those of its history. */
  copyNumbers(scopeId: string, last: LastNumbers): Promise<void>;
  /**
   * The fork's own transactions above `afterTxn`, in order. Parts that end with the event `afterSeq` or an earlier one may be left
   * out.
   */
  read(scopeId: string, fork: string, afterTxn: number, afterSeq?: number): AsyncIterable<TransactionPart>;
  /** The first parts of the fork's own transactions below `beforeTxn`, newest first. */
  readBack(scopeId: string, fork: string, beforeTxn: number): AsyncIterable<TransactionPart>;
  /**
   * Saves the state of a scope after the transaction `txn`, so that opening it needs only the history after that. A cache: the store may
   * drop it at any time, and an erasure or a renaming does. Resolves to false if it was not saved.
   */
  saveState(scopeId: string, txn: number, parts: AsyncIterable<StatePart>): Promise<boolean>;
  /** The newest saved state, if there is one. */
  savedState(scopeId: string): Promise<readonly StatePart[] | undefined>;
  /** The outcome with this key, unless it has been dropped. It may be older than 24 hours. */
  outcome(scopeId: string, key: string): Promise<Outcome | undefined>;
  /** Finishes pending work and releases the directory. */
  close(): Promise<void>;
}
