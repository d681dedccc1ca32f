/** Counts of a comparison, by kind of difference. */

import { describe, expect, it } from 'vitest';
import { changeCounts, kindsOf, linesIn, namedCounts, ofKinds, sidesOf, summed, toggled } from './comparison-filter.js';

describe('the filter by kind of difference', () => {
  it('counts lines: a field with a value on both sides is one changed line', () => {
    const name = changeCounts({ left: 3, right: 4, both: 2 });
    expect(name).toEqual({ removed: 1, added: 2, changed: 2 });
    expect(linesIn(name)).toBe(5);
    const all = summed([name, changeCounts({ left: 0, right: 7 })]);
    expect(all).toEqual({ removed: 1, added: 9, changed: 2 });
    expect(ofKinds(all, ['changed', 'removed'])).toEqual({ removed: 1, added: 0, changed: 2 });
    expect(ofKinds(all, [])).toBe(all);
  });

  it('becomes the sides of the request', () => {
    expect(sidesOf([])).toBeUndefined();
    expect(sidesOf(['changed', 'removed'])).toEqual(['left', 'both']);
  });

  it('toggles one kind at a time, and is off if all kinds are selected', () => {
    expect(toggled([], 'added')).toEqual(['added']);
    expect(toggled(['added'], 'removed')).toEqual(['removed', 'added']);
    expect(toggled(['removed', 'added'], 'added')).toEqual(['removed']);
    expect(toggled(['removed', 'added'], 'changed')).toEqual([]);
    expect(kindsOf('changed,else,removed')).toEqual(['removed', 'changed']);
    expect(kindsOf(null)).toEqual([]);
  });
});

it('names each relation with its counts in lines', () => {
  const counts = [
    { relation: 'l::Lease.rent', kind: 'stored', left: 2, right: 3, both: 2 },
    { relation: 'l::renting', kind: 'derived', left: 4, right: 0 },
  ] as const;
  expect(namedCounts(counts).map(({ name, lines }) => `${name} ${linesIn(lines)}`)).toEqual([
    'Lease.rent 3',
    'renting 4',
  ]);
});
