/** Signature help at a cursor `|`: the label, with the parameter at the cursor in brackets `⟦…⟧`. */

import { describe, expect, it } from 'vitest';
import { BUILT_INS } from '../check/program/built-ins.js';
import { completionsAt, signatureAt } from './index.js';
import { withCursor } from './testing/cursor.js';

const FRAME = `module office
concept Person { name: Text, age: Int = 0 }
relation reports(junior: Person, senior: Person [0..1])
fn rate(x: Decimal, /// How exact.
  digits: Int = 2) -> Decimal = round(x, digits)
`;

function check(source: string, expected: string | null): void {
  const { analysis, file, offset } = withCursor(FRAME + source);
  const help = signatureAt(analysis, file, offset);
  const place = help?.active === null ? undefined : help?.parameters[help.active];
  if (help === null || place === undefined) expect(help?.label ?? null).toBe(expected);
  else {
    const { label } = help;
    expect(`${label.slice(0, place.from)}⟦${label.slice(place.from, place.to)}⟧${label.slice(place.to)}`).toBe(
      expected,
    );
  }
}

describe('signature help', () => {
  it('shows calls, by position and by name', () => {
    check('fn f() -> Decimal = rate(|', 'rate(⟦x: Decimal⟧, digits: Int = 2) -> Decimal');
    check('fn f() -> Decimal = rate(abs(1), |)', 'rate(x: Decimal, ⟦digits: Int = 2⟧) -> Decimal');
    check('fn f() -> Decimal = rate(digits: |', 'rate(x: Decimal, ⟦digits: Int = 2⟧) -> Decimal');
    check('fn f() -> Decimal = rate(1, 2, |', 'rate(x: Decimal, digits: Int = 2) -> Decimal');
  });

  it('shows literals, concepts and inserted individuals and tuples', () => {
    check('derive d(p: Person) when reports(p, |', 'reports(junior: Person, ⟦senior: Person [0..1]⟧)');
    check('derive d(p: Person, least n: Int) when d(p, |', 'd(p: Person, ⟦least n: Int⟧)');
    check('derive d(p: Person) when Person(|', 'Person(⟦p⟧)');
    check('mutation m() { insert Person { age: |', 'Person { name: Text, ⟦age: Int⟧ }');
    check('mutation m(p: Person) { insert reports(|', 'reports(⟦junior: Person⟧, senior: Person [0..1])');
  });

  it('shows built-ins and aggregates', () => {
    check('fn f() -> Decimal = round(1, |', 'round(x: Decimal, ⟦digits: Int⟧) -> Decimal');
    check('fn f(t: Text) -> Text? = capture(t, |', 'capture(t: Text, ⟦pattern: Text⟧, n: Int) -> Text?');
    check('fn f() -> [Int] = range(1, 9, |', 'range(from: Int, to: Int, ⟦step: Int = 1⟧) -> [Int]');
    check('query q() -> Int { value count(|', 'count(⟦for v where BODY⟧)');
  });

  it.each([...BUILT_INS.keys(), 'exists', 'range'])('describes %s, as completion does', (name) => {
    const { analysis, file, offset } = withCursor(`${FRAME}fn f() -> Int = ${name}(|`);
    const doc = signatureAt(analysis, file, offset)?.doc;
    expect(doc).toMatch(/\.$/);
    const open = withCursor(`${FRAME}fn f() -> Int = |`);
    const { items } = completionsAt(open.analysis, open.file, open.offset);
    expect(items.find(({ label }) => label === name)?.doc).toBe(doc);
  });

  it('shows nothing elsewhere', () => {
    check('fn f(|', null);
    check('fn f() -> Int = unknown(|', null);
    check('fn f() -> Int = (|', null);
  });
});
