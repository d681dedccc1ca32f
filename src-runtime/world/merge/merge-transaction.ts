/** A merge as a transaction: written, checked, and rolled back unless the caller commits it. */

import { ApiError } from '../../api/errors.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import { drive, type View } from '../../engine/index.js';
import type { Cause, WrittenTransaction } from '../../storage/event-store.js';
import type { PromoteResponse } from '../contract/requests.js';
import { explanationSite } from '../explain/explanation-site.js';
import { provingRefusal } from '../explain/refusals.js';
import { guard } from '../read/guard.js';
import { wireEvents } from '../state/history.js';
import type { Branch, Fork } from '../state/scope.js';
import type { Session } from '../state/session.js';
import type { OpenTransaction } from '../write/open-transaction.js';
import { commitStored, storedTransaction } from '../write/transact.js';
import { inOrder, type NetChange } from './changes.js';
import { type MergeTarget, merge, stateOf } from './merge.js';

/** What two states of a fork differ in. `inMerge` releases the views. */
export interface ForwardDelta {
  /** The fork whose events the changes are. */
  readonly of: string;
  readonly base: View;
  readonly source: View;
  readonly net: readonly NetChange[];
}

interface MergedOnto extends Pick<MergeTarget, 'keep' | 'completion'> {
  /** The fork that is written to, or whose state a new fork starts from. */
  readonly fork: Fork;
  /** The branch of `fork`, or that of the new fork. */
  readonly branch: Branch;
  readonly begin: () => OpenTransaction;
  /** Ends the error for a change that the target cannot take: whole sentences. */
  readonly wayOut: string;
}

/** A merge that is written and not committed. */
export interface Merged extends Pick<ForwardDelta, 'source'> {
  /** The target without the merge. */
  readonly before: View;
  readonly writing: OpenTransaction;
  readonly conflicts: PromoteResponse['conflicts'];
}

/** Hands the merge to `work`, and rolls it back afterwards unless `work` commits it. Throws VALIDATION_FAILED if the target cannot take it. */
export async function inMerge<T>(
  { of, base, source, net }: ForwardDelta,
  { fork, branch, begin, wayOut, ...rules }: MergedOnto,
  deadline: Deadline,
  work: (merged: Merged, commit: (fork: Fork, stored: WrittenTransaction) => void) => Promise<T>,
): Promise<T> {
  const before = branch.facts.view();
  const writing = begin();
  let isCommitted = false;
  const states = { base: stateOf(base), source: stateOf(source) };
  const changes = inOrder(net, states, writing.scope.program);
  const refused = (error: ApiError, { seq, txn }: NetChange) =>
    new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `Event ${seq} of the fork "${of}" cannot be replayed on "${fork.id}": ${error.message} ${wayOut}`,
      { ...error.details, fork: of, parent: fork.id, seq, txn },
    );
  try {
    const target = { ...rules, writing, before, refused, skipsUnwritable: false };
    const conflicts = await merge({ ...states, changes }, target, deadline);
    return await work({ source, before, writing, conflicts }, (committed, stored) => {
      isCommitted = true;
      commitStored(writing, committed, branch, stored);
    });
  } finally {
    if (!isCommitted) writing.overlay.rollback();
    for (const view of [base, source, before]) view.release();
  }
}

/** The merge as the next transaction of `fork`, after the blocking checks. Throws CHECK_VIOLATION. */
export async function guardedMerge(
  parts: Session,
  fork: Fork,
  { before, writing, conflicts }: Merged,
  { cause, explain }: { readonly cause: Cause; readonly explain: boolean | undefined },
  deadline: Deadline,
): Promise<{ readonly stored: WrittenTransaction } & Pick<PromoteResponse, 'events' | 'warnings' | 'conflicts'>> {
  const { view } = writing.overlay;
  const site = explain === true ? explanationSite(parts, view, writing.branch, fork) : undefined;
  const warnings = await withConflicts(
    () => conflicts,
    () => provingRefusal(site, before, deadline, () => guard(before, view, writing.changed, deadline)),
  );
  const stored = await drive(storedTransaction(parts, fork.id, writing, cause), deadline);
  return { stored, events: await drive(wireEvents(stored), deadline), warnings, conflicts };
}

/** A refusal by a check lists the conflicts too, because keeping other values may satisfy the check. */
export async function withConflicts<T>(conflicts: () => readonly unknown[], work: () => MaybePromise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'SVC_RUNTIME_CHECK_VIOLATION') throw error;
    throw new ApiError(error.code, error.message, { ...error.details, conflicts: conflicts() }, { cause: error.cause });
  }
}
