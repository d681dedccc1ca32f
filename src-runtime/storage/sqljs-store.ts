/** The default EventStore: an in-memory database, made durable by a journal of commits and by checkpoints. */

import type { MaybePromise } from '../base/ports.js';
import { type CommitLog, type CommitLogOptions, recover } from './commit-log.js';
import { acceptable, CommitQueue, type Ready } from './commit-queue.js';
import { type Change, type Database, openDatabase, type Segment } from './database.js';
import { asStorageError, asUnknown, type StorageLog, systemCode, withRoom } from './errors.js';
import {
  type EventStore,
  type ForkClosing,
  type ForkLabelling,
  type ForkRecord,
  type LastNumbers,
  type Outcome,
  type Overview,
  type Position,
  type SchemaAdoption,
  type ScopeHistory,
  type ScopeRecord,
  type StatePart,
  StorageError,
  type StoredTransaction,
  type TransactionPart,
  type WriteOptions,
  type WrittenTransaction,
} from './event-store.js';
import { type Files, nodeFiles } from './files.js';
import { type HistorySource, readBackwards, readForwards } from './history-reader.js';
import { damaged, type OnDamage, refuse } from './journal-format.js';
import { type DirectoryLock, takeLock } from './lock.js';
import { isErasure, isRewrite, rewritesOf, rewritten } from './rewriting.js';
import { SavedStates } from './saved-states.js';
import { isDivided, seal, sizeWarnings } from './sealing.js';
import { Segments } from './segments.js';
import { inTimeSlices, nextTurn } from './time-slices.js';
import { readRecord, recordOf, type WrittenChange } from './written-changes.js';

export interface SqlJsStoreOptions {
  /** Created if it is missing. Only one store at a time, in any process, may have it open. */
  readonly directory: string;
  readonly log: StorageLog;
  /** The journal grows to this and to the size of the last checkpoint before the next checkpoint. */
  readonly checkpointAfterBytes?: number;
  /** At a checkpoint, a current database of this size becomes a sealed segment. Larger ones are divided. */
  readonly segmentBytes?: number;
}

const CHECKPOINT_AFTER_BYTES = 8 * 1024 * 1024;
const SEGMENT_BYTES = 4 * 1024 * 1024;

/** How long a journal may lag behind what is recorded of it. */
const NOTE_AFTER_MS = 100;

/** Room for writes on a full disk. */
const ROOM_MIN_BYTES = 1_000_000;

const silent: StorageLog = { info: () => undefined, warn: () => undefined };

/** Opens the history of a directory. Rejects with a StorageError of one line, with reason and remedy. */
export async function openSqlJsStore(options: SqlJsStoreOptions): Promise<EventStore> {
  const { directory } = options;
  try {
    await makeDirectory(directory);
    const lock = await takeLock(directory);
    return await openLocked(options, nodeFiles, lock);
  } catch (error) {
    if (systemCode(error) === 'EEXIST' || systemCode(error) === 'ENOTDIR') {
      const message = `${directory} is a file, or a part of that path is`;
      throw new StorageError(message, 'unreachable', { cause: error, place: directory });
    }
    throw asStorageError(error, `open the data directory ${directory}`, directory);
  }
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    await nodeFiles.makeDirectory(directory);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    const message = `No directory can be made at ${directory}`;
    throw new StorageError(message, 'unreachable', { cause: error, place: directory });
  }
}

/** A store in memory only. */
export async function openMemoryStore(): Promise<EventStore> {
  return new SqlJsStore(await openDatabase(), new Segments(undefined, []), new SavedStates(undefined), undefined, {
    log: silent,
  });
}

interface Durability {
  readonly commits: CommitLog;
  readonly lock: DirectoryLock;
}

/** Opens a directory whose lock is taken. Releases the lock if opening fails. */
export async function openLocked(options: SqlJsStoreOptions, files: Files, lock: DirectoryLock): Promise<EventStore> {
  const { directory, log } = options;
  let database: Database | undefined;
  try {
    const place = { files, directory, warn: (fields: object, message: string) => log.warn(fields, message) };
    const { recovered, segments, ...opened } = await openHistory(place, refuse);
    database = opened.database;
    await segments.checkFiles();
    const commits = await recovered.begin();
    await segments.removeLeftovers();
    const states = new SavedStates(place);
    await states.removeLeftovers();
    const store = new SqlJsStore(database, segments, states, { commits, lock }, options);
    store.divideOldDatabase();
    return store;
  } catch (error) {
    database?.close();
    await lock.release().catch(() => undefined);
    throw error;
  }
}

/**
 * Opens the history of a directory without its lock, and changes nothing in it. What is damaged is left out and given to `onDamage`:
 * damaged segments, and the journal from the first damaged record on. Rejects if no checkpoint can be read. It must not be written to.
 */
export async function openForReading(
  directory: string,
  onDamage: OnDamage,
  disk: Files = nodeFiles,
): Promise<EventStore> {
  const files: Files = { ...disk, remove: async () => undefined };
  const place = { files, directory, warn: () => undefined };
  const { database, segments } = await openHistory(place, onDamage);
  const whole: Segment[] = [];
  for (const segment of segments.list) {
    try {
      (await segments.open(segment)).close();
      whole.push(segment);
    } catch (error) {
      onDamage(asStorageError(error, `read ${directory}`, directory));
    }
  }
  segments.replace(whole);
  return new SqlJsStore(database, segments, new SavedStates(place), undefined, { log: silent });
}

/** Reads the newest checkpoint and applies the journals since. */
async function openHistory(place: CommitLogOptions, onDamage: OnDamage) {
  const recovered = await recover(place, onDamage);
  const database = await openDatabase(recovered.checkpoint);
  try {
    for (const commit of recovered.commitsAfter(database.meta('sequence'))) {
      try {
        await inTimeSlices(database.apply(await inTimeSlices(readRecord(commit.version, commit.payload))));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        onDamage(damaged(commit.file, commit.offset, `the record cannot be applied (${why})`));
        break;
      }
    }
    return { recovered, database, segments: new Segments(place, database.segments()) };
  } catch (error) {
    database.close();
    throw error;
  }
}

class SqlJsStore implements EventStore {
  readonly kind: string;
  readonly shared = undefined;
  #database: Database;
  readonly #segments: Segments;
  readonly #states: SavedStates;
  readonly #history: HistorySource;
  readonly #durability: Durability | undefined;
  readonly #log: StorageLog;
  readonly #checkpointAfterBytes: number;
  readonly #segmentBytes: number;
  readonly #queue = new CommitQueue();
  #lastRead: Promise<void> = Promise.resolve();
  #committing: Promise<void> | undefined;
  /** The probe that overlapping calls share. */
  #probing: Promise<void> | undefined;
  #checkpoint: Promise<void> | undefined;
  /** Journal size at which to retry a checkpoint that could not start. */
  #postponedToBytes = 0;
  #isNoting = false;
  #rewrites = 0;
  #closing: Promise<void> | undefined;
  #fault: StorageError | undefined;

  constructor(
    database: Database,
    segments: Segments,
    states: SavedStates,
    durability: Durability | undefined,
    {
      log,
      checkpointAfterBytes = CHECKPOINT_AFTER_BYTES,
      segmentBytes = SEGMENT_BYTES,
    }: Pick<SqlJsStoreOptions, 'log' | 'checkpointAfterBytes' | 'segmentBytes'>,
  ) {
    this.kind = durability === undefined ? 'sql.js (memory)' : 'sql.js';
    this.#database = database;
    this.#segments = segments;
    this.#states = states;
    this.#durability = durability;
    this.#log = log;
    this.#checkpointAfterBytes = checkpointAfterBytes;
    this.#segmentBytes = segmentBytes;
    this.#history = {
      segments,
      nextRead: () => this.#nextRead(),
      current: (work) => this.#reading(work),
    };
  }

  get warnings(): readonly string[] {
    const commits = this.#durability?.commits;
    const isOpen = this.#closing === undefined && this.#fault === undefined;
    const sizes = {
      memoryBytes: commits === undefined && isOpen ? this.#database.sizeBytes : 0,
      unwrittenBytes: this.#checkpoint === undefined ? this.#segments.unwrittenBytes : 0,
      checkpointBytes: commits?.checkpointBytes ?? 0,
    };
    return [...(commits?.warnings ?? []), ...sizeWarnings(sizes)];
  }

  probe(): Promise<void> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  async #probe(): Promise<void> {
    try {
      this.#checkUsable();
      this.#durability?.lock.check();
      // A rollback that waits for the disk need not wait for the next write.
      if (this.#committing === undefined) await this.#durability?.commits.settle();
      await this.#durability?.commits.probe();
    } catch (error) {
      const { message, why } = withRoom(asStorageError(error, 'use the data directory'), this.#roomBytes);
      throw new StorageError(message, 'unreachable', { cause: error, why });
    }
  }

  /** Room for a next checkpoint beside the files in force, and some writes. */
  get #roomBytes(): number {
    const { checkpointBytes = 0, bytesSinceCheckpoint = 0 } = this.#durability?.commits ?? {};
    return 2 * (checkpointBytes + bytesSinceCheckpoint) + ROOM_MIN_BYTES;
  }

  async scopes(): Promise<readonly ScopeRecord[]> {
    return this.#reading((database) => database.scopes());
  }

  async overview(): Promise<Overview> {
    return this.#reading((database) => ({
      scopes: database.scopes().map((record) => ({
        record,
        last: database.head(record.scopeId) ?? { txn: 0, seq: 0 },
        forks: database.forks(record.scopeId),
      })),
      rewrites: this.#rewrites,
    }));
  }

  async scope(scopeId: string): Promise<ScopeRecord | undefined> {
    return this.#reading((database) => database.scope(scopeId));
  }

  createScope(record: ScopeRecord): Promise<void> {
    return this.#enqueue({ kind: 'createScope', record });
  }

  async opening<T>(scopeId: string, use: (history: ScopeHistory, at: Position) => Promise<T>): Promise<T> {
    const { txn } = await this.lastNumbers(scopeId);
    return use(this, { version: txn, epoch: 0, deployment: 0 });
  }

  recordSchema(scopeId: string, schemaHash: string): Promise<void> {
    return this.#enqueue({ kind: 'recordSchema', scopeId, schemaHash });
  }

  async lastNumbers(scopeId: string): Promise<LastNumbers> {
    return this.#reading((database) => database.head(scopeId)) ?? { txn: 0, seq: 0 };
  }

  async adoptSchema({ schemaHash, scopeIds, renaming, setAside = [], id }: SchemaAdoption): Promise<void> {
    const adopted = scopeIds.map(
      (scopeId): Change =>
        renaming === undefined
          ? { kind: 'recordSchema', scopeId, schemaHash }
          : { kind: 'rename', scopeId, renaming, schemaHash },
    );
    const aside = setAside.map((each): Change => ({ kind: 'setAside', ...each, schemaHash }));
    const changes = [...adopted, ...aside];
    if (changes.length === 0) return;
    const noted: Change[] = id === undefined ? [] : [{ kind: 'noteAdoption', id }];
    await this.#enqueue(...changes, ...noted);
  }

  async lastAdoption(): Promise<number> {
    return this.#reading((database) => database.meta('adoption'));
  }

  async forks(scopeId: string): Promise<readonly ForkRecord[]> {
    return this.#reading((database) => database.forks(scopeId));
  }

  createFork(
    scopeId: string,
    fork: ForkRecord,
    first?: WrittenTransaction,
    { outcome }: WriteOptions = {},
  ): Promise<void> {
    const begun: Change[] = first === undefined ? [] : [{ kind: 'append', scopeId, transaction: first }];
    return this.#enqueue({ kind: 'createFork', scopeId, fork }, ...begun, ...kept(scopeId, outcome));
  }

  closeFork(
    scopeId: string,
    closing: ForkClosing,
    promoted?: WrittenTransaction,
    { outcome }: WriteOptions = {},
  ): Promise<void> {
    const change: Change = { kind: 'closeFork', scopeId, closing, ...(promoted && { promoted }) };
    return this.#enqueue(change, ...kept(scopeId, outcome));
  }

  labelFork(scopeId: string, labelling: ForkLabelling, { outcome }: WriteOptions = {}): Promise<void> {
    return this.#enqueue({ kind: 'labelFork', scopeId, labelling }, ...kept(scopeId, outcome));
  }

  append(
    scopeId: string,
    transactions: readonly WrittenTransaction[],
    { erasure, outcome }: WriteOptions = {},
  ): Promise<void> {
    const changes = transactions.map((transaction): Change => ({ kind: 'append', scopeId, transaction }));
    const last = transactions.at(-1);
    if (last === undefined) return Promise.resolve();
    if (erasure) changes[changes.length - 1] = { kind: 'append', scopeId, transaction: last, erasure };
    return this.#enqueue(...changes, ...kept(scopeId, outcome));
  }

  async appendCopy(scopeId: string, transactions: readonly StoredTransaction[]): Promise<void> {
    if (transactions.length === 0) return;
    await this.#enqueue(
      ...transactions.map((transaction): Change => ({ kind: 'append', scopeId, transaction, isCopy: true })),
    );
  }

  copyFork(scopeId: string, fork: ForkRecord): Promise<void> {
    return this.#enqueue({ kind: 'createFork', scopeId, fork, isCopy: true });
  }

  copyNumbers(scopeId: string, last: LastNumbers): Promise<void> {
    return this.#enqueue({ kind: 'copyNumbers', scopeId, last });
  }

  read(
    scopeId: string,
    fork: string,
    afterTxn: number,
    afterSeq = 0,
  ): AsyncGenerator<TransactionPart, void, undefined> {
    return readForwards(this.#history, scopeId, fork, afterTxn, afterSeq);
  }

  readBack(scopeId: string, fork: string, beforeTxn: number): AsyncGenerator<TransactionPart, void, undefined> {
    return readBackwards(this.#history, scopeId, fork, beforeTxn);
  }

  /** Readers take turns, with a turn of the event loop for each, so that many who follow the history block no request. */
  #nextRead(): Promise<void> {
    this.#lastRead = this.#lastRead.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#lastRead;
  }

  async saveState(scopeId: string, txn: number, parts: AsyncIterable<StatePart>): Promise<boolean> {
    const scope = this.#reading((database) => database.scopeKey(scopeId));
    if (scope === undefined) return false;
    try {
      return await this.#states.write(scope, txn, parts);
    } catch (error) {
      throw asStorageError(error, 'save the state of a scope');
    }
  }

  async savedState(scopeId: string): Promise<readonly StatePart[] | undefined> {
    const scope = this.#reading((database) => database.scopeKey(scopeId));
    const { txn } = await this.lastNumbers(scopeId);
    return scope === undefined ? undefined : this.#states.read(scope, txn);
  }

  async outcome(scopeId: string, key: string): Promise<Outcome | undefined> {
    return this.#reading((database) => database.outcome(scopeId, key));
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  #reading<Result>(read: (database: Database) => Result): Result {
    this.#checkUsable();
    try {
      return read(this.#database);
    } catch (error) {
      throw asStorageError(error, 'read the history');
    }
  }

  #checkUsable(): void {
    if (this.#closing !== undefined) throw new StorageError('The store is closed; open it again', 'unreachable');
    if (this.#fault !== undefined) throw this.#fault;
  }

  #enqueue(...changes: readonly Change[]): Promise<void> {
    try {
      this.#checkUsable();
    } catch (error) {
      return Promise.reject(error);
    }
    const kept = this.#queue.add(changes);
    this.#committing ??= this.#commitWaiting();
    return kept;
  }

  async #commitWaiting(): Promise<void> {
    // All writes of one turn of the event loop share one sync.
    await nextTurn();
    while (!this.#queue.isEmpty) {
      await this.#commit(await this.#queue.takeGroup());
      if (this.#isCheckpointDue()) await this.#beginCheckpoint();
    }
    // Synchronously after the last check of the queue: a write added later must see that no commit runs, and start one.
    this.#committing = undefined;
    this.#noteWhenIdle();
  }

  /** Waits a moment, because a client that writes one thing after the other would wait for it. */
  #noteWhenIdle(): void {
    if (this.#durability === undefined || this.#isNoting) return;
    this.#isNoting = true;
    setTimeout(() => {
      this.#isNoting = false;
      if (this.#committing === undefined && this.#closing === undefined) void this.#durability?.commits.noteSynced();
    }, NOTE_AFTER_MS).unref();
  }

  /** First durable, then visible, then acknowledged. Never rejects; each member of the group settles. */
  async #commit(group: readonly Ready[]): Promise<void> {
    let accepted: readonly Ready[] = group;
    const commits = this.#durability?.commits;
    let isBegun = false;
    try {
      if (this.#fault !== undefined) throw this.#fault;
      if (commits?.isSettled === false) await commits.settle();
      isBegun = true;
      accepted = acceptable(group, this.#database);
      if (accepted.length === 0) return;
      const changes = accepted.flatMap((ready) => ready.written.changes);
      if (changes.some(isRewrite)) await this.#rewrite(changes);
      else {
        this.#durability?.lock.check();
        // While several wait, more are about to come, and are prepared during the sync.
        if (commits !== undefined) await commits.append(recordOf(changes), group.length === 1 && this.#queue.isEmpty);
        const applying = this.#makeVisible(changes);
        if (applying instanceof Promise) await applying;
      }
      this.#rewrites += changes.filter((each) => isRewrite(each) || each.change.kind === 'setAside').length;
    } catch (error) {
      const failure = withRoom(asStorageError(error, 'write the history'), this.#roomBytes);
      const reported = isBegun && commits?.isUncertain ? asUnknown(failure) : failure;
      for (const ready of accepted) ready.reject(reported);
      return;
    }
    for (const ready of accepted) ready.resolve();
  }

  #makeVisible(changes: readonly WrittenChange[]): MaybePromise<void> {
    // The database refused it, for example out of memory. It is not acknowledged, so it must not stay in the journal.
    const undo = async (error: unknown): Promise<never> => {
      await this.#durability?.commits.undo();
      throw error;
    };
    try {
      const applying = inTimeSlices(this.#database.apply(changes, true));
      return applying instanceof Promise ? applying.catch(undo) : undefined;
    } catch (error) {
      return undo(error);
    }
  }

  /**
   * Commits changes of stored events with a checkpoint of a changed copy of the database and of the segments. A journal would keep
   * erased values, and if the disk refuses, what is served is unchanged.
   */
  async #rewrite(changes: readonly WrittenChange[]): Promise<void> {
    const { commits, lock } = this.#durability ?? {};
    lock?.check();
    await this.#checkpoint;
    await this.#segments.writeFiles();
    const copy = await openDatabase({ file: 'The database', bytes: this.#snapshot(commits?.sequence ?? 0) });
    let next: Database | undefined;
    try {
      await inTimeSlices(copy.apply(changes));
      const rewrites = rewritesOf(changes, (scopeId) => copy.scopeKey(scopeId));
      await this.#states.beginRewrite([...rewrites.keys()]);
      const segments = await this.#segments.rewritten(rewrites);
      next = await rewritten(copy, rewrites);
      next.copyOutcomes(copy);
      next.setSegments(segments);
      await commits?.appendAsCheckpoint(next.exportBytes(commits.sequence + 1));
      this.#segments.replace(segments);
    } catch (error) {
      next?.close();
      throw error;
    } finally {
      this.#states.endRewrite(copy.lastTxns());
      copy.close();
    }
    this.#database.close();
    this.#database = next;
    await commits?.removeOlder(changes.some(isErasure), () => this.#segments.removeLeftovers());
  }

  /** The library closes the database for an export, so after a failed export none is left. */
  #snapshot(sequence: number): Uint8Array {
    try {
      return this.#database.exportBytes(sequence);
    } catch (error) {
      const what = 'take a snapshot of the history, which is safe on disk; start again to go on';
      this.#fault = asStorageError(error, what);
      throw this.#fault;
    }
  }

  /** Begins a checkpoint that divides a database of an older format, which had the whole history. */
  divideOldDatabase(): void {
    if (!isDivided(this.#database, this.#segmentBytes)) return;
    this.#committing ??= this.#beginCheckpoint().then(() => this.#commitWaiting());
  }

  #isCheckpointDue(): boolean {
    const commits = this.#durability?.commits;
    if (commits === undefined || commits.isUncertain || this.#checkpoint !== undefined || this.#fault !== undefined)
      return false;
    const due = Math.max(this.#checkpointAfterBytes, commits.checkpointBytes, this.#postponedToBytes);
    return commits.bytesSinceCheckpoint >= due;
  }

  /** Takes the snapshot between two commits. The rest of the checkpoint runs beside later commits. Never rejects. */
  async #beginCheckpoint(): Promise<void> {
    const commits = this.#durability?.commits;
    if (commits === undefined) return;
    let generation: number;
    let bytes: Uint8Array;
    try {
      await seal(this.#database, this.#segments, this.#segmentBytes, () => this.#snapshot(commits.sequence));
      generation = await commits.rotate();
      this.#postponedToBytes = 0;
    } catch (error) {
      this.#postponedToBytes = commits.bytesSinceCheckpoint + this.#checkpointAfterBytes;
      this.#log.warn({ err: error }, 'could not begin a checkpoint; the journal goes on and nothing is lost');
      return;
    }
    try {
      bytes = this.#snapshot(commits.sequence);
    } catch {
      return;
    }
    this.#checkpoint = this.#segments
      .writeFiles()
      .then(() => commits.writeCheckpoint(generation, bytes))
      .then(() => this.#segments.removeLeftovers())
      .then(() => this.#log.info({ generation, bytes: bytes.length }, 'wrote a checkpoint'))
      .catch((error: unknown) =>
        this.#log.warn(
          { err: error, generation },
          'could not write a checkpoint; the journals stay and nothing is lost',
        ),
      )
      .finally(() => {
        this.#checkpoint = undefined;
      });
  }

  async #finish(): Promise<void> {
    try {
      await this.#states.stop();
      await this.#committing;
      await this.#checkpoint;
      const unsaved = this.#durability?.commits.bytesSinceCheckpoint ?? 0;
      // Opening from a checkpoint is faster, but replaying a small journal takes less time than writing a checkpoint.
      if (this.#fault === undefined && unsaved >= this.#checkpointAfterBytes / 4) await this.#beginCheckpoint();
      await this.#checkpoint;
      await this.#durability?.commits.close();
    } catch (error) {
      this.#database.close();
      this.#segments.close();
      await this.#durability?.lock.release().catch(() => undefined);
      throw asStorageError(error, 'close the data directory');
    }
    this.#database.close();
    this.#segments.close();
    await this.#durability?.lock.release();
  }
}

function kept(scopeId: string, outcome: Outcome | undefined): readonly Change[] {
  return outcome === undefined ? [] : [{ kind: 'keepOutcome', scopeId, outcome }];
}
