/** Totals of an aggregate's groups that are known beyond the run of a plan: taking a large group together anew takes long. */

import type { Expression } from '../../artifact/types.js';
import type { Value } from '../values/value.js';

export interface GroupTotals {
  /** Groups of fewer values are not worth it. */
  readonly countMin: number;
  /** Groups that are known. */
  readonly size: number;
  /** What the aggregate comes to; undefined of a group that is not known. By the codes of its variables. */
  find(group: readonly number[]): Value | undefined;
  /** Notes what its fold has come to, of so many values. */
  keep(group: readonly number[], total: unknown, count: number): void;
}

/** Of a plan that runs once. */
export const NO_TOTALS: readonly (GroupTotals | null)[] = [];

type Aggregate = Expression & { op: 'aggregate' };

/** Of the aggregates that a plan follows, in their order. */
export function totalsFor(
  followed: readonly Aggregate[],
  totalsOf: (aggregate: Aggregate) => GroupTotals | null,
): readonly (GroupTotals | null)[] {
  if (followed.length === 0) return NO_TOTALS;
  const totals: (GroupTotals | null)[] = [];
  for (const aggregate of followed) totals.push(totalsOf(aggregate));
  return totals;
}
