import { expect, it } from 'vitest';
import { matchingActions } from './palette-filter.js';

const action = (label: string, description = '', ...keywords: string[]) => ({
  id: label,
  label,
  description,
  keywords,
});
const GROUPS = [
  { group: 'Panels', actions: [action('Module'), action('Forks')] },
  {
    group: 'Call',
    actions: [
      action('assign', 'Says which unit a lease is about', 'lease::assign'),
      action('sign', 'A new lease with its first tenant', 'lease::sign'),
    ],
  },
];
const found = (query: string, limits: Partial<Parameters<typeof matchingActions>[2]> = {}) =>
  matchingActions(GROUPS, query, { actionsMax: 10, ...limits }).map(
    ({ group, actions }) => `${group}: ${actions.map(({ label }) => label).join(' ')}`,
  );

it('lists all actions for an empty query, up to the limit', () => {
  expect(found('')).toEqual(['Panels: Module Forks', 'Call: assign sign']);
  expect(found('', { actionsMax: 3 })).toEqual(['Panels: Module Forks', 'Call: assign']);
});

it('ranks a label that starts with the query first, then one that contains it, then other fields', () => {
  expect(found('SIGN')).toEqual(['Call: sign assign']);
  expect(found('lease')).toEqual(['Call: assign sign']);
  expect(found('for')).toEqual(['Panels: Forks']);
});

it('ranks a label equal to the query first', () => {
  const groups = [
    { group: 'Call', actions: [action('leaseCount')] },
    { group: 'Data', actions: [action('Lease')] },
  ];
  expect(matchingActions(groups, 'lease', { actionsMax: 10 }).map(({ group }) => group)).toEqual(['Data', 'Call']);
});

it('requires every word, in any order', () => {
  expect(found('tenant new')).toEqual(['Call: sign']);
  expect(found('tenant nobody')).toEqual([]);
});

it('lists recent actions first, each once, and skips removed ones', () => {
  expect(found('', { recent: ['sign', 'gone', 'Forks'] })).toEqual([
    'Recent: sign Forks',
    'Panels: Module',
    'Call: assign',
  ]);
});

it('prefers the more recent of two equal matches', () => {
  expect(found('lease', { recent: ['sign'] })).toEqual(['Call: sign assign']);
  expect(found('assign', { recent: ['sign'] })).toEqual(['Call: assign']);
});
