/** The operations of a session that are about forks rather than on one. */

import type { ForkOperations } from '../contract/runtime.js';
import { createFork } from '../merge/create-fork.js';
import { labelFork } from '../merge/label-fork.js';
import { pickTransaction } from '../merge/pick-transaction.js';
import { promoteFork } from '../merge/promote.js';
import { countPromotion, previewPromotion } from '../merge/promotion-preview.js';
import { undoPromotion } from '../merge/undo-promotion.js';
import { countUpdate, previewUpdate, updateFork } from '../merge/update-fork.js';
import { countForkDiff, diffForks } from '../read/fork-diff.js';
import { abortFork, forkInfo } from '../state/forks.js';
import { pageRequest } from '../state/session-parts.js';
import { pageOf } from '../wire/pages.js';
import { ListSession } from './list-operations.js';

type Arguments<Name extends keyof ForkOperations> = Parameters<ForkOperations[Name]>;

export class ForkSession extends ListSession implements ForkOperations {
  async forks(...[paging, pacer]: Arguments<'forks'>) {
    const { scope, clock } = this.parts;
    const rows = [...scope.forks.values()].map((each) => ({ key: [each.txn], row: forkInfo(each, clock) }));
    const created = { type: { kind: 'scalar', name: 'Int' }, descending: false } as const;
    const request = pageRequest(this.parts, paging, () => ['forks']);
    const page = await pageOf(scope.program, [created], rows, request, pacer);
    return { result: [...page.rows], ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
  }

  createFork(...[request, pacer = this.parts.createPacer()]: Arguments<'createFork'>) {
    return createFork(this.parts, request, pacer);
  }

  async forkInfo() {
    return forkInfo(this.parts.fork, this.parts.clock);
  }

  abort(...[pacer = this.parts.createPacer()]: Arguments<'abort'>) {
    return abortFork(this.parts, pacer);
  }

  label(...[label, pacer = this.parts.createPacer()]: Arguments<'label'>) {
    return labelFork(this.parts, label, pacer);
  }

  promote(...[options, pacer]: Arguments<'promote'>) {
    return promoteFork(this.parts, options, pacer);
  }

  pick(...[options, pacer]: Arguments<'pick'>) {
    return pickTransaction(this.parts, options, pacer);
  }

  undoPromotion(...[options, pacer]: Arguments<'undoPromotion'>) {
    return undoPromotion(this.parts, options, pacer);
  }

  promotion(...[filter, paging, pacer]: Arguments<'promotion'>) {
    return previewPromotion(this.parts, filter, paging, pacer);
  }

  promotionCounts(...[filter, pacer]: Arguments<'promotionCounts'>) {
    return countPromotion(this.parts, filter, pacer);
  }

  update(...[options, pacer]: Arguments<'update'>) {
    return updateFork(this.parts, options, pacer);
  }

  incoming(...[filter, paging, pacer]: Arguments<'incoming'>) {
    return previewUpdate(this.parts, filter, paging, pacer);
  }

  incomingCounts(...[filter, pacer]: Arguments<'incomingCounts'>) {
    return countUpdate(this.parts, filter, pacer);
  }

  diff(...[other, filter, paging, pacer]: Arguments<'diff'>) {
    return diffForks(this.parts, other, filter, paging, pacer);
  }

  diffCounts(...[other, filter, pacer]: Arguments<'diffCounts'>) {
    return countForkDiff(this.parts, other, filter, pacer);
  }
}
