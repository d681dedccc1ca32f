/** JSON values and paths as messages print them. */

import { expect, it } from 'vitest';
import { jsonPath, jsonWords } from './json-words.js';

it('prints a short form of a value', () => {
  const words = [undefined, null, 'a', 1.5, false, [], {}, 'x'.repeat(100)].map(jsonWords);
  expect(words).toEqual(['nothing', 'null', '"a"', '1.5', 'false', 'an array', 'an object', `"${'x'.repeat(76)}…`]);
});

it('prints a location as a JSON path', () => {
  expect(jsonPath([])).toBe('$');
  expect(jsonPath(['steps', 0, 'args', 'a b'])).toBe('$.steps[0].args["a b"]');
  expect(jsonPath(['x'], '$.args')).toBe('$.args.x');
  expect(jsonPath(['y'.repeat(100)])).toBe(`$.${'y'.repeat(77)}…`);
});
