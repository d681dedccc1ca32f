/**
 * Promotes a fork: what it changed, all in all, is written onto its parent as one transaction under the parent's guards,
 * and the fork is closed with it.
 */

import { ApiError } from '../../api/errors.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import { drive } from '../../engine/index.js';
import { type Cause, StorageError, type StoredTransaction } from '../../storage/event-store.js';
import type { KeptOfParent, OverOptions, PromoteAnswer, PromoteOptions } from '../contract/requests.js';
import { explanationSite } from '../explain/explanation-site.js';
import { provingRefusal } from '../explain/refusals.js';
import { guard } from '../read/guard.js';
import { closeFork, forkInfo, isoNow } from '../state/forks.js';
import { wireEvents } from '../state/history.js';
import type { SessionParts } from '../state/session-parts.js';
import { refusedByDisk } from '../wire/faults.js';
import { commitStored, storedTransaction } from '../write/transact.js';
import { beginWriting } from '../write/writing.js';
import { changesOfFork, type Merge, type MergeKind, merging, withTarget } from './merge.js';

/** Throws VALIDATION_FAILED, FORK_CLOSED, CHECK_VIOLATION; nothing is kept then, nor of a dry run. */
export function promoteFork(parts: SessionParts, options: PromoteOptions, deadline: Deadline): Promise<PromoteAnswer> {
  const { fork } = parts;
  return replayed(parts, options.keep, deadline, async (merge, commit) => {
    const { stored, ...answer } = await guardedMerge(parts, merge, { kind: 'promote', fork: fork.id }, options, deadline);
    const closedAt = isoNow(parts.clock);
    if (options.dryRun) {
      const result = { ...forkInfo(fork, parts.clock), status: 'promoted' as const, closedAt };
      return { result, txn: null, ...answer };
    }
    await deadline.checkpoint();
    const promoted = stored.events.length === 0 ? undefined : stored;
    await store(parts, closedAt, promoted);
    if (promoted) commit(promoted);
    closeFork(parts.scope, fork, 'promoted', closedAt);
    return { result: forkInfo(fork, parts.clock), txn: promoted?.txn ?? null, ...answer };
  });
}

/** A merge as the next transaction of what it is merged into, under the guards of that, and what is told of it. Throws CHECK_VIOLATION. */
export async function guardedMerge(
  parts: SessionParts,
  { parent, before, writing, conflicts }: Merge,
  cause: Cause,
  { explain }: Pick<OverOptions, 'explain'>,
  deadline: Deadline,
): Promise<{ readonly stored: StoredTransaction } & Pick<PromoteAnswer, 'events' | 'warnings' | 'conflicts'>> {
  const { view } = writing.transaction;
  const site = explain === true ? explanationSite(parts, view, writing.branch, parent) : undefined;
  const warnings = await tellingConflicts(conflicts, () =>
    provingRefusal(site, before, deadline, () => guard(before, view, writing.changed, deadline)),
  );
  const stored = await drive(storedTransaction(parts, parent.id, writing, cause), deadline);
  return { stored, events: await drive(wireEvents(stored), deadline), warnings, conflicts };
}

/** Whoever mends what a check forbids has to know of the conflicts too. */
export async function tellingConflicts<T>(conflicts: readonly unknown[], work: () => MaybePromise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'SVC_RUNTIME_CHECK_VIOLATION') throw error;
    throw new ApiError(error.code, error.message, { ...error.details, conflicts }, { cause: error.cause });
  }
}

/**
 * Writes what the fork changed onto what it goes onto and hands that to `work`. It is undone afterwards, unless `work` commits it.
 * Throws VALIDATION_FAILED and FORK_CLOSED.
 */
export function replayed<T>(
  parts: SessionParts,
  keep: KeptOfParent | undefined,
  deadline: Deadline,
  work: (merge: Merge, commit: (promoted: StoredTransaction) => void) => Promise<T>,
  kind: MergeKind = PROMOTING,
): Promise<T> {
  const { scope } = parts;
  return withTarget(parts, kind, deadline, async (parent, branch) => {
    const target = { parent, branch, begin: () => beginWriting(scope, branch), keep, words: kind };
    return merging(await changesOfFork(parts, deadline), target, deadline, (merge, committed) =>
      work(merge, (promoted) => {
        committed();
        commitStored(merge.writing, parent, branch, promoted);
      }),
    );
  });
}

const PROMOTING: MergeKind = {
  onto: ({ parent }) => parent,
  done: 'promoted',
  wayOut: 'Undo it in the fork, then promote again.',
};

async function store(parts: SessionParts, closedAt: string, promoted: StoredTransaction | undefined): Promise<void> {
  const { id, txn } = parts.fork;
  try {
    await parts.store.closeFork(parts.scope.scopeId, { fork: id, txn, status: 'promoted', closedAt }, promoted);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw refusedByDisk(error, 'The disk refused the promotion', 'The fork is still open and nothing was kept');
  }
  if (promoted !== undefined) parts.writes.announce(parts.scope.scopeId);
}
