/**
 * Writes to scopes. Calls that wait for one scope are one transaction, which compares the position of the scope and swaps it, so that no
 * two servers write at one position.
 *
 * A connection may break while a write commits. Then the scope's fence is raised, after which that write can no longer commit, and its
 * id is looked for among the entries.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { acceptable, CommitQueue, isVersioned, type Ready } from '../commit-queue.js';
import type { Change } from '../database.js';
import {
  erasedOutcome,
  OUTCOME_AGE_MAX_MS,
  type Outcome,
  type Position,
  redactor,
  ScopeBehind,
  StorageError,
} from '../event-store.js';
import { mentionsOf, rewriteEach } from '../rewriting.js';
import { ConnectionLost, type Connections, LostRace, type Session } from './connections.js';
import { columnsOf, type NewEntry, newEntries } from './entries.js';
import { forks, type HeadRow } from './history.js';
import { changeBodies } from './rewrites.js';

/** What a server remembers of a scope to write to it in one round trip. The version is one that it has had. */
type Known = Pick<HeadRow, 'key' | 'fence' | 'version'>;

/** Scopes that are remembered. */
const KNOWN_MAX = 20_000;

/** Larger groups are inserted in parts, within one transaction. */
const ROWS_AT_ONCE = 256;

/** How often a write that loses races is tried. */
const ATTEMPTS = 5;

interface Writer {
  readonly queue: CommitQueue;
  committing: Promise<void> | undefined;
  /** Why the last write failed, until its callers have learnt it. What they have written on top of it is refused too. */
  failure: Error | undefined;
}

/** A write under way. */
interface Attempt {
  readonly key: string;
  /** At least that of the entries before it. */
  readonly version: number;
  readonly members: readonly Ready[];
}

export class ScopeWriters {
  readonly #connections: Connections;
  readonly #onWritten: (scopeId: string) => void;
  readonly #writers = new Map<string, Writer>();
  readonly #known = new Map<string, Known>();

  constructor(connections: Connections, onWritten: (scopeId: string) => void) {
    this.#connections = connections;
    this.#onWritten = onWritten;
  }

  /** Settles once the changes are durable or refused. They are of one write. */
  async write(scopeId: string, changes: readonly Change[], at?: Position): Promise<void> {
    const writer = this.#writers.get(scopeId) ?? this.#newWriter(scopeId);
    if (at !== undefined && writer.failure !== undefined) throw writer.failure;
    const kept = writer.queue.add(changes, at);
    writer.committing ??= this.#commitWaiting(scopeId, writer);
    await kept;
  }

  remember(scopeId: string, { key, fence, version }: Known): void {
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(scopeId, { key, fence, version });
  }

  async finish(): Promise<void> {
    await Promise.all([...this.#writers.values()].map(({ committing }) => committing));
  }

  #newWriter(scopeId: string): Writer {
    const writer = { queue: new CommitQueue(), committing: undefined, failure: undefined };
    this.#writers.set(scopeId, writer);
    return writer;
  }

  async #commitWaiting(scopeId: string, writer: Writer): Promise<void> {
    // All writes of one turn of the event loop share one transaction.
    await Promise.resolve();
    while (!writer.queue.isEmpty) {
      const { failure, settle } = await this.#commit(scopeId, await writer.queue.takeGroup());
      if (failure !== undefined) this.#refuseFollowing(scopeId, writer, failure);
      settle();
    }
    writer.committing = undefined;
    this.#dropIdle(scopeId, writer);
  }

  /** Refuses what was written on top of a failed write, also by callers that have not learnt of it yet: before the next turn they have. */
  #refuseFollowing(scopeId: string, writer: Writer, failure: Error): void {
    writer.queue.rejectFollowing(failure);
    writer.failure = failure;
    setImmediate(() => {
      if (writer.failure === failure) writer.failure = undefined;
      this.#dropIdle(scopeId, writer);
    });
  }

  #dropIdle(scopeId: string, writer: Writer): void {
    if (writer.committing !== undefined || writer.failure !== undefined) return;
    if (this.#writers.get(scopeId) === writer) this.#writers.delete(scopeId);
  }

  /** Never rejects. `failure` is why members were refused, or all of them; what follows them is refused first, then they settle. */
  async #commit(
    scopeId: string,
    group: readonly Ready[],
  ): Promise<{ readonly failure: Error | undefined; readonly settle: () => void }> {
    let failure: Error | undefined;
    const settling: (() => void)[] = [];
    const settle = () => {
      for (const each of settling) each();
    };
    let members: readonly Ready[] = group.map((ready) => ({
      ...ready,
      reject: (error) => {
        failure ??= error;
        settling.push(() => ready.reject(error));
      },
    }));
    const writeId = randomUUID();
    for (let attempt = 1; members.length > 0; attempt += 1) {
      let begun: Attempt | undefined;
      try {
        await this.#attempt(scopeId, members, writeId, (under) => {
          begun = under;
          members = under.members;
        });
        break;
      } catch (error) {
        try {
          if (await this.#isOver(error, { begun, writeId, isLast: attempt === ATTEMPTS })) break;
          this.#known.delete(scopeId);
        } catch (cause) {
          const final = lostAsBehind(cause, members) ?? asError(this.#connections.failure(cause));
          for (const { reject } of members) reject(final);
          return { failure: asNotSent(failure ?? final), settle };
        }
      }
    }
    for (const { resolve } of members) settling.push(resolve);
    if (members.length > 0) this.#onWritten(scopeId);
    return { failure, settle };
  }

  /** Whether a failed attempt was kept after all. False if it may be tried again. Throws what it failed for. */
  async #isOver(
    error: unknown,
    { begun, writeId, isLast }: { begun: Attempt | undefined; writeId: string; isLast: boolean },
  ): Promise<boolean> {
    if (error instanceof ConnectionLost && begun !== undefined && (await this.#isKept(begun, writeId, error)))
      return true;
    const isWorthwhile = error instanceof ConnectionLost || error instanceof LostRace;
    if (isWorthwhile && !isLast) return false;
    throw error;
  }

  async #attempt(
    scopeId: string,
    group: readonly Ready[],
    writeId: string,
    begin: (attempt: Attempt) => void,
  ): Promise<void> {
    const plain = plainAppend(group);
    if (plain !== undefined) {
      const known = this.#known.get(scopeId) ?? (await this.#look(scopeId));
      if (known !== undefined) {
        begin({ ...known, members: group });
        if ((await this.#swap(scopeId, known, plain, writeId)) > 0) return;
        this.#known.delete(scopeId);
      }
    }
    await this.#connections.transaction('write', async (session) => {
      const [head] = await session.rows<HeadRow>('lockHead', [scopeId]);
      if (head !== undefined) this.remember(scopeId, head);
      const all = group.some(usesForks) ? await forks(session, scopeId) : [];
      const stored = {
        head: (id: string) => (id === scopeId && head ? { txn: head.last_txn, seq: head.last_seq } : undefined),
        forks: () => all,
      };
      const members = acceptable(group, stored, head);
      begin({ key: head?.key ?? '', version: head?.version ?? 0, members });
      if (members.length > 0 && head !== undefined) await writeMembers(session, head, members, writeId);
    });
  }

  async #look(scopeId: string): Promise<Known | undefined> {
    const [head] = await this.#connections.rows<HeadRow>('head', [scopeId]);
    if (head !== undefined) this.remember(scopeId, head);
    return head;
  }

  /** In one statement. Returns 0 if the scope is not as expected. */
  #swap(scopeId: string, { key, fence }: Known, { rows, ...to }: PlainAppend, writeId: string): Promise<number> {
    const { at } = to;
    return this.#connections.run('append', [
      writeId,
      ...columnsOf(rows),
      ...[to.writes, to.lastTxn, to.lastSeq, key, scopeId, fence, to.firstTxn - 1, to.firstSeq],
      ...[at?.version ?? null, at?.epoch ?? null, at?.deployment ?? null],
    ]);
  }

  /** Whether a write with an unknown outcome was kept. Afterwards it can no longer commit. Throws if that cannot be learnt. */
  async #isKept({ key, version }: Attempt, writeId: string, lost: ConnectionLost): Promise<boolean> {
    const { unknownAfterMs } = this.#connections;
    const giveUp = AbortSignal.timeout(unknownAfterMs);
    const look = () =>
      this.#connections.transaction('write', async (session) => {
        await session.run('raiseFence', [key]);
        return (await session.rows('hasWrite', [key, version, writeId])).length > 0;
      });
    for (let waitMs = 20; !giveUp.aborted; waitMs = Math.min(2 * waitMs, 500)) {
      const found = await Promise.race([
        look().catch(() => undefined),
        pause(unknownAfterMs, undefined, { signal: giveUp, ref: false }).catch(() => undefined),
      ]);
      if (found !== undefined) return found;
      await pause(waitMs);
    }
    throw this.#connections.failure(lost, true);
  }
}

/** Appends that need no look at the scope. */
interface PlainAppend {
  readonly rows: readonly NewEntry[];
  readonly writes: number;
  readonly firstTxn: number;
  readonly lastTxn: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly at: Position | undefined;
}

/** Undefined if the group has anything but short transactions whose numbers and positions follow each other. */
function plainAppend(group: readonly Ready[]): PlainAppend | undefined {
  const at = group[0]?.at;
  const rows: NewEntry[] = [];
  let txn: number | undefined;
  let [firstSeq, lastSeq] = [Number.MAX_SAFE_INTEGER, 0];
  for (const [index, { written, at: own }] of group.entries()) {
    if (!follows(own, at, index)) return undefined;
    for (const { change, parts, disorder } of written.changes) {
      if (change.kind !== 'append' || change.isCopy || change.erasure !== undefined || disorder !== undefined)
        return undefined;
      const isNext = txn === undefined || change.transaction.txn === txn + 1;
      const [first] = parts;
      if (!isNext || (first !== undefined && first.firstSeq <= lastSeq)) return undefined;
      txn = change.transaction.txn;
      firstSeq = Math.min(firstSeq, first?.firstSeq ?? firstSeq);
      lastSeq = parts.at(-1)?.lastSeq ?? lastSeq;
    }
    rows.push(...newEntries(written.changes, index + 1));
    if (rows.length > ROWS_AT_ONCE) return undefined;
  }
  if (txn === undefined) return undefined;
  const count = group.reduce((sum, { written }) => sum + written.changes.length, 0);
  return { rows, writes: group.length, firstTxn: txn - count + 1, lastTxn: txn, firstSeq, lastSeq, at };
}

/** Whether a write is the one at the index after `first`. */
function follows(at: Position | undefined, first: Position | undefined, index: number): boolean {
  if (at === undefined || first === undefined) return at === first;
  return at.version === first.version + index && at.epoch === first.epoch && at.deployment === first.deployment;
}

function usesForks({ written }: Ready): boolean {
  return written.changes.some(({ change }) => change.kind === 'closeFork' || change.kind === 'labelFork');
}

/** Writes within a transaction that has locked the scope. */
async function writeMembers(
  session: Session,
  head: HeadRow,
  members: readonly Ready[],
  writeId: string,
): Promise<void> {
  const { key } = head;
  let [version, txn, seq] = [head.version, head.last_txn, head.last_seq];
  const rows: NewEntry[] = [];
  for (const ready of members) {
    const { changes } = ready.written;
    if (isVersioned(ready)) rows.push(...newEntries(changes, ++version - head.version));
    for (const { change, parts } of changes) {
      [txn, seq] = [txnOf(change) ?? txn, parts.at(-1)?.lastSeq ?? seq];
      if (change.kind === 'copyNumbers') seq = change.last.seq;
      await writeFork(session, key, change);
    }
  }
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const columns = columnsOf(rows.slice(start, start + ROWS_AT_ONCE));
    await session.run('addEntries', [writeId, ...columns, key, head.version]);
  }
  await session.run('moveHead', [key, version, txn, seq]);
  for (const { change } of members.flatMap(({ written }) => written.changes)) {
    if (change.kind !== 'append' || change.erasure === undefined) continue;
    await changeBodies(session, key, rewriteEach(redactor(change.erasure)), mentionsOf(change.erasure));
    await eraseOutcomes(session, key);
  }
  for (const { change } of members.flatMap(({ written }) => written.changes)) {
    if (change.kind === 'keepOutcome') await keepOutcome(session, key, change.outcome);
  }
}

async function eraseOutcomes(session: Session, scope: string): Promise<void> {
  for (;;) {
    const whole = await session.rows<Outcome>('wholeOutcomes', [scope, ROWS_AT_ONCE]);
    if (whole.length === 0) return;
    const erased = whole.map(erasedOutcome);
    await session.run('eraseOutcomes', [scope, erased.map(({ key }) => key), erased.map(({ response }) => response)]);
  }
}

async function keepOutcome(session: Session, scope: string, outcome: Outcome): Promise<void> {
  const { key, request, response, at } = outcome;
  await session.run('keepOutcome', [scope, key, request, response, at]);
  await session.run('trimOutcomes', [scope, new Date(Date.parse(at) - OUTCOME_AGE_MAX_MS).toISOString()]);
}

/** The number that a change takes. */
function txnOf(change: Change): number | undefined {
  if (change.kind === 'append') return change.transaction.txn;
  if (change.kind === 'createFork') return change.fork.txn;
  if (change.kind === 'closeFork') return change.promoted?.txn;
  return change.kind === 'copyNumbers' ? change.last.txn : undefined;
}

async function writeFork(session: Session, key: string, change: Change): Promise<void> {
  if (change.kind === 'createFork') {
    const { fork, txn, parent, baseSeq, status, createdAt, closedAt = null, label = null } = change.fork;
    await session.run('createFork', [key, txn, fork, parent, baseSeq, status, createdAt, closedAt, label]);
  } else if (change.kind === 'closeFork') {
    await session.run('closeFork', [key, change.closing.txn, change.closing.status, change.closing.closedAt]);
  } else if (change.kind === 'labelFork') {
    await session.run('labelFork', [key, change.labelling.txn, change.labelling.label]);
  }
}

function lostAsBehind(error: unknown, members: readonly Ready[]): ScopeBehind | undefined {
  const isBuiltOn = members.some(({ at }) => at !== undefined);
  return error instanceof LostRace && isBuiltOn ? new ScopeBehind('Other servers write to the scope') : undefined;
}

/** For writes that were not sent, so that their outcome is known. */
function asNotSent(failure: Error): Error {
  if (!(failure instanceof StorageError && failure.isUnknown)) return failure;
  return new StorageError('An earlier write may have been kept', failure.reason, { cause: failure });
}

function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure));
}
