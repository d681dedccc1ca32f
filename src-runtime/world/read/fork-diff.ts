/** How two forks differ: the facts and firings that only one of them has, listed or counted. */

import type { ForkDiffCount, ForkDiffRow } from '../../api/schemas/fork-schemas.js';
import type { Pacer } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import type { DiffFilter, Page, Paging } from '../contract/requests.js';
import { reading, requireFork } from '../state/forks.js';
import type { Fork } from '../state/scope.js';
import { pageRequest, type SessionParts } from '../state/session-parts.js';
import { countDifferences, filterKey, pageOfDifferences } from './comparison.js';

/** This fork is the left one. Throws FORK_NOT_FOUND for the other, and what a comparison does. */
export async function diffForks(
  parts: SessionParts,
  otherId: string,
  filter: DiffFilter,
  paging: Paging,
  pacer: Pacer,
): Promise<Page<ForkDiffRow[]>> {
  const other = requireFork(parts.scope, otherId);
  const request = pageRequest(parts, paging, () => ['diff', other.id, other.txn, filterKey(filter)]);
  return readingBoth(parts, other, (left, right) => pageOfDifferences(left, right, filter, request, pacer));
}

/** Throws like `diffForks`. */
export async function countForkDiff(
  parts: SessionParts,
  otherId: string,
  filter: DiffFilter,
  pacer: Pacer,
): Promise<ForkDiffCount[]> {
  const other = requireFork(parts.scope, otherId);
  return readingBoth(parts, other, (left, right) => countDifferences(left, right, filter, pacer));
}

function readingBoth<T>(parts: SessionParts, other: Fork, work: (left: View, right: View) => Promise<T>): Promise<T> {
  return reading(parts, (left) => reading({ ...parts, fork: other }, (right) => work(left, right)));
}
