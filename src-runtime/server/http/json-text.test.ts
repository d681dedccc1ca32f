/** Request bodies are parsed as strict JSON, and refused where parsers disagree or could be harmed. */

import { describe, expect, it } from 'vitest';
import { Numeral } from '../../base/numeral.js';
import { decodeText, NESTING_MAX, parseJson, parseLongJson } from './json-text.js';

/** Parses in one step and in the smallest blocks, and expects the same outcome. */
function parse(source: string): unknown {
  const text = decodeText(Buffer.from(source));
  const inBlocks = parseLongJson(text, 1);
  let step = attempt(() => inBlocks.next());
  while (typeof step !== 'string' && step.done !== true) step = attempt(() => inBlocks.next());
  const value = attempt(() => parseJson(text));
  expect(typeof step === 'string' ? step : step.value).toEqual(value);
  return parseJson(text);
}

function attempt<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
}

describe('parseJson', () => {
  it.each([
    '{"a":[1,{"b":"x"},{"b":"y"}],"c":{"a":null}}',
    '["a","a",{"k":"k"}]',
    '{"quote\\"":"\\\\","b\\\\":{"quote\\"":true}}',
    '{"text":"{\\"a\\":1,\\"a\\":2}"}',
    '"alone"',
  ])('reads %s as JSON.parse does', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('keeps all digits of numbers that a double cannot hold', () => {
    const text =
      '{"a" : [ 0.1, -12345678901234567890.5 , {"b\\"":1e400,"c":true}],"d":"1e400","e":[],"f":{},"g":null,"h":false, "i":2}';
    expect(parse(text)).toEqual({
      a: [0.1, new Numeral('-12345678901234567890.5'), { 'b"': new Numeral('1e400'), c: true }],
      d: '1e400',
      e: [],
      f: {},
      g: null,
      h: false,
      i: 2,
    });
  });

  it('yields while it parses a long text', () => {
    const rows = Array.from({ length: 40_000 }, (_, no) => ({ no }));
    expect([...parseLongJson(JSON.stringify(rows))].length).toBeGreaterThanOrEqual(5);
  });

  it.each(['{"__proto__":{"x":1}}', '{"__proto__":0.12345678901234567890}'])('reads __proto__ as a key: %s', (text) => {
    const value = parse(text) as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value).replaceAll('"', '')).toBe(text.replaceAll('"', ''));
  });

  it('skips a byte order mark', () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => decodeText(Buffer.from([0x22, 0xff, 0x22]))).toThrow(/not UTF-8/);
  });

  it.each([
    ['{"a":1,"a":2}', /"a" twice/],
    ['{"x":[{"a":1,"b":{},"\\u0061":2}]}', /"a" twice/],
    ['{"a":1,"b":2,"c":3,"b":4}', /"b" twice/],
    ['{"x":{"__proto__":1,"\\u005f_proto__":2}}', /"__proto__" twice/],
    ['  ', /empty/],
    ['{"a":1,}', /no JSON/],
    [`${'['.repeat(NESTING_MAX + 1)}${']'.repeat(NESTING_MAX + 1)}`, /nests deeper/],
  ])('refuses %s', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});
