/** Reading objects of JSON as they arrive. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../schemas/schemas.js';
import { createJsonReader } from './json-rows.js';

function read(...pieces: readonly string[]) {
  const reader = createJsonReader();
  const rows = pieces.flatMap((piece, at) => reader.read(piece, at === pieces.length - 1));
  return { rows, problem: reader.problem };
}

describe('objects of JSON', () => {
  it('are read from a list, from lines, and from indented objects, with their lines', () => {
    const rows = [
      { line: 2, record: { a: 1 } },
      { line: 3, record: { a: '}"' } },
    ];
    expect(read('[\n{"a":1},\n{"a":"}\\""}]\n').rows).toEqual(rows);
    expect(read('\n{"a":1}\r\n{"a":"}\\""}').rows).toEqual(rows);
    expect(read('{\n"a":\n1\n}{"a":2}').rows.map(({ line }) => line)).toEqual([1, 4]);
  });

  it('are the same in pieces of any size', () => {
    const record = fc.dictionary(
      fc.string({ minLength: 1 }),
      fc.jsonValue().map((value) => value as JsonValue),
    );
    fc.assert(
      fc.property(fc.array(record), fc.boolean(), fc.integer({ min: 1, max: 9 }), (records, isList, size) => {
        const text = isList ? JSON.stringify(records, null, 1) : records.map((each) => JSON.stringify(each)).join('\n');
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [''];
        const { rows, problem } = read(...pieces);
        expect(problem).toBeUndefined();
        expect(JSON.stringify(rows.map((row) => row.record))).toBe(JSON.stringify(records));
      }),
    );
  });

  it('keep all digits of a number', () => {
    expect(read('{"a":12345678901234567890.5}').rows[0]?.record).toEqual({ a: '12345678901234567890.5' });
  });

  it.each([
    ['[{"a":1}', /list does not end/],
    ['[{"a":1} {"a":2}]', /expected "," or "\]" in line 1/],
    ['[{"a":1},]', /This is not JSON/],
    ['[] []', /nothing after the list in line 1/],
    ['{"a":1}\n{"a":', /value that begins in line 2 does not end/],
    ['{"a":1}\n{b}', /This is not JSON: .*\(line 2\)/],
    ['{"a":1}\n2', /^Row 2 is not an object/],
    ['{"a":1,"b":{"c":1,"c":2}}', /^An object has the key "c" twice/],
  ])('are refused in %s', (text, message) => {
    expect(read(text).problem).toMatch(message);
    expect(read(...text).problem).toMatch(message);
  });
});
