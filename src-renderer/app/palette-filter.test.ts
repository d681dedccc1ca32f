import { expect, it } from 'vitest';
import { matchingActions } from './palette-filter.js';

const GROUPS = [
  { group: 'Panels', actions: [{ label: 'Module' }, { label: 'Forks' }] },
  {
    group: 'Call',
    actions: [
      { label: 'assign', description: 'Says which unit a lease is about', keywords: ['lease::assign'] },
      { label: 'sign', description: 'A new lease with its first tenant', keywords: ['lease::sign'] },
    ],
  },
];
const found = (query: string, max = 10) =>
  matchingActions(GROUPS, query, max).map(
    ({ group, actions }) => `${group}: ${actions.map(({ label }) => label).join(' ')}`,
  );

it('lists all actions for an empty query, up to the limit', () => {
  expect(found('')).toEqual(['Panels: Module Forks', 'Call: assign sign']);
  expect(found('', 3)).toEqual(['Panels: Module Forks', 'Call: assign']);
});

it('ranks a label that starts with the query first, then one that contains it, then other fields', () => {
  expect(found('SIGN')).toEqual(['Call: sign assign']);
  expect(found('lease')).toEqual(['Call: assign sign']);
  expect(found('for')).toEqual(['Panels: Forks']);
});

it('ranks a label equal to the query first', () => {
  const groups = [
    { group: 'Call', actions: [{ label: 'leaseCount' }] },
    { group: 'Data', actions: [{ label: 'Lease' }] },
  ];
  expect(matchingActions(groups, 'lease', 10).map(({ group }) => group)).toEqual(['Data', 'Call']);
});

it('requires every word, in any order', () => {
  expect(found('tenant new')).toEqual(['Call: sign']);
  expect(found('tenant nobody')).toEqual([]);
});
