import { describe, expect, it } from 'vitest';
import { testPieces } from './test-words.js';

type Reads = Readonly<Record<string, string | number | boolean | null>>;

/** Source is set in backquotes, values in asterisks. */
function printed(text: string, reads: Reads): string {
  const values = Object.entries(reads).map(([read, value]) => ({ text: read, value }));
  return testPieces(text, values)
    .map((piece) =>
      piece.kind === 'value' ? `*${piece.value}*` : piece.kind === 'source' ? `\`${piece.text}\`` : piece.text,
    )
    .join('');
}

describe('a comparison that holds', () => {
  it('prints a value once if it is as expected', () => {
    expect(printed('l.status == signed', { 'l.status': 'signed' })).toBe('`l.status` is *signed*');
    expect(printed('signed == l.status', { 'l.status': 'signed' })).toBe('`l.status` is *signed*');
    expect(printed('e.trusted', { 'e.trusted': true })).toBe('`e.trusted` is *true*');
    expect(printed('s.house == p', { 's.house': '@a', p: '@a' })).toBe('`s.house` and `p` are both *@a*');
  });

  it('prints each value after its expression', () => {
    expect(printed('m.year < 1200', { 'm.year': 1010 })).toBe('`m.year` (*1010*)` < 1200`');
    expect(printed('x > w', { x: 5, w: 2 })).toBe('`x` (*5*)` > w` (*2*)');
    expect(printed('one != m.one', { 'm.one': '#i2', one: '#i1' })).toBe('`one` (*#i1*)` != m.one` (*#i2*)');
    expect(printed('d.since <= t', { 'd.since': '2026-01-05', t: null })).toBe(
      '`d.since` (*2026-01-05*)` <= t` (has no value)',
    );
  });

  it('prints a combination of comparisons in full', () => {
    expect(printed('a.x == 1 or a.x == 2', { 'a.x': 2 })).toBe('`a.x` (*2*)` == 1 or a.x == 2`');
    expect(printed('a.x == 1 or true', { 'a.x': 2 })).toBe('`a.x` (*2*)` == 1 or true`');
    expect(printed('a.b ?? 1 == 1', { 'a.b': null })).toBe('`a.b` (has no value)` ?? 1 == 1`');
  });

  it('lists values whose expression is spelt differently', () => {
    expect(printed('a . x<1', { 'a.x': 0, 'b.x': null })).toBe('`a . x<1` (`a.x` is *0*; `b.x` has no value)');
    expect(printed('yearly(x) > 1', {})).toBe('`yearly(x) > 1`');
  });
});
