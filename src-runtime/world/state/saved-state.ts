/**
 * The saved state of a scope: the facts of `main` after a transaction, and the counters of all forks. A scope is opened from it and the
 * history since, with the same result as from the whole history.
 *
 * Forks that are open hold `main` as of their creation, so the state is saved only while none is open, and used only if none is open
 * that is older.
 */

import type { Json } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import { FactStore, restoreFacts, saveFacts } from '../../engine/index.js';
import type { ForkRecord, StatePart } from '../../storage/event-store.js';
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
}

interface SavedFork {
  /** 0 for `main`. */
  readonly txn: number;
  readonly events: number;
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

export function canSave({ hides, forks }: Scope): boolean {
  return !hides && [...forks.values()].every((fork) => isMain(fork) || fork.status !== 'open');
}

/** The last committed state in parts, and its last transaction. The view is released at the end. */
export function savedStateOf(
  scope: Scope,
  deadline: Deadline,
): { readonly txn: number; readonly parts: AsyncGenerator<StatePart, void, undefined> } {
  const { main, groundVersion, nextIndividual, lastTransaction, lastSeq, firstSeq } = scope;
  const view = main.branch.facts.view();
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
  } satisfies StateHeader;
  const first: StatePart = { header: header as unknown as Json, numbers: Int32Array.from(main.branch.lineage.own) };
  async function* parts(): AsyncGenerator<StatePart, void, undefined> {
    try {
      yield first;
      for (const part of saveFacts(view)) {
        await deadline.checkpoint();
        if (part !== undefined) yield part;
      }
    } finally {
      view.release();
    }
  }
  return { txn: lastTransaction, parts: parts() };
}

/** Undefined if the state does not fit the program, or an open fork is older. */
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
  if (forks.some(({ status, txn }) => status === 'open' && txn <= header.txn)) return undefined;
  const facts = new FactStore(program, interner, { factsMax });
  const transactions = [...first.numbers];
  for (const _ of restoreFacts(facts, parts, header.groundVersion - 1 + transactions.length))
    await deadline.checkpoint();
  return { facts, header, transactions };
}

/** Gives a scope and its forks the counters of the state. */
export function restoreCounters(scope: Scope, { counters, forks }: StateHeader): void {
  const { firstSeq, ...others } = counters;
  Object.assign(scope, others, { firstSeq: firstSeq ?? Number.POSITIVE_INFINITY });
  const saved = new Map(forks.map((fork) => [fork.txn, fork]));
  for (const fork of scope.forks.values()) {
    const { events, lastTransaction, createdAt, undoneAt, asOf, changesOf } = saved.get(fork.txn) ?? {};
    fork.events = events ?? 0;
    fork.lastTransaction = lastTransaction ?? 0;
    if (isMain(fork)) fork.createdAt = createdAt ?? undefined;
    fork.undoneAt = undoneAt ?? undefined;
    fork.asOf = asOf ?? undefined;
    fork.changesOf = changesOf ?? undefined;
  }
}

function savedFork({ txn, events, lastTransaction, createdAt, undoneAt, asOf, changesOf }: Fork): SavedFork {
  return {
    txn,
    events,
    lastTransaction,
    createdAt: createdAt ?? null,
    undoneAt: undoneAt ?? null,
    asOf: asOf ?? null,
    changesOf: changesOf ?? null,
  };
}
