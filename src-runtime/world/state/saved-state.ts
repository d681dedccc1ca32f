/**
 * The saved state of a scope: the facts of `main` after a transaction, and the counters of all forks. A scope is opened from it and the
 * history since, with the same result as from the whole history.
 *
 * Open forks of `main` hold it as of their creation, so the state has the rows that `main` has deleted since. What forks have written
 * themselves is replayed.
 */

import type { Json } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import { FactStore, restoreFacts, saveFacts } from '../../engine/index.js';
import { type ForkRecord, MAIN_FORK, type StatePart } from '../../storage/event-store.js';
import { type Fork, isMain, type Scope } from './scope.js';
import { keepsShape, type StoredShape, storedShape } from './stored-shape.js';

/** The first part. Its numbers are the transactions of main's commits. */
interface StateHeader {
  readonly kind: 'scope';
  readonly shape: StoredShape;
  readonly groundVersion: number;
  /** The last transaction that the state has. */
  readonly txn: number;
  readonly counters: Pick<Scope, 'nextIndividual' | 'lastTransaction' | 'lastSeq'> & {
    readonly firstSeq: number | null;
  };
  readonly forks: readonly SavedFork[];
  /** The open forks of `main`, ascending, with the number of its transactions that each sees. */
  readonly bases: readonly ForkBase[];
}

interface ForkBase {
  readonly txn: number;
  readonly transactions: number;
}

interface SavedFork {
  /** 0 for `main`. */
  readonly txn: number;
  readonly events: number;
  readonly parentEvents: number;
  readonly lastTransaction: number;
  readonly createdAt: string | null;
  readonly undoneAt: string | null;
  readonly asOf: number | null;
  readonly changesOf: string | null;
}

/** What a saved state has besides facts. */
export interface RestoredState {
  readonly facts: FactStore;
  readonly header: StateHeader;
  /** The transactions of main's commits. */
  readonly transactions: number[];
}

/** The base of an open fork is not at hand if its parent is closed. */
export function canSave({ hides, forks }: Scope): boolean {
  const isAtHand = ({ status, parent }: Fork): boolean =>
    status !== 'open' || parent === null || parent.status === 'open';
  return !hides && [...forks.values()].every(isAtHand);
}

/** The last committed state in parts, and its last transaction. The view is released at the end. */
export function savedStateOf(
  scope: Scope,
  deadline: Deadline,
): { readonly txn: number; readonly parts: AsyncGenerator<StatePart, void, undefined> } {
  const { main, groundVersion, nextIndividual, lastTransaction, lastSeq, firstSeq } = scope;
  const view = main.branch.facts.view();
  const forked = [...scope.forks.values()].filter(({ status, parent }) => status === 'open' && parent === main);
  const bases = forked.flatMap(({ branch }) => branch?.base?.view() ?? []);
  const counters = {
    nextIndividual,
    lastTransaction,
    lastSeq,
    firstSeq: Number.isFinite(firstSeq) ? firstSeq : null,
  };
  const header = {
    kind: 'scope',
    shape: storedShape(scope.program),
    groundVersion,
    txn: lastTransaction,
    counters,
    forks: [...scope.forks.values()].map(savedFork),
    bases: forked.map(({ txn, branch }) => ({ txn, transactions: branch?.lineage.below?.length ?? 0 })),
  } satisfies StateHeader;
  const first: StatePart = { header: header as unknown as Json, numbers: Int32Array.from(main.branch.lineage.own) };
  async function* parts(): AsyncGenerator<StatePart, void, undefined> {
    try {
      yield first;
      for (const part of saveFacts(view, bases)) {
        await deadline.checkpoint();
        if (part !== undefined) yield part;
      }
    } finally {
      for (const each of [view, ...bases]) each.release();
    }
  }
  return { txn: lastTransaction, parts: parts() };
}

/** Undefined if the state does not fit the program, or lacks the base of an open fork. */
export async function restoredState(
  [first, ...parts]: readonly StatePart[],
  { program, interner }: Pick<Scope, 'program' | 'interner'>,
  forks: readonly ForkRecord[],
  factsMax: number,
  deadline: Deadline,
): Promise<RestoredState | undefined> {
  const header = first?.header as StateHeader | undefined;
  if (first === undefined || header?.kind !== 'scope' || !keepsShape(header.shape, storedShape(program)))
    return undefined;
  const bases = new Set(header.bases.map(({ txn }) => txn));
  if (openRoots(forks).some((txn) => txn <= header.txn && !bases.has(txn))) return undefined;
  const facts = new FactStore(program, interner, { factsMax });
  const transactions = [...first.numbers];
  const commitsAt = (count: number): number => header.groundVersion - 1 + count;
  const earlier = header.bases.map((base) => commitsAt(base.transactions));
  for (const _ of restoreFacts(facts, parts, commitsAt(transactions.length), earlier)) await deadline.checkpoint();
  return { facts, header, transactions };
}

/** The forks of `main` that are open, or that an open one comes from. */
function openRoots(records: readonly ForkRecord[]): readonly number[] {
  const rootOf = new Map<string, number>();
  const roots = new Set<number>();
  for (const { fork, txn, parent, status } of records) {
    const root = parent === MAIN_FORK ? txn : (rootOf.get(parent) ?? txn);
    rootOf.set(fork, root);
    if (status === 'open') roots.add(root);
  }
  return [...roots];
}

/** Begins the open forks of `main` again that are older than the state. Their own transactions are to be replayed. */
export function restoreBases(
  { main, groundVersion }: Scope,
  forks: Iterable<Fork>,
  { bases, forks: saved }: StateHeader,
): void {
  const { facts, lineage } = main.branch;
  const baseOf = new Map(bases.map(({ txn, transactions }) => [txn, transactions]));
  const savedOf = new Map(saved.map((fork) => [fork.txn, fork]));
  for (const fork of forks) {
    const length = baseOf.get(fork.txn);
    if (length === undefined) continue;
    const commits = groundVersion - 1 + length;
    const own = { below: { lineage, length }, own: [] };
    fork.branch = { facts: facts.forkAfter(commits), base: facts.forkAfter(commits), lineage: own };
    fork.lastTransaction = lineage.own.slice(0, length).findLast((txn) => txn > 0) ?? 0;
    fork.parentEvents = savedOf.get(fork.txn)?.parentEvents ?? 0;
  }
}

/** Gives a scope and its forks the counters of the state. The events of `replayed` forks are counted anew. */
export function restoreCounters(scope: Scope, { counters, forks }: StateHeader, replayed: ReadonlySet<Fork>): void {
  const { firstSeq, ...others } = counters;
  Object.assign(scope, others, { firstSeq: firstSeq ?? Number.POSITIVE_INFINITY });
  const saved = new Map(forks.map((fork) => [fork.txn, fork]));
  for (const fork of scope.forks.values()) {
    const { events, lastTransaction, createdAt, undoneAt, asOf, changesOf } = saved.get(fork.txn) ?? {};
    fork.events = replayed.has(fork) ? 0 : (events ?? 0);
    fork.lastTransaction = lastTransaction ?? 0;
    if (isMain(fork)) fork.createdAt = createdAt ?? undefined;
    fork.undoneAt = undoneAt ?? undefined;
    fork.asOf = asOf ?? undefined;
    fork.changesOf = changesOf ?? undefined;
  }
}

function savedFork(fork: Fork): SavedFork {
  const { txn, events, parentEvents, lastTransaction, createdAt, undoneAt, asOf, changesOf } = fork;
  return {
    txn,
    events,
    parentEvents,
    lastTransaction,
    createdAt: createdAt ?? null,
    undoneAt: undoneAt ?? null,
    asOf: asOf ?? null,
    changesOf: changesOf ?? null,
  };
}
