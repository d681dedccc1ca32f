/**
 * Opens a scope: turns declared facts and history into facts again, for `main` and every open fork.
 *
 * A fork is an overlay on its parent. It is made while the parent's history is replayed, at the moment of its creation. The facts of a
 * closed fork are replayed on demand.
 */

import type { Json } from '../../artifact/types.js';
import { invariant } from '../../base/invariant.js';
import type { Deadline } from '../../base/ports.js';
import { BLOCK_ITEMS, constantValue, FactStore, Interner, type Program, type Transaction } from '../../engine/index.js';
import {
  countEvents,
  type EventStore,
  type ForkRecord,
  lastSeqOf,
  MAIN_FORK,
  type Position,
  type ScopeHistory,
  type StoredEvent,
  type TransactionPart,
  type WrittenTransaction,
} from '../../storage/event-store.js';
import { replayTransaction } from './replay.js';
import { type RestoredState, restoreBases, restoreCounters, restoredState } from './saved-state.js';
import { type Branch, type Fork, factKey, isMain, lengthOf, type Scope } from './scope.js';
import { Writers } from './writers.js';

/** Events that the program cannot represent. They stay stored and are not shown. */
export interface HiddenEvents {
  readonly count: number;
  /** The first of them, for the log. */
  readonly example: string | undefined;
}

export interface ScopeIdentity {
  readonly scopeId: string;
  readonly tenant: string;
  readonly position?: Position;
}

const START: Position = { version: 0, epoch: 0, deployment: 0 };

export async function openScope(
  program: Program,
  store: ScopeHistory,
  identity: ScopeIdentity,
  options: { readonly factsPerRule: number },
  deadline: Deadline,
): Promise<{ scope: Scope; hidden: HiddenEvents }> {
  const { scopeId, tenant, position = START } = identity;
  const records = await store.forks(scopeId);
  const saved = await restoreSaved(program, store, scopeId, records, options.factsPerRule, deadline);
  const interner = saved?.interner ?? new Interner(program);
  const declared = new Set<string>();
  const { facts, version } =
    saved === undefined
      ? await groundTruth(program, interner, options.factsPerRule, declared, deadline)
      : { facts: saved.state.facts, version: saved.state.header.groundVersion };
  if (saved !== undefined) {
    for await (const { path, codes } of declaredFacts(program, interner, deadline)) declared.add(factKey(path, codes));
  }
  const lineage = { below: null, own: saved?.state.transactions ?? [] };
  const branch: Branch = { facts, base: null, lineage };
  const main = { ...forkOf(MAIN_RECORD, null), branch };
  const scope: Scope = {
    scopeId,
    tenant,
    program,
    interner,
    writers: new Writers(),
    declared,
    hides: false,
    groundVersion: version,
    main,
    forks: new Map([[MAIN_FORK, main]]),
    replayedBranches: new Map(),
    closedProjections: new Set(),
    nextIndividual: 1,
    lastTransaction: 0,
    lastSeq: 0,
    position,
    firstSeq: Number.POSITIVE_INFINITY,
    savedEvents: 0,
    renaming: undefined,
    successor: undefined,
    isClosed: false,
    lastUse: 0,
  };
  const { txn, seq } = await store.lastNumbers(scopeId);
  const forks = [main, ...registerForks(scope, records)];
  const kept = new Set(forks.filter(({ status }) => status === 'open').flatMap(withAncestors));
  kept.delete(main);
  if (saved !== undefined) {
    const { header } = saved.state;
    restoreCounters(scope, header, kept);
    restoreBases(scope, kept, header);
  }
  scope.savedEvents = main.events;
  const hidden = await replayForks(scope, store, { forks, kept }, saved?.state.header.txn ?? 0, deadline);
  scope.lastTransaction = Math.max(scope.lastTransaction, txn);
  scope.lastSeq = Math.max(scope.lastSeq, seq);
  scope.firstSeq = Math.min(scope.firstSeq, scope.lastSeq);
  scope.hides = hidden.count > 0;
  return { scope, hidden };
}

/** The saved state, with the interner that has its values. */
async function restoreSaved(
  program: Program,
  store: ScopeHistory,
  scopeId: string,
  forks: readonly ForkRecord[],
  factsMax: number,
  deadline: Deadline,
): Promise<{ readonly state: RestoredState; readonly interner: Interner } | undefined> {
  const parts = await store.savedState?.(scopeId);
  if (parts === undefined) return undefined;
  const interner = new Interner(program);
  const state = await restoredState(parts, { program, interner }, forks, factsMax, deadline);
  return state && { state, interner };
}

/**
 * Everything that a fork sees, in order, in parts if long: its ancestors' transactions up to each fork point, and its own. Only those
 * after `afterTxn`.
 */
export async function* historyOf(
  store: Pick<EventStore, 'read'>,
  scopeId: string,
  fork: Fork,
  txnMax = Number.POSITIVE_INFINITY,
  afterTxn = 0,
): AsyncGenerator<TransactionPart, void, undefined> {
  if (fork.parent !== null) yield* historyOf(store, scopeId, fork.parent, Math.min(txnMax, fork.txn), afterTxn);
  yield* ownTransactions(store, scopeId, fork, txnMax, afterTxn);
}

/** The fork's own transactions up to a number. */
export async function* ownTransactions(
  store: Pick<EventStore, 'read'>,
  scopeId: string,
  fork: Fork,
  txnMax = Number.POSITIVE_INFINITY,
  afterTxn = 0,
): AsyncGenerator<TransactionPart, void, undefined> {
  for await (const stored of store.read(scopeId, fork.id, Math.max(fork.txn, afterTxn))) {
    if (stored.txn > Math.min(txnMax, fork.until)) return;
    yield stored;
  }
}

/** Makes the fork an overlay on its parent's current state. */
export function branchOff(fork: Fork, parent: Fork): void {
  const { branch } = parent;
  invariant(branch !== undefined, `the facts of the fork ${parent.id} are in memory`);
  fork.lastTransaction = parent.lastTransaction;
  fork.parentEvents = parent.events;
  fork.branch = { ...overlayOn(branch), base: branch.facts.fork() };
}

function overlayOn({ facts, lineage }: Branch): Branch {
  return { facts: facts.fork(), base: null, lineage: { below: { lineage, length: lengthOf(lineage) }, own: [] } };
}

/** Releases the facts of a closed fork. Its readers and its own forks are not affected. */
export function dropBranch(fork: Fork): void {
  fork.branch?.base?.close();
  fork.branch?.facts.close();
  fork.branch = undefined;
}

export function forkOf(record: ForkRecord, parent: Fork | null): Fork {
  const { fork, txn, baseSeq, status, createdAt, closedAt, label } = record;
  return {
    id: fork,
    txn,
    until: Number.POSITIVE_INFINITY,
    present: undefined,
    parent,
    baseSeq,
    label,
    createdAt: parent === null ? undefined : createdAt,
    firstShownAt: undefined,
    closedAt,
    undoneAt: undefined,
    asOf: undefined,
    changesOf: undefined,
    parentEvents: 0,
    status,
    events: 0,
    lastTransaction: 0,
    projection: undefined,
    branch: undefined,
  };
}

const MAIN_RECORD: ForkRecord = { fork: MAIN_FORK, txn: 0, parent: '', baseSeq: 0, status: 'open', createdAt: '' };

/** Makes this the fork with its id. */
export function registerFork(scope: Scope, fork: Fork): void {
  const replaced = scope.forks.get(fork.id);
  if (replaced !== undefined) replaced.until = fork.txn;
  scope.forks.delete(fork.id);
  scope.forks.set(fork.id, fork);
  scope.lastTransaction = Math.max(scope.lastTransaction, fork.txn);
}

function registerForks(scope: Scope, records: readonly ForkRecord[]): Fork[] {
  return records.map((record) => {
    const parent = scope.forks.get(record.parent);
    invariant(parent !== undefined, `the fork ${record.fork} comes after its parent ${record.parent}`);
    const fork = forkOf(record, parent);
    registerFork(scope, fork);
    return fork;
  });
}

/**
 * Replays what came after a transaction, in order of creation, so that a parent is replayed before its forks. The forks whose facts are
 * `kept` are replayed from their creation.
 */
async function replayForks(
  scope: Scope,
  store: ScopeHistory,
  { forks, kept }: { readonly forks: readonly Fork[]; readonly kept: ReadonlySet<Fork> },
  afterTxn: number,
  deadline: Deadline,
): Promise<HiddenEvents> {
  const children = new Map<Fork, Fork[]>(forks.map((fork) => [fork, []]));
  for (const fork of kept) {
    if (fork.parent !== null && fork.branch === undefined) children.get(fork.parent)?.push(fork);
  }
  let count = 0;
  let example: string | undefined;
  for (const fork of forks) {
    const waiting = (children.get(fork) ?? []).sort((left, right) => left.txn - right.txn);
    const branchOffBefore = (txn: number) => {
      for (let next = waiting[0]; next !== undefined && next.txn < txn; next = waiting[0]) {
        branchOff(next, fork);
        waiting.shift();
      }
    };
    const replay = fork.branch && replayInto(fork.branch, deadline);
    const after = kept.has(fork) ? 0 : afterTxn;
    for await (const part of ownTransactions(store, scope.scopeId, fork, undefined, after)) {
      branchOffBefore(part.txn);
      noteTransaction(scope, fork, part);
      noteIndividuals(scope, part.events);
      if (replay === undefined) continue;
      const misfits = await replay(part);
      count += misfits.length;
      example ??= misfits[0];
    }
    branchOffBefore(Number.POSITIVE_INFINITY);
  }
  for (const fork of kept) if (fork.status !== 'open') dropBranch(fork);
  return { count, example };
}

function withAncestors(fork: Fork): Fork[] {
  return fork.parent === null ? [fork] : [fork, ...withAncestors(fork.parent)];
}

/** Updates the counters for a stored transaction or a part of one. */
export function noteTransaction(scope: Scope, fork: Fork, stored: WrittenTransaction): void {
  transactionNote(scope, fork, stored)();
}

/** Like `noteTransaction`, for later. The returned function does not hold on to the events. */
export function transactionNote(scope: Scope, fork: Fork, stored: WrittenTransaction): () => void {
  const { txn, at, cause, events } = stored;
  const count = countEvents(events);
  const firstSeq = (events[0]?.seq ?? Number.POSITIVE_INFINITY) - 1;
  const last = events.at(-1);
  const lastSeq = last === undefined ? 0 : lastSeqOf(last);
  return () => {
    if (isMain(fork)) fork.createdAt ??= at;
    const reverted = cause.kind === 'undoPromotion' ? scope.forks.get(cause.fork) : undefined;
    if (reverted !== undefined) reverted.undoneAt = at;
    if (fork.events === 0) {
      fork.asOf = cause.kind === 'asOf' ? cause.txn : undefined;
      fork.changesOf = cause.kind === 'update' ? cause.fork : undefined;
    }
    fork.lastTransaction = txn;
    fork.events += count;
    scope.lastTransaction = Math.max(scope.lastTransaction, txn);
    scope.lastSeq = Math.max(scope.lastSeq, lastSeq);
    if (cause.kind === 'compaction') scope.firstSeq = scope.lastSeq;
    else scope.firstSeq = Math.min(scope.firstSeq, firstSeq);
  };
}

export function noteIndividuals(scope: Scope, events: readonly StoredEvent[]): void {
  for (const event of events) {
    // Ids are never reused, even if their individuals are deleted or hidden.
    if (event.kind !== 'insertIndividual' && event.kind !== 'redacted') continue;
    scope.nextIndividual = Math.max(scope.nextIndividual, Number(event.id.slice(2)) + 1);
  }
}

/** Applies parts of transactions in order. Returns a description of each part that did not fit. */
function replayInto({ facts, lineage }: Branch, deadline: Deadline): (part: TransactionPart) => Promise<string[]> {
  let transaction: Transaction | undefined;
  return async (part) => {
    transaction ??= facts.begin();
    const misfits = await replayTransaction(transaction, part, deadline);
    if (!part.isLast) return misfits;
    transaction.commit();
    transaction = undefined;
    lineage.own.push(part.txn);
    return misfits;
  };
}

/** The scope to replay and the program to replay it under. */
interface Replayed extends Pick<Scope, 'scopeId' | 'program' | 'interner' | 'main'> {
  /** Collects the keys of declared facts, unless they are known. */
  readonly noted?: Set<string>;
}

/** The facts of a fork after the transaction `txnMax`, in a separate store. `after` sees the facts after each transaction. */
export async function replayAlone(
  scope: Replayed,
  store: Pick<EventStore, 'read'>,
  fork: Fork,
  deadline: Deadline,
  txnMax = Number.POSITIVE_INFINITY,
  after?: (facts: FactStore) => Promise<void>,
): Promise<Branch> {
  const { program, interner, main, noted = new Set() } = scope;
  const { facts } = await groundTruth(program, interner, main.branch.facts.factsMax, noted, deadline);
  const branch: Branch = { facts, base: null, lineage: { below: null, own: [] } };
  const replay = replayInto(branch, deadline);
  for await (const part of historyOf(store, scope.scopeId, fork, txnMax)) {
    await replay(part);
    if (part.isLast) await after?.(facts);
  }
  return branch;
}

/** The facts of a fork in an overlay on an earlier moment of it, after the transaction `afterTxn`. */
export async function replayAfter(
  earlier: Branch,
  afterTxn: number,
  { scopeId }: Pick<Scope, 'scopeId'>,
  store: Pick<EventStore, 'read'>,
  fork: Fork,
  deadline: Deadline,
): Promise<Branch> {
  const branch = overlayOn(earlier);
  const replay = replayInto(branch, deadline);
  for await (const part of historyOf(store, scopeId, fork, fork.until, afterTxn)) await replay(part);
  return branch;
}

async function groundTruth(
  program: Program,
  interner: Interner,
  factsMax: number,
  declared: Set<string>,
  deadline: Deadline,
): Promise<{ readonly facts: FactStore; readonly version: number }> {
  const facts = new FactStore(program, interner, { factsMax });
  const ground = facts.begin();
  for await (const { path, codes } of declaredFacts(program, ground.view.interner, deadline)) {
    ground.insert(path, codes);
    declared.add(factKey(path, codes));
  }
  ground.commit();
  return { facts, version: ground.version };
}

interface DeclaredFact {
  readonly path: string;
  readonly codes: readonly number[];
}

/** The declared facts and individuals, always in the same order. */
async function* declaredFacts(
  program: Program,
  interner: Interner,
  deadline: Deadline,
): AsyncGenerator<DeclaredFact, void, undefined> {
  const { artifact } = program;
  const fact = (path: string, tuple: readonly Json[]): DeclaredFact => {
    const endpoints = program.relations.get(path)?.endpoints ?? [];
    const codes = endpoints.map(({ type }, index) => interner.encode(type, constantValue(type, tuple[index] ?? null)));
    return { path, codes };
  };
  for (const [index, { path, concept, fields }] of artifact.individuals.entries()) {
    if (index % BLOCK_ITEMS === 0) await deadline.checkpoint();
    for (const classPath of program.classPathsOf(concept)) yield fact(classPath, [`@${path}`]);
    for (const { field, value } of fields) yield fact(field, [`@${path}`, value]);
  }
  for (const [index, { relation, tuple }] of artifact.facts.entries()) {
    if (index % BLOCK_ITEMS === 0) await deadline.checkpoint();
    yield fact(relation, tuple);
  }
}
