/** Promotes a fork: merges it onto its parent as one transaction under the parent's blocking checks, and closes it. */

import { ApiError } from '../../api/errors.js';
import { invariant } from '../../base/invariant.js';
import type { Deadline } from '../../base/ports.js';
import { StorageError, type WrittenTransaction } from '../../storage/event-store.js';
import type { FieldsFromParent, PromoteOptions, PromoteResponse } from '../contract/requests.js';
import { closeFork, forkInfo, isoNow, requireClosable, requireOpen, writingAlone } from '../state/forks.js';
import { ownTransactions } from '../state/open-scope.js';
import { type Branch, countWrite, type Fork } from '../state/scope.js';
import type { Session } from '../state/session.js';
import { refusedByDisk } from '../wire/faults.js';
import { beginTransaction } from '../write/open-transaction.js';
import { netChanges } from './changes.js';
import { type ForwardDelta, guardedMerge, inMerge, type Merged } from './merge-transaction.js';

/** Throws VALIDATION_FAILED, FORK_CLOSED, CHECK_VIOLATION; then, and on a dry run, nothing is kept. */
export function promoteFork(parts: Session, options: PromoteOptions, deadline: Deadline): Promise<PromoteResponse> {
  const { fork, scope, clock } = parts;
  return mergingFork(parts, options.keep, deadline, async (merged, parent, commit) => {
    const told = { cause: { kind: 'promote', fork: fork.id }, explain: options.explain } as const;
    const { stored, ...answer } = await guardedMerge(parts, parent, merged, told, deadline);
    const closedAt = isoNow(clock);
    if (options.dryRun) {
      const result = { ...forkInfo(fork, clock), status: 'promoted' as const, closedAt };
      return { result, txn: null, ...answer };
    }
    await deadline.checkpoint();
    const promoted = stored.events.length === 0 ? undefined : stored;
    await storePromotion(parts, closedAt, promoted);
    if (promoted) commit(promoted);
    closeFork(scope, fork, 'promoted', closedAt);
    if (promoted) parts.writes.announce(scope.scopeId);
    return { result: forkInfo(fork, clock), txn: promoted?.txn ?? null, ...answer };
  });
}

async function storePromotion(
  { scope, fork, store }: Session,
  closedAt: string,
  promoted: WrittenTransaction | undefined,
): Promise<void> {
  try {
    const closing = { fork: fork.id, txn: fork.txn, status: 'promoted', closedAt } as const;
    await store.closeFork(scope.scopeId, closing, promoted, { at: scope.position });
    countWrite(scope);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw refusedByDisk(error, 'The disk refused the promotion', 'The fork is still open and nothing was kept');
  }
}

/** How a fork is merged onto another. */
export interface ForkMerge {
  /** The target, which has to be open. */
  readonly onto: (fork: Fork) => Fork | null;
  /** `promoted`, after "cannot be". */
  readonly done: string;
  readonly wayOut: string;
}

const PROMOTING: ForkMerge = {
  onto: ({ parent }) => parent,
  done: 'promoted',
  wayOut: 'Revert it in the fork, then promote again.',
};

/** Hands the merge of the fork with its target to `work`, and rolls it back afterwards unless `work` commits it. */
export function mergingFork<T>(
  parts: Session,
  keep: FieldsFromParent | undefined,
  deadline: Deadline,
  work: (merged: Merged, target: Fork, commit: (stored: WrittenTransaction) => void) => Promise<T>,
  how: ForkMerge = PROMOTING,
): Promise<T> {
  const { scope } = parts;
  return withTarget(parts, how, deadline, async (target, branch) => {
    const begin = () => beginTransaction(scope, branch);
    const onto = { fork: target, branch, begin, keep, completion: 'none', wayOut: how.wayOut } as const;
    return inMerge(await deltaOf(parts, deadline), onto, deadline, (merged, commit) =>
      work(merged, target, (stored) => commit(target, stored)),
    );
  });
}

/**
 * Hands over the open fork that the session's one is merged onto, while no other writer runs. Throws VALIDATION_FAILED for `main`, and
 * FORK_CLOSED for the fork and its target.
 */
export function withTarget<T>(
  { scope, fork }: Pick<Session, 'scope' | 'fork'>,
  { onto, done }: ForkMerge,
  deadline: Deadline,
  work: (target: Fork, branch: Branch) => Promise<T>,
): Promise<T> {
  requireClosable(fork, done);
  return writingAlone(scope, deadline, async () => {
    requireOpen(fork);
    const target = onto(fork);
    invariant(target !== null, 'a fork that is not main has a parent');
    if (target.branch !== undefined && target.status === 'open') return work(target, target.branch);
    throw new ApiError(
      'SVC_RUNTIME_FORK_CLOSED',
      `The fork "${fork.id}" cannot be ${done}: its parent "${target.id}" was ${target.status} and takes no more changes. Rebase it first (POST /v1/forks/{fork}/update): that creates a fork of an open one with the same changes.`,
      { fork: target.id, status: target.status },
    );
  });
}

/** All that the session's fork has changed since its creation. */
export async function deltaOf({ scope, store, fork }: Session, deadline: Deadline): Promise<ForwardDelta> {
  const own = requireOpen(fork);
  invariant(own.base !== null, 'a fork that can be merged has a base');
  // The store may have more by now, from other servers. The views do not show it.
  const transactions = ownTransactions(store, scope.scopeId, fork, fork.lastTransaction);
  const net = await netChanges(transactions, deadline);
  return { of: fork.id, net, base: own.base.view(), source: own.facts.view() };
}
