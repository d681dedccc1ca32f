/**
 * Brings a fork up to date: makes a fork of its parent as that is now, which begins with what this one has changed. Where the
 * parent has been closed, of the nearest open one that it came from. The fork itself stays as it is, open, to go back to. No guard is asked about it, as nothing of it is on the parent: what checks say is told.
 */

import type { ForkDiffCount, ForkDiffRow } from '../../api/schemas/fork-schemas.js';
import type { Deadline } from '../../base/ports.js';
import { drive } from '../../engine/index.js';
import type { Page, Paging, PromotionFilter, UpdateAnswer, UpdateOptions } from '../contract/requests.js';
import { countDifferences, filterKey, pageOfDifferences } from '../read/comparison.js';
import { addedFirings } from '../read/guard.js';
import { forkInfo } from '../state/forks.js';
import { wireEvents } from '../state/history.js';
import { registerFork } from '../state/open-scope.js';
import { pageRequest, type SessionParts } from '../state/session-parts.js';
import { commitStored, storedTransaction } from '../write/transact.js';
import { branchedOff, type NewFork } from './create-fork.js';
import { changesOfFork, type MergeKind, merging, openAncestor, withTarget } from './merge.js';
import { replayed } from './promote.js';

export const UPDATING: MergeKind = {
  onto: openAncestor,
  done: 'brought up to date',
  wayOut: 'Undo it in the fork, then bring it up to date again.',
};

/** Throws VALIDATION_FAILED, FORK_CLOSED, FORK_EXISTS and CHECK_EVAL_FAILED; nothing is kept then, nor of a dry run. */
export function updateFork(parts: SessionParts, options: UpdateOptions, deadline: Deadline): Promise<UpdateAnswer> {
  return withTarget(parts, UPDATING, deadline, (parent) =>
    branchedOff(parts, { parent, id: options.id, label: parts.fork.label }, (made) =>
      begun(parts, made, options, deadline),
    ),
  );
}

/** Answers whether the new fork is kept, too. */
async function begun(
  parts: SessionParts,
  { fork: next, parent, branch, record, begin }: NewFork,
  { keep, dryRun }: UpdateOptions,
  deadline: Deadline,
): Promise<{ readonly isKept: boolean; readonly value: UpdateAnswer }> {
  const { scope, store, clock, fork, writes } = parts;
  const target = { parent, branch, begin, keep, words: UPDATING };
  return merging(
    await changesOfFork(parts, deadline),
    target,
    deadline,
    async ({ before, writing, conflicts }, committed) => {
      const warnings = await addedFirings(before, writing.transaction.view, writing.changed, deadline);
      const cause = { kind: 'update', fork: fork.id } as const;
      const stored = await drive(storedTransaction(parts, next.id, writing, cause), deadline);
      const events = await drive(wireEvents(stored), deadline);
      const first = events.length === 0 ? undefined : stored;
      const answer = { events, warnings, conflicts };
      if (dryRun) {
        const changes = first && { changesOf: fork.id };
        const result = { ...forkInfo(next, clock), ...changes, events: events.length };
        return { isKept: false, value: { result, txn: null, ...answer } };
      }
      await deadline.checkpoint();
      await store.createFork(scope.scopeId, record, first);
      writes.announce(scope.scopeId);
      registerFork(scope, next);
      if (first !== undefined) {
        committed();
        commitStored(writing, next, branch, first);
      }
      return { isKept: true, value: { result: forkInfo(next, clock), txn: first?.txn ?? null, ...answer } };
    },
  );
}

/**
 * What that would change on the fork, without keeping it: the facts and firings that it would lose (left) and gain (right), what
 * follows among them. Throws VALIDATION_FAILED and FORK_CLOSED, and what a comparison does.
 */
export function previewUpdate(
  parts: SessionParts,
  { keep, ...filter }: PromotionFilter,
  paging: Paging,
  deadline: Deadline,
): Promise<Page<ForkDiffRow[]>> {
  const request = pageRequest(parts, paging, () => ['update', filterKey(filter), JSON.stringify(keep ?? [])]);
  // Its parent with its changes is what there would be, whoever has it.
  return replayed(
    parts,
    keep,
    deadline,
    ({ mine, writing }) => pageOfDifferences(mine, writing.transaction.view, filter, request, deadline),
    UPDATING,
  );
}

/** Throws like `previewUpdate`. */
export function countUpdate(
  parts: SessionParts,
  { keep, ...filter }: PromotionFilter,
  deadline: Deadline,
): Promise<ForkDiffCount[]> {
  return replayed(
    parts,
    keep,
    deadline,
    ({ mine, writing }) => countDifferences(mine, writing.transaction.view, filter, deadline),
    UPDATING,
  );
}
