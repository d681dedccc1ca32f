import { describe, expect, it } from 'vitest';
import { keyHash, withSharedParts } from './plain-values.js';

const parsed = (text: string): unknown => JSON.parse(text);

describe('keyHash', () => {
  it('is the same whatever the order of members', () => {
    expect(keyHash(['a', { x: 1, y: { p: 1, q: 2 } }])).toBe(keyHash(['a', { y: { q: 2, p: 1 }, x: 1 }]));
  });

  it.each(['__proto__', 'constructor', 'toString'])('differs for keys that differ in %s', (name) => {
    const key = (value: unknown) => [
      parsed(JSON.stringify({ args: 0 }).replace('args', name).replace('0', JSON.stringify(value))),
    ];
    expect(keyHash(key('one'))).not.toBe(keyHash(key('two')));
    expect(keyHash(key(null))).not.toBe(keyHash(key({})));
  });
});

describe('withSharedParts', () => {
  it('returns the old value if nothing has changed', () => {
    const before = { rows: [{ id: 1, tags: ['a'] }], next: null };
    expect(withSharedParts(before, structuredClone(before))).toBe(before);
  });

  it('keeps equal parts of the old value', () => {
    const before = { rows: [{ id: 1 }, { id: 2 }] };
    const now = withSharedParts(before, { rows: [{ id: 1 }, { id: 3 }, { id: 4 }] }) as typeof before;
    expect(now).toEqual({ rows: [{ id: 1 }, { id: 3 }, { id: 4 }] });
    expect(now.rows[0]).toBe(before.rows[0]);
  });

  it.each([
    ['a changed value', '{"__proto__":"one","a":1}', '{"__proto__":"two","a":1}'],
    ['an object', '{"__proto__":null,"a":1}', '{"__proto__":{"x":1},"a":1}'],
    ['the removal of a member', '{"__proto__":null,"a":1}', '{"a":1}'],
    ['an added member', '{"a":1}', '{"a":1,"constructor":null}'],
  ])('keeps %s under an inherited name', (_title, before, now) => {
    expect(JSON.stringify(withSharedParts(parsed(before), parsed(now)))).toBe(now);
  });
});
