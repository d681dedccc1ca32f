/** Counts and rows of a comparison agree under any filter. */

import { describe, expect, it } from 'vitest';
import { changeCounts, kindsOf, linesIn, ofKinds, shownCounts, sidesOf, summed, toggled } from './comparison-filter.js';
import type { Change } from './comparison-rows.js';

describe('what differs, by kind', () => {
  it('is counted in lines: a field that has a value on each side is one change, neither added nor removed', () => {
    const name = changeCounts({ left: 3, right: 4, both: 2 });
    expect(name).toEqual({ removed: 1, added: 2, changed: 2 });
    expect(linesIn(name)).toBe(5);
    const all = summed([name, changeCounts({ left: 0, right: 7 })]);
    expect(all).toEqual({ removed: 1, added: 9, changed: 2 });
    expect(ofKinds(all, ['changed', 'removed'])).toEqual({ removed: 1, added: 0, changed: 2 });
    expect(ofKinds(all, [])).toBe(all);
  });

  it('is asked of the server by the sides that have something of it', () => {
    expect(sidesOf([])).toBeUndefined();
    expect(sidesOf(['changed', 'removed'])).toEqual(['left', 'both']);
  });

  it('is chosen kind by kind; all of them are as good as none', () => {
    expect(toggled([], 'added')).toEqual(['added']);
    expect(toggled(['added'], 'removed')).toEqual(['removed', 'added']);
    expect(toggled(['removed', 'added'], 'added')).toEqual(['removed']);
    expect(toggled(['removed', 'added'], 'changed')).toEqual([]);
    expect(kindsOf('changed,else,removed')).toEqual(['removed', 'changed']);
    expect(kindsOf(null)).toEqual([]);
  });
});

it('of the relations those are shown that have something of these kinds and are called so, however that is written', () => {
  const counts = [
    { relation: 'l::Lease.rent', kind: 'stored', left: 2, right: 3, both: 2 },
    { relation: 'l::Lease.code', kind: 'stored', left: 0, right: 1 },
    { relation: 'l::renting', kind: 'derived', left: 4, right: 0 },
  ] as const;
  const shown = (kinds: readonly Change[], find: string) =>
    shownCounts(counts, { kinds, find }).map(({ name, lines }) => `${name} ${linesIn(lines)}`);
  expect(shown([], '')).toEqual(['Lease.rent 3', 'Lease.code 1', 'renting 4']);
  expect(shown(['added'], '')).toEqual(['Lease.rent 1', 'Lease.code 1']);
  expect(shown(['added', 'removed'], ' RENT')).toEqual(['Lease.rent 1', 'renting 4']);
});
