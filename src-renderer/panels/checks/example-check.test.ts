/** The example check compiles. */

import { expect, it } from 'vitest';
import { compile } from '../../../src-runtime/compiler/index.js';
import { EXAMPLE_CHECK } from './example-check.js';

it('compiles if the module declares the names that it uses', () => {
  const declared = 'module m\npub concept Person { name: Text }\npub relation knows(a: Person, b: Person)\n';
  expect(compile([{ file: 'm.entail', text: declared + EXAMPLE_CHECK }]).diagnostics).toEqual([]);
});
