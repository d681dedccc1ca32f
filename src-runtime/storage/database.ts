/** The database in memory, SQLite in WebAssembly: its tables, its statements, and changes applied whole or not at all. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import initSqlJs, { type Database as SqlDatabase, type SqlJsStatic, type SqlValue, type Statement } from 'sql.js';
import {
  type Erasure,
  type ForkClosing,
  type ForkRecord,
  type ForkStatus,
  type LastNumbers,
  redactEvent,
  type ScopeRecord,
  StorageError,
  type StoredTransaction,
} from './event-store.js';

/** One change of what is stored. A commit, and so a journal record, is an array of these. */
export type Change =
  | { readonly kind: 'createScope'; readonly record: ScopeRecord }
  | { readonly kind: 'recordSchema'; readonly scopeId: string; readonly schemaHash: string }
  | {
      readonly kind: 'setAside';
      readonly scopeId: string;
      readonly asideId: string;
      /** Of the empty scope that takes the place; absent in old journals, where none did. */
      readonly schemaHash?: string;
    }
  | { readonly kind: 'createFork'; readonly scopeId: string; readonly fork: ForkRecord }
  | {
      readonly kind: 'closeFork';
      readonly scopeId: string;
      readonly closing: ForkClosing;
      readonly promoted?: StoredTransaction;
    }
  | {
      readonly kind: 'append';
      readonly scopeId: string;
      readonly transaction: StoredTransaction;
      readonly erasure?: Erasure;
    };

const FORMAT_VERSION = 2;

const FORKS_TABLE = `
  CREATE TABLE forks (
    scope INTEGER NOT NULL REFERENCES scopes, fork TEXT NOT NULL, txn INTEGER NOT NULL, parent TEXT NOT NULL,
    base_seq INTEGER NOT NULL, status TEXT NOT NULL, created_at TEXT NOT NULL, closed_at TEXT,
    UNIQUE (scope, txn)
  );
`;

const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL);
  CREATE TABLE scopes (
    key INTEGER PRIMARY KEY, scope_id TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL, schema_hash TEXT NOT NULL,
    last_txn INTEGER NOT NULL DEFAULT 0, last_seq INTEGER NOT NULL DEFAULT 0
  );
  ${FORKS_TABLE}
  CREATE TABLE transactions (
    scope INTEGER NOT NULL REFERENCES scopes, fork TEXT NOT NULL, txn INTEGER NOT NULL,
    at TEXT NOT NULL, cause TEXT NOT NULL, principal TEXT, events TEXT NOT NULL,
    UNIQUE (scope, fork, txn)
  );
  INSERT INTO meta VALUES ('format', ${FORMAT_VERSION}), ('sequence', 0);
`;

/** Nothing ever wrote to the forks of format 1. */
const FROM_FORMAT_1 = `DROP TABLE forks; ${FORKS_TABLE} UPDATE meta SET value = 2 WHERE key = 'format';`;

const SCOPE_KEY = '(SELECT key FROM scopes WHERE scope_id = ?)';

const STATEMENTS = {
  scopes: 'SELECT scope_id, tenant, schema_hash FROM scopes ORDER BY key',
  scope: 'SELECT scope_id, tenant, schema_hash FROM scopes WHERE scope_id = ?',
  head: 'SELECT last_txn, last_seq FROM scopes WHERE scope_id = ?',
  forks: `SELECT fork, txn, parent, base_seq, status, created_at, closed_at FROM forks WHERE scope = ${SCOPE_KEY} ORDER BY txn`,
  read: `SELECT txn, at, cause, principal, events FROM transactions
    WHERE scope = ${SCOPE_KEY} AND fork = ? AND txn > ? ORDER BY txn`,
  readBack: `SELECT txn, at, cause, principal, events FROM transactions
    WHERE scope = ${SCOPE_KEY} AND fork = ? AND txn < ? ORDER BY txn DESC`,
  createScope: 'INSERT INTO scopes (scope_id, tenant, schema_hash) VALUES (?, ?, ?)',
  recordSchema: 'UPDATE scopes SET schema_hash = ? WHERE scope_id = ?',
  setAside: 'UPDATE scopes SET scope_id = ? WHERE scope_id = ?',
  succeed: `INSERT INTO scopes (scope_id, tenant, schema_hash, last_txn, last_seq)
    SELECT ?, tenant, ?, last_txn, last_seq FROM scopes WHERE scope_id = ?`,
  createFork: `INSERT INTO forks (scope, fork, txn, parent, base_seq, status, created_at, closed_at)
    VALUES (${SCOPE_KEY}, ?, ?, ?, ?, ?, ?, ?)`,
  closeFork: `UPDATE forks SET status = ?, closed_at = ? WHERE scope = ${SCOPE_KEY} AND txn = ?`,
  append: `INSERT INTO transactions (scope, fork, txn, at, cause, principal, events) VALUES (${SCOPE_KEY}, ?, ?, ?, ?, ?, ?)`,
  moveHead: 'UPDATE scopes SET last_txn = ?, last_seq = max(last_seq, ?) WHERE scope_id = ?',
  allEvents: `SELECT rowid, events FROM transactions WHERE scope = ${SCOPE_KEY}`,
  rewrite: 'UPDATE transactions SET events = ? WHERE rowid = ?',
  meta: 'SELECT value FROM meta WHERE key = ?',
  setMeta: 'UPDATE meta SET value = ? WHERE key = ?',
  begin: 'BEGIN',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
} as const;

/** A chunk of a read ends with the transaction that fills either of these. */
const CHUNK_TRANSACTIONS = 256;
const CHUNK_CHARACTERS = 1 << 20;

let loadedEngine: Promise<SqlJsStatic> | undefined;

/** Opens an empty database, or one from the bytes that `exportBytes` made. */
export async function openDatabase(source?: { readonly file: string; readonly bytes: Uint8Array }): Promise<Database> {
  loadedEngine ??= loadEngine();
  const engine = await loadedEngine;
  const sql = new engine.Database(source?.bytes ?? null);
  try {
    if (source === undefined) sql.run(SCHEMA);
    const database = new Database(sql);
    if (database.meta('format') === 1) sql.run(FROM_FORMAT_1);
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
  // Handed over as bytes, so that neither a bundle nor an asar archive changes where it is looked for.
  const wasm = await readFile(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'));
  return initSqlJs({ wasmBinary: new Uint8Array(wasm).buffer });
}

export class Database {
  readonly #sql: SqlDatabase;
  #statements = new Map<keyof typeof STATEMENTS, Statement>();

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
    this.#configure();
  }

  scopes(): readonly ScopeRecord[] {
    return this.#all('scopes', [], scopeFromRow);
  }

  scope(scopeId: string): ScopeRecord | undefined {
    return this.#all('scope', [scopeId], scopeFromRow)[0];
  }

  /** Undefined where there is no such scope. */
  head(scopeId: string): LastNumbers | undefined {
    return this.#all('head', [scopeId], (row) => ({ txn: numberOf(row[0]), seq: numberOf(row[1]) }))[0];
  }

  forks(scopeId: string): readonly ForkRecord[] {
    return this.#all('forks', [scopeId], forkFromRow);
  }

  /** The next transactions after `txn`, or back from before it: some, or none where there are no more. */
  readChunk(direction: 'read' | 'readBack', scopeId: string, fork: string, txn: number): readonly StoredTransaction[] {
    const statement = this.#statement(direction);
    const chunk: StoredTransaction[] = [];
    let characters = 0;
    try {
      statement.bind([scopeId, fork, txn]);
      while (chunk.length < CHUNK_TRANSACTIONS && characters < CHUNK_CHARACTERS && statement.step()) {
        const [txn, at, cause, principal, events] = statement.get();
        const text = textOf(events);
        characters += text.length;
        chunk.push({
          fork,
          txn: numberOf(txn),
          at: textOf(at),
          cause: textOf(cause),
          principal: nullOr(principal),
          // Written by `append` below from the same type, and covered by a checksum since.
          events: JSON.parse(text) as StoredTransaction['events'],
        });
      }
    } finally {
      statement.reset();
    }
    return chunk;
  }

  meta(key: 'format' | 'sequence'): number {
    return this.#all('meta', [key], (row) => numberOf(row[0]))[0] ?? 0;
  }

  /** Applies all changes, or none and throws. */
  apply(changes: readonly Change[]): void {
    this.#run('begin', []);
    try {
      for (const change of changes) this.#applyOne(change);
      this.#run('commit', []);
    } catch (error) {
      this.#run('rollback', []);
      throw error;
    }
  }

  /** Rewrites the database without what was deleted or replaced in it. */
  compact(): void {
    this.#sql.run('VACUUM');
  }

  /** The whole database as a SQLite file that says which commit it ends with. */
  exportBytes(sequence: number): Uint8Array {
    this.#run('setMeta', [sequence, 'sequence']);
    // sql.js closes the database for an export and opens it again: no statement outlives that, and no setting.
    this.#statements = new Map();
    const bytes = this.#sql.export();
    this.#configure();
    return bytes;
  }

  close(): void {
    this.#sql.close();
  }

  #applyOne(change: Change): void {
    switch (change.kind) {
      case 'createScope': {
        const { scopeId, tenant, schemaHash } = change.record;
        this.#run('createScope', [scopeId, tenant, schemaHash]);
        return;
      }
      case 'recordSchema':
        this.#run('recordSchema', [change.schemaHash, change.scopeId]);
        return;
      case 'setAside':
        this.#run('setAside', [change.asideId, change.scopeId]);
        if (change.schemaHash !== undefined) {
          this.#run('succeed', [change.scopeId, change.schemaHash, change.asideId]);
        }
        return;
      case 'createFork': {
        const { fork, txn, parent, baseSeq, status, createdAt, closedAt } = change.fork;
        this.#run('createFork', [change.scopeId, fork, txn, parent, baseSeq, status, createdAt, closedAt ?? null]);
        this.#run('moveHead', [txn, 0, change.scopeId]);
        return;
      }
      case 'closeFork': {
        const { status, closedAt, txn } = change.closing;
        if (change.promoted !== undefined) this.#append(change.scopeId, change.promoted);
        this.#run('closeFork', [status, closedAt, change.scopeId, txn]);
        return;
      }
      case 'append':
        this.#append(change.scopeId, change.transaction);
        if (change.erasure) this.#erase(change.scopeId, change.erasure);
        return;
    }
  }

  #append(scopeId: string, { fork, txn, at, cause, principal, events }: StoredTransaction): void {
    this.#run('append', [scopeId, fork, txn, at, cause, principal, JSON.stringify(events)]);
    this.#run('moveHead', [txn, events.at(-1)?.seq ?? 0, scopeId]);
  }

  #erase(scopeId: string, erasure: Erasure): void {
    const statement = this.#statement('allEvents');
    const rewritten: [string, SqlValue][] = [];
    try {
      statement.bind([scopeId]);
      while (statement.step()) {
        const [row, events] = statement.get();
        const text = textOf(events);
        if (!erasure.individuals.some((id) => text.includes(`"${id}"`))) continue;
        const redacted = (JSON.parse(text) as StoredTransaction['events']).map((event) => redactEvent(event, erasure));
        rewritten.push([JSON.stringify(redacted), numberOf(row)]);
      }
    } finally {
      statement.reset();
    }
    for (const values of rewritten) this.#run('rewrite', values);
  }

  #configure(): void {
    // Nothing here is a disk: rolling back needs the journal in memory, and there is nothing to wait for.
    this.#sql.run(
      'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;',
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
      // Bound text stays allocated until the next binding otherwise, and a transaction can be large.
      statement.reset();
      statement.freemem();
    }
  }

  #all<Row>(name: keyof typeof STATEMENTS, values: SqlValue[], decode: (row: SqlValue[]) => Row): Row[] {
    const statement = this.#statement(name);
    const rows: Row[] = [];
    try {
      statement.bind(values);
      while (statement.step()) rows.push(decode(statement.get()));
    } finally {
      statement.reset();
    }
    return rows;
  }
}

function scopeFromRow(row: SqlValue[]): ScopeRecord {
  return { scopeId: textOf(row[0]), tenant: textOf(row[1]), schemaHash: textOf(row[2]) };
}

function forkFromRow(row: SqlValue[]): ForkRecord {
  const closedAt = nullOr(row[6]);
  return {
    fork: textOf(row[0]),
    txn: numberOf(row[1]),
    parent: textOf(row[2]),
    baseSeq: numberOf(row[3]),
    status: textOf(row[4]) as ForkStatus,
    createdAt: textOf(row[5]),
    ...(closedAt === null ? {} : { closedAt }),
  };
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
