/**
 * Creates and labels forks. A fork of an earlier state is a fork of the current one whose first transaction reverts what came later.
 * So it costs what has changed, and promoting it takes its parent back.
 */

import { ApiError } from '../../api/errors.js';
import type { CreateForkRequest, ForkInfo } from '../../api/schemas/fork-schemas.js';
import { invariant } from '../../base/invariant.js';
import type { Deadline } from '../../base/ports.js';
import { drive } from '../../engine/index.js';
import { type ForkRecord, MAIN_FORK, type WrittenTransaction } from '../../storage/event-store.js';
import { historyAfter } from '../read/events.js';
import { forkInfo, isoNow, requireFork, requireNoMain, requireOpen, writingAlone } from '../state/forks.js';
import { branchOff, dropBranch, forkOf, registerFork, replayAlone } from '../state/open-scope.js';
import { type Branch, countWrite, type Fork, isMain, type Scope } from '../state/scope.js';
import type { Session } from '../state/session.js';
import { beginTransaction, type OpenTransaction } from '../write/open-transaction.js';
import { commitStored, storedTransaction } from '../write/transact.js';
import { inReverse, netChanges } from './changes.js';
import { merge, stateOf } from './merge.js';
import { requireTransaction } from './transactions.js';

/** Throws FORK_NOT_FOUND and FORK_CLOSED for the parent, FORK_EXISTS, and VALIDATION_FAILED for a state that cannot be restored. */
export function createFork(
  parts: Omit<Session, 'fork'>,
  request: Pick<CreateForkRequest, 'id' | 'label' | 'from' | 'asOf'>,
  deadline: Deadline,
): Promise<ForkInfo> {
  const { scope, store, clock, writes } = parts;
  return writingAlone(scope, deadline, async () => {
    const parent = requireFork(scope, request.from ?? MAIN_FORK);
    requireOpen(parent);
    const { id, label } = request;
    return branchedOff(parts, { parent, id, label: labelOf(label) }, async (made) => {
      const { fork, branch, record } = made;
      const { asOf } = request;
      const begun = asOf === undefined ? undefined : await beginAsOf({ ...parts, fork: parent }, made, asOf, deadline);
      try {
        await store.createFork(scope.scopeId, record, begun?.stored, { at: scope.position });
      } catch (error) {
        begun?.writing.overlay.rollback();
        throw error;
      }
      registerFork(scope, fork);
      countWrite(scope);
      if (begun !== undefined) commitStored(begun.writing, fork, branch, begun.stored);
      // The fork may have taken the id of one that is followed.
      writes.announce(scope.scopeId);
      return { isKept: true, value: forkInfo(fork, clock) };
    });
  });
}

/** A fork in memory that is neither stored nor registered yet. */
export interface NewFork {
  readonly fork: Fork;
  readonly parent: Fork;
  readonly branch: Branch;
  readonly record: ForkRecord;
  /** Begins its first transaction. */
  readonly begin: () => OpenTransaction;
}

interface NewForkOptions {
  readonly parent: Fork;
  /** Undefined for any free id. */
  readonly id: string | undefined;
  readonly label: string | undefined;
}

/** Hands over a new fork of the open parent, and drops it unless `work` keeps it. To be called alone. Throws FORK_EXISTS. */
export async function branchedOff<T>(
  { scope, clock }: Pick<Session, 'scope' | 'clock'>,
  { parent, id = freeId(scope), label }: NewForkOptions,
  work: (made: NewFork) => Promise<{ readonly isKept: boolean; readonly value: T }>,
): Promise<T> {
  requireFree(scope, id);
  const record: ForkRecord = {
    fork: id,
    txn: scope.lastTransaction + 1,
    parent: parent.id,
    baseSeq: scope.lastSeq,
    status: 'open',
    createdAt: isoNow(clock),
    ...(label !== undefined && { label }),
  };
  const fork = forkOf(record, parent);
  branchOff(fork, parent);
  const { branch } = fork;
  invariant(branch !== undefined, 'a fork that was branched off has a branch');
  const begin = (): OpenTransaction => {
    const begun = beginTransaction(scope, branch);
    // The creation of the fork takes a transaction number; its own transactions come after it.
    return { ...begun, after: { ...begun.after, lastTransaction: fork.txn } };
  };
  let isKept = false;
  try {
    const { value, ...made } = await work({ fork, parent, branch, record, begin });
    isKept = made.isKept;
    return value;
  } finally {
    if (!isKept) dropBranch(fork);
  }
}

interface Begun {
  readonly writing: OpenTransaction;
  readonly stored: WrittenTransaction;
}

/**
 * The first transaction of a fork of an earlier state, not committed yet: the revert of what came after `asOf` (0 for everything).
 * Undefined if nothing did. The fork of the parts is the parent. No check runs, because the state has been accepted before, and a
 * promotion asks again.
 */
async function beginAsOf(
  parts: Session,
  { fork, branch, begin }: NewFork,
  asOf: number,
  deadline: Deadline,
): Promise<Begun | undefined> {
  const { scope, store, fork: parent } = parts;
  const site = { store, scopeId: scope.scopeId, fork: parent, firstSeq: scope.firstSeq };
  if (asOf !== 0) await requireTransaction(site, asOf);
  const net = await netChanges(historyAfter(site, { txn: asOf + 1, seq: 0 }), deadline);
  if (net.length === 0) return undefined;
  const { facts } = await replayAlone(scope, store, parent, deadline, asOf);
  const [past, before] = [facts.view(), branch.facts.view()];
  const writing = begin();
  let isBegun = false;
  try {
    const states = { base: stateOf(before), source: stateOf(past) };
    const changes = inReverse(net, states, scope.program);
    const rules = { skipsUnwritable: true, completion: 'default', refused: (error: ApiError) => error } as const;
    await merge({ ...states, changes }, { writing, before, ...rules }, deadline);
    const stored = await drive(storedTransaction(parts, fork.id, writing, { kind: 'asOf', txn: asOf }), deadline);
    isBegun = stored.events.length > 0;
    return isBegun ? { writing, stored } : undefined;
  } finally {
    for (const view of [past, before]) view.release();
    if (!isBegun) writing.overlay.rollback();
  }
}

/** Labels an open or closed fork. Null or an empty label removes it. Throws VALIDATION_FAILED for `main`. */
export function labelFork(
  { scope, fork, store, clock, writes }: Session,
  label: string | null,
  deadline: Deadline,
): Promise<ForkInfo> {
  requireNoMain(fork, 'labelled');
  return writingAlone(scope, deadline, async () => {
    const next = labelOf(label);
    if (next === fork.label) return forkInfo(fork, clock);
    const labelling = { fork: fork.id, txn: fork.txn, label: next ?? null };
    await store.labelFork(scope.scopeId, labelling, { at: scope.position });
    countWrite(scope);
    fork.label = next;
    const record = forkInfo(fork, clock);
    writes.announceFork(scope.scopeId, record);
    return record;
  });
}

function labelOf(label: string | null | undefined): string | undefined {
  return label === null || label === '' ? undefined : label;
}

function requireFree(scope: Scope, id: string): void {
  const known = scope.forks.get(id);
  if (known === undefined || known.status === 'aborted') return;
  const wayOut =
    isMain(known) || known.status === 'promoted' ? 'choose another id' : 'abort it first, or choose another id';
  throw new ApiError('SVC_RUNTIME_FORK_EXISTS', `The fork "${id}" exists already (${known.status}); ${wayOut}.`, {
    fork: id,
    status: known.status,
  });
}

function freeId(scope: Scope): string {
  let number = scope.forks.size;
  while (scope.forks.has(`fork-${number}`)) number++;
  return `fork-${number}`;
}
