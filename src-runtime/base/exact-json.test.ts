/** Numbers have the same digits after reading and writing a text. */

import { expect, it } from 'vitest';
import { duplicateKey, parseWithAllDigits } from './exact-json.js';

it.each([
  ['[0.1, 2, -3e2, 9007199254740991]', [0.1, 2, -300, 9007199254740991]],
  [
    '{"a": [12345678901234567890.5, {"b": 0.12345678901234567890}]}',
    { a: ['12345678901234567890.5', { b: '0.12345678901234567890' }] },
  ],
  ['[9007199254740993, 1e400, -1e400]', ['9007199254740993', '1e400', '-1e400']],
  [
    '{"code": "12345678901234567890", "12345678901234567890": null}',
    { code: '12345678901234567890', '12345678901234567890': null },
  ],
  ['[1e2, true, "\\u0041\\""]', [100, true, 'A"']],
])('%s', (text, value) => {
  expect(parseWithAllDigits(text)).toEqual(value);
});

it.each([
  ['{"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]}', undefined],
  ['{"a": 1, "b": 2, "a": 1}', 'a'],
  ['[{"rows": [{"x": 1, "\\u0078": 2}]}]', 'x'],
  ['{"__proto__": 1, "__proto__": 2}', '__proto__'],
])('finds the duplicate key in %s: %s', (text, key) => {
  expect(duplicateKey(text)).toBe(key);
});

it('rejects what JSON.parse rejects', () => {
  expect(() => parseWithAllDigits('[12345678901234567890,]')).toThrow(SyntaxError);
});
