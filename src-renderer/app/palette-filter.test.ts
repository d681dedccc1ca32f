import { expect, it } from 'vitest';
import { foundActions } from './palette-filter.js';

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
  foundActions(GROUPS, query, max).map(
    ({ group, actions }) => `${group}: ${actions.map(({ label }) => label).join(' ')}`,
  );

it('everything is there at first, as far as there is room', () => {
  expect(found('')).toEqual(['Panels: Module Forks', 'Call: assign sign']);
  expect(found('', 3)).toEqual(['Panels: Module Forks', 'Call: assign']);
});

it('what begins with it comes before what has it, and that before what is said beside it', () => {
  expect(found('SIGN')).toEqual(['Call: sign assign']);
  expect(found('lease')).toEqual(['Call: assign sign']);
  expect(found('for')).toEqual(['Panels: Forks']);
});

it('what is called so comes before all that begins with it', () => {
  const groups = [
    { group: 'Call', actions: [{ label: 'leaseCount' }] },
    { group: 'Data', actions: [{ label: 'Lease' }] },
  ];
  expect(foundActions(groups, 'lease', 10).map(({ group }) => group)).toEqual(['Data', 'Call']);
});

it('all words are looked for, in any order', () => {
  expect(found('tenant new')).toEqual(['Call: sign']);
  expect(found('tenant nobody')).toEqual([]);
});
