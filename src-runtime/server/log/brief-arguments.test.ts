/** Arguments in the list of requests: short, in the order in which they were sent. */

import { expect, it } from 'vitest';
import { briefArguments } from './brief-arguments.js';

const brief = (body: unknown) => briefArguments(JSON.stringify(body));

it('lists the arguments of a call, and the tuple of an explanation', () => {
  expect(brief({ path: 'm::sign', args: { tenant: '@m::dana', rent: 700 } })).toEqual([
    { name: 'tenant', value: '@m::dana' },
    { name: 'rent', value: 700 },
  ]);
  expect(brief({ relation: 'm::liable', tuple: ['#i1', '#i2'] })).toEqual([
    { name: '0', value: '#i1' },
    { name: '1', value: '#i2' },
  ]);
});

it('shortens long values, and names entities by their id', () => {
  const args = { text: 'x'.repeat(60), list: [1, 2], rows: Array(40).fill(1), who: { $id: '#i1', name: 'Ada' } };
  expect(brief({ path: 'm::f', args })?.map(({ value }) => value)).toEqual([
    `${'x'.repeat(48)}…`,
    [1, 2],
    ['…'],
    '#i1',
  ]);
});

it('returns nothing for a missing, malformed or long body, or one that is not a call', () => {
  expect(briefArguments(undefined)).toBeUndefined();
  expect(briefArguments('{"path":')).toBeUndefined();
  expect(brief({ source: 'query a() { }', args: {} })).toBeUndefined();
  expect(brief({ path: 'm::f', args: { text: 'x'.repeat(5_000) } })).toBeUndefined();
});
