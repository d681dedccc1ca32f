/** Arrow keys cycle through tabs; other keys do nothing. */

import { expect, it } from 'vitest';
import { tabMove } from './tab-move.js';

it('cycles with the arrow keys, and jumps with Home and End', () => {
  const from = (at: number) => ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'a'].map((key) => tabMove(key, at, 3));
  expect(from(0)).toEqual([2, 1, 0, 2, undefined]);
  expect(from(2)).toEqual([1, 0, 0, 2, undefined]);
  expect(tabMove('Home', -1, 0)).toBeUndefined();
});
