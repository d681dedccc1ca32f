/** The EventStore of several servers: a database that speaks PostgreSQL's protocol. */

import { randomUUID } from 'node:crypto';
import type { Change } from '../database.js';
import type { StorageLog } from '../errors.js';
import {
  type ConnectionCounts,
  type Deployment,
  type EventStore,
  type ForkClosing,
  type ForkLabelling,
  type ForkRecord,
  type LastNumbers,
  type Outcome,
  type Overview,
  type Position,
  type SchemaAdoption,
  ScopeBehind,
  type ScopeHistory,
  type ScopeRecord,
  type SharedStore,
  type StatePart,
  StorageError,
  type StoredTransaction,
  type TransactionPart,
  type WriteOptions,
  type WrittenTransaction,
} from '../event-store.js';
import { adopt, deploy, lockScopes } from './adoption.js';
import { ChangeFeed } from './change-feed.js';
import { ConnectionLost, type Connections, connect, type PostgresOptions, type Session } from './connections.js';
import {
  entriesAfter,
  type ForkRow,
  forkOfRow,
  forks,
  type HeadRow,
  lastNumbers,
  read,
  readBack,
  recordOfRow,
  type ScopeRow,
} from './history.js';
import { prepareDatabase } from './migrations.js';
import { savedState, saveState } from './saved-states.js';
import { ScopeWriters } from './scope-writers.js';

export interface PostgresStoreOptions extends PostgresOptions {
  readonly log: StorageLog;
}

/** Opens the history of a database, and makes its tables. Rejects with a StorageError of one line, with reason and remedy. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<EventStore> {
  const { isHalfRestored } = await prepareDatabase(options.url);
  if (isHalfRestored) {
    throw new StorageError('A restore into the database was broken off; restore the backup again', 'failed');
  }
  return storeOn(await connect(options), options.url, options.log);
}

/** The store of a database whose tables are there. */
export function storeOn(connections: Connections, url: string, log: StorageLog): EventStore {
  return new PostgresStore(connections, url, log);
}

class PostgresStore implements EventStore {
  readonly kind = 'postgres';
  readonly warnings: readonly string[] = [];
  readonly shared: SharedStore;
  readonly #connections: Connections;
  readonly #writers: ScopeWriters;
  readonly #feed: ChangeFeed;
  readonly #openings: Turns;
  /** The epochs of scopes as this server has them. */
  readonly #epochs = new Map<string, number>();
  #isSaving = false;
  #closing: Promise<void> | undefined;

  constructor(connections: Connections, url: string, log: StorageLog) {
    this.#connections = connections;
    this.shared = this.#shared();
    this.#feed = new ChangeFeed(url, this.shared, log);
    this.#writers = new ScopeWriters(connections, (scopeId) => this.#feed.tell(scopeId));
    // What opens a scope may write too, for which a connection is left.
    this.#openings = new Turns(Math.max(1, Math.floor(connections.size / 2)));
  }

  get connections(): ConnectionCounts {
    return this.#connections.counts;
  }

  async probe(): Promise<void> {
    await this.#session.rows('probe');
  }

  async scopes(): Promise<readonly ScopeRecord[]> {
    return (await this.#session.rows<ScopeRow>('scopes')).map(recordOfRow);
  }

  async overview(): Promise<Overview> {
    return this.#reading(async (session) => {
      const scopes = await session.rows<ScopeRow & HeadRow>('overview');
      const forksOf = new Map<string, ForkRecord[]>(scopes.map(({ key }) => [key, []]));
      for (const row of await session.rows<ForkRow & { readonly scope: string }>('allForks')) {
        forksOf.get(row.scope)?.push(forkOfRow(row));
      }
      const [rewrites] = await session.rows<{ epochs: number }>('rewrites');
      return {
        scopes: scopes.map((row) => ({
          record: recordOfRow(row),
          last: { txn: row.last_txn, seq: row.last_seq },
          forks: forksOf.get(row.key) ?? [],
        })),
        rewrites: rewrites?.epochs ?? 0,
      };
    });
  }

  async scope(scopeId: string): Promise<ScopeRecord | undefined> {
    return (await this.#session.rows<ScopeRow>('scope', [scopeId])).map(recordOfRow)[0];
  }

  async createScope({ scopeId, tenant, schemaHash }: ScopeRecord, deployment?: number): Promise<void> {
    const key = randomUUID();
    const isArchived = scopeId.includes(ARCHIVE_MARK);
    const values = [key, scopeId, tenant, schemaHash, isArchived, deployment ?? null];
    const created = await this.#written(
      (session) => session.run('createScope', values),
      async () => (await this.#session.rows('scopeOfKey', [key])).length || undefined,
    );
    if (created > 0) return;
    if ((await this.scope(scopeId)) !== undefined) throw new ScopeBehind(`Scope ${scopeId} exists already`);
    throw new ScopeBehind('Another module was deployed');
  }

  async opening<T>(scopeId: string, use: (history: ScopeHistory, at: Position) => Promise<T>): Promise<T> {
    return this.#openings.take(() =>
      this.#reading(async (session) => {
        const [head] = await session.rows<HeadRow>('head', [scopeId]);
        const { version = 0, epoch = 0, deployment = 0 } = head ?? {};
        const at = { version, epoch, deployment };
        if (head !== undefined) {
          this.#writers.remember(scopeId, head);
          this.#epochs.set(scopeId, epoch);
          this.#feed.follow(scopeId, at);
        }
        return use(historyIn(session), at);
      }),
    );
  }

  async recordSchema(scopeId: string, schemaHash: string): Promise<void> {
    const recorded = await this.#written((session) => session.run('recordSchema', [[scopeId], schemaHash]));
    if (recorded === 0) throw new StorageError(`There is no scope ${scopeId}; create it first`, 'failed');
  }

  lastNumbers(scopeId: string): Promise<LastNumbers> {
    return lastNumbers(this.#session, scopeId);
  }

  async adoptSchema(adoption: SchemaAdoption): Promise<void> {
    await this.#written((session) => adopt(session, adoption));
  }

  async lastAdoption(): Promise<number> {
    return Number(await this.#meta('adoption'));
  }

  forks(scopeId: string): Promise<readonly ForkRecord[]> {
    return forks(this.#session, scopeId);
  }

  createFork(scopeId: string, fork: ForkRecord, first?: WrittenTransaction, options?: WriteOptions): Promise<void> {
    const begun: Change[] = first === undefined ? [] : [{ kind: 'append', scopeId, transaction: first }];
    return this.#write(scopeId, [{ kind: 'createFork', scopeId, fork }, ...begun], options);
  }

  closeFork(
    scopeId: string,
    closing: ForkClosing,
    promoted?: WrittenTransaction,
    options?: WriteOptions,
  ): Promise<void> {
    return this.#write(scopeId, [{ kind: 'closeFork', scopeId, closing, ...(promoted && { promoted }) }], options);
  }

  labelFork(scopeId: string, labelling: ForkLabelling, options?: WriteOptions): Promise<void> {
    return this.#write(scopeId, [{ kind: 'labelFork', scopeId, labelling }], options);
  }

  async append(scopeId: string, transactions: readonly WrittenTransaction[], options?: WriteOptions): Promise<void> {
    const changes = transactions.map((transaction): Change => ({ kind: 'append', scopeId, transaction }));
    const last = transactions.at(-1);
    if (last === undefined) return;
    const erasure = options?.erasure;
    if (erasure) changes[changes.length - 1] = { kind: 'append', scopeId, transaction: last, erasure };
    await this.#write(scopeId, changes, options);
    if (erasure) this.#epochs.set(scopeId, (this.#epochs.get(scopeId) ?? 0) + 1);
  }

  async outcome(scopeId: string, key: string): Promise<Outcome | undefined> {
    return (await this.#session.rows<Outcome>('outcome', [scopeId, key]))[0];
  }

  async appendCopy(scopeId: string, transactions: readonly StoredTransaction[]): Promise<void> {
    if (transactions.length === 0) return;
    const changes = transactions.map((transaction): Change => ({ kind: 'append', scopeId, transaction, isCopy: true }));
    await this.#write(scopeId, changes);
  }

  copyFork(scopeId: string, fork: ForkRecord): Promise<void> {
    return this.#write(scopeId, [{ kind: 'createFork', scopeId, fork, isCopy: true }]);
  }

  copyNumbers(scopeId: string, last: LastNumbers): Promise<void> {
    return this.#write(scopeId, [{ kind: 'copyNumbers', scopeId, last }]);
  }

  read(scopeId: string, fork: string, afterTxn: number, afterSeq = 0): AsyncIterable<TransactionPart> {
    return read(this.#session, scopeId, fork, afterTxn, afterSeq);
  }

  readBack(scopeId: string, fork: string, beforeTxn: number): AsyncIterable<TransactionPart> {
    return readBack(this.#session, scopeId, fork, beforeTxn);
  }

  async saveState(scopeId: string, txn: number, parts: AsyncIterable<StatePart>): Promise<boolean> {
    this.#checkUsable();
    if (this.#isSaving) return false;
    this.#isSaving = true;
    try {
      return await saveState(this.#connections, { scopeId, txn, epoch: this.#epochs.get(scopeId) }, parts);
    } finally {
      this.#isSaving = false;
    }
  }

  savedState(scopeId: string): Promise<readonly StatePart[] | undefined> {
    return savedState(this.#session, scopeId);
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  #shared(): SharedStore {
    return {
      positions: async (scopeIds) => {
        if (scopeIds.length === 0) return new Map();
        const rows = await this.#session.rows<Position & { scope_id: string }>('positions', [scopeIds]);
        return new Map(rows.map(({ scope_id, ...at }) => [scope_id, at]));
      },
      entriesAfter: (scopeId, version) => entriesAfter(this.#session, scopeId, version),
      lastDeployment: async () => Number(await this.#meta('deployment')),
      deployment: async (id) => {
        const [row] = await this.#session.rows<DeploymentRow>('deployment', [id]);
        if (row === undefined) throw new StorageError(`There is no deployment ${id}`, 'failed');
        return { id, moduleHash: row.module_hash, artifact: row.artifact };
      },
      deploy: async (module, adoption, at) => {
        const id = await this.#written((session) => deploy(session, module, adoption, at));
        this.#feed.tell(undefined);
        return id;
      },
      lockScopes: async () => {
        this.#checkUsable();
        const { deploy, ...locked } = await lockScopes(this.#connections);
        return {
          ...locked,
          deploy: async (...args) => {
            const id = await deploy(...args);
            this.#feed.tell(undefined);
            return id;
          },
        };
      },
      onChange: (callback) => this.#feed.subscribe(callback),
      secret: async () => Buffer.from(await this.#meta('secret'), 'hex'),
    };
  }

  get #session(): Session {
    this.#checkUsable();
    return this.#connections;
  }

  #checkUsable(): void {
    if (this.#closing !== undefined) throw new StorageError('The store is closed; open it again', 'unreachable');
  }

  async #meta(key: 'adoption' | 'deployment' | 'secret'): Promise<string> {
    const [row] = await this.#session.rows<{ value: string }>('meta', [key]);
    return row?.value ?? '';
  }

  async #write(scopeId: string, changes: readonly Change[], { at, outcome }: WriteOptions = {}): Promise<void> {
    this.#checkUsable();
    const kept: Change[] = outcome === undefined ? [] : [{ kind: 'keepOutcome', scopeId, outcome }];
    await this.#writers.write(scopeId, [...changes, ...kept], at);
  }

  /** Reads one state. */
  async #reading<T>(work: (session: Session) => Promise<T>): Promise<T> {
    this.#checkUsable();
    try {
      return await this.#connections.transaction('snapshot', work);
    } catch (error) {
      throw this.#connections.failure(error);
    }
  }

  /** A transaction of more than one scope, or of none. `find` looks for its result if the connection breaks while it commits. */
  async #written<T>(work: (session: Session) => Promise<T>, find?: () => Promise<T | undefined>): Promise<T> {
    this.#checkUsable();
    try {
      return await this.#connections.retried(work);
    } catch (error) {
      const found = error instanceof ConnectionLost ? await find?.().catch(() => undefined) : undefined;
      if (found === undefined) throw this.#connections.failure(error, true);
      return found;
    }
  }

  async #finish(): Promise<void> {
    await this.#writers.finish();
    await this.#feed.close();
    await this.#connections.end();
  }
}

/** Occurs in the ids of archives, and in no other. */
const ARCHIVE_MARK = '.';

type DeploymentRow = { readonly module_hash: string } & Pick<Deployment, 'artifact'>;

function historyIn(session: Session): ScopeHistory {
  return {
    forks: (scopeId) => forks(session, scopeId),
    lastNumbers: (scopeId) => lastNumbers(session, scopeId),
    read: (scopeId, fork, afterTxn, afterSeq = 0) => read(session, scopeId, fork, afterTxn, afterSeq),
    savedState: (scopeId) => savedState(session, scopeId),
  };
}

/** Lets so many run at once. */
class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
