/**
 * Creates forks: of a fork as it is, or as it was after an earlier transaction. The latter begins with a transaction of its own,
 * which takes back what has been written since; so it costs what has changed, and promoting it sets its parent back.
 */

import { ApiError } from '../../api/errors.js';
import type { CreateForkRequest, ForkInfo } from '../../api/schemas/fork-schemas.js';
import { invariant } from '../../base/invariant.js';
import type { Deadline } from '../../base/ports.js';
import { drive } from '../../engine/index.js';
import { type ForkRecord, MAIN_FORK, type StoredTransaction } from '../../storage/event-store.js';
import { forkInfo, isoNow, requireFork, requireOpen, writingAlone } from '../state/forks.js';
import { branchOff, dropBranch, forkOf, registerFork } from '../state/open-scope.js';
import { type Branch, type Fork, isMain, type Scope } from '../state/scope.js';
import type { SessionParts } from '../state/session-parts.js';
import { pastOf, takeBackTo } from '../write/past.js';
import { commitStored, storedTransaction } from '../write/transact.js';
import { beginWriting, type Writing } from '../write/writing.js';
import { givenLabel } from './label-fork.js';
import { requireTransaction } from './transactions.js';

/** Throws FORK_NOT_FOUND and FORK_CLOSED for the parent, FORK_EXISTS, and VALIDATION_FAILED for a state that it cannot begin with. */
export function createFork(
  parts: Omit<SessionParts, 'fork'>,
  request: Pick<CreateForkRequest, 'id' | 'label' | 'from' | 'asOf'>,
  deadline: Deadline,
): Promise<ForkInfo> {
  const { scope, store, clock, writes } = parts;
  return writingAlone(scope, deadline, async () => {
    const parent = requireFork(scope, request.from ?? MAIN_FORK);
    requireOpen(parent);
    const { id, label } = request;
    return branchedOff(parts, { parent, id, label: givenLabel(label) }, async ({ fork, branch, record, begin }) => {
      const { asOf } = request;
      const begun =
        asOf === undefined ? undefined : await begunAsOf({ ...parts, fork: parent }, { fork, begin, asOf }, deadline);
      try {
        await store.createFork(scope.scopeId, record, begun?.stored);
      } catch (error) {
        begun?.writing.transaction.rollback();
        throw error;
      }
      // The fork may have taken the id of one that is followed.
      writes.announce(scope.scopeId);
      registerFork(scope, fork);
      if (begun !== undefined) commitStored(begun.writing, fork, branch, begun.stored);
      return { isKept: true, value: forkInfo(fork, clock) };
    });
  });
}

/** A fork that was branched off its parent, and is not stored or registered yet. */
export interface NewFork {
  readonly fork: Fork;
  readonly parent: Fork;
  readonly branch: Branch;
  readonly record: ForkRecord;
  /** Begins the transaction that it begins with. */
  readonly begin: () => Writing;
}

interface NewForkWish {
  readonly parent: Fork;
  /** One that is free where it is undefined. */
  readonly id: string | undefined;
  readonly label: string | undefined;
}

/** Hands over a new fork of the open parent, which goes again unless it is kept. Nobody else may be writing. Throws FORK_EXISTS. */
export async function branchedOff<T>(
  { scope, clock }: Pick<SessionParts, 'scope' | 'clock'>,
  { parent, id = freeId(scope), label }: NewForkWish,
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
  const begin = (): Writing => {
    const begun = beginWriting(scope, branch);
    // The creation of the fork takes a number among the transactions, which its own come after.
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

interface Beginning {
  readonly fork: Fork;
  readonly begin: () => Writing;
  /** The transaction of the parent's history; 0 for what was before the first. */
  readonly asOf: number;
}

interface Begun {
  readonly writing: Writing;
  readonly stored: StoredTransaction;
}

/** What the fork begins with, not committed yet; undefined where nothing has been written since. The fork of the parts is its parent. */
async function begunAsOf(
  parts: SessionParts,
  { fork, begin, asOf }: Beginning,
  deadline: Deadline,
): Promise<Begun | undefined> {
  const { scope, store, fork: parent } = parts;
  const site = { store, scopeId: scope.scopeId, fork: parent, firstSeq: scope.firstSeq };
  if (asOf !== 0) await requireTransaction(site, asOf);
  const past = await pastOf(site, scope, asOf, deadline);
  if (past === undefined) return undefined;
  const writing = begin();
  let isBegun = false;
  try {
    await takeBackTo(past, writing, deadline);
    const transaction = await drive(storedTransaction(parts, fork.id, writing, { kind: 'asOf', txn: asOf }), deadline);
    isBegun = transaction.events.length > 0;
    return isBegun ? { writing, stored: transaction } : undefined;
  } finally {
    past.view.release();
    if (!isBegun) writing.transaction.rollback();
  }
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
