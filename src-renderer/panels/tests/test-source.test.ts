/** Shows the source of a test with its failing statement marked. */

import { expect, it } from 'vitest';
import { testLines } from './test-source.js';

const TEXT = 'module m\n\n  test "t" {\n    let p = add("Bo")\n    expect\n      linked(p, p)\n  }\n';
const at = (line: number) => ({ line, column: 1, offset: 0 });
const span = (start: number, end: number) => ({ file: 'm.entail', start: at(start), end: at(end) });

it('removes common indentation, and marks every line of the failing statement', () => {
  expect(testLines(TEXT, span(3, 7), span(5, 6)).map(({ number, text, failing }) => [number, text, failing])).toEqual([
    [3, 'test "t" {', false],
    [4, '  let p = add("Bo")', false],
    [5, '  expect', true],
    [6, '    linked(p, p)', true],
    [7, '}', false],
  ]);
});

it('returns no lines if the source is unknown or has changed', () => {
  expect(testLines(undefined, span(3, 7), undefined)).toEqual([]);
  expect(testLines(`module m\n\n${TEXT}`, span(3, 7), undefined)).toEqual([]);
});
