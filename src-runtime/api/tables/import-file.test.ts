/** Reading files: encoding, format, header and rows. */

import { describe, expect, it } from 'vitest';
import { decodeWhole } from './decode-text.js';
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

describe('the text of a file', () => {
  const bytes = (...values: number[]) => new Uint8Array(values);

  it('has the encoding of its byte order mark', async () => {
    expect(await decodeWhole(bytes(0xff, 0xfe, 0xfc, 0x00))).toEqual({ text: 'ü', encoding: 'utf-16le' });
    expect(await decodeWhole(bytes(0xfe, 0xff, 0x00, 0xfc))).toEqual({ text: 'ü', encoding: 'utf-16be' });
    expect(await decodeWhole(bytes(0xef, 0xbb, 0xbf, 0x61))).toEqual({ text: 'a', encoding: 'utf-8' });
  });
  it('is UTF-8, or Windows-1252 if that is malformed', async () => {
    expect(await decodeWhole(bytes(0xc3, 0xbc))).toEqual({ text: 'ü', encoding: 'utf-8' });
    expect(await decodeWhole(bytes(0xfc, 0x20, 0xe9))).toEqual({ text: 'ü é', encoding: 'windows-1252' });
  });
});

describe('the records of a file', () => {
  it('are read from CSV with a header, whatever its delimiter, quotes and line ends', () => {
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

  it('are split by the separator of the file or of the options', () => {
    expect(parsed('sep=;\r\na;b\r\n1,5;2,5\r\n')).toMatchObject({ records: [{ a: '1,5', b: '2,5' }], lines: [3] });
    expect(parsed('a\n1,5\n', { fileName: 'rows.TSV' }).records).toEqual([{ a: '1,5' }]);
    expect(parsed('a,b;c,d\n1,2;3,4\n', { separator: ';' }).columns).toEqual(['a,b', 'c,d']);
  });

  it('need columns with different names', () => {
    expect(message('code,rent, rent\n1,2,3\n')).toBe('Two columns are named "rent". Rename one of them.');
    expect(parsed('a,,\n1,2,3\n').columns).toEqual(['a', 'column 2', 'column 3']);
  });

  it('need no header, and take the names of columns from the options', () => {
    expect(parsed('1,2\n3,4\n', { hasHead: false }).records).toEqual([
      { 'column 1': '1', 'column 2': '2' },
      { 'column 1': '3', 'column 2': '4' },
    ]);
    const named = parsed('1,2\n3\n', { hasHead: false, columns: ['a', 'b'] });
    expect(named.records[0]).toEqual({ a: '1', b: '2' });
    expect(named.problems).toMatchObject([{ row: 1, message: 'Expected 2 cells, got 1.' }]);
  });

  it('keep all digits of numbers in JSON and JSON Lines', () => {
    const records = [{ n: '12345678901234567890.5' }, { n: 0.5 }];
    expect(parsed('[{"n":12345678901234567890.5},{"n":0.5}]').records).toEqual(records);
    expect(parsed('{"n":12345678901234567890.5}\n{"n":0.5}\n').records).toEqual(records);
  });

  it('include rows with too many or too few cells, which are reported as problems', () => {
    expect(parsed('a,b\n1,2\n1,2,3\n1\n1,2,,\n').problems).toEqual([
      { row: 1, field: '', message: 'Expected 2 cells, got 3.' },
      { row: 2, field: '', message: 'Expected 2 cells, got 1.' },
    ]);
  });

  it('are read from a JSON list, a single object, or JSON Lines', () => {
    const file = { format: 'json', columns: ['a', 'b'], records: [{ a: 1 }, { b: [2] }], problems: [] };
    expect(parsed('[{"a":1},{"b":[2]}]')).toEqual(file);
    expect(parsed('{"a":1}\r\n\n{"b":[2]}\n')).toEqual(file);
    expect(parsed('{"a":1}').records).toEqual([{ a: 1 }]);
  });

  it.each(['[{"name": "Ada", "name": "Bo"}]', '{"name": "Ada"}\n{"name": "Bo", "name": "Cy"}'])(
    'are refused for a duplicate key: %s',
    (text) => {
      expect(message(text)).toBe('An object has the key "name" twice. Remove or rename one of them.');
    },
  );

  it('are refused with the reason if the text is neither', () => {
    expect(message('')).toMatch(/Paste/);
    expect(message('[{')).toMatch(/not JSON/);
    expect(message('{"n":1,"parts":[{}],"units":[{}]}')).toMatch(
      /^Expected a list of objects, .* Save "parts", "units" as/,
    );
    expect(message('[1]')).toMatch(/Row 1 is not an object/);
    expect(message('[]')).toMatch(/empty/);
    expect(message('a,b')).toMatch(/no rows/);
    expect(message('PK\u0003\0')).toMatch(/not text/);
    expect(message('a,b\n1,"2\n3,4\n')).toBe('The quotes that begin in line 2 are never closed.');
    expect(message('a,b\n1,2\n"1"x,2\n')).toMatch(/^In line 3, a cell continues/);
  });
});
