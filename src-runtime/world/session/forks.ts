/** The forks of a scope, and how two of them differ or would after a promotion. */

import type { ForkDiffCount, ForkDiffRow, ForkInfo } from '../../api/schemas/fork-schemas.js';
import type { Moment } from '../../api/schemas/moment.js';
import type { Deadline, MaybePromise } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import type { DiffFilter, Page, Paging, PromotionFilter } from '../contract/requests.js';
import { mergingFork } from '../merge/promote.js';
import { countDifferences, filterKey, pageOfDifferences } from '../read/comparison.js';
import { forkInfo, reading, requireFork } from '../state/forks.js';
import type { Fork } from '../state/scope.js';
import { pageRequest, type Session } from '../state/session.js';
import { pageOf } from '../wire/pages.js';
import { forkAt } from './moments.js';

/** All forks of the scope, `main` first, then in the order in which they were created. */
export async function forks(session: Session, paging: Paging, deadline: Deadline): Promise<Page<ForkInfo[]>> {
  const { scope, clock } = session;
  const rows = [...scope.forks.values()].map((each) => ({ key: [each.txn], row: forkInfo(each, clock) }));
  const created = { type: { kind: 'scalar', name: 'Int' }, descending: false } as const;
  const request = pageRequest(session, paging, () => ['forks']);
  const page = await pageOf(scope.program, [created], rows, request, deadline);
  return { result: [...page.rows], ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
}

/**
 * What a promotion would take from the parent (left) and give to it (right), whatever its guards say. Throws VALIDATION_FAILED and
 * FORK_CLOSED as a promotion does, and what a comparison does.
 */
export function previewPromotion(
  session: Session,
  { keep, ...filter }: PromotionFilter,
  paging: Paging,
  deadline: Deadline,
): Promise<Page<ForkDiffRow[]>> {
  const request = pageRequest(session, paging, () => ['promotion', filterKey(filter), JSON.stringify(keep ?? [])]);
  return mergingFork(session, keep, deadline, ({ before, writing }) =>
    pageOfDifferences(before, writing.overlay.view, filter, request, deadline),
  );
}

/** Throws like `previewPromotion`. */
export function countPromotion(
  session: Session,
  { keep, ...filter }: PromotionFilter,
  deadline: Deadline,
): Promise<ForkDiffCount[]> {
  return mergingFork(session, keep, deadline, ({ before, writing }) =>
    countDifferences(before, writing.overlay.view, filter, deadline),
  );
}

/** Facts and violations that only this fork (left) or only the other (right) has. Throws FORK_NOT_FOUND for the other, and what a comparison does. */
export async function diffForks(
  session: Session,
  otherId: string,
  filter: DiffFilter,
  paging: Paging,
  deadline: Deadline,
  otherAsOf?: Moment,
): Promise<Page<ForkDiffRow[]>> {
  const other = await otherOf(session, otherId, otherAsOf);
  const { id, txn, until, present } = other;
  const moment = present === undefined ? null : until;
  const request = pageRequest(session, paging, () => ['diff', id, txn, moment, filterKey(filter)]);
  return readingBoth(session, other, (left, right) => pageOfDifferences(left, right, filter, request, deadline));
}

/** Throws like `diffForks`. */
export async function countForkDiff(
  session: Session,
  otherId: string,
  filter: DiffFilter,
  deadline: Deadline,
  otherAsOf?: Moment,
): Promise<ForkDiffCount[]> {
  const other = await otherOf(session, otherId, otherAsOf);
  return readingBoth(session, other, (left, right) => countDifferences(left, right, filter, deadline));
}

function otherOf(session: Session, id: string, asOf: Moment | undefined): MaybePromise<Fork> {
  const fork = requireFork(session.scope, id);
  return asOf === undefined ? fork : forkAt({ ...session, fork }, asOf);
}

function readingBoth<T>(session: Session, other: Fork, work: (left: View, right: View) => Promise<T>): Promise<T> {
  return reading(session, (left) => reading({ ...session, fork: other }, (right) => work(left, right)));
}
