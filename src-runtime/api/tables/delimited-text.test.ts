/** Reading and writing delimited text: cells, empty texts, empty cells and blank lines. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cell, createDelimitedReader, foundDelimiter, readDelimited, writeDelimited } from './delimited-text.js';

const cells = (text: string, delimiter = ',', isClipboard = false) =>
  readDelimited(text, { delimiter, isClipboard }).rows.map((row) => row.cells);

describe('reading', () => {
  it('distinguishes an empty quoted text from an empty cell', () => {
    expect(cells('a,,"",  ,"  "\n')).toEqual([['a', null, '', null, '  ']]);
  });

  it('skips blank lines, and keeps rows of empty cells', () => {
    expect(cells('\n\na,b\n,\n   \n""\n')).toEqual([['a', 'b'], [null, null], ['']]);
    expect(cells('a\n\nb\n', '\t', true)).toEqual([['a'], [null], ['b']]);
  });

  it('accepts any line end, in quotes too, and counts the lines', () => {
    const { rows } = readDelimited('a,"1\r\n2"\rb,3\n\r\nc,4', { delimiter: ',' });
    expect(rows).toEqual([
      { line: 1, cells: ['a', '1\r\n2'] },
      { line: 3, cells: ['b', '3'] },
      { line: 5, cells: ['c', '4'] },
    ]);
  });

  it('allows quotes inside a cell, and blanks behind its closing quote', () => {
    expect(cells('a"b",c\n"d" ,"e ""f"""\n')).toEqual([
      ['a"b"', 'c'],
      ['d', 'e "f"'],
    ]);
  });

  it('stops at a misplaced quote and names its line', () => {
    expect(readDelimited('a\n"b\n', { delimiter: ',' })).toMatchObject({
      rows: [{ cells: ['a'] }],
      problem: 'The quotes that begin in line 2 are never closed.',
    });
    expect(readDelimited('a\n"b\nc"d\n', { delimiter: ',' }).problem).toMatch(/^In line 3, a cell continues/);
  });
});

describe('reading in pieces', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'N'), maxLength: 40 });

  it('returns the rows and the problem of the whole text', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(40)), fc.boolean(), (whole, cuts, isClipboard) => {
        const options = { delimiter: ',', isClipboard, nullWord: 'N' };
        const reader = createDelimitedReader(options);
        const rows = piecesOf(whole, cuts).flatMap((piece) => reader.read(piece, false));
        rows.push(...reader.read('', true));
        const expected = readDelimited(whole, options);
        expect({ rows, problem: reader.problem }).toEqual({ rows: expected.rows, problem: expected.problem });
      }),
    );
  });

  it('stops at a row that never ends', () => {
    const reader = createDelimitedReader({ delimiter: ',' });
    const piece = 'a'.repeat(2 ** 20);
    expect(reader.read(`x\n"${piece}`, false)).toHaveLength(1);
    for (let pieces = 0; pieces < 4; pieces++) reader.read(piece, false);
    expect(reader.problem).toMatch(/^The row that begins in line 2 has more than 4 million characters/);
  });

  function piecesOf(whole: string, cuts: readonly number[]): string[] {
    const ends = [...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
    return ends.map((end, at) => whole.slice(ends[at - 1] ?? 0, end));
  }
});

describe('the word for no value', () => {
  it('is a text in quotes', () => {
    const { rows } = readDelimited('NULL,"NULL",null,\n', { delimiter: ',', nullWord: 'NULL' });
    expect(rows).toEqual([{ line: 1, cells: [null, 'NULL', 'null', null] }]);
  });
});

describe('reading the clipboard', () => {
  const clipboard = (text: string) => cells(text, '\t', true);

  it('keeps quotes that only start a cell, without effect on other cells', () => {
    expect(clipboard('"Big" Co\n"a\nb"\n')).toEqual([['"Big" Co'], ['a\nb']]);
    expect(clipboard('x\t"never closed\ny\tz')).toEqual([
      ['x', '"never closed'],
      ['y', 'z'],
    ]);
  });

  it('keeps quotes around a text that needs no quotes', () => {
    expect(clipboard('"abc"')).toEqual([['"abc"']]);
    expect(clipboard('"abc"\t"a\tb"\t"say ""no"""\t""')).toEqual([['"abc"', 'a\tb', 'say "no"', '']]);
  });
});

describe('the delimiter', () => {
  it.each([
    ['a,b\n1,2\n', ','],
    ['a;b\n1,5;2,5\n', ';'],
    ['a\tb\n1,5\t2;5\n', '\t'],
    ['a|b\n1|2\n', '|'],
    ['"a;b",c\n1,2\n', ','],
    ['name\nDoe\n', ','],
    ['tags;n\na,b;1\nc,d;2\n', ';'],
  ])('of %j is %j', (text, delimiter) => expect(foundDelimiter(text)).toBe(delimiter));
});

describe('writing', () => {
  const cell = fc.oneof(
    fc.constant(null),
    fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', ' ', '\0', '\uFEFF', 'é') }),
    fc.string({ unit: 'grapheme' }),
  );
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }));

  it('is read back unchanged as a file', () => {
    fc.assert(
      fc.property(table, fc.constantFrom(',', ';', '\t', '|'), (rows, delimiter) => {
        expect(cells(writeDelimited(rows, delimiter), delimiter).map(withoutTail)).toEqual(rows.map(withoutTail));
      }),
    );
  });

  it('is read back unchanged from the clipboard', () => {
    fc.assert(
      fc.property(table, (rows) => {
        expect(cells(writeDelimited(rows, '\t'), '\t', true).map(withoutTail)).toEqual(rows.map(withoutTail));
      }),
    );
  });

  it('writes a row with a single empty cell as a delimiter, not as a blank line', () => {
    expect(writeDelimited([['note'], [null], ['']], ',')).toBe('note\r\n,\r\n""\r\n');
  });

  /** Empty cells after the last column have no meaning. */
  function withoutTail(row: readonly Cell[]): readonly Cell[] {
    return row.slice(0, row.findLastIndex((each) => each !== null) + 1);
  }
});
