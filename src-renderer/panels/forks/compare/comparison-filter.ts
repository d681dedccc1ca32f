/** Filters a comparison by kind of difference, with counts that match the rows. */

import type { DiffSide, ForkDiffCount } from '../../../../src-runtime/api/schemas/fork-schemas.js';
import { shortName } from '../../../model/facts/locations.js';
import type { Change } from './comparison-rows.js';

interface ComparisonFilter {
  /** Shown kinds; empty for all. */
  readonly kinds: readonly Change[];
  /** Part of a name, label or value; empty for all. */
  readonly find: string;
}

export const UNFILTERED: ComparisonFilter = { kinds: [], find: '' };

/** In display order. */
export const CHANGES: readonly Change[] = ['removed', 'added', 'changed'];

export type ChangeCounts = Readonly<Record<Change, number>>;

/** The server counts a changed line on both sides. */
export function changeCounts({ left, right, both = 0 }: Pick<ForkDiffCount, 'left' | 'right' | 'both'>): ChangeCounts {
  return { removed: left - both, added: right - both, changed: both };
}

export function summed(counts: readonly ChangeCounts[]): ChangeCounts {
  const sum = (change: Change) => counts.reduce((total, { [change]: count }) => total + count, 0);
  return { removed: sum('removed'), added: sum('added'), changed: sum('changed') };
}

/** Only the shown kinds. */
export function ofKinds(counts: ChangeCounts, kinds: readonly Change[]): ChangeCounts {
  if (kinds.length === 0) return counts;
  const kept = (change: Change) => (kinds.includes(change) ? counts[change] : 0);
  return { removed: kept('removed'), added: kept('added'), changed: kept('changed') };
}

export function linesIn({ removed, added, changed }: ChangeCounts): number {
  return removed + added + changed;
}

/** A relation with its differences. */
interface NamedCount {
  readonly count: ForkDiffCount;
  readonly name: string;
  readonly lines: ChangeCounts;
}

export function namedCounts(counts: readonly ForkDiffCount[]): readonly NamedCount[] {
  return counts.map((count) => ({ count, name: shortName(count.check ?? count.relation), lines: changeCounts(count) }));
}

/** Kinds to request; undefined for all. */
export function sidesOf(kinds: readonly Change[]): readonly DiffSide[] | undefined {
  return kinds.length === 0 ? undefined : CHANGES.filter((change) => kinds.includes(change)).map(sideOf);
}

function sideOf(change: Change): DiffSide {
  if (change === 'changed') return 'both';
  return change === 'removed' ? 'left' : 'right';
}

/** Toggles a kind. All kinds selected equals none selected. */
export function toggled(kinds: readonly Change[], change: Change): readonly Change[] {
  const next = CHANGES.filter((each) => kinds.includes(each) !== (each === change));
  return next.length === CHANGES.length ? [] : next;
}

/** As in the address. */
export function kindsOf(text: string | null): readonly Change[] {
  const named = text?.split(',') ?? [];
  return CHANGES.filter((change) => named.includes(change));
}
