/** Call names are unique in a file, even in one written by hand. */

import { expect, it } from 'vitest';
import { namedOnce } from './call-names.js';

it('appends the next free number to a duplicate name', () => {
  const names = ['sign', 'end', 'sign', 'sign 2', 'Sign', 'sign'];
  const calls = names.map((name) => ({ name, query: 'lease::count', args: {} }));
  expect(namedOnce(calls).map(({ name }) => name)).toEqual(['sign', 'end', 'sign 3', 'sign 2', 'Sign', 'sign 4']);
});
