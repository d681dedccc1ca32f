/** Quick fixes: the sources after the named fix, which must remove its finding. */

import { describe, expect, it } from 'vitest';
import { analyse, applyEdits, quickFixes } from './index.js';
import { sourcesOf } from './testing/cursor.js';

/** Applies the fix with this title to the last source, and expects that its finding is gone. */
function check(source: string, title: string, expected: string): void {
  const sources = sourcesOf(source);
  const analysis = analyse(sources);
  const last = sources[sources.length - 1] ?? { file: '', text: '' };
  const fixes = quickFixes(analysis, last.file, 0, last.text.length);
  const fix = fixes.find((each) => each.title === title);
  expect(fix?.title ?? fixes.map((each) => each.title)).toBe(title);
  if (fix === undefined) return;
  const cured = sources.map((each) => applyEdits(each, fix.edits));
  expect(cured.find(({ file }) => file === last.file)?.text).toBe(expected);
  const left = analyse(cured).diagnostics.filter(({ code }) => code === fix.diagnostic.code);
  expect(left.length).toBeLessThan(analysis.diagnostics.filter(({ code }) => code === fix.diagnostic.code).length);
}

const M = 'module m\n';

describe('names', () => {
  it('are corrected', () => {
    check(
      `${M}concept Person { }\ndefine D(p: Persn) when Person(p)`,
      'Change to "Person"',
      `${M}concept Person { }\ndefine D(p: Person) when Person(p)`,
    );
    check(
      `${M}concept A { name: Text }\nfn f() -> Int = rond(1)`,
      'Change to "round"',
      `${M}concept A { name: Text }\nfn f() -> Int = round(1)`,
    );
    check(
      '// file a.entail\nmodule a\npub concept Person { }\n// file m.entail\nmodule m\ndefine D(p: a::Persn) when a::Person(p)',
      'Change to "Person"',
      'module m\ndefine D(p: a::Person) when a::Person(p)',
    );
  });

  it('of other languages are translated', () => {
    check(`${M}concept P { name: varchar }`, 'Change to "Text"', `${M}concept P { name: Text }`);
    check(
      `${M}concept P { n: Int? }\nderive d(p: P) when P(p), p.n == null`,
      'Change to "none"',
      `${M}concept P { n: Int? }\nderive d(p: P) when P(p), p.n == none`,
    );
  });

  it('are imported', () => {
    check(
      '// file a.entail\nmodule a\npub concept Person { }\n// file m.entail\nmodule m\npub define D(p: Person) when a::Person(p)',
      'Import "Person" from a',
      'module m\n\nuse a::{Person}\npub define D(p: Person) when a::Person(p)',
    );
  });

  it('are made public in their declaration', () => {
    const sources = sourcesOf(
      '// file a.entail\nmodule a\nconcept Person { }\n// file m.entail\nmodule m\nuse a::{Person}\npub define D(p: Person) when Person(p)',
    );
    const [fix] = quickFixes(analyse(sources), 'm.entail', 0, 100);
    expect(fix?.title).toBe('Make "Person" public');
    expect(sources.map((each) => applyEdits(each, fix?.edits ?? []).text)[0]).toBe(
      'module a\npub concept Person { }\n',
    );
  });

  it('are removed from the imports or prefixed with `_` if unused', () => {
    const other = '// file a.entail\nmodule a\npub concept A { }\npub concept B { }\n// file m.entail\n';
    check(
      `${other}module m\nuse a::{A, B}\npub define D(x: A) when A(x)`,
      'Remove "B" from the imports',
      'module m\nuse a::{A}\npub define D(x: A) when A(x)',
    );
    check(
      `${other}module m\nuse a::{A, B}\npub define D(x: B) when B(x)`,
      'Remove "A" from the imports',
      'module m\nuse a::{B}\npub define D(x: B) when B(x)',
    );
    const rel = `${M}relation r(a: Int, b: Int)\nfact r(1, 2)\n`;
    check(`${rel}pub derive d(x: Int) when r(x, y)`, 'Change to `_`', `${rel}pub derive d(x: Int) when r(x, _)`);
    check(`${rel}pub derive d(x: Int) when r(x, y)`, 'Change to "_y"', `${rel}pub derive d(x: Int) when r(x, _y)`);
    const own = `${M}concept P { }\nindividual ada: P { }\nrelation of(a: Int, p: P)\nfact of(1, @ada)\n`;
    check(
      `${own}pub derive d(x: Int) when of(x, ada)`,
      'Change to `@ada`',
      `${own}pub derive d(x: Int) when of(x, @ada)`,
    );
    check(`${M}pub fn f(x: Int) -> Int = 1`, 'Change to "_x"', `${M}pub fn f(_x: Int) -> Int = 1`);
  });
});

describe('syntax', () => {
  it('of other languages is translated', () => {
    check(`${M}fn f(a: Bool) -> Bool = a&&a`, 'Write `and`', `${M}fn f(a: Bool) -> Bool = a and a`);
    check(`${M}fn f(a: Bool) -> Bool = !a`, 'Write `not`', `${M}fn f(a: Bool) -> Bool = not a`);
    check(`${M}fn f() -> Int = 1;`, 'Remove it', `${M}fn f() -> Int = 1`);
    check(`${M}fn f() -> Text = 'a"b'`, 'Use double quotes', `${M}fn f() -> Text = "a\\"b"`);
    check(
      `${M}relation r(a: Int)\nderive d(x: Int) when r(x), x = 1`,
      'Compare with `==`',
      `${M}relation r(a: Int)\nderive d(x: Int) when r(x), x == 1`,
    );
  });

  it('is added if it is missing', () => {
    check('concept A { }', 'Add `module m`', 'module m\n\nconcept A { }');
    check(
      `${M}relation r(a: Int\nrelation s(a: Int)`,
      'Close it with `)`',
      `${M}relation r(a: Int)\nrelation s(a: Int)`,
    );
    const r = `${M}relation r(a: Int)\nderive d(x: Int) when `;
    check(`${r}r(x)\n  x > 1`, 'Put a comma before it', `${r}r(x),\n  x > 1`);
  });
});

describe('a missing part', () => {
  it('is added to inserts and individuals', () => {
    const a = `${M}enum E { x, y }\nconcept A { name: Text, e: E, n: Int = 1, on: Date }\n`;
    check(
      `${a}mutation m() { insert A { } }`,
      'Add "name", "e", "on"',
      `${a}mutation m() { insert A { name: "", e: x, on: date "2000-01-01" } }`,
    );
    check(
      `${a}mutation m() { insert A { e: y, name: "" } }`,
      'Add "on"',
      `${a}mutation m() { insert A { e: y, name: "", on: date "2000-01-01" } }`,
    );
    check(
      `${a}individual i: A { e: y, on: date "2000-01-01", }`,
      'Add "name"',
      `${a}individual i: A { e: y, on: date "2000-01-01", name: "" }`,
    );
  });

  it('is added to a match', () => {
    check(
      `${M}enum E { x, y, z }\nfn f(e: E) -> Int = match e { x => 1 }`,
      'Add cases for y, z',
      `${M}enum E { x, y, z }\nfn f(e: E) -> Int = match e { x => 1, y => 1, z => 1 }`,
    );
  });

  it('is added to the body of a rule that declares a narrower concept', () => {
    const a = `${M}concept A { n: Int }\nconcept B is A { }\n`;
    check(`${a}pub derive d(b: B) when A(b), b.n > 1`, 'Add `B(b)`', `${a}pub derive d(b: B) when A(b), b.n > 1, B(b)`);
  });
});

it('offers the fixes of the findings in the range only', () => {
  const text = `${M}fn f(a: Bool) -> Bool = a && a\nfn g() -> Text = 'x'`;
  const analysis = analyse([{ file: 'm.entail', text }]);
  const at = text.indexOf("'x'");
  expect(quickFixes(analysis, 'm.entail', at, at).map(({ title }) => title)).toEqual(['Use double quotes']);
});

describe('values that are only compared', () => {
  const frame = `${M}concept Person { boss: Person }\n`;

  it('become `_` in a negation', () => {
    check(
      `${frame}relation likes(a: Person, b: Person)\nderive sad(p: Person) when Person(p), not likes(q, p)`,
      'Change to `_`',
      `${frame}relation likes(a: Person, b: Person)\nderive sad(p: Person) when Person(p), not likes(_, p)`,
    );
  });

  it('get a literal of their concept, like parameters known only by type', () => {
    check(
      `${frame}derive led(p: Person) when p.boss != p`,
      'Add `Person(p)`',
      `${frame}derive led(p: Person) when p.boss != p, Person(p)`,
    );
  });

  it('are bound by `let` instead', () => {
    check(
      `${frame}derive led(b: Person) when Person(p), b == p.boss`,
      'Write `let b = p.boss`',
      `${frame}derive led(b: Person) when Person(p), let b = p.boss`,
    );
    check(
      `${frame}relation age(p: Person, n: Int)\nderive next(m: Int) when age(_, n), n + 1 == m`,
      'Write `let m = n + 1`',
      `${frame}relation age(p: Person, n: Int)\nderive next(m: Int) when age(_, n), let m = n + 1`,
    );
  });
});

it('lists the aggregated variables', () => {
  check(
    `${M}concept P { }\nrelation r(p: P, n: Int)\nderive d(x: Int) when let x = sum(n for p where r(p, n))`,
    'List "n" after `for`',
    `${M}concept P { }\nrelation r(p: P, n: Int)\nderive d(x: Int) when let x = sum(n for p, n where r(p, n))`,
  );
});
