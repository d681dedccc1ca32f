/** Warnings about code without effect: bodies that never hold, clauses that add nothing, and unused declarations. */

import { describe, expect, it } from 'vitest';
import { parseModule } from '../parser/module.js';
import { checkModules } from './index.js';

const SCHEMA = `module m
pub enum Status { draft, signed }
pub concept Person { name: Text, rank: Int, active: Bool = true }
pub concept Lease { rent: Decimal, status: Status, holder: Person? }
pub relation has(p: Person, l: Lease)
pub relation n(x: Int)
`;

/** Checks SCHEMA and the snippet; `⟦…⟧` marks the place of each warning, in order. */
function check(snippet: string, expected: readonly string[]): void {
  const texts = [...snippet.matchAll(/⟦(.*?)⟧/gs)].map((mark) => mark[1]);
  const source = SCHEMA + snippet.replace(/⟦|⟧/g, '');
  const parsed = parseModule('m.entail', source);
  const diagnostics = [...parsed.diagnostics, ...checkModules([parsed.value]).diagnostics];
  expect(diagnostics.map(({ code, span }) => [code, source.slice(span.start.offset, span.end.offset)])).toEqual(
    expected.map((code, i) => [code, texts[i]]),
  );
}

describe('a body that never holds', () => {
  it.each([
    'pub derive d(l: Lease) when Lease(l), l.status == draft, ⟦l.status != draft⟧',
    'pub derive d(p: Person) when Person(p), p.rank > 5, ⟦p.rank < 3⟧',
    'pub derive d(p: Person) when Person(p), p.rank >= 5, ⟦p.rank < 5⟧',
    'pub derive d(l: Lease) when Lease(l), l.rent == 5, ⟦3 > l.rent⟧',
    'pub derive d(x: Int) when n(x), x == 1, ⟦x == 2⟧',
    'pub derive d(x: Int) when let x = 1, n(x), ⟦x > 2⟧',
    'pub derive d(p: Person) when Person(p), p.active, ⟦not p.active⟧',
    'pub derive d(p: Person) when Person(p), ⟦false⟧',
    'pub derive d(p: Person) when Person(p), ⟦1 > 2⟧',
    'pub derive d(p: Person) when has(p, l), ⟦not has(p, l)⟧',
    'pub derive d(p: Person) when has(p, _), ⟦not has(p, _)⟧',
    'pub check c(p: Person) when p.rank == 1, ⟦p.rank == 2⟧ severity warning message "{p}"',
    'pub query q() -> [Person] { select p where Person(p), p.rank == 1, ⟦p.rank == 2⟧ }',
    'pub derive ⟦d⟧(x: Int) when d(x), n(x)',
    'pub derive ⟦a⟧(x: Int) when b(x)\npub derive b(x: Int) when a(x)',
    'pub define ⟦Boss⟧(p: Person) when has(p, l), has(q, l), Boss(q)',
  ])('is reported: %s', (snippet) => check(snippet, ['W0402']));

  it.each([
    'pub derive d(l: Lease) when Lease(l), l.status != draft, l.status != signed',
    'pub derive d(p: Person) when Person(p), p.rank >= 5, p.rank <= 5',
    'pub derive d(l: Lease) when has(p, l), has(q, l), p.rank == 1, q.rank == 2',
    'pub derive d(p: Person) when has(p, l), not has(p, m), Lease(m), m != l',
    'pub relation up(x: Int, y: Int)\npub derive d(x: Int) when n(x)\npub derive d(x: Int) when d(y), up(y, x)',
    'pub derive d(l: Lease) when Lease(l), l.status == draft or l.status == signed',
  ])('is not reported: %s', (snippet) => check(snippet, []));

  it('is reported once, not again for its users', () => {
    check(
      'pub derive a(x: Int) when n(x), x > 2, ⟦x < 1⟧\npub derive b(x: Int) when a(x)\npub derive c(x: Int) when b(x)',
      ['W0402'],
    );
  });
});

describe('a clause that adds nothing', () => {
  it.each([
    'pub derive d(x: Int) when n(x)\n⟦pub derive d(x: Int) when n(x)⟧',
    'pub derive d(x: Int) when n(x)\n⟦pub derive d(y: Int) when n(y), y > 3⟧',
    'pub derive d(p: Person) when has(p, l), l.rent > 3\n⟦pub derive d(q: Person) when q.rank > 3, l.rent > 3, has(q, l)⟧',
  ])('is reported: %s', (snippet) => check(snippet, ['W0403']));

  it.each([
    'pub derive d(x: Int) when n(x), x > 3\npub derive d(x: Int) when n(x)',
    'pub derive d(x: Int) when n(x), x > 3\npub derive d(x: Int) when n(x), x > 4',
    'pub derive d(a: Person, b: Person) when has(a, l), has(b, l)\npub derive d(b: Person, a: Person) when has(a, l), Person(b), not has(b, l)',
    'pub relation r(x: Int, y: Int)\npub derive d(x: Int, y: Int) when r(x, y)\npub derive d(x: Int, y: Int) when r(y, x)',
  ])('is not reported: %s', (snippet) => check(snippet, []));
});

describe('an unused declaration', () => {
  it.each([
    ['derive ⟦d⟧(x: Int) when n(x)', 'W0302'],
    ['pub relation up(x: Int, y: Int)\nderive ⟦d⟧(x: Int) when n(x)\nderive d(x: Int) when d(y), up(y, x)', 'W0302'],
    ['enum ⟦Color⟧ { red }', 'W0302'],
    ['concept ⟦Node⟧ { next: Node? }', 'W0302'],
    ['fn ⟦f⟧() -> Int = 1', 'W0302'],
    ['query ⟦q⟧() -> Int { value 1 }', 'W0302'],
    ['relation ⟦r⟧(x: Int)', 'W0302'],
    ['relation ⟦r⟧(x: Int)\npub derive d(x: Int) when r(x)', 'W0303'],
    ['pub fn f(⟦x⟧: Int) -> Int = 1', 'W0601'],
    ['pub query q(⟦x⟧: Int) -> [Person] { select p where Person(p) }', 'W0601'],
    ['pub mutation m(p: Person) { let ⟦x⟧ = p.rank }', 'W0601'],
    ['pub mutation m() { for ⟦p⟧ in (select x where Person(x)) { insert n(1) } }', 'W0601'],
    ['pub mutation m(p: Person) { if p.rank > 1 { let ⟦x⟧ = 1 } }', 'W0601'],
    ['test "t" { let ⟦p⟧ = insert Person { name: "x", rank: 1 } }', 'W0601'],
  ])('is reported: %s', (snippet, code) => check(snippet, [code]));

  it.each([
    'derive _d(x: Int) when n(x)',
    'individual a: Person { name: "a", rank: 1 }',
    'check c(p: Person) when p.rank > 3 severity warning message "{p}"',
    'derive d(x: Int) when n(x)\ntest "t" { expect not d(_) }',
    'relation r(x: Int)\npub derive d(x: Int) when r(x)\nfact r(1)',
    'relation r(x: Int)\npub derive d(x: Int) when r(x)\npub mutation m(p: Person) { if p.rank > 1 { insert r(1) } }',
    'enum Color { red }\npub concept Car { color: Color }',
    'pub mutation m(p: Person, q: Person, text: Text, _x: Int) { require p != q message "{text}" }',
    'pub query q(x: Int) -> [Person] { select p where Person(p) limit x }',
    'pub query q(x: Int, y: Int) -> [Int] { select z + y where z in range(0, x) order by z }',
    'pub query q(x: Int) -> Int { value count(for p where Person(p), p.rank == x) }',
  ])('is not reported: %s', (snippet) => check(snippet, []));

  it('is not reported without public declarations or with errors', () => {
    const codes = (text: string) => checkModules([parseModule('m', text).value]).diagnostics.map(({ code }) => code);
    expect(codes('module m\nrelation r(x: Int)\nderive d(x: Int) when r(x)')).toEqual([]);
    expect(codes(`${SCHEMA}derive d(x: Int) when n(x), y > 3`)).toEqual(['E0401']);
  });

  it('can be an import, unless the module names it', () => {
    const other = parseModule('b', 'module b\npub concept B { }\npub relation r(b: B)').value;
    const codes = (text: string) => checkModules([parseModule('a', text).value, other]).diagnostics;
    expect(codes('module a\nuse b::{B, r}\npub derive d(b: B) when r(b)')).toEqual([]);
    expect(codes('module a\nuse b::{B, r}\npub derive d(b: b::B) when r(b)').map(({ message }) => message)).toEqual([]);
    expect(
      codes('module a\nuse b::{B, r}\npub derive d(x: Int) when r(_), x in range(0, 1)').map((d) => d.code),
    ).toEqual(['W0101']);
  });
});
