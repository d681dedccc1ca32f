/** Words and their colours: `word colour`, with `!` at a declaration and `*` for names of the language. */

import { expect, it } from 'vitest';
import { coloursOf } from './colours.js';
import { analyse } from './index.js';

function check(text: string, expected: readonly string[]): void {
  const analysis = analyse([{ file: 'm.entail', text }]);
  const shown = coloursOf(analysis, 'm.entail').map(
    ({ start, end, colour, isDeclaration, isStandard, isDocumentation }) =>
      `${text.slice(start, end)} ${colour}${isDeclaration ? '!' : ''}${isStandard ? '*' : ''}${isDocumentation ? ' doc' : ''}`,
  );
  expect(shown.slice(2)).toEqual(expected);
}

it('colours words by their symbol', () => {
  check('module m\nenum S { on }\nconcept A { s: S = on, n: Int }', [
    'enum keyword',
    'S enum!',
    'on enumMember!',
    'concept keyword',
    'A class!',
    's property!',
    'S enum',
    '= operator',
    'on enumMember',
    'n property!',
    'Int type*',
  ]);
  check('module m\nrelation r(a: Int)\nderive d(x: Int) when r(x), r(a: abs(x))', [
    'relation keyword',
    'r interface!',
    'a parameter!',
    'Int type*',
    'derive keyword',
    'd interface!',
    'x parameter!',
    'Int type*',
    'when keyword',
    'r interface',
    'x parameter',
    'r interface',
    'a parameter',
    'abs function*',
    'x parameter',
  ]);
});

it('distinguishes comments, documentation, texts and numbers, also with CRLF', () => {
  check('module m\r\n/// doc\r\nfn f() -> Text = "a" // end\r\n/* x\r\ny */', [
    '/// doc comment doc',
    'fn keyword',
    'f function!',
    '-> operator',
    'Text type*',
    '= operator',
    '"a" string',
    '// end comment',
    '/* x comment',
    'y */ comment',
  ]);
});

it('omits unknown names', () => {
  check('module m\nderive d(x: Nope) when nope(x, @who, 3)', [
    'derive keyword',
    'd interface!',
    'x parameter!',
    'when keyword',
    '@who variable',
    '3 number',
  ]);
});
