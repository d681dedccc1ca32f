/** Applying the edits gives the formatted text. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../base/testing/property-runs.js';
import { tokenize } from '../lexer.js';
import { format, formatEdits } from './index.js';

const FILE = 'a.entail';
const MODULE = `module m
// about it
concept A { a: Int, b: Text? } /* behind */
derive near(a: A, b: A) when a.a > b.a, not (a == b)
mutation go(a: A) { set a.a = 1 delete a }
`;

function applied(text: string): string {
  const edits = formatEdits(FILE, text);
  let [made, at] = ['', 0];
  for (const { span, text: added } of edits) {
    expect(span.start.offset).toBeGreaterThanOrEqual(at);
    made += text.slice(at, span.start.offset) + added;
    at = span.end.offset;
  }
  return made + text.slice(at);
}

it('produces the formatted text for any white space and comments between tokens', () => {
  const tokens = tokenize(FILE, MODULE).tokens.map((each) => each.text);
  const gap = fc.constantFrom(' ', '\n', '\r\n', '\n\n\n', '\t', ' // note \r\n', ' /* a\n b */ ');
  const gaps = fc.array(gap, { minLength: tokens.length, maxLength: tokens.length });
  fc.assert(
    fc.property(gaps, (blanks) => {
      const text = tokens.map((token, index) => `${blanks[index]}${token}`).join('');
      expect(applied(text)).toBe(format(FILE, text).value);
    }),
    { numRuns: runs(100) },
  );
});

it('edits only what is not formatted', () => {
  const [edit, ...others] = formatEdits(FILE, 'module m\r\nenum A { a, b }\r\nenum B {c }\r\n');
  expect([edit?.text, edit?.span.start, others]).toEqual([' ', { line: 3, column: 9, offset: 35 }, []]);
});

it('has no edits for a formatted text or one with syntax errors', () => {
  expect(formatEdits(FILE, 'module m\nenum A { a }\n')).toEqual([]);
  expect(formatEdits(FILE, 'module m\nenum  A { a\n')).toEqual([]);
});
