/** The findings of the checker, one mistake at a time: a marked place in a snippet, and its only code. */

import { describe, expect, it } from 'vitest';
import { parseModule } from '../parser/module.js';
import { checkModules } from './index.js';

const SCHEMA = `module m
enum Status { draft, signed }
concept Party { name: Text, rank: Int = 0 }
concept Person is Party { email: Text?, boss: Person? via reports }
concept Lease { code: Text, rent: Decimal where value > 0, status: Status = draft, holder: Person?, tenants: [Person] via tenantOf }
relation tenantOf(lease: Lease, tenant: Person)
relation reports(junior: Person, senior: Person [0..1])
relation age(person: Person, years: Int)
relation price(lease: Lease, amount: Decimal)
individual ada: Person { name: "Ada" }
fn twice(x: Int) -> Int = x * 2
derive rented(l: Lease) when tenantOf(l, _)
query all() -> [Lease] { select l where Lease(l) }
`;

/** Checks SCHEMA and the snippet; `⟦…⟧` marks the place of the finding. */
function check(snippet: string, expected: readonly string[]): void {
  const marks = [...snippet.matchAll(/⟦|⟧/g)].map((mark, i) => SCHEMA.length + mark.index - i);
  const source = SCHEMA + snippet.replace(/⟦|⟧/g, '');
  const { diagnostics } = checkSources(source);
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual(
    expected.map((code) => expect.stringMatching(`^${code} `)),
  );
  if (marks.length === 0) return;
  const places = diagnostics.map(({ span }) => [span.start.offset, span.end.offset]);
  expect(places).toEqual(expected.map((_, i) => [marks[2 * i], marks[2 * i + 1]]));
}

function checkSources(...sources: readonly string[]) {
  const modules = sources.map((text, i) => {
    const parsed = parseModule(`${i}.entail`, text);
    expect(parsed.diagnostics).toEqual([]);
    return parsed.value;
  });
  return checkModules(modules);
}

/** More mistakes for each code than the one in the registry. */
const EXAMPLES: { readonly [code: string]: readonly string[] } = {
  E0101: [
    'derive d(l: Lease) when ⟦tenatOf⟧(l, _)',
    'concept C { x: ⟦Txt⟧ }',
    'query q() -> Int { value ⟦cuont⟧ }',
    'query q() -> Text { value context.⟦user⟧ }',
    'mutation f() { ⟦launch⟧() }',
  ],
  E0102: ['use ⟦other⟧::{A}', 'derive d(p: Person) when ⟦other::rel⟧(p)'],
  E0104: ['derive d(l: Lease) when Lease(l), l.status == ⟦sined⟧', 'fn f(s: Status) -> Bool = s == Status::⟦sined⟧'],
  E0105: [
    'derive d(l: Lease) when Lease(l), l.⟦cod⟧ == "x"',
    'mutation f(l: Lease) { set l.⟦cod⟧ = "x" }',
    'individual x: Party { name: "X", ⟦age⟧: 3 }',
    'query q(r: { wide: Int }) -> Int { value r.⟦wid⟧ }',
  ],
  E0106: ['derive d(l: Lease) when tenantOf(⟦rent⟧: l)'],
  E0107: [
    'mutation f(l: Lease) { let ⟦l⟧ = 1 }',
    'query q() -> [Lease] { select l where Lease(l), count(for ⟦l⟧ where rented(l)) > 1 }',
  ],
  E0108: ['derive d(l: ⟦rented⟧) when Lease(l)', 'concept C is ⟦Status⟧ { }', 'fn f() -> Int = ⟦twice⟧'],
  E0110: [
    'fn f(⟦signed⟧: Status) -> Status = signed',
    'mutation f(l: Lease) { let ⟦signed⟧ = l.status if signed == Status::draft { delete l } }',
    'relation state(l: Lease, s: Status)\nderive d(l: Lease) when Lease(l), let ⟦signed⟧ = l.status, state(l, Status::draft), signed == Status::draft',
  ],
  E0230: [
    'fn f(t: Text) -> Bool = matches(t, "a⟦(?=⟧b)")',
    'fn f(t: Text) -> Bool = matches(t, "\\\\d⟦\\\\q⟧\\\\d")',
    'fn f(t: Text) -> Bool = matches(t, ⟦"(" ++ "a"⟧)',
    'fn f(t: Text) -> Bool = matches(t, ⟦"**"⟧)',
    'fn f(t: Text) -> Text? = capture(n: ⟦-1⟧, t: t, pattern: "a")',
    'fn f(t: Text) -> Text = replaceAll(t, "(a)", "$1⟦$2⟧")',
    'check c(l: Lease) when Lease(l) severity warning message "{replaceAll(l.code, ⟦\\"[\\"⟧, \\"\\")}"',
  ],
  E0201: [
    'derive d(n: Int = ⟦"x"⟧) when rented(_)',
    'derive d(n: Int) when age(_, n)\nderive d(n = ⟦p.name⟧) when Person(p)',

    'concept C { x: Int = ⟦"a"⟧ }',
    'fn f(x: Int) -> Text = ⟦x⟧',
    'derive d(l: Lease) when Lease(l), ⟦l.rent⟧',
    'derive d(l: Lease) when tenantOf(l, ⟦@ada.rank⟧)',
    'query q() -> [Text] { select ⟦l⟧ where Lease(l) }',
  ],
  E0202: [
    'fn f(t: Text?) -> Int = length(t ?? "") + length(⟦t⟧)',
    'mutation f(l: Lease) { set ⟦l.holder⟧.name = "x" }',
  ],
  E0203: [
    'fn f(t: Text) -> Int = ⟦t⟧ + 1',
    'derive d(p: Person) when ⟦p == "x"⟧, Person(p)',
    'fn f(x: Decimal) -> Int = floor(x ⟦div⟧ 2)',
    'derive d(p: Person) when Person(p), p ⟦<⟧ @ada',
    'fn f(x: Int) -> Text = "a" ++ ⟦x⟧',
    'fn f() -> Bool = ⟦none == none⟧',
  ],
  E0204: ['derive d(x: Lease) when Lease(x), Person(⟦x⟧)', 'derive d(l: Lease) when age(_, n), price(l, ⟦n⟧)'],
  E0205: [
    'derive d(⟦p⟧: Person) when Party(p)',
    'define Named(p: Party) when Party(p), p.name != ""\nderive d(⟦p⟧: Person) when Named(p)',
  ],
  E0206: [
    'fn f(s: Status) -> Int = ⟦match s { draft => 1 }⟧',
    'fn f(s: Status) -> Int = match s { _ => 1, ⟦draft => 2⟧ }',
  ],
  E0207: ['derive d(l: Lease) when ⟦tenantOf(l)⟧', 'fn f() -> Int = ⟦twice()⟧'],
  E0208: ['fn f() -> Int = twice(⟦_⟧)'],
  E0209: [
    'mutation f() { let x = ⟦[]⟧ }',
    'mutation f() { let x = ⟦none⟧ }',
    'mutation f() { let x = { a: ⟦none⟧ } }',
    'query q() -> [Int?] { value list(⟦none⟧ for p where Person(p)) }',
  ],
  E0210: ['derive d(x: Int) when x in ⟦3⟧', 'mutation f(l: Lease) { for x in ⟦l⟧ { delete x } }'],
  E0211: [`fn f(x: Int) -> Int = ⟦x${' + x'.repeat(2000)}⟧`],
  E0301: [
    'concept ⟦Party⟧ { }',
    'enum E { a, ⟦a⟧ }',
    'concept C { x: Int, ⟦x⟧: Text }',
    'concept C is Party { ⟦name⟧: Text }',
    'relation r(a: Int, ⟦a⟧: Int)',
  ],
  E0302: ['concept ⟦A⟧ is B { }\nconcept B is A { }'],
  E0303: [
    'derive d(n: Int, ⟦least⟧ p: Person) when age(p, n)',
    'define D(x: Person) when age(x, _)\nconcept C { x: ⟦[D]⟧ }',
    'relation r(a: ⟦Int?⟧)',
    'relation ⟦r⟧()',
    'define D(x: ⟦Int⟧) when age(_, x)',
  ],
  E0304: ['concept C { x: [Person] ⟦via tenantOf⟧ }', 'concept C { x: ⟦Person⟧ via tenantOf }'],
  E0010: [
    'derive d(⟦l⟧) when Lease(l)',
    'check c(⟦l⟧) when Lease(l) severity warning message "x"',
    'define D(⟦p⟧) when tenantOf(_, p)',
  ],
  E0305: [
    'derive d(l: Lease, n: Int = 1) when rented(l)\nderive ⟦d⟧(l) when rented(l)',
    'derive d(p: Person, least n: Int) when age(p, n)\nderive d(p: Person, ⟦n⟧: Int) when age(p, n), n > 3',
    'derive d(p: Person, n: Int) when age(p, n)\nderive d(p: Person, ⟦least⟧ n: Int) when age(p, n), n > 3',
    'derive ⟦rented⟧(p: Person) when tenantOf(_, p)',
    'pub derive ⟦rented⟧(l: Lease) when Lease(l)',
    'derive ⟦d⟧(l: Lease) when rented(l)\npub derive d(l: Lease) when price(l, 1)\npub derive d(l: Lease) when price(l, 2)',
    'define D(p: Person) when Person(p)\ndefine ⟦D⟧(l: Lease) when Lease(l)',
  ],
  E0306: [
    'individual ⟦bob⟧: Person { }',
    'individual l: Lease { code: "L", rent: ⟦-1⟧ }',
    'query q(n: Int where value > 0 and value < 5 = ⟦7⟧) -> Int { value n }',
    'fn small(n: Int) -> Bool = n < 5\nquery q(n: Int where small(value) = ⟦7⟧) -> Int { value n }',
    'query q(n: Int where match value mod 2 { 0 => true, _ => false } = ⟦7⟧) -> Int { value n }',
    'query q(n: Int where value > 5 or 10 div value > 1 = ⟦0⟧) -> Int { value n }',
    'fact reports(@ada, @ada)\nindividual bob: Person { name: "B" }\n⟦fact reports(@ada, @bob)⟧',
  ],
  E0307: ['concept C { x: Int = ⟦twice(2)⟧ }'],
  E0308: ['context a: Text\ncontext ⟦a⟧: Int'],
  E0309: ['concept C { x: Person where ⟦true⟧ }'],
  W0301: ['concept C { ⟦x⟧: Person? via r }\nrelation r(c: C, p: Person)'],
  E0401: [
    'query q() -> Int { value count(for ⟦x⟧ where x == x) }',
    'query q(p: Person) -> [Person] { select x where reports(p, p), p == ⟦x⟧ }',
    'check c(p: Person) when Person(p), ⟦y⟧ > 3 severity warning message "{y}"',
    'derive d(⟦l⟧: Lease) when tenantOf(_, _)',
    'derive d(l: Lease) when Lease(l), ⟦n⟧ > 3',
    'derive d(l: Lease) when Lease(l), not tenantOf(l, ⟦t⟧)',
  ],
  E0402: [
    'derive d(l: Lease) when Lease(l), ⟦rented(l)⟧ or l.rent > 3',
    'derive d(l: Lease) when ⟦Lease(l)⟧ and l.rent > 3',
  ],
  E0403: ['derive d(l: Lease) when Lease(l), let ⟦a⟧ = b + 1, let b = a + 1'],
  W0401: ['derive d(l: Lease) when tenantOf(l, ⟦t⟧)'],
  E0311: [
    'define Old(⟦least⟧ p: Person) when age(p, n), n > 60',
    'check old(p: Person, ⟦greatest⟧ n: Int) when age(p, n) severity warning message "{n}"',
    'derive d(⟦least⟧ n: Int, least m: Int) when age(_, n), age(_, m)',
  ],
  E0502: [
    'derive d(p: Person, least n: Int) when age(p, n)\nderive d(q: Person, least n: Int) when d(p, m), reports(p, q), let n = ⟦m - 1⟧',
    'derive d(p: Person, least n: Int) when age(p, n)\nderive d(q: Person, least n: Int) when d(p, m), reports(p, q), ⟦m >= 3⟧, let n = m + 1',
    'derive d(p: Person, least n: Int) when age(p, n)\nderive d(q: Person, least n: Int) when d(p, n), reports(p, q), ⟦n == 3⟧',
    'derive d(p: Person, least n: Int) when age(p, n)\nderive d(q: Person, least n: Int) when d(p, ⟦3⟧), reports(p, q), let n = 4',
    'derive d(p: Person, least n: Int) when age(p, n)\nderive d(q: Person, least n: Int) when d(p, n), reports(p, q), age(q, ⟦n⟧)',
    'derive d(p: Person, least n: Int) when age(p, n)\nderive d(q: Person, least n: Int) when d(p, n), reports(p, q), not age(q, ⟦n⟧)',
    'derive d(p: Person, least n: Int) when age(p, n)\nderive d(q: Person, least n: Int) when d(p, m), reports(p, q), let n = ⟦twice(m)⟧',
    'derive d(p: Person, least n: Int) when age(p, n)\nderive d(q: Person, least n: Int) when d(p, m), age(p, k), reports(p, q), let n = ⟦m * k⟧',
    'derive d(p: Person, least n: Int) when age(p, n)\nderive d(q: Person, least n: Int) when e(p, n), reports(p, q)\nderive e(p: Person, ⟦n⟧: Int) when d(p, n)',
  ],
  E0501: [
    'derive win(p: Person) when reports(p, q), ⟦not win(q)⟧',
    'derive total(p: Person, n: Int) when Person(p), let n = sum(m for q, m where reports(q, p), ⟦total(q, m)⟧)',
  ],
  W0501: [
    'derive n(x: Int) when x in range(0, 2)\nderive n(⟦x⟧: Int) when n(y), let x = y + 1',
    'derive n(x: Text) when Party(p), let x = p.name\nderive n(⟦x⟧: Text) when n(y), let z = y ++ "a", let x = z',
  ],
  E0601: [
    'fn f(p: ⟦Person⟧) -> Int = 1',
    'fn f() -> Int = count(for l where ⟦Lease(l)⟧)',
    'fn f(xs: [Text]) -> Int = count(for x where x in xs, ⟦not age(_, length(x))⟧)',
    'concept C { n: Int where ⟦count(for x where x in range(0, value))⟧ > 1 }',
    'fn f() -> Bool = ⟦rented(1)⟧',
  ],
  E0602: [
    'fn ⟦f⟧(x: Int) -> Int = g(x)\nfn g(x: Int) -> Int = f(x)',
    'fn ⟦f⟧(x: Int where f(value) > 0) -> Int = x',
    'mutation ⟦f⟧() { f() }',
  ],
  E0603: [
    'mutation f(l: Lease) { insert ⟦rented⟧(l) }',
    'mutation f() { set ⟦@ada⟧.name = "x" }',
    'mutation f(l: Lease, p: Person) { insert Person { name: "x", ⟦boss⟧: p } }',
  ],
  E0604: ['derive d(l: Lease) when Lease(l), ⟦context.now⟧ == datetime "2026-01-01T00:00:00Z"'],
  E0605: ['query q() -> ⟦Lease⟧ { select l where Lease(l) }', 'mutation f() { }\nmutation g() { let x = ⟦f()⟧ }'],
  E0606: ['mutation ⟦f⟧() -> Int { }', 'mutation f() { ⟦return 1⟧ }', 'mutation f() -> Int { ⟦return 1⟧ return 2 }'],
  E0607: [
    'query q() -> Int { value 1 + length(text(⟦all()⟧)) }',
    'derive d(l: Lease) when Lease(l), let x = ⟦list(n for n where age(_, n))⟧, x == x',
  ],
  E0608: ['mutation f() { insert ⟦Person⟧ { } }'],
  E0701: ['mutation f() { ⟦set context.now = datetime "2026-01-01T00:00:00Z"⟧ }'],
  E0702: ['test "t" { ⟦return 1⟧ }', 'test "t" { for p in [1] { ⟦return p⟧ } }'],
  E0703: ['mutation f() { }\ntest "t" { expect error ⟦NOT_FOUND⟧ from f() }'],
};

describe('each code', () => {
  it.each(Object.entries(EXAMPLES).flatMap(([code, snippets]) => snippets.map((snippet) => ({ code, snippet }))))(
    '$code: $snippet',
    ({ code, snippet }) => check(snippet, [code]),
  );
});

describe('one mistake, one diagnostic', () => {
  it.each([
    ['derive d(l: Lease, t: Text) when tenatOf(l, p), let t = p.name, l.rent > 3', 'E0101'],
    ['derive d(l: Lease) when tenantOf(l, p), let x = p.nam, length(x) > 3', 'E0105'],
    ['derive d(l: Leas) when Lease(l), l.code == "a"', 'E0101'],
    ['concept C is Prson { a: Int }\nderive d(c: C) when C(c), c.a > 3', 'E0101'],
    ['query q() -> [Leas] { select l where Lease(l) order by l.code }', 'E0101'],
    ['mutation f() { let x = insrt(1) set x.name = "a" }', 'E0101'],
    ['fn f(x: Txt) -> Int = length(x) + 1', 'E0101'],
    ['concept C is Partei { a: Int }\nderive d(c: C) when C(c), c.name == "x", c.rank > 3', 'E0101'],
    ['concept C { s: Statuz = draft }\nmutation f() { insert C { s: signed } }', 'E0101'],
    ['derive d(l: Lease) when leasd(l), l.status == signed', 'E0101'],
    [
      'concept C is Prty { }\nindividual c: C { }\nindividual x: Person { name: "x" }\nfact reports(@c, @x)\nderive d(p: Party) when C(p), p.rank > 3',
      'E0101',
    ],
    ['define D(p: Prson) when age(p, _)\nquery q() -> [Person] { select p where D(p) order by p.name }', 'E0101'],
    ['mutation f() { return insert Party { name: "x" } }\nmutation g() { let p = f() set p.name = "y" }', 'E0606'],
    ['check c(p: Prson) when let n = count(for l where tenantOf(l, p)), n > 1 severity warning message "{n}"', 'E0101'],
    ['derive d(p: Person) when Party(p), Prson(p), p.email != ""', 'E0101'],
    ['derive d(n: Int, l: Lease) when Lease(k), let n = length(l.code), price(k, 2)', 'E0401'],
    ['derive d(l: Lease) when Lease(l), rented(l) or (rented(l) or l.rent > 3) or Person(l)', 'E0402'],
  ])('%s', (snippet, code) => check(snippet, [code]));
});

describe('alternatives', () => {
  it('name the alternative that does not bind a variable', () => {
    const { diagnostics } = checkSources(
      `${SCHEMA}derive d(p: Person, n: Int) when (age(p, n) or reports(p, _)), n > 3
query q() -> [Int] { select n where (age(p, n) or reports(p, _)), Person(p) }`,
    );
    const texts = diagnostics.map(({ code, message, notes = [] }) => [
      code,
      message,
      ...notes.map(({ message: note, span }) => `${note} ${span.end.offset - span.start.offset}`),
    ]);
    const unbound = ['E0401', '"n" is not bound', 'this alternative does not bind "n" 13'];
    expect(texts).toEqual([unbound, ['E0101', '"n" is not declared here', 'this alternative does not bind "n" 13']]);
  });

  it.each<[snippet: string, codes: string[]]>([
    ['derive d(p: Person) when (age(p, n) or reports(p, q), age(q, n)), n > 3', []],
    ['derive d(p: Person) when (age(p, n), n > 3 or reports(p, n), n.name == "x")', []],
    ['query q() -> [Int] { select 1 where (age(_, ⟦x⟧) or reports(x, _)) order by x }', ['E0204']],
    ['derive d(p: Person) when (age(p, ⟦n⟧) or reports(p, _))', ['W0401']],
    ['derive d(l: Lease) when (⟦rentd⟧(l) or price(l, _))', ['E0101']],
    ['fn f(x: Int) -> Bool = (⟦x > 1, x < 3⟧)', ['E0402']],
    ['derive d(l: Lease) when Lease(l), (let s = l.status, s == draft or l.status == signed)', []],
    ['derive w(p: Person) when reports(p, q), (⟦not w(q)⟧ or age(q, 3))', ['E0501']],
    ['derive w(p: Person) when (age(p, 3) or w(q), reports(p, q)), (p.rank > 1 or w(p))', []],
  ])('%s', (snippet, codes) => check(snippet, codes));

  it('have at most 256 combinations', () => {
    const of = (count: number) => new Array(count).fill('(age(p, 1) or age(p, 2))').join(', ');
    check(`derive d(p: Person) when ${of(8)}`, []);
    check(`derive d(p: Person) when ⟦${of(9)}⟧`, ['E0410']);
    check(`derive d(p: Person) when ⟦${of(200)}⟧`, ['E0410']);
  });
});

describe('modules together', () => {
  it('see public names, also through cyclic imports', () => {
    const { diagnostics } = checkSources(
      'module a::x\nuse b::{B}\npub concept A { }\npub derive d(b: B) when b::has(b, _)',
      'module b\nuse a::x::{A}\npub concept B { }\npub relation has(b: B, a: A)',
    );
    expect(diagnostics).toEqual([]);
  });

  it('do not see private names', () => {
    const { diagnostics } = checkSources('module a\nuse b::{B}', 'module b\nconcept B { }');
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([['E0103', '"b::B" is not public']]);
  });

  it('cannot call private names in a statement', () => {
    const { diagnostics } = checkSources(
      'module a\nmutation m() { b::make() let x = b::make() c::make() }',
      'module b\npub concept B { }\nmutation make() -> B { return insert B { } }',
    );
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['E0103', '"b::make" is not public'],
      ['E0103', '"b::make" is not public'],
      ['E0102', 'module "c" is not in this build'],
    ]);
  });

  it('report an import without a declaration once, for any number of uses', () => {
    const { diagnostics } = checkSources(
      'module a\nuse b::{X, has}\nconcept Y is X { x: X? }\nderive d(x: X) when has(x, y), y > 3\nmutation m() { has() }\nquery q() -> Int { value has }',
      'module b\nconcept X { }',
    );
    expect(diagnostics.map(({ code, span }) => [code, span.start.line])).toEqual([
      ['E0103', 2],
      ['E0101', 2],
    ]);
  });

  it('have separate names', () => {
    const { diagnostics } = checkSources('module a', 'module a');
    expect(diagnostics.map(({ code, span }) => [code, span.file])).toEqual([['E0109', '1.entail']]);
  });
});

describe('warnings', () => {
  it('about recursion are omitted if a bound has an error', () => {
    const clauses = (from: string) =>
      `relation way(a: ${from}, n: Int)\nderive grown(n: Int) when way(_, n)\nderive grown(n: Int) when grown(m), let n = m + 1`;
    check(clauses('Prson'), ['E0101']);
    check(clauses('Person'), ['W0501']);
  });

  it('about names used once are omitted for arguments with a syntax error', () => {
    const { diagnostics } = checkModules([
      parseModule('m', `${SCHEMA}derive lost(s: Status) if true\nquery q() -> Bool? { select true where lost(sgned) }`)
        .value,
    ]);
    expect(diagnostics).toEqual([]);
  });
});

it.each([
  ['derive d(signed: Status) when Lease(l), l.status == signed', 'E0110'],
  ['derive d(l: Lease) when Lease(l), let signed = l.status', 'E0110'],
  ['query q() -> [Person] { select p where age(p, years) limit yeers }', 'E0101'],
  ['context a: Int\ncontext a: Text\nquery q() -> Text { value context.a }', 'E0308'],
  ['concept C is Int { }', 'E0101'],
])('reports %s once', (snippet, code) => {
  expect(checkSources(SCHEMA + snippet).diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
});

describe('hints', () => {
  it.each([
    ['derive d(l: Lease) when tenatOf(l, _)', 'Did you mean "tenantOf"?'],
    ['derive d(l: Lease) when Lease(l), l.status == sined', 'Did you mean "signed"?'],
    ['derive d(p: Person) when Party(p)', 'Add `Person(p)` to the body.'],
    ['derive d(x: Int) when x in range(0, 2)\nderive d(x: Int) when d(y), let x = y + 1', 'e.g. `x < 1000`.'],
    [
      'derive d(x: Text) when Party(p), let x = p.name\nderive d(x: Text) when d(y), let x = y ++ "a"',
      '`length(x) < 1000`.',
    ],
    [
      'derive d(x: Date) when x in [date "2026-01-01"]\nderive d(x: Date) when d(y), let x = addDays(y, 1)',
      '`x < date "2100-01-01"`.',
    ],
    ['derive d(l: Lease) when tenantOf(l, ada)', 'Write `@ada` for the individual.'],
    ['derive d(l: Lease) when Lease(l), l.rent > "900"', 'Write a number, without quotes.'],
    ['fn f(d: Date) -> Bool = d > "2026-01-01"', 'Write a date: `date "2026-01-31"`.'],
    ['fn f(d: Date) -> Bool = 2026-01-01 < d', 'Write a date: `date "2026-01-31"`.'],
    ['fn f(a: DateTime, b: DateTime) -> Int = b - a', '`secondsBetween(a, b)`'],
    ['fn f(d: Date) -> DateTime = d', '`startOfDay(…)`'],
    ['fn f() -> DateTime = startOfDay(2026-01-01)', 'Write a date: `date "2026-01-31"`.'],
    ['fn f(d: Date) -> Int = daysBetween(d, "2026-01-01")', 'Write a date: `date "2026-01-31"`.'],
    ['mutation f() { let l = al() }', 'Did you mean "all"?'],
    [
      'query has(p: Person) -> Bool { value p == @ada }\ntest "t" { expect Person(p), has(p) }',
      'runs first. Its arguments can only use names from `let` statements.',
    ],
    ['mutation f() { let years = 1 insert age(@ada, year) }', 'Did you mean "years"?'],
    [
      'relation length(l: Lease, m: Int)\nfn f(t: Text) -> Int = length(t)',
      'Here `length` is a relation. Write `std::length(…)` for the built-in function.',
    ],
    [
      'relation length(l: Lease, m: Int)\nderive d(p: Person) when Person(p), length(p.name) > 3',
      'Write `std::length(…)` for the built-in function.',
    ],
  ])('%s', (snippet, hint) => {
    expect(checkSources(SCHEMA + snippet).diagnostics.map((diagnostic) => diagnostic.hint)).toEqual([
      expect.stringContaining(hint),
    ]);
  });

  it('about endless recursion are omitted if a bounded step ends it', () => {
    const way = (literals: string): string[] =>
      checkSources(`module m
        concept N { name: Text }
        relation edge(a: N, b: N, length: Int)
        derive way(a: N, b: N, hops: Int, by: Text, sum: Int)
          when edge(a, b, sum), let hops = 1, let by = b.name
        derive way(a: N, c: N, hops: Int, by: Text, sum: Int)
          when edge(a, b, first), way(b, c, n, rest, more), let sum = first + more, ${literals}`).diagnostics.map(
        ({ code }) => code,
      );
    const path = 'let by = b.name ++ "/" ++ rest';
    expect(way(`let hops = n + 1, hops < 50, ${path}`)).toEqual([]);
    expect(way(`let hops = n + 0, hops < 50, ${path}`)).toEqual(['W0501']);
    expect(way(`let hops = n, length(by) < 50, ${path}`)).toEqual([]);
    expect(way(`let hops = n, length(by) < 50, let by = b.name ++ rest`)).toEqual(['W0501']);
    expect(way(`let hops = n + 1, ${path}`)).toEqual(['W0501']);
  });

  it('about endless recursion are omitted if the operands of a value are bounded', () => {
    const grown = (literals: string): string[] =>
      checkSources(`module m
        relation start(n: Int)
        relation by(step: Int)
        derive grown(n: Int) when start(n)
        derive grown(n: Int) when ${literals}`).diagnostics.map(({ code }) => code);
    expect(grown('grown(m), m < 10, let n = m + 1')).toEqual([]);
    expect(grown('grown(m), by(step), step > 0 and m <= 10, let sum = m + step, let n = sum * 2')).toEqual([]);
    expect(grown('grown(_), by(step), let n = step + 1')).toEqual([]);
    expect(grown('grown(m), by(m), let n = m + 1')).toEqual([]);
    expect(grown('grown(m), not by(m), let n = m + 1')).toEqual(['W0501']);
    expect(grown('grown(m), by(top), m + 1 <= top, let n = m + 1')).toEqual([]);
    expect(grown('grown(m), grown(k), let n = max(bitOr(m, k), m div 2)')).toEqual([]);
    expect(grown('grown(m), m * 2 != 10, let n = m + 1')).toEqual(['W0501']);
    expect(grown('(grown(m) or by(m)), let n = m + 1')).toEqual(['W0501']);
    expect(grown('grown(m), by(step), step < 10, let n = m + step')).toEqual(['W0501']);
    expect(grown('grown(m), m != 10, let n = m + 1')).toEqual(['W0501']);
    expect(grown('grown(m), grown(k), m < 10, let n = m + k')).toEqual(['W0501']);
  });

  it('about endless recursion are omitted if each round takes a part of a value', () => {
    const cut = (literals: string): string[] =>
      checkSources(`module m
        relation start(l: [Int], n: Int)
        derive cut(l: [Int], n: Int) when start(l, n)
        derive cut(l: [Int], n: Int) when cut(k, m), ${literals}`).diagnostics.map(({ code }) => code);
    expect(cut('let l = slice(k, 1, length(k)), let n = k[0] ?? m')).toEqual([]);
    expect(cut('let l = k, let n = bitAnd(max(m, 3), m div 2)')).toEqual([]);
    expect(cut('length(k) < 5, let l = k ++ [1], let n = k[0] ?? m')).toEqual([]);
    expect(cut('m < 5, let l = k ++ [m], let n = m + 1')).toEqual([]);
    expect(cut('let l = slice(k ++ [m], 1, 9), let n = m')).toEqual(['W0501']);
    expect(cut('start(_, i), i < 9, let l = k ++ [m], let n = i + 1')).toEqual(['W0501']);
  });

  it('about endless recursion are omitted if the value does not come back to its clause', () => {
    const found = (rules: string): string[] =>
      checkSources(`module m
        relation start(n: Int)
        relation slot(n: Int)
        ${rules}`).diagnostics.map(({ code }) => code);
    const base = 'derive at(step: Int, n: Int) when start(n), let step = 0\n';
    expect(found(`${base}derive at(step = 1, n = m * 3) when at(0, m)`)).toEqual([]);
    expect(found(`${base}derive at(step = 1, n) when at(0, n)\nderive at(step = 0, n = m * 3) when at(1, m)`)).toEqual([
      'W0501',
    ]);
    const next = 'derive next(n: Int = m + 1) when held(m)\n';
    expect(found(`derive held(n: Int) when start(n)\nderive held(n) when next(n), slot(n)\n${next}`)).toEqual([]);
    expect(found(`derive held(n: Int) when start(n)\nderive held(n) when next(n)\n${next}`)).toEqual(['W0501']);
    const swap = 'derive pair(a: Int, b: Int) when start(a), start(b)\nderive pair(a, b = c + 1) when pair(c, a)';
    expect(found(swap)).toEqual(['W0501']);
    expect(
      found('derive l(xs: [Int]) when start(n), let xs = [n]\nderive l(rest = slice(xs, 1, length(xs))) when l(xs)'),
    ).toEqual([]);
  });

  it('mention an aggregate whose value depends on an unlisted variable', () => {
    const found = (aggregate: string): string[] =>
      checkSources(`module m
        concept P { no: Int unique, n: Int }
        relation any(p: P, n: Int)
        relation one(p: P, n: Int [0..1])
        derive d(g: P, x: Int) when P(g), let x = ${aggregate} ?? 0`).diagnostics.map(({ code }) => code);
    for (const unsettled of [
      'sum(n for p where any(p, n))',
      'max(n + 1 for p where any(p, n), p != g)',
      'min(q.n for p where P(p), any(q, p.n))',
      'sum(m for p where any(p, n), let m = n * 2)',
      'sum(n for p where P(p), n in range(0, p.n))',
      'sum(q.n for p where P(p), P(q), q.n == p.n)',
      'sum(n for m where one(_, n), any(_, m))',
    ]) {
      expect([unsettled, found(unsettled)]).toEqual([unsettled, ['W0404']]);
    }
    for (const settled of [
      'sum(n for p, n where any(p, n))',
      'sum(n for n where any(g, n))',
      'count(for p where any(p, n), n > 2)',
      'sum(n for p where one(p, n))',
      'sum(m for p where one(p, n), let m = n * 2)',
      'sum(n for p where any(p, n), n == p.n)',
      'sum(q.n for p where P(p), q.no == p.n, P(q))',
      'sum(g.n for p where any(p, _))',
    ]) {
      expect([settled, found(settled)]).toEqual([settled, []]);
    }
  });

  it('describe a cycle through a comparison whose truth value is used', () => {
    const read = (literals: string): string[] =>
      checkSources(`module m
        concept N { next: N? via after }
        relation before(a: N, b: N)
        derive after(a: N, b: N) when before(a, b), ${literals}`).diagnostics.map(({ code }) => code);
    expect(read('a.next == b or b.next == a')).toEqual(['W0301']);
    expect(read('let isNext = a.next == b, isNext')).toEqual(['W0301', 'E0501']);
  });

  it('describe a cycle through a negation', () => {
    const source = `${SCHEMA}derive a(p: Person) when Person(p), not b(p)\nderive b(p: Person) when c(p)\nderive c(p: Person) when a(p)`;
    const [finding] = checkSources(source).diagnostics;
    expect(finding?.message).toBe('a depends on the negation of b, which depends on c, which depends on a');
    expect(finding?.notes?.map((note) => note.message)).toEqual(['b depends on c here', 'c depends on a here']);
  });
});

describe('a correct module has no findings', () => {
  it.each([
    'query q(n: Int where value == 0 or 10 div value > 1 = 0) -> Int { value n }',
    'derive d(s: Status) when s in [draft, signed]\nderive e(l: Lease) when Lease(l), let s = l.status, s in [draft, Status::signed]',
    'derive boss(a: Person, b: Person) when reports(a, b)\nderive boss(a: Person, c: Person) when boss(a, b), reports(b, c)',
    'derive cost(l: Lease, c: Decimal) when Lease(l), let n = count(for t where tenantOf(l, t)), let c = n',
    'derive mail(p: Person, m: Text) when Person(p), let m = p.email ?? "none"',
    'derive lives(p: Person, l: Lease) when Lease(l), p in l.tenants',
    'define Old(p: Person) when age(p, n), n > 60\ndefine Boss(p: Person) when reports(_, p)\nderive a(p: Old) when Old(p), Boss(p)\nderive b(p: Boss) when Old(p), Boss(p)',
    'derive n(x: Int) when x in range(0, 2)\nderive n(x: Int) when n(y), let x = y + 1, x < 10',
    'derive day(n: Int) when n in range(1, 8)',
    'derive d(p: Person, least n: Int) when age(p, n)\nderive d(q: Person, least n: Int) when d(p, m), m <= 100, reports(p, q), let n = max(m + 1, 3) + 2',
    'derive d(p: Person, greatest n: Int) when age(p, n)\nderive d(q: Person, greatest n: Int) when d(p, m), m > 3 or 2 < m, reports(p, q), let n = m * 2 + -1',
    'derive d(p: Person, least n: Decimal) when age(p, n)\nderive d(q: Person, least n: Decimal) when d(p, m), d(q, k), reports(p, q), let n = m + k',
    'derive near(p: Person) when d(p, n), n < 3\nderive d(p: Person, least n: Int) when age(p, n)\nderive d(q: Person, least n: Int) when near(p), d(p, n), reports(p, q)',
    'derive least(least: Person, least greatest: Int) when age(least, greatest)\nderive over(p: Person) when least(p, n), n == 3, not age(p, n - 1)',
    'derive lowest(least n: Int) when age(_, n)\nderive first(p: Person, least s: Status) when Person(p), s in [draft, signed]',
    'derive chief(p: Person) when Person(p), not reports(p, _), not exists(p.email)',
    'derive late(l: Lease) when Lease(l), match l.status { draft => true, signed => l.rent > 3 }',
    'query top(n: Int = 3) -> [{ who: Person, mail: Text? }] { select { who: p, mail: p.email } where Person(p) order by p.name limit n }',
    'query first() -> Lease? { select l where Lease(l), l.code == "a" }',
    'query most() -> Int? { value max(n for n where age(_, n)) }',
    'query codes() -> [Text] { value list(l.code for l where Lease(l)) }',
    'mutation f(p: Person?) { if exists(p) { set p.email = none } else { insert Person { name: "x" } } }',
    'mutation f() -> Person { return insert Person { name: "x" } }',
    'mutation f() { for l in (select l where Lease(l), not rented(l)) { delete l } }',
    'mutation f(l: Lease) { require not rented(l), l.status == draft message "{l.code} is {l.status}" let n = all() for one in n { delete one } }',
    'context tenantId: Text\nquery me() -> Text { value context.tenantId }',
    'concept C { s: Status? }\nderive d(c: C) when C(c), (c.s ?? draft) == signed',
    'concept C { n: Int where fits(value) }\nmutation f(n: Int where fits(value)) { insert C { n: n } }\nfn fits(x: Int, most: Int = 3) -> Bool = x < most',
    'fn a(s: Status, x: Bool) -> Bool = (if x then draft else signed) == s',
    'fn a(s: Status, x: Int) -> Bool = (match x { 1 => draft, _ => signed }) == s',
    'fn a(s: Status) -> Bool = (none ?? draft) == s',
    'fn a(s: Status, x: Bool) -> Bool = (if x then s else draft) == signed',
    'fn grade(x: Int) -> Text = if x > 3 then "good" else if x mod 2 == 0 then "even" else "odd"',
    'mutation f(p: Person) { require age(p, n) message "{p.name} is {n}" }',
  ])('%s', (snippet) => check(snippet, []));
});
