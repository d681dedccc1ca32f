/** The operations of a session that are about forks rather than on one. */

import { countForkDiff, diffForks } from './fork-diff.js';
import { abortFork, createFork, forkInfo } from './forks.js';
import { pageOf } from './pages.js';
import { promoteFork } from './promote.js';
import { countPromotion, previewPromotion } from './promotion-preview.js';
import type { ForkOperations } from './runtime.js';
import { pageRequest, type SessionParts } from './session-parts.js';

export function createForkOperations(parts: SessionParts): ForkOperations {
  const { scope, fork, clock } = parts;
  return {
    async forks(paging, pacer) {
      const rows = [...scope.forks.values()].map((each) => ({ key: [each.txn], row: forkInfo(each, clock) }));
      const created = { type: { kind: 'scalar', name: 'Int' }, descending: false } as const;
      const page = await pageOf(scope.program, [created], rows, pageRequest(parts, paging, ['forks']), pacer);
      return { result: [...page.rows], ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
    },
    createFork: (request) => createFork(parts, request),
    forkInfo: async () => forkInfo(fork, clock),
    abort: () => abortFork(parts),
    promote: (options, pacer) => promoteFork(parts, options, pacer),
    promotion: (filter, paging, pacer) => previewPromotion(parts, filter, paging, pacer),
    promotionCounts: (filter, pacer) => countPromotion(parts, filter, pacer),
    diff: (other, filter, paging, pacer) => diffForks(parts, other, filter, paging, pacer),
    diffCounts: (other, filter, pacer) => countForkDiff(parts, other, filter, pacer),
  };
}
