/** CSV becomes columns and cells, whatever wrote it. */

import { expect, it } from 'vitest';
import { readCsv } from './csv.js';

function read(text: string) {
  const reading = readCsv(text);
  return reading.ok ? [reading.csv.columns, ...reading.csv.records] : reading.problem;
}

it.each<[string, string, unknown]>([
  [
    'a comma',
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'no line end at the end',
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a semicolon, CRLF and a byte order mark',
    '\uFEFFa;b\r\n1,5;2\r\n',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    'a tab',
    'a\tb\n1\t\n',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  [
    'a bar',
    'a|b\n1|2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['one column', 'a\n1\n2\n', [['a'], ['1'], ['2']]],
  [
    'quotes',
    '"a, b",c\n"say ""hi""",""\n',
    [
      ['a, b', 'c'],
      ['say "hi"', ''],
    ],
  ],
  [
    'line ends in quotes',
    'a,b\n"x\r\ny",2\n',
    [
      ['a', 'b'],
      ['x\r\ny', '2'],
    ],
  ],
  [
    'empty lines',
    '\na,b\n\n1,2\n , \n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a quote inside of a cell',
    'a,b\n5" disk,2\n"x"y,3\n',
    [
      ['a', 'b'],
      ['5" disk', '2'],
      ['xy', '3'],
    ],
  ],
  [
    'a quote that nothing closes',
    'a,b\n1,"2\n',
    [
      ['a', 'b'],
      ['1', '2\n'],
    ],
  ],
  ['a head line alone', 'a,b\n', [['a', 'b']]],
])('%s', (_, text, expected) => {
  expect(read(text)).toEqual(expected);
});

it('refuses records of another length by their line, and what is empty', () => {
  expect(read('a,b\n"x\ny",2\n\n1,2,3\n')).toBe('line 5 has 3 cells, and the head line has 2');
  expect(read(' \n')).toBe('it is empty');
});
