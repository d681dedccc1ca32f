/** The operations of a session that are about forks rather than on one. */

import type { ForkDiffCount, ForkDiffRow } from '../../api/schemas/fork-schemas.js';
import type { Deadline } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import type { DiffFilter, Page, Paging, PromotionFilter } from '../contract/requests.js';
import type { ForkOperations } from '../contract/runtime.js';
import { createFork } from '../merge/create-fork.js';
import { labelFork } from '../merge/label-fork.js';
import { pickTransaction } from '../merge/pick-transaction.js';
import { promoteFork, replayed } from '../merge/promote.js';
import { undoPromotion } from '../merge/undo-promotion.js';
import { countUpdate, previewUpdate, updateFork } from '../merge/update-fork.js';
import { countDifferences, filterKey, pageOfDifferences } from '../read/comparison.js';
import { abortFork, forkInfo, reading, requireFork } from '../state/forks.js';
import type { Fork } from '../state/scope.js';
import type { SessionParts } from '../state/session-parts.js';
import { pageRequest } from '../state/session-parts.js';
import { pageOf } from '../wire/pages.js';
import { ListSession } from './list-operations.js';

type Arguments<Name extends keyof ForkOperations> = Parameters<ForkOperations[Name]>;

export class ForkSession extends ListSession implements ForkOperations {
  async forks(...[paging, deadline]: Arguments<'forks'>) {
    const { scope, clock } = this.parts;
    const rows = [...scope.forks.values()].map((each) => ({ key: [each.txn], row: forkInfo(each, clock) }));
    const created = { type: { kind: 'scalar', name: 'Int' }, descending: false } as const;
    const request = pageRequest(this.parts, paging, () => ['forks']);
    const page = await pageOf(scope.program, [created], rows, request, deadline);
    return { result: [...page.rows], ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
  }

  createFork(...[request, deadline = this.parts.createDeadline()]: Arguments<'createFork'>) {
    return createFork(this.parts, request, deadline);
  }

  async forkInfo() {
    return forkInfo(this.parts.fork, this.parts.clock);
  }

  abort(...[deadline = this.parts.createDeadline()]: Arguments<'abort'>) {
    return abortFork(this.parts, deadline);
  }

  label(...[label, deadline = this.parts.createDeadline()]: Arguments<'label'>) {
    return labelFork(this.parts, label, deadline);
  }

  promote(...[options, deadline]: Arguments<'promote'>) {
    return promoteFork(this.parts, options, deadline);
  }

  pick(...[options, deadline]: Arguments<'pick'>) {
    return pickTransaction(this.parts, options, deadline);
  }

  undoPromotion(...[options, deadline]: Arguments<'undoPromotion'>) {
    return undoPromotion(this.parts, options, deadline);
  }

  promotion(...[filter, paging, deadline]: Arguments<'promotion'>) {
    return previewPromotion(this.parts, filter, paging, deadline);
  }

  promotionCounts(...[filter, deadline]: Arguments<'promotionCounts'>) {
    return countPromotion(this.parts, filter, deadline);
  }

  update(...[options, deadline]: Arguments<'update'>) {
    return updateFork(this.parts, options, deadline);
  }

  incoming(...[filter, paging, deadline]: Arguments<'incoming'>) {
    return previewUpdate(this.parts, filter, paging, deadline);
  }

  incomingCounts(...[filter, deadline]: Arguments<'incomingCounts'>) {
    return countUpdate(this.parts, filter, deadline);
  }

  diff(...[other, filter, paging, deadline]: Arguments<'diff'>) {
    return diffForks(this.parts, other, filter, paging, deadline);
  }

  diffCounts(...[other, filter, deadline]: Arguments<'diffCounts'>) {
    return countForkDiff(this.parts, other, filter, deadline);
  }
}

/** Throws VALIDATION_FAILED and FORK_CLOSED as a promotion does, and what a comparison does. */
function previewPromotion(
  parts: SessionParts,
  { keep, ...filter }: PromotionFilter,
  paging: Paging,
  deadline: Deadline,
): Promise<Page<ForkDiffRow[]>> {
  const request = pageRequest(parts, paging, () => ['promotion', filterKey(filter), JSON.stringify(keep ?? [])]);
  return replayed(parts, keep, deadline, ({ before, writing }) =>
    pageOfDifferences(before, writing.transaction.view, filter, request, deadline),
  );
}

/** Throws like `previewPromotion`. */
function countPromotion(
  parts: SessionParts,
  { keep, ...filter }: PromotionFilter,
  deadline: Deadline,
): Promise<ForkDiffCount[]> {
  return replayed(parts, keep, deadline, ({ before, writing }) =>
    countDifferences(before, writing.transaction.view, filter, deadline),
  );
}

/** This fork is the left one. Throws FORK_NOT_FOUND for the other, and what a comparison does. */
async function diffForks(
  parts: SessionParts,
  otherId: string,
  filter: DiffFilter,
  paging: Paging,
  deadline: Deadline,
): Promise<Page<ForkDiffRow[]>> {
  const other = requireFork(parts.scope, otherId);
  const request = pageRequest(parts, paging, () => ['diff', other.id, other.txn, filterKey(filter)]);
  return readingBoth(parts, other, (left, right) => pageOfDifferences(left, right, filter, request, deadline));
}

/** Throws like `diffForks`. */
async function countForkDiff(
  parts: SessionParts,
  otherId: string,
  filter: DiffFilter,
  deadline: Deadline,
): Promise<ForkDiffCount[]> {
  const other = requireFork(parts.scope, otherId);
  return readingBoth(parts, other, (left, right) => countDifferences(left, right, filter, deadline));
}

function readingBoth<T>(parts: SessionParts, other: Fork, work: (left: View, right: View) => Promise<T>): Promise<T> {
  return reading(parts, (left) => reading({ ...parts, fork: other }, (right) => work(left, right)));
}
