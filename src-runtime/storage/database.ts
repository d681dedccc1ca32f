/**
 * A database in memory, SQLite in WebAssembly: queries, and changes that are applied all together or not at all. The current one holds
 * scopes, forks and recent transactions; a sealed one, older transactions.
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import initSqlJs, { type Database as SqlDatabase, type SqlJsStatic, type SqlValue, type Statement } from 'sql.js';
import { type Cause, causeOfSentence } from './cause.js';
import { readEvents } from './event-runs.js';
import {
  type Erasure,
  erasedOutcome,
  type ForkClosing,
  type ForkLabelling,
  type ForkRecord,
  type ForkStatus,
  type LastNumbers,
  OUTCOME_AGE_MAX_MS,
  type Outcome,
  type ScopeRecord,
  StorageError,
  type TransactionPart,
  type WrittenTransaction,
} from './event-store.js';
import type { Renaming } from './renaming.js';
import { CAUSE_FUNCTION, FORMAT_VERSION, SCHEMA, STATEMENTS, UPGRADES } from './schema.js';
import type { EventsPart, WrittenChange } from './written-changes.js';

/** One change to the store. A commit, and so a journal record, is an array of changes. */
export type Change =
  | { readonly kind: 'createScope'; readonly record: ScopeRecord }
  | { readonly kind: 'recordSchema'; readonly scopeId: string; readonly schemaHash: string }
  | {
      readonly kind: 'setAside';
      readonly scopeId: string;
      readonly asideId: string;
      /** The schema of the empty scope that replaces it; absent in old journals, where none did. */
      readonly schemaHash?: string;
    }
  | {
      readonly kind: 'rename';
      readonly scopeId: string;
      readonly renaming: Renaming;
      readonly schemaHash: string;
    }
  /** The adoption of a schema that the other changes of the commit belong to. For the whole database. */
  | { readonly kind: 'noteAdoption'; readonly id: number }
  | { readonly kind: 'createFork'; readonly scopeId: string; readonly fork: ForkRecord; readonly isCopy?: boolean }
  | {
      readonly kind: 'closeFork';
      readonly scopeId: string;
      readonly closing: ForkClosing;
      readonly promoted?: WrittenTransaction;
    }
  | { readonly kind: 'copyNumbers'; readonly scopeId: string; readonly last: LastNumbers }
  | { readonly kind: 'labelFork'; readonly scopeId: string; readonly labelling: ForkLabelling }
  /** The response to the request that the other changes of the commit belong to. */
  | { readonly kind: 'keepOutcome'; readonly scopeId: string; readonly outcome: Outcome }
  | {
      readonly kind: 'append';
      readonly scopeId: string;
      readonly transaction: WrittenTransaction;
      readonly erasure?: Erasure;
      /** The transaction is a copy from another scope, whose numbers may have gaps. */
      readonly isCopy?: true;
    };

/** Limits of a chunk; the transaction that reaches one is its last. */
const CHUNK_TRANSACTIONS = 256;
const CHUNK_CHARACTERS = 1 << 18;

/** Short transactions that wait to become rows. Together they take a third of the time (bench:http, single mutations). */
const WAITING_MAX = 64;

/** How much of a long transaction is read at once: a few milliseconds of work. */
const MORE_CHARACTERS = 1 << 18;

/** Outcomes are a part of every checkpoint, which stops the server for 1 to 2 ms per MiB. Beyond this the oldest are dropped. */
const OUTCOME_CHARACTERS_MAX = 16 * 1024 * 1024;

/** The transactions of a fork that a segment holds. The last may go on in the next segment. */
export interface SegmentRange {
  /** The key of the scope, which stays the same when the scope is archived. */
  readonly scope: number;
  readonly fork: string;
  readonly firstTxn: number;
  readonly lastTxn: number;
}

/** A sealed part of the history, in a file. */
export interface Segment {
  readonly number: number;
  /** CRC-32 of the file. */
  readonly checksum: number;
  readonly bytes: number;
  readonly contents: readonly SegmentRange[];
}

/** A row of the history. The text of its events is its last value. */
export interface HistoryRow {
  readonly statement: 'copyTransaction' | 'copyMoreEvents';
  readonly scope: number;
  /** Undefined if the first part of the transaction is in another segment. */
  readonly fork: string | undefined;
  readonly txn: number;
  readonly values: readonly SqlValue[];
}

/** The tables that a segment shares with the current database. */
const SHARED_TABLES = ['meta', 'scopes', 'forks', 'segments'] as const;

let loadedEngine: Promise<SqlJsStatic> | undefined;

/** Opens an empty database, or one from the result of `exportBytes`. */
export async function openDatabase(source?: { readonly file: string; readonly bytes: Uint8Array }): Promise<Database> {
  loadedEngine ??= loadEngine();
  const engine = await loadedEngine;
  const sql = new engine.Database(source?.bytes ?? null);
  try {
    if (source === undefined) sql.run(SCHEMA);
    const database = new Database(engine, sql);
    let from = database.meta('format');
    if (from in UPGRADES) sql.create_function(CAUSE_FUNCTION, (text: string) => JSON.stringify(causeOfSentence(text)));
    for (; from in UPGRADES; from++) sql.run(UPGRADES[from] ?? '');
    const format = database.meta('format');
    if (format !== FORMAT_VERSION) {
      throw new StorageError(
        `${source?.file ?? 'The database'} has format ${format}, and this Entail reads format ${FORMAT_VERSION}; open it with the Entail that wrote it or a newer one`,
        'failed',
      );
    }
    return database;
  } catch (error) {
    sql.close();
    throw error;
  }
}

async function loadEngine(): Promise<SqlJsStatic> {
  // Passed as bytes, because a bundle or an asar archive would change the path that the library looks in.
  const wasm = await readFile(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'));
  return initSqlJs({ wasmBinary: new Uint8Array(wasm).buffer });
}

interface Waiting {
  readonly scopeId: string;
  readonly transaction: WrittenTransaction;
  readonly parts: readonly EventsPart[];
}

export class Database {
  readonly #engine: SqlJsStatic;
  readonly #sql: SqlDatabase;
  #statements = new Map<keyof typeof STATEMENTS, Statement>();
  /** The length of outcomes since they were trimmed. */
  #untrimmedCharacters = 0;
  /** Applied transactions that are not rows yet. The next query makes them. */
  #waiting: Waiting[] = [];
  /** The last numbers of their scopes, and of no others. */
  readonly #heads = new Map<string, LastNumbers>();

  constructor(engine: SqlJsStatic, sql: SqlDatabase) {
    this.#engine = engine;
    this.#sql = sql;
    this.#configure();
  }

  get sizeBytes(): number {
    const [found] = this.#sql.exec('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size');
    return numberOf(found?.values[0]?.[0]);
  }

  scopes(): readonly ScopeRecord[] {
    return this.#all('scopes', [], scopeFromRow);
  }

  scope(scopeId: string): ScopeRecord | undefined {
    return this.#all('scope', [scopeId], scopeFromRow)[0];
  }

  /** Identifies the scope in all segments; undefined for an unknown scope. */
  scopeKey(scopeId: string): number | undefined {
    return this.#all('scopeKey', [scopeId], (row) => numberOf(row[0]))[0];
  }

  /** Undefined for an unknown scope. */
  head(scopeId: string): LastNumbers | undefined {
    const known = this.#heads.get(scopeId);
    if (known !== undefined) return known;
    for (const [txn, seq] of this.#select('head', [scopeId])) return { txn: numberOf(txn), seq: numberOf(seq) };
    return undefined;
  }

  /** The last transaction of each scope, by key. */
  lastTxns(): ReadonlyMap<number, number> {
    return new Map(this.#all('lastTxns', [], ([key, txn]) => [numberOf(key), numberOf(txn)]));
  }

  forks(scopeId: string): readonly ForkRecord[] {
    return this.#all('forks', [scopeId], forkFromRow);
  }

  /**
   * The next transactions after `from`, or backwards the first parts of those before it; empty at the end. Forwards, a transaction
   * with more parts is the last of its chunk.
   */
  readChunk(direction: 'read' | 'readBack', scope: number, fork: string, from: number): readonly TransactionPart[] {
    const chunk: TransactionPart[] = [];
    let characters = 0;
    this.#step(direction, [scope, fork, from], ([txn, at, cause, principal, events, hasMore]) => {
      const text = textOf(events);
      const isLast = hasMore === 0;
      characters += text.length;
      chunk.push({
        fork,
        txn: numberOf(txn),
        at: textOf(at),
        cause: JSON.parse(textOf(cause)) as Cause,
        principal: nullOr(principal),
        events: readEvents(text),
        isLast,
      });
      const goesOn = isLast || direction === 'readBack';
      return goesOn && chunk.length < CHUNK_TRANSACTIONS && characters < CHUNK_CHARACTERS;
    });
    return chunk;
  }

  /** The next parts of a transaction after the event `afterSeq`; empty at the end. */
  readMore(scope: number, transaction: TransactionPart, afterSeq: number): readonly TransactionPart[] {
    const texts: string[] = [];
    let characters = 0;
    let hasMore = false;
    this.#step('readMore', [scope, transaction.txn, afterSeq], ([events]) => {
      hasMore = characters >= MORE_CHARACTERS;
      if (hasMore) return false;
      texts.push(textOf(events));
      characters += texts.at(-1)?.length ?? 0;
      return true;
    });
    return texts.map((text, at) => ({
      ...transaction,
      events: readEvents(text),
      isLast: !hasMore && at === texts.length - 1,
    }));
  }

  outcome(scopeId: string, key: string): Outcome | undefined {
    return this.#all('outcome', [scopeId, key], readOutcome)[0];
  }

  get hasOutcomes(): boolean {
    return this.#all('oldestOutcome', [], () => true).length > 0;
  }

  dropAllOutcomes(): void {
    this.#run('dropAllOutcomes', []);
  }

  meta(key: 'format' | 'sequence' | 'adoption'): number {
    return this.#all('meta', [key], (row) => numberOf(row[0]))[0] ?? 0;
  }

  segments(): readonly Segment[] {
    return this.#all('segments', [], ([number, checksum, bytes, contents]) => ({
      number: numberOf(number),
      checksum: numberOf(checksum),
      bytes: numberOf(bytes),
      contents: (JSON.parse(textOf(contents)) as [number, string, number, number][]).map(
        ([scope, fork, firstTxn, lastTxn]) => ({ scope, fork, firstTxn, lastTxn }),
      ),
    }));
  }

  /** Which transactions it holds. */
  contents(): readonly SegmentRange[] {
    return this.#all('contents', [], ([scope, fork, first, last]) => ({
      scope: numberOf(scope),
      fork: textOf(fork),
      firstTxn: numberOf(first),
      lastTxn: numberOf(last),
    }));
  }

  /**
   * Applies all changes, or throws and applies none. Yields between parts of long ones; readers see the state before until the end.
   * Of an erasure or a renaming it applies all but the change of stored events. Calls must not overlap. With `mayWait`, the numbers of
   * short transactions must have been checked.
   */
  *apply(changes: readonly WrittenChange[], mayWait = false): Generator<void, void> {
    if (mayWait && this.#waiting.length + changes.length <= WAITING_MAX && this.#letWait(changes)) return;
    this.begin();
    try {
      for (const written of changes) yield* this.#appendMore(written);
      for (const written of changes) this.#applyOne(written);
      this.commit();
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  /** Whether all of them are short transactions, which may wait. */
  #letWait(changes: readonly WrittenChange[]): boolean {
    const appended: Waiting[] = [];
    for (const { change, parts } of changes) {
      if (change.kind !== 'append' || parts.length !== 1 || change.erasure !== undefined) return false;
      appended.push({ scopeId: change.scopeId, transaction: change.transaction, parts });
    }
    const heads = appended.map(({ scopeId }) => this.head(scopeId));
    if (heads.includes(undefined)) return false;
    for (const { scopeId, transaction, parts } of appended) {
      const seq = Math.max(this.head(scopeId)?.seq ?? 0, parts[0]?.lastSeq ?? 0);
      this.#heads.set(scopeId, { txn: transaction.txn, seq });
    }
    this.#waiting.push(...appended);
    return true;
  }

  /** If this fails, they wait further. */
  #addWaiting(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      this.#atomically(() => {
        for (const { scopeId, transaction, parts } of waiting) this.#addTransaction(scopeId, transaction, parts);
        for (const [scopeId, { txn, seq }] of this.#heads) this.#run('moveHead', [txn, seq, scopeId]);
      });
    } catch (error) {
      this.#waiting = waiting;
      throw error;
    }
    this.#heads.clear();
  }

  /** An empty database with the same scopes, forks and segments. */
  successor(): Database {
    this.#addWaiting();
    const sql = new this.#engine.Database();
    sql.run(SCHEMA);
    const successor = new Database(this.#engine, sql);
    successor.#copyTables(this, SHARED_TABLES);
    return successor;
  }

  /** Copies the outcomes of a database with the same scopes. */
  copyOutcomes(source: Database): void {
    this.#copyTables(source, ['outcomes']);
  }

  #copyTables(from: Database, tables: readonly string[]): void {
    this.#atomically(() => {
      for (const table of tables) {
        const source = from.#sql.prepare(`SELECT * FROM ${table}`);
        const places = source.getColumnNames().map(() => '?');
        const target = this.#sql.prepare(`INSERT OR REPLACE INTO ${table} VALUES (${places})`);
        while (source.step()) target.run(source.get());
        source.free();
        target.free();
      }
    });
  }

  /** The whole history, the parts of each transaction in order. */
  *historyRows(): Generator<HistoryRow, void> {
    const first = new Set<string>();
    for (const values of this.#rows('allTransactions', [])) {
      const [scope, txn] = [numberOf(values[0]), numberOf(values[2])];
      const fork = textOf(values[1]);
      yield { statement: 'copyTransaction', scope, fork, txn, values };
      for (const [lastSeq, events] of this.#rows('moreEvents', [scope, txn])) {
        first.add(`${scope}/${txn}`);
        yield {
          statement: 'copyMoreEvents',
          scope,
          fork,
          txn,
          values: [scope, txn, numberOf(lastSeq), textOf(events)],
        };
      }
    }
    for (const [scope, txn, lastSeq, events] of this.#rows('allMoreEvents', [])) {
      const [ofScope, ofTxn] = [numberOf(scope), numberOf(txn)];
      if (first.has(`${ofScope}/${ofTxn}`)) continue;
      const values = [ofScope, ofTxn, numberOf(lastSeq), textOf(events)];
      yield { statement: 'copyMoreEvents', scope: ofScope, fork: undefined, txn: ofTxn, values };
    }
  }

  /** Adds a row of another database. */
  addRow(statement: HistoryRow['statement'], values: readonly SqlValue[], events: string): void {
    this.#run(statement, [...values.slice(0, -1), bytesOf(events)]);
  }

  /** Removes the history, which is in these segments now. */
  dropHistory(segments: readonly Segment[]): void {
    this.#atomically(() => {
      this.#sql.run('DELETE FROM transactions; DELETE FROM more_events');
      for (const segment of segments) this.#addSegment(segment);
    });
  }

  /** Replaces the list of segments. */
  setSegments(segments: readonly Segment[]): void {
    this.#atomically(() => {
      this.#sql.run('DELETE FROM segments');
      for (const segment of segments) this.#addSegment(segment);
    });
  }

  #atomically(work: () => void): void {
    this.begin();
    try {
      work();
      this.commit();
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  #addSegment({ number, checksum, bytes, contents }: Segment): void {
    const ranges = contents.map(({ scope, fork, firstTxn, lastTxn }) => [scope, fork, firstTxn, lastTxn]);
    this.#run('addSegment', [number, checksum, bytes, JSON.stringify(ranges)]);
  }

  begin(): void {
    this.#addWaiting();
    this.#run('begin', []);
  }

  commit(): void {
    this.#run('commit', []);
  }

  /** After some failures SQLite has rolled back already, and refuses to do so again. */
  #rollback(): void {
    try {
      this.#run('rollback', []);
    } catch {
      // This failure would hide the first one, which the caller reports.
    }
  }

  /** Returns the room of deleted rows. */
  compact(): void {
    this.#sql.run('VACUUM');
  }

  /** The whole database as a SQLite file, with the sequence number of its last commit. */
  exportBytes(sequence: number): Uint8Array {
    this.#addWaiting();
    this.#run('setMeta', [sequence, 'sequence']);
    // sql.js closes and reopens the database for an export, so statements and settings are lost.
    this.#statements = new Map();
    const bytes = this.#sql.export();
    this.#configure();
    return bytes;
  }

  close(): void {
    this.#sql.close();
  }

  #applyOne({ change, parts }: WrittenChange): void {
    switch (change.kind) {
      case 'createScope': {
        const { scopeId, tenant, schemaHash } = change.record;
        this.#run('createScope', [scopeId, tenant, schemaHash]);
        return;
      }
      case 'recordSchema':
      case 'rename':
        this.#run('recordSchema', [change.schemaHash, change.scopeId]);
        return;
      case 'setAside':
        this.#run('setAside', [change.asideId, change.scopeId]);
        if (change.schemaHash !== undefined) {
          this.#run('succeed', [change.scopeId, change.schemaHash, change.asideId]);
        }
        return;
      case 'noteAdoption':
        this.#run('setMeta', [change.id, 'adoption']);
        return;
      case 'createFork': {
        const { fork, txn, parent, baseSeq, status, createdAt, closedAt = null, label = null } = change.fork;
        this.#run('createFork', [change.scopeId, fork, txn, parent, baseSeq, status, createdAt, closedAt, label]);
        this.#run('moveHead', [txn, 0, change.scopeId]);
        return;
      }
      case 'closeFork': {
        const { status, closedAt, txn } = change.closing;
        if (change.promoted !== undefined) this.#append(change.scopeId, change.promoted, parts);
        this.#run('closeFork', [status, closedAt, change.scopeId, txn]);
        return;
      }
      case 'copyNumbers':
        this.#run('moveHead', [change.last.txn, change.last.seq, change.scopeId]);
        return;
      case 'labelFork':
        this.#run('labelFork', [change.labelling.label, change.scopeId, change.labelling.txn]);
        return;
      case 'keepOutcome':
        this.#keepOutcome(change.scopeId, change.outcome);
        return;
      case 'append':
        this.#append(change.scopeId, change.transaction, parts);
        if (change.erasure !== undefined) this.#eraseOutcomes(change.scopeId);
        return;
    }
  }

  #keepOutcome(scopeId: string, { key, request, response, at }: Outcome): void {
    this.#run('keepOutcome', [scopeId, key, request, bytesOf(response), at]);
    this.#untrimmedCharacters += response.length;
    const expired = new Date(Date.parse(at) - OUTCOME_AGE_MAX_MS).toISOString();
    const [oldest = at] = this.#all('oldestOutcome', [], ([first]) => textOf(first));
    if (oldest >= expired && this.#untrimmedCharacters < OUTCOME_CHARACTERS_MAX / 8) return;
    this.#run('trimOutcomes', [expired, OUTCOME_CHARACTERS_MAX]);
    this.#untrimmedCharacters = 0;
  }

  #eraseOutcomes(scopeId: string): void {
    for (const outcome of this.#all('wholeOutcomes', [scopeId], readOutcome)) {
      const { key, request, response } = erasedOutcome(outcome);
      this.#run('eraseOutcome', [request, bytesOf(response), scopeId, key]);
    }
  }

  *#appendMore({ change, parts }: WrittenChange): Generator<void, void> {
    const transaction =
      change.kind === 'append' ? change.transaction : change.kind === 'closeFork' ? change.promoted : undefined;
    if (transaction === undefined || parts.length < 2) return;
    const { scopeId } = change as Change & { readonly kind: 'append' | 'closeFork' };
    for (const { lastSeq, text } of parts.slice(1)) {
      yield;
      this.#run('appendMore', [scopeId, transaction.txn, lastSeq, bytesOf(text)]);
    }
    yield;
  }

  #append(scopeId: string, transaction: WrittenTransaction, parts: readonly EventsPart[]): void {
    this.#addTransaction(scopeId, transaction, parts);
    this.#run('moveHead', [transaction.txn, parts.at(-1)?.lastSeq ?? 0, scopeId]);
  }

  #addTransaction(scopeId: string, transaction: WrittenTransaction, parts: readonly EventsPart[]): void {
    const { fork, txn, at, cause, principal } = transaction;
    this.#run('append', [scopeId, fork, txn, at, JSON.stringify(cause), principal, bytesOf(parts[0]?.text ?? '[]')]);
  }

  #configure(): void {
    // The database is in memory, so its journal is too and nothing has to be synced. It has one user: locking it, and looking for
    // changes of others, would take twice as long as a transaction. Deleted rows are overwritten, because they may hold erased values.
    this.#sql.run(
      `PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
       PRAGMA locking_mode = EXCLUSIVE; PRAGMA secure_delete = ON;`,
    );
  }

  #statement(name: keyof typeof STATEMENTS): Statement {
    let statement = this.#statements.get(name);
    if (statement === undefined) {
      statement = this.#sql.prepare(STATEMENTS[name]);
      this.#statements.set(name, statement);
    }
    return statement;
  }

  #run(name: keyof typeof STATEMENTS, values: SqlValue[]): void {
    const statement = this.#statement(name);
    try {
      statement.run(values);
    } finally {
      // Otherwise bound text stays allocated until the next binding, and a transaction can be large.
      statement.reset();
      statement.freemem();
    }
  }

  #all<Row>(name: keyof typeof STATEMENTS, values: SqlValue[], decode: (row: SqlValue[]) => Row): Row[] {
    return Array.from(this.#rows(name, values), decode);
  }

  /** Stops when `take` returns false. */
  #step(name: keyof typeof STATEMENTS, values: SqlValue[], take: (row: SqlValue[]) => boolean): void {
    for (const row of this.#rows(name, values)) if (!take(row)) return;
  }

  #rows(name: keyof typeof STATEMENTS, values: SqlValue[]): Generator<SqlValue[], void> {
    this.#addWaiting();
    return this.#select(name, values);
  }

  *#select(name: keyof typeof STATEMENTS, values: SqlValue[]): Generator<SqlValue[], void> {
    const statement = this.#statement(name);
    try {
      statement.bind(values);
      while (statement.step()) yield statement.get();
    } finally {
      statement.reset();
    }
  }
}

function readOutcome([key, request, response, at]: SqlValue[]): Outcome {
  return { key: textOf(key), request: textOf(request), response: textOf(response), at: textOf(at) };
}

function scopeFromRow(row: SqlValue[]): ScopeRecord {
  return { scopeId: textOf(row[0]), tenant: textOf(row[1]), schemaHash: textOf(row[2]) };
}

function forkFromRow(row: SqlValue[]): ForkRecord {
  const closedAt = nullOr(row[6]);
  const label = nullOr(row[7]);
  return {
    fork: textOf(row[0]),
    txn: numberOf(row[1]),
    parent: textOf(row[2]),
    baseSeq: numberOf(row[3]),
    status: textOf(row[4]) as ForkStatus,
    createdAt: textOf(row[5]),
    ...(closedAt === null ? {} : { closedAt }),
    ...(label === null ? {} : { label }),
  };
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

function textOf(value: SqlValue | undefined): string {
  if (typeof value !== 'string')
    throw new StorageError(`The database holds ${typeof value} where text belongs`, 'failed');
  return value;
}

function nullOr(value: SqlValue | undefined): string | null {
  return value === null ? null : textOf(value);
}

function numberOf(value: SqlValue | undefined): number {
  if (typeof value !== 'number')
    throw new StorageError(`The database holds ${typeof value} where a number belongs`, 'failed');
  return value;
}
