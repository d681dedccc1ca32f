/** Finds, checks, reads and aborts the forks of a scope, and describes them in wire form. */

import { ApiError } from '../../api/errors.js';
import type { ForkInfo } from '../../api/schemas/fork-schemas.js';
import { didYouMean } from '../../base/nearest.js';
import type { Clock, Deadline, MaybePromise } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import { type EventStore, MAIN_FORK } from '../../storage/event-store.js';
import { dropBranch } from './open-scope.js';
import { replayedBranch } from './replayed-branches.js';
import { type Branch, countWrite, type Fork, isMain, type Scope, ScopeRetired } from './scope.js';

/** What an operation on a fork needs. */
export interface ForkSite {
  readonly scope: Scope;
  readonly fork: Fork;
  readonly store: EventStore;
  readonly clock: Clock;
  /** Makes the deadline of work for several requests. */
  readonly createDeadline: () => Deadline;
}

/** Throws FORK_NOT_FOUND. */
export function requireFork(scope: Scope, id: string): Fork {
  const fork = scope.forks.get(id);
  if (fork !== undefined) return fork;
  const suggestion = didYouMean(id, scope.forks.keys()) || '; GET /v1/forks lists all forks.';
  throw new ApiError('SVC_RUNTIME_FORK_NOT_FOUND', `The fork "${id}" does not exist in this scope${suggestion}`, {
    fork: id,
  });
}

/** The fork after a given transaction of the scope: a fork whose history ends there. */
export function forkAsOf(fork: Fork, txn: number): Fork {
  return {
    ...fork,
    parent: fork.parent && forkAsOf(fork.parent, txn),
    until: Math.min(fork.until, txn),
    present: fork,
    branch: undefined,
  };
}

/** Throws FORK_CLOSED. */
export function requireOpen(fork: Fork): Branch {
  if (fork.branch !== undefined && fork.status === 'open') return fork.branch;
  throw new ApiError(
    'SVC_RUNTIME_FORK_CLOSED',
    `The fork "${fork.id}" has been ${fork.status} and takes no more changes; it can still be read. Work on an open fork, or create one with POST /v1/forks.`,
    { fork: fork.id, status: fork.status },
  );
}

/** Throws VALIDATION_FAILED for `main`, and FORK_CLOSED. `verb` names the operation in the message. */
export function requireClosable(fork: Fork, verb: string): Branch {
  requireNoMain(fork, verb);
  return requireOpen(fork);
}

/** Throws VALIDATION_FAILED for `main`. `verb` names the operation in the message. */
export function requireNoMain(fork: Fork, verb: string): void {
  if (!isMain(fork)) return;
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `"${MAIN_FORK}" cannot be ${verb}; it is what forks are promoted to. Name a fork that GET /v1/forks lists.`,
    { fork: MAIN_FORK },
  );
}

/** Reads the fork's last committed state. Never waits for a writer. */
export async function reading<T>(site: ForkSite, work: (view: View, branch: Branch) => MaybePromise<T>): Promise<T> {
  return readingAtOnce(site, work);
}

/** Like `reading`, for values that no fact may have. They are dropped with the view. */
export async function readingScratch<T>(
  site: ForkSite,
  work: (view: View, branch: Branch) => MaybePromise<T>,
): Promise<T> {
  return readingAtOnce(site, work, true);
}

/**
 * Like `reading`, for work that yields its result in parts. The snapshot is held until the generator ends or is closed: until then, the
 * store keeps the rows that writers delete.
 */
export async function* readingInParts<T>(
  { scope, fork, store, createDeadline }: ForkSite,
  work: (view: View) => AsyncGenerator<T, void>,
  isScratch = false,
): AsyncGenerator<T, void> {
  const branch = branchInMemory(fork) ?? (await replayedBranch(scope, store, fork, createDeadline));
  const view = isScratch ? branch.facts.viewAside() : branch.facts.view();
  try {
    yield* work(view);
  } finally {
    view.release();
  }
}

/** Like `reading`, but without a promise if `work` returns none. */
export function readingAtOnce<T>(
  { scope, fork, store, createDeadline }: ForkSite,
  work: (view: View, branch: Branch) => MaybePromise<T>,
  isScratch = false,
): MaybePromise<T> {
  // No await between checking the branch and taking its view: the fork could be closed in between.
  const branch = branchInMemory(fork);
  if (branch !== undefined) return readingBranch(branch, work, isScratch);
  return replayedBranch(scope, store, fork, createDeadline).then((replayed) =>
    readingBranch(replayed, work, isScratch),
  );
}

function branchInMemory(fork: Fork): Branch | undefined {
  const { present = fork } = fork;
  // A past state is the present one as long as nothing was written since.
  return present.lastTransaction <= fork.until ? present.branch : undefined;
}

function readingBranch<T>(
  branch: Branch,
  work: (view: View, branch: Branch) => MaybePromise<T>,
  isScratch: boolean,
): MaybePromise<T> {
  const view = isScratch ? branch.facts.viewAside() : branch.facts.view();
  let isPending = false;
  try {
    const found = work(view, branch);
    isPending = found instanceof Promise;
    return found instanceof Promise ? found.finally(() => view.release()) : found;
  } finally {
    if (!isPending) view.release();
  }
}

/** Throws VALIDATION_FAILED for `main`, and FORK_CLOSED. */
export function abortFork({ scope, fork, store, clock }: ForkSite, deadline: Deadline): Promise<ForkInfo> {
  requireClosable(fork, 'aborted');
  return writingAlone(scope, deadline, async () => {
    requireOpen(fork);
    const closedAt = isoNow(clock);
    const closing = { fork: fork.id, txn: fork.txn, status: 'aborted', closedAt } as const;
    await store.closeFork(scope.scopeId, closing, undefined, { at: scope.position });
    countWrite(scope);
    closeFork(scope, fork, 'aborted', closedAt);
    return forkInfo(fork, clock);
  });
}

export function closeFork(scope: Scope, fork: Fork, status: Fork['status'], closedAt: string): void {
  fork.status = status;
  fork.closedAt = closedAt;
  dropBranch(fork);
  cacheProjection(scope, fork);
}

/** Closed forks keep their projection only up to a limit, because each holds a profile and a trace. */
export function cacheProjection({ closedProjections }: Scope, fork: Fork): void {
  if (fork.projection?.transaction === fork.lastTransaction) closedProjections.add(fork);
  else fork.projection = undefined;
  for (const oldest of closedProjections) {
    if (closedProjections.size <= CLOSED_PROJECTIONS_MAX) return;
    closedProjections.delete(oldest);
    oldest.projection = undefined;
  }
}

const CLOSED_PROJECTIONS_MAX = 20;

/**
 * Runs after earlier writers of the scope, when nothing is pending. Does not start if the request was cancelled or timed out while it
 * waited.
 */
export function writingAlone<T>(scope: Scope, deadline: Deadline, work: () => Promise<T>): Promise<T> {
  return scope.writers.alone(async () => {
    await deadline.checkpoint();
    requireCurrent(scope);
    return work();
  });
}

/** Throws ScopeRetired. */
export function requireCurrent(scope: Scope): void {
  if (scope.successor !== undefined || scope.isClosed) throw new ScopeRetired();
}

export function forkInfo(fork: Fork, clock: Clock): ForkInfo {
  const { projection } = fork;
  fork.firstShownAt ??= isoNow(clock);
  const isDerived = projection !== undefined && projection.transaction === fork.lastTransaction;
  return {
    id: fork.id,
    ...(fork.label !== undefined && { label: fork.label }),
    parent: fork.parent?.id ?? null,
    baseSeq: fork.baseSeq,
    ...(fork.asOf !== undefined && { asOf: fork.asOf }),
    ...(fork.changesOf !== undefined && { changesOf: fork.changesOf }),
    status: fork.status,
    // `main` starts with its first transaction.
    createdAt: fork.createdAt ?? fork.firstShownAt,
    ...(fork.closedAt !== undefined && { closedAt: fork.closedAt }),
    ...(fork.undoneAt !== undefined && { undoneAt: fork.undoneAt }),
    ...(isDerived && { derivedAt: projection.derivedAt }),
    events: fork.events,
    ...parentChanges(fork),
  };
}

/** How many events the parent has had since the fork was created, if the fork can still be rebased. */
function parentChanges({ status, parent, parentEvents }: Fork): { readonly behind?: number } {
  if (status !== 'open' || parent?.status !== 'open' || parent.events === parentEvents) return {};
  return { behind: parent.events - parentEvents };
}

export function isoNow(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
