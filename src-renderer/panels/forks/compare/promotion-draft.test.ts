/** Selects per conflict which value a promotion keeps. */

import { expect, it } from 'vitest';
import { keepText, withChoice } from './promotion-draft.js';

const conflict = (individual: string, kept: 'fork' | 'parent') => ({
  ...{ individual, field: 'm::P.name', base: 'a', fork: 'b', parent: 'c', seq: 1 },
  kept,
});

it('lists the conflicts that keep the value of the parent', () => {
  const conflicts = [conflict('#i1', 'parent'), conflict('#i2', 'fork')];
  const both = withChoice(conflicts, conflict('#i2', 'fork'), 'parent');
  expect(both).toEqual([
    ['#i1', 'm::P.name'],
    ['#i2', 'm::P.name'],
  ]);
  expect(keepText(both ?? [])).toBe('[["#i1","m::P.name"],["#i2","m::P.name"]]');
  expect(withChoice(conflicts, conflict('#i1', 'parent'), 'fork')).toEqual([]);
  expect([keepText([]), keepText('all')]).toEqual([undefined, 'parent']);
});

it('does not select per conflict if there are over 100', () => {
  const many = Array.from({ length: 101 }, (_, place) => conflict(`#i${place}`, 'parent'));
  expect(withChoice(many, conflict('#i0', 'parent'), 'parent')).toBeUndefined();
});
