/** What a file is taken for, and what keeps it from being read. */

import { describe, expect, it, vi } from 'vitest';
import { decodeText, FILE_BYTES_MAX, tooLargeMessage } from './file-text.js';
import { type CsvOptions, parseFile } from './import-file.js';

function parsed(text: string, options?: CsvOptions) {
  const parsing = parseFile(text, options);
  if (!parsing.ok) throw new Error(parsing.message);
  return parsing.file;
}

function message(text: string): string {
  const parsing = parseFile(text);
  return parsing.ok ? '' : parsing.message;
}

describe('characters', () => {
  const bytes = (...values: number[]) => new Uint8Array(values);

  it('are what the mark at the beginning says', () => {
    expect(decodeText(bytes(0xff, 0xfe, 0xfc, 0x00))).toEqual({ text: 'ü', encoding: 'utf-16le' });
    expect(decodeText(bytes(0xfe, 0xff, 0x00, 0xfc))).toEqual({ text: 'ü', encoding: 'utf-16be' });
    expect(decodeText(bytes(0xef, 0xbb, 0xbf, 0x61))).toEqual({ text: 'a', encoding: 'utf-8' });
  });
  it('are UTF-8, and where the bytes are none, Windows-1252', () => {
    expect(decodeText(bytes(0xc3, 0xbc))).toEqual({ text: 'ü', encoding: 'utf-8' });
    expect(decodeText(bytes(0xfc, 0x20, 0xe9))).toEqual({ text: 'ü é', encoding: 'windows-1252' });
  });
  it('are not guessed again where decoding fails for another reason than malformed bytes', () => {
    vi.stubGlobal(
      'TextDecoder',
      class {
        readonly encoding: string;

        constructor(encoding: string) {
          this.encoding = encoding;
        }

        decode(): string {
          if (this.encoding === 'windows-1252') return 'a';
          throw new RangeError('Cannot create a string longer than 0x1fffffe8 characters');
        }
      },
    );
    expect(() => decodeText(bytes(0x61))).toThrow(RangeError);
    vi.unstubAllGlobals();
  });
  it('are too many in a file that is larger than can be read at once', () => {
    expect(tooLargeMessage('rows.csv', FILE_BYTES_MAX * 3)).toMatch(
      /^rows\.csv has 192 MiB; at most 64 MiB .* Split it/,
    );
    expect(tooLargeMessage('rows.csv', FILE_BYTES_MAX + 1)).toMatch(/^rows\.csv has 64\.1 MiB; at most 64 MiB/);
    expect(tooLargeMessage('The standard input')).toMatch(/^The standard input has more than 64 MiB/);
  });
});

describe('a file', () => {
  it('is CSV with a head line, whatever its delimiter, quotes and ends of line', () => {
    const file = parsed('\uFEFFname;note\r\n"Ada; ""A""";"two\nlines"\r\n\r\nBo;\r\n');
    expect(file).toMatchObject({ format: 'csv', separator: ';', columns: ['name', 'note'], problems: [] });
    expect(file.records).toEqual([
      { name: 'Ada; "A"', note: 'two\nlines' },
      { name: 'Bo', note: null },
    ]);
    expect(file.lines).toEqual([2, 5]);
    expect(parsed('name\nAda\nBo').records).toHaveLength(2);
    expect(parsed('name\rAda\r\nBo').records).toHaveLength(2);
  });

  it('has the separator that it names itself, or that is chosen', () => {
    expect(parsed('sep=;\r\na;b\r\n1,5;2,5\r\n')).toMatchObject({ records: [{ a: '1,5', b: '2,5' }], lines: [3] });
    expect(parsed('a\n1,5\n', { fileName: 'rows.TSV' }).records).toEqual([{ a: '1,5' }]);
    expect(parsed('a,b;c,d\n1,2;3,4\n', { separator: ';' }).columns).toEqual(['a,b', 'c,d']);
  });

  it('rejects a header that names two columns alike, by that name', () => {
    expect(message('code,rent, rent\n1,2,3\n')).toBe('Two columns are named "rent". Rename one of them.');
    expect(parsed('a,,\n1,2,3\n').columns).toEqual(['a', 'column 2', 'column 3']);
  });

  it('may have no header, and may be given the names of its columns', () => {
    expect(parsed('1,2\n3,4\n', { hasHead: false }).records).toEqual([
      { 'column 1': '1', 'column 2': '2' },
      { 'column 1': '3', 'column 2': '4' },
    ]);
    const named = parsed('1,2\n3\n', { hasHead: false, columns: ['a', 'b'] });
    expect(named.records[0]).toEqual({ a: '1', b: '2' });
    expect(named.problems).toMatchObject([{ row: 1, message: 'It has 1 cell, and 2 columns are named.' }]);
  });

  it('of JSON keeps all digits of its numbers, an object a line, too', () => {
    const records = [{ n: '12345678901234567890.5' }, { n: 0.5 }];
    expect(parsed('[{"n":12345678901234567890.5},{"n":0.5}]').records).toEqual(records);
    expect(parsed('{"n":12345678901234567890.5}\n{"n":0.5}\n').records).toEqual(records);
  });

  it('tells which rows have more or fewer cells, and reads the others', () => {
    expect(parsed('a,b\n1,2\n1,2,3\n1\n1,2,,\n').problems).toEqual([
      { row: 1, field: '', message: 'It has 3 cells, and the first line 2.' },
      { row: 2, field: '', message: 'It has 1 cell, and the first line 2.' },
    ]);
  });

  it('or JSON: a list of objects, one, or one a line', () => {
    const file = { format: 'json', columns: ['a', 'b'], records: [{ a: 1 }, { b: [2] }], problems: [] };
    expect(parsed('[{"a":1},{"b":[2]}]')).toEqual(file);
    expect(parsed('{"a":1}\r\n\n{"b":[2]}\n')).toEqual(file);
    expect(parsed('{"a":1}').records).toEqual([{ a: 1 }]);
  });

  it.each(['[{"name": "Ada", "name": "Bo"}]', '{"name": "Ada"}\n{"name": "Bo", "name": "Cy"}'])(
    'refuses JSON that gives a key twice: %s',
    (text) => {
      expect(message(text)).toBe('An object has the key "name" twice. Remove or rename one of them.');
    },
  );

  it('or neither, and says why', () => {
    expect(message('')).toMatch(/Paste/);
    expect(message('[{')).toMatch(/not JSON/);
    expect(message('{"n":1,"parts":[{}],"units":[{}]}')).toMatch(/It is an object; .* such as "parts", "units" in it/);
    expect(message('[1]')).toMatch(/Row 1 is no object/);
    expect(message('[]')).toMatch(/empty/);
    expect(message('a,b')).toMatch(/no row below/);
    expect(message('PK\u0003\0')).toMatch(/not text/);
    expect(message('a,b\n1,"2\n3,4\n')).toBe('The quotes that begin in line 2 are never closed.');
    expect(message('a,b\n1,2\n"1"x,2\n')).toMatch(/^In line 3, a cell continues/);
  });
});
