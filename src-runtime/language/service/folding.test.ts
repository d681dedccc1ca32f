/** Folding ranges, shown as the text that each fold hides. */

import { expect, it } from 'vitest';
import { analyse, foldingRanges } from './index.js';

function check(text: string, expected: readonly string[]): void {
  const ranges = foldingRanges(analyse([{ file: 'm.entail', text }]), 'm.entail');
  expect(ranges.map(({ from, to, kind }) => `${kind}: ${text.slice(from, to).trim().replace(/\s+/g, ' ')}`)).toEqual(
    expected,
  );
}

it('folds brackets over several lines, but not on one line', () => {
  check('module m\nconcept A {\n  n: Int\n}\nconcept B { n: Int }', ['block: n: Int']);
});

it('folds rules without brackets after their first line', () => {
  check('module m\nderive d(x: Int)\n  when r(x),\n  s(x)\nderive e(x: Int) when r(x)', ['block: when r(x), s(x)']);
});

it('folds comments and imports', () => {
  check('module m\n// a\n// b\nuse a::{A}\nuse b::{B}\n/* c\n d */', [
    'comment: // b',
    'imports: use b::{B}',
    'comment: d */',
  ]);
});

it('folds nothing in a missing file', () => {
  expect(foldingRanges(analyse([]), 'x.entail')).toEqual([]);
});
