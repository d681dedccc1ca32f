/** Numbers in names are compared as numbers. */

import { expect, it } from 'vitest';
import { sortedByName } from './natural-order.js';

it.each([
  [['q10', 'q2', 'q1'], 'q1 q2 q10'],
  [['lease::b', 'lease::a10x', 'lease::a9x'], 'lease::a9x lease::a10x lease::b'],
  [['Zeta', 'alpha', 'Beta'], 'alpha Beta Zeta'],
  [['same', 'SAME', 'same'], 'same same SAME'],
])('sorts %j in natural order', (names, sorted) => {
  expect(sortedByName(names, (name) => name).join(' ')).toBe(sorted);
});
