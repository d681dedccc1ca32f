/** Selects per conflict which value a promotion keeps. */

import { expect, it } from 'vitest';
import { keepText, withChoice } from './promotion-draft.js';

const conflict = (individual: string, kept: 'fork' | 'parent') => ({
  ...{ individual, field: 'm::P.name', base: 'a', fork: 'b', parent: 'c', seq: 1 },
  kept,
});

it('is chosen by one conflict after the other, and told as those in which the parent’s value stays', () => {
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

it('is none one by one where there are very many', () => {
  const many = Array.from({ length: 101 }, (_, place) => conflict(`#i${place}`, 'parent'));
  expect(withChoice(many, conflict('#i0', 'parent'), 'parent')).toBeUndefined();
});
