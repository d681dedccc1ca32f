/** Totals of an aggregate's groups that outlive the run of a plan, because folding a large group again takes long. */

import type { Expression } from '../../artifact/types.js';
import type { Value } from '../values/value.js';

export interface GroupTotals {
  /** Smaller groups are not kept. */
  readonly countMin: number;
  /** Number of known groups. */
  readonly size: number;
  /** The aggregate of a group by the codes of its variables; undefined if it is unknown. */
  find(group: readonly number[]): Value | undefined;
  /** Keeps the state of a group's fold over this many values. */
  keep(group: readonly number[], total: unknown, count: number): void;
}

/** For a plan that runs once. */
export const NO_TOTALS: readonly (GroupTotals | null)[] = [];

type Aggregate = Expression & { op: 'aggregate' };

/** In the order of the aggregates that a plan follows. */
export function totalsFor(
  followed: readonly Aggregate[],
  totalsOf: (aggregate: Aggregate) => GroupTotals | null,
): readonly (GroupTotals | null)[] {
  if (followed.length === 0) return NO_TOTALS;
  const totals: (GroupTotals | null)[] = [];
  for (const aggregate of followed) totals.push(totalsOf(aggregate));
  return totals;
}
