/**
 * What a promotion would change on the parent, without guards and without keeping it: the facts and firings that the parent
 * would lose (left) and gain (right), what follows among them.
 */

import type { ForkDiffCount, ForkDiffRow } from '../../api/schemas/fork-schemas.js';
import type { Pacer } from '../../base/ports.js';
import type { Page, Paging, PromotionFilter } from '../contract/requests.js';
import { countDifferences, filterKey, pageOfDifferences } from '../read/comparison.js';
import { pageRequest, type SessionParts } from '../state/session-parts.js';
import { replayed } from './promote.js';

/** Throws VALIDATION_FAILED and FORK_CLOSED as a promotion does, and what a comparison does. */
export function previewPromotion(
  parts: SessionParts,
  { keep, ...filter }: PromotionFilter,
  paging: Paging,
  pacer: Pacer,
): Promise<Page<ForkDiffRow[]>> {
  const request = pageRequest(parts, paging, () => ['promotion', filterKey(filter), JSON.stringify(keep ?? [])]);
  return replayed(parts, keep, pacer, ({ before, writing }) =>
    pageOfDifferences(before, writing.transaction.view, filter, request, pacer),
  );
}

/** Throws like `previewPromotion`. */
export function countPromotion(
  parts: SessionParts,
  { keep, ...filter }: PromotionFilter,
  pacer: Pacer,
): Promise<ForkDiffCount[]> {
  return replayed(parts, keep, pacer, ({ before, writing }) =>
    countDifferences(before, writing.transaction.view, filter, pacer),
  );
}
