/** What became of a result when it was asked again. */

import { expect, it } from 'vitest';
import { changeOf } from './row-change.js';

it('is the rows that came and went, whatever their order; a single value is one row', () => {
  expect(changeOf([{ a: 1 }, { a: 2 }], [{ a: 3 }, { a: 2 }, { a: 1 }])).toEqual({ added: 1, removed: 0 });
  expect(changeOf(['x'], [])).toEqual({ added: 0, removed: 1 });
  expect(changeOf(3, 3)).toEqual({ added: 0, removed: 0 });
  expect(changeOf(3, 4)).toEqual({ added: 1, removed: 1 });
});
