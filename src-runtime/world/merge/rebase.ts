/**
 * Rebases a fork (`update` in the API): creates a fork of its parent's current state, or of the nearest open ancestor's, which starts
 * with the changes of this one. The fork itself stays open and unchanged. Blocking checks do not refuse it, because the parent gets
 * nothing of it; their new violations are reported.
 */

import type { ForkDiffCount, ForkDiffRow } from '../../api/schemas/fork-schemas.js';
import type { Deadline } from '../../base/ports.js';
import { drive } from '../../engine/index.js';
import type { Page, Paging, PromotionFilter, RebaseResponse, UpdateOptions } from '../contract/requests.js';
import { countDifferences, filterKey, pageOfDifferences } from '../read/comparison.js';
import { addedViolations } from '../read/guard.js';
import { forkInfo } from '../state/forks.js';
import { wireEvents } from '../state/history.js';
import { registerFork } from '../state/open-scope.js';
import { countWrite, type Fork } from '../state/scope.js';
import { pageRequest, type Session } from '../state/session.js';
import { storedTransaction } from '../write/transact.js';
import { branchedOff, type NewFork } from './create-fork.js';
import { inMerge } from './merge-transaction.js';
import { deltaOf, type ForkMerge, mergingFork, withTarget } from './promote.js';

export const REBASING: ForkMerge = {
  onto: openAncestor,
  done: 'rebased',
  wayOut: 'Revert it in the fork, then rebase again.',
};

/** The nearest open ancestor. `main` is always open. */
function openAncestor({ parent }: Fork): Fork | null {
  return parent === null || parent.status === 'open' ? parent : openAncestor(parent);
}

/** Throws VALIDATION_FAILED, FORK_CLOSED, FORK_EXISTS and CHECK_EVAL_FAILED; then, and on a dry run, nothing is kept. */
export function rebaseFork(parts: Session, options: UpdateOptions, deadline: Deadline): Promise<RebaseResponse> {
  return withTarget(parts, REBASING, deadline, (parent) =>
    branchedOff(parts, { parent, id: options.id, label: parts.fork.label }, (made) =>
      withChanges(parts, made, options, deadline),
    ),
  );
}

/** Writes the changes of the session's fork to the new one. */
async function withChanges(
  parts: Session,
  { fork: next, parent, branch, record, begin }: NewFork,
  { keep, dryRun }: UpdateOptions,
  deadline: Deadline,
): Promise<{ readonly isKept: boolean; readonly value: RebaseResponse }> {
  const { scope, store, clock, fork, writes } = parts;
  const onto = { fork: parent, branch, begin, keep, completion: 'none', wayOut: REBASING.wayOut } as const;
  return inMerge(await deltaOf(parts, deadline), onto, deadline, async ({ before, writing, conflicts }, commit) => {
    const warnings = await addedViolations(before, writing.overlay.view, writing.changed, deadline);
    const stored = await drive(storedTransaction(parts, next.id, writing, { kind: 'update', fork: fork.id }), deadline);
    const events = await drive(wireEvents(stored), deadline);
    const first = events.length === 0 ? undefined : stored;
    const answer = { events, warnings, conflicts };
    if (dryRun) {
      const changes = first && { changesOf: fork.id };
      const result = { ...forkInfo(next, clock), ...changes, events: events.length };
      return { isKept: false, value: { result, txn: null, ...answer } };
    }
    await deadline.checkpoint();
    await store.createFork(scope.scopeId, record, first, { at: scope.position });
    registerFork(scope, next);
    countWrite(scope);
    if (first !== undefined) commit(next, first);
    writes.announce(scope.scopeId);
    return { isKept: true, value: { result: forkInfo(next, clock), txn: first?.txn ?? null, ...answer } };
  });
}

/**
 * The facts and violations that a rebase would remove from the fork (left) and add to it (right), conclusions included. Throws
 * VALIDATION_FAILED and FORK_CLOSED, and what a comparison does.
 */
export function previewRebase(
  parts: Session,
  { keep, ...filter }: PromotionFilter,
  paging: Paging,
  deadline: Deadline,
): Promise<Page<ForkDiffRow[]>> {
  const request = pageRequest(parts, paging, () => ['update', filterKey(filter), JSON.stringify(keep ?? [])]);
  // The parent with the changes is what the new fork would be.
  return mergingFork(
    parts,
    keep,
    deadline,
    ({ source, writing }) => pageOfDifferences(source, writing.overlay.view, filter, request, deadline),
    REBASING,
  );
}

/** Throws like `previewRebase`. */
export function countRebase(
  parts: Session,
  { keep, ...filter }: PromotionFilter,
  deadline: Deadline,
): Promise<ForkDiffCount[]> {
  return mergingFork(
    parts,
    keep,
    deadline,
    ({ source, writing }) => countDifferences(source, writing.overlay.view, filter, deadline),
    REBASING,
  );
}
