/** Typical mistakes of newcomers: each has one finding, whose hint says what to write instead. */

import { describe, expect, it } from 'vitest';
import { EXAMPLE_FRAME } from '../language/codes/registry.js';
import { compile } from './index.js';

/** Compiles the frame of the reference and the snippet; every finding as its code and hint. */
function check(snippet: string, expected: readonly (readonly [string, string])[]): void {
  const text = snippet.startsWith('module ') ? snippet : EXAMPLE_FRAME + snippet;
  const { diagnostics } = compile([{ file: 'm.entail', text }]);
  expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual(
    expected.map(([code, hint]) => [code, expect.stringContaining(hint)]),
  );
}

/** A mistake, its code, and a part of the hint. */
type Row = readonly [snippet: string, code: string, hint: string];

describe('words of other languages', () => {
  const rows: readonly Row[] = [
    ['class Visitor { name: Text }', 'E0014', 'Write `concept'],
    ['create table Visitor { name: Text }', 'E0014', 'Write `concept'],
    ['select * from Visitor', 'E0014', 'Write `query name() -> [T] { select x where … }`'],
    ['def f(x: Int) -> Int = x', 'E0014', 'Write `fn'],
    ['import lease', 'E0014', 'Write `use'],
    ['public concept Visitor { }', 'E0014', 'Write `pub`'],
    ['bob: Person { name: "Bob" }', 'E0014', 'Write `individual'],
    ['age(@ada, 36).', 'E0014', 'A fact starts with `fact`'],
    ['-- a comment\nconcept Visitor { }', 'E0014', '`//`'],
    ['# a comment\nconcept Visitor { }', 'E0001', '`//`'],
    ['concept Visitor { name: string }', 'E0101', 'Write `Text`'],
    ['concept Visitor { fee: float }', 'E0101', 'Write `Decimal`'],
    ['concept Visitor { tags: List<Text> }', 'E0017', 'in brackets'],
    ['concept Visitor { tags: Text[] }', 'E0017', 'in brackets'],
    ['concept Visitor { name: Text default "x" }', 'E0010', '`= value`'],
    ['concept Visitor { age: Int [0..120] }', 'E0010', 'where value >= 0'],
    ['concept Visitor { age: Int >= 0 }', 'E0010', 'where value >= 0'],
    ['concept Visitor { name: Text(30) }', 'E0010', 'length(value)'],
    ['mutation m(n: Int 1..3) { }', 'E0010', 'where value >= 0'],
    ['concept Visitor { name: Text not null }', 'E0010', 'required'],
    ['concept Visitor { name?: Text }', 'E0010', 'after the type'],
    ['concept Visitor extends Person { }', 'E0010', 'Write `is`'],
    ['concept Visitor (name: Text)', 'E0010', 'braces'],
    ['relation likes(a: Person, b: Person)[0..1]', 'E0014', 'after the type of an endpoint'],
    ['derive old(p: Person) :- age(p, n), n > 60', 'E0010', 'derive name(x: Type) when'],
    ['.decl older(p: Person)', 'E0014', 'derive name(x: Type) when'],
    ['derive old(p: Person) when age(p, _)\n.output old', 'E0014', 'every relation that is `pub`'],
    ['derive old(p: Person) when age(p, _).', 'E0008', 'Remove it'],
    ['fact age(@ada, 36).\nfact age(@ada, 37)', 'E0008', 'Remove it'],
    ['derive old(p: Person) when age(p, _).\npub derive older(p: Person) when old(p)', 'E0008', 'Remove it'],
    ['derive all(n: Int) when let n = count : { age(p, _) }', 'E0016', 'count(for x where …)'],
    ['derive old(p: Person) when age(p, _)\nfact old(@ada)', 'E0108', 'derive old(…) when true'],
    ['derive half(p: Person, m: Int = n / 2) when age(p, n)', 'E0201', 'Write `div`'],
    ['derive digit(n: Int) when let n = range(0, 10)', 'E0201', 'Write `n in …`'],
    ['derive same(p: Person, n: Int, m: Int) when age(p, n), let n = m', 'E0401', 'Write `let m = n`'],
    ['relation at(place: { x: Int })\nderive column(c: Int) when at({ x: c })', 'E0401', '`let c = r.x`'],
    ['relation tour(stops: [Text])\nderive end(t: Text) when tour(["a", t])', 'E0401', '`let t = l[1]`'],
    ['derive rank(p: Person, n: Int = autoinc()) when age(p, _)', 'E0101', 'by their order'],
    ['relation named(p: Person, name: symbol)', 'E0101', 'Write `Text`'],
    ['derive old(p: Person) when age(p, n) and n > 60', 'E0402', 'commas'],
    ['derive old(l: Lease) when Lease(l), rented(l) or l.rent > 60', 'E0402', 'in parentheses'],
    [
      'derive d(p: Person, n: Int) when age(p, n)\nderive d(p, n = m + 1) when age(p, _), let m = min(k for q, k where d(q, k))',
      'E0501',
      'keep the least value',
    ],
    [
      'derive d(p: Person, n: Int) when age(p, n)\nderive d(p, n = m + 1) when age(p, _), let m = max(k for q, k where d(q, k))',
      'E0501',
      'keep the greatest value',
    ],
    ['derive old(p: Person) when age(p, n) && n > 60', 'E0008', 'commas'],
    ['derive old(p: Person) when age(p, n), n => 60', 'E0010', '`>=`'],
    ['derive old(p: Person) when age(p, n), n =< 60', 'E0018', '`<=`'],
    ['derive a(l: Lease) when Lease(l), n := 3, n > 2', 'E0008', 'let x'],
    ['derive a(l: Lease) when Lease(l), l.status == "draft"', 'E0203', 'without quotes'],
    ['derive a(l: Lease) when Lease(l), l.status == Status.draft', 'E0108', 'Status::draft'],
    [
      'derive a(l: Lease) when Lease(l), l.status in [draft, signed]',
      'E0010',
      'l.status == draft or l.status == signed',
    ],
    ['derive a(l: Lease) when Lease(l), l.status == draft or signed', 'E0401', '… == signed'],
    ['derive a(l: Lease) when Lease(l), l.status is draft', 'E0010', '`==`'],
    ['derive a(l: Lease) when Lease(l), l.holder == null', 'E0401', '`none`'],
    ['derive a(l: Lease) when l.rent > 3', 'E0401', 'Add `Lease(l)`'],
    ['derive a(l: Lease) when Lease(l), rent > 3', 'E0401', 'Write `l.rent`'],
    [
      'derive a(l: Lease) when Lease(l), l.rent > 3, today() > date "2026-01-01"',
      'E0101',
      'a fact that a mutation sets',
    ],
    ['derive a(l: Lease) when Lease(l), l.code != text(context.now)', 'E0604', 'a fact that a mutation sets'],
    ['derive a(n: Decimal) when let n = sum(m where price(_, m))', 'E0011', 'Write `sum(m for m where …)`'],
    ['derive a(n: Int) when let n = sum(m, p) where age(p, m)', 'E0014', 'Write `sum(expression for x where …)`'],
    ['derive a(n: Int) when let n = count(p) where (Person(p))', 'E0014', 'Write `count(for x where …)`'],
    ['derive a(n: Int) when let n = count { Person(p) }', 'E0014', 'Write `count(for x where …)`'],
    ['derive a(n: Int) when let n = sum m : { age(p, m) }', 'E0014', 'Write `sum(expression for x where …)`'],
    ['derive a(n: Int) when let n = count(distinct p for p where Person(p))', 'E0011', 'Remove `distinct`'],
    ['derive a(n: Int) when let n = count(*)', 'E0023', 'Write `count(for x where …)`'],
    ['derive a(n: Int) when let n = sum(m for age(p, m))', 'E0010', 'after `where`'],
    ['derive a(n: Int) when let n = count(for p in Person)', 'E0010', 'after `where`'],
    ['derive a(p: Person) when age(person = p, years = 3)', 'E0011', 'written `person: …`'],
    ['query q() -> [Lease] { select l where Lease(l) order by rent }', 'E0101', 'Write `l.rent`'],
    [
      'query q() -> [{ of: Lease }] { select { of: l } where Lease(l) order by of }',
      'E0101',
      'Order by its value, `l`',
    ],
    [
      'query q() -> [{ n: Decimal }] { select { n: l.rent * 2 } where Lease(l) order by n }',
      'E0101',
      'Bind its value in the body with `let n = …`',
    ],
    ['query q() -> [Int] { select n where n = 3 }', 'E0018', '`n == …` to compare, or `let n = …`'],
    ['mutation m(p: Person) { if age(p, n), n > 3 { delete age(p, n) } }', 'E0101', 'for n in (select n where …)'],
    ['individual bob: Person { name: "B", email: none }\nfact age(bub, 3)', 'E0101', '`@bub`'],
    ['fn f(x: Decimal) -> Text = format(x, "0.00")', 'E0101', 'text(round(x, 2))'],
    ['derive a(p: Person) when Lease(l), p == l.holder', 'E0401', 'Write `let p = l.holder`'],
    [
      'query q() -> [{ p: Person, n: Int }] { select { p: p, n: n } where let n = count(for l where tenantOf(l, p)) }',
      'E0101',
      'Add `Person(p)` to the body outside',
    ],
    [
      'concept Part { whole: Part? via inside.part }\nrelation inside(whole: Part [0..1], part: Part)',
      'W0301',
      'via inside.whole',
    ],
    ['derive a(n: Int) when age(_, m), m + 1 == n', 'E0401', 'Write `let n = …`'],
    ['derive a(n: Int) when age(_, _), n == n', 'E0401', 'Bind it with'],
    ['derive a(l: Lease) when Lease(l), l.code like "A%"', 'E0010', 'startsWith'],
    ['derive a(l: Lease) when Lease(l), l.code.startsWith("A")', 'E0010', 'startsWith(…)'],
    ['derive a(l: Lease) when Lease(l), l.code + "x" == "Ax"', 'E0203', '`++`'],
    ['derive a(l: Lease) when Lease(l), l.rent between 3 and 5', 'E0010', 'two comparisons'],
    ['derive a(l: Lease) when Lease(l), l.rent > .5', 'E0005', '`0.5`'],
    ['derive a(l: Lease) when Lease(l), count(l.tenants) > 2', 'E0023', 'count(for x where …)'],
    ['query q() -> [Lease] { select * where Lease(_) }', 'E0016', 'Select a variable'],
    ['derive a(l: Lease) when exists (select p where tenantOf(l, p))', 'E0016', 'Write only the conditions'],
    ['type Size = small', 'E0014', '`enum Name { a, b }`'],
    ['rented(l)', 'E0014', 'a query is `query name() -> [T] { select x where … }`'],
    ['derive a(l: Lease) when Lease(l); rented(l)', 'E0008', 'separated by commas'],
    ['derive a(l: Lease) when Lease(l), not tenantOf(l, p)', 'E0401', 'Write `_` for any value'],
    ['derive a(l: Lease) when Lease(l), l.tenantOf == @ada', 'E0105', '"tenantOf" is a relation'],
    ['query q() -> [Lease] { select l where Lease(l) order by l.code, desc }', 'E0101', '`order by x desc`'],
    ['mutation m() { insert into Person (name) values ("x") }', 'E0010', 'Write `insert Concept { field: value }`'],
    ['query q() -> [Lease] { select l from Lease }', 'E0010', 'where Concept(x)'],
    ['query q() -> [Lease] { select l where Lease(l) order by l.rent descending }', 'E0010', '`desc`'],
    ['query q() -> [Lease] { select l where Lease(l) sort by l.rent }', 'E0010', '`order by`'],
    ['query q() -> [Lease] { select l where Lease(l) limit 3 order by l.rent }', 'E0010', 'before `limit`'],
    ['query q() -> [Lease] { select l where Lease(l), order by l.rent }', 'E0010', 'comma'],
    ['query q() -> [Lease] { return l where Lease(l) }', 'E0010', 'select x where'],
    ['mutation m(l: Lease) { l.rent = 3 }', 'E0015', '`set x.field = value`'],
    ['mutation m(l: Lease) { update l.rent = 3 }', 'E0015', '`set x.field = value`'],
    ['mutation m(l: Lease) { set l.rent += 3 }', 'E0016', 'set x.n = x.n + 1'],
    ['mutation m() -> Person { let p = new Person { name: "x" } return p }', 'E0010', 'insert Concept'],
    ['mutation m(p: Person) { delete from age where person == p }', 'E0010', 'delete relation'],
    ['mutation m(p: Person) { delete from Person where id == p }', 'E0010', 'Write `delete x`'],
    ['mutation m() { insert into Person values ("x") }', 'E0010', 'insert Concept { field: value }'],
    ['enum Size { "small", "large" }', 'E0010', 'without quotes'],
    ['enum Size { small = 1, large }', 'E0010', 'only the names'],
    ['mutation m() { }\ntest "t" { expect fails m() }', 'E0010', 'expect error SVC_RUNTIME_CHECK_VIOLATION from'],
    ['mutation m() { }\ntest "t" { expect error }', 'E0010', 'expect error SVC_RUNTIME_CHECK_VIOLATION from'],
    ['mutation m(p: Person) { delete age(p, n) where n > 3 }', 'E0015', 'for x in (select x where …)'],
    ['mutation m(l: Lease) { for p in tenantOf(l, p) { delete p } }', 'E0402', 'for x in (select x where tenantOf(…))'],
    ['concept Stay { from: Date, to: Date where value > from }', 'E0101', 'in a check'],
    ['mutation m(from: Int, to: Int where value > from) { }', 'E0101', 'with `require`'],
    ['query q() -> [Lease] { select distinct l where Lease(l) }', 'E0010', 'Remove `distinct`'],
    ['fn f(t: DateTime) -> Date = t.date', 'E0105', '`dateOf(…)`'],
    ['fn f(t: DateTime) -> Int = t.year', 'E0105', '`year(dateOf(…))`'],
    ['fn f(t: Text) -> Int = t.length', 'E0105', '`length(…)`'],
    ['fn f(t: Text) -> Int = t.name', 'E0105', 'Only individuals'],
    ['mutation m(p: Person) { if p.rank > 3 then { delete p } }', 'E0010', 'if … { … }'],
    ['mutation m(l: Lease?) { require exists(l) message "x" insert price(l, 3) }', 'E0202', 'if exists(l)'],
    [
      'check vacant(l: Lease) when not rented(l) severity warning message "x"\nquery q() -> Int { value count(for l where vacant(l)) }',
      'E0108',
      'Derive its violations',
    ],
    ['mutation m(name: Text) { insert Person { name } }', 'E0010', 'Write `name: name`'],
    ['mutation m(p: Person) { throw "x" }', 'E0015', 'require'],
    ['mutation m(p: Person) { require p.rank > 3 }', 'E0010', 'message'],
    ['fn f(x: Int) -> Int = x > 3 ? 1 : 2', 'E0010', 'if … then … else'],
    ['fn f(x: Int) -> Int = if x > 3 { 1 } else { 2 }', 'E0010', 'then … else'],
    ['fn f(s: Status) -> Int = match s { "draft" => 1, _ => 2 }', 'E0201', 'bare name'],
    ['fn f(xs: [Int]) -> Int = xs[0]', 'E0202', '`??`'],
    ['fn f(t: Text) -> Text = t[0]', 'E0203', 'substring'],
    ['fn f(xs: [Int]) -> [Decimal] = xs', 'E0201', 'list literal'],
    ['fn f(t: Text) -> Int = len(t)', 'E0101', 'length'],
    ['fn f() -> Date = date("2026-01-01")', 'E0202', 'Write a date: `date "2026-01-31"`'],
    ['fn f() -> Int = int("5")', 'E0202', 'without quotes'],
    ['fn f(t: Text) -> Int = t', 'E0201', '`int(…)`'],
    ['fn f(t: Text) -> Date = t', 'E0201', '`date(…)`'],
    ['fn f(t: Text) -> Bool = t > 5', 'E0203', '`int(…)`'],
    ['fn f(t: Text) -> Int = t * 5', 'E0203', '`int(t)`'],
    ['fn f(x: Decimal) -> Int? = int(x)', 'E0203', '`floor(x)`'],
    ['fn f(t: DateTime) -> Date? = date(t)', 'E0203', '`dateOf(dt)`'],
    ['fn f(t: Text) -> Int = parseInt(t)', 'E0101', '`int(t)`'],
    ['fn f(t: Text) -> Int = to_number(t)', 'E0101', '`int(t)`'],
    ['fn f(t: Text) -> Int = cast(t)', 'E0101', '`int(t)`'],
    ['fn f(x: Int) -> Text = x.toString()', 'E0010', '`text(x)`'],
    ['fn f(t: Text) -> Text = substr(t, 1, 2)', 'E0101', 'counts from 0'],
    ['fn f(t: Text) -> Int = instr(t, "a")', 'E0101', '`indexOf(t, part)`'],
    ['fn f(t: Text) -> Int = strlen(t)', 'E0101', '`length(text)`'],
    ['fn f(t: Text) -> Int = ord(t)', 'E0101', '`codePoint(t)`'],
    ['fn f(n: Int) -> Text = chr(n)', 'E0101', '`fromCodePoint(n)`'],
    ['fn f(a: Text, b: Text) -> Text = cat(a, b)', 'E0101', '`++`'],
    ['fn f(t: Text) -> Text = lpad(t, 3, "0")', 'E0101', '`padStart(t, length, with)`'],
    ['fn f(a: Int, b: Int) -> Int = band(a, b)', 'E0101', '`bitAnd(a, b)`'],
    ['fn f(a: Int) -> Int = power(a, 2)', 'E0101', '`pow(a, n)`'],
    ['fn f(t: Text) -> Text = regexp_replace(t, "a", "b")', 'E0101', '`replaceAll(t, pattern, with)`'],
    ['fn f(t: Text) -> Bool = match("a.*", t)', 'E0016', '`matches(t, pattern)`'],
    ['fn f(t: Text) -> Bool = t matches "a.*"', 'E0010', '`matches(t, pattern)`'],
    ['fn f(x: Int) -> Int = x ** 2', 'E0016', '`pow(a, n)`'],
    ['fn f(x: Int) -> Int = x << 2', 'E0016', '`shiftLeft(a, n)`'],
    ['fn f(x: Int) -> Int = x & 2', 'E0001', '`bitAnd(a, b)`'],
    ['fn f(x: Int) -> Int = x % 2', 'E0008', '`mod`'],
    ['fn f(t: Text) -> Bool = matches(t, "a(?!b)")', 'E0230', 'no lookahead'],
    ['fn f(t: Text) -> Bool = matches(t, "(a)\\\\1")', 'E0230', 'no back-references'],
    ['fn f() -> Date = "2026-01-01"', 'E0201', 'date "2026-01-31"'],
    ['fn f(d: Date) -> Date = d + 1', 'E0203', 'addDays'],
    ["fn f() -> Text = 'a'", 'E0009', '`"a"`'],
    ['fn f() -> Text = “a”', 'E0009', '`"a"`'],
    ['fn f() -> Text = „a“', 'E0009', '`"a"`'],
    ['fn f() -> Int =\u00a02', 'E0001', 'a space'],
    ['fn f(x: Int) -> Int = x ^ 2', 'E0001', '`pow(a, n)`'],
    ['derive a(l: Lease) when Lease(l) price(l, _)', 'E0014', 'Put a comma before `price`'],
    ['derive a(l: Lease)\n  when Lease(l)\n    l.rent > 3', 'E0014', 'Put a comma before `l`'],
    ['derive a(l: Lease)\n  when Lease(l)\n    not price(l, _)', 'E0014', 'Put a comma before `not`'],
    ['fact age(@ada, 36,5)', 'E0207', 'a decimal point'],
    ['<<<<<<< HEAD\nfn f() -> Int = 1\n=======\nfn g() -> Int = 2\n>>>>>>> theirs', 'E0008', 'one of the two sides'],
    ['fn f() -> Int = 1\n=======\n>>>>>>> theirs', 'E0008', 'one of the two sides'],
    ['fn f() -> Int = 1\n>>>>>>> theirs', 'E0008', 'one of the two sides'],
    ['fn f() -> Text = \'say "hi"\'', 'E0009', 'Write `"say \\"hi\\""`'],
    ['derive old(p: Person, n: Int >= 18) when age(p, n)', 'E0010', 'write the condition in the body'],
    ['test "x" { expect error from rename(@ada, "") }', 'E0010', 'expect error'],
  ];
  it.each(rows)('%s: %s', (snippet, code, hint) => check(snippet, [[code, hint]]));
});

it('treats a context field as present after a condition on it', () => {
  const frame = 'context user: Person?\nmutation m(l: Lease) { ';
  check(`${frame}if exists(context.user) { set l.holder = context.user insert reports(context.user, @ada) } }`, []);
  check(`${frame}insert reports(context.user, @ada) }`, [['E0202', 'exists(…)']]);
});

describe('misspelt words', () => {
  const rows: readonly Row[] = [
    ['relaton likes(a: Person, b: Person)\nderive l(a: Person) when likes(a, _)', 'E0014', 'Did you mean `relation`?'],
    ['derive old(p: Person) wehn age(p, n), n > 60\nderive o(p: Person) when old(p)', 'E0010', '`when`'],
    ['check c(l: Lease) when Lease(l) severty warning message "x"', 'E0010', '`severity`'],
    ['check c(l: Lease) when Lease(l) severity blokcing message "x"', 'E0010', '`blocking`'],
    ['mutation m(p: Person) { delte p }', 'E0015', '`delete`'],
    ['test "x" { expect error SVC_RUNTIME_CHECK_VIOLATON from rename(@ada, "") }', 'E0703', 'CHECK_VIOLATION'],
    ['test "x" { expect error CHECK_VIOLATION from rename(@ada, "") }', 'E0703', 'SVC_RUNTIME_CHECK_VIOLATION'],
    ['use ofice::{Person}', 'E0102', 'Did you mean "office"?'],
    ['query q() -> [Lease] { seletc l where Lease(l) order by l.code }', 'E0010', '`select`'],
    ['mutation m() { for l in (selct x where Lease(x)) { delete l } }', 'E0010', '`select`'],
    ['mutation m() -> Person { let p = insrt Person { name: "x" } return p }', 'E0010', '`insert`'],
    ['query q() -> Int { value coutn(for l where Lease(l)) }', 'E0023', '`count`'],
    ['derive a(l: Lease) when Lease(l), l.holder == noen', 'E0401', '"none"'],
    ['derive a(leas: Lease) when tenantOf(lease, tenant), tenant.rank > 1', 'E0401', '"lease"'],
    [
      'derive a(tenant: Person) when tenantOf(lease, tenant), age(tenant, years), yeras > 3, lease.rent > 1',
      'E0401',
      '"years"',
    ],
    ['query q() -> { of: Person, years: Int } { value { of: @ada, yeers: 1 } }', 'E0201', '"years"'],
    [
      'mutation m(all: [{ state: Status, of: [Lease] }]) { for a in all { rename(@ada, text(a.state)) } }\nmutation n() { m([{ staet: draft, of: [] }]) }',
      'E0201',
      '"state"',
    ],
    ['concept Visitor { host: [Person] via reports.seniro }', 'E0106', 'Did you mean "senior"?'],
    ['derive old(p: Person) when age(p, n), leads(of: p, by: n)\nderive leads() when true', 'E0106', 'It takes: none.'],
  ];
  it.each(rows)('%s: %s', (snippet, code, hint) => check(snippet, [[code, hint]]));
});

describe('one mistake, one finding', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['individual bob: Person { name: "Bob }\nindividual eve: Person { name: "Eve" }', 'E0002'],
    ['"\nconcept Visitor { }', 'E0002'],
    ['individual bob: Person { name: "Bob,\n\n  called Bobby" }\nindividual eve: Person { name: "Eve" }', 'E0002'],
    ['derive a(l: Lease) when', 'E0016'],
    ['derive a(l: Lease) when\nderive b(l: Lease) when a(l)', 'E0016'],
    ['derive a(l: Lease when Lease(l)', 'E0011'],
    ['derive a(l: Lease) when Lease(l), let n = count(for t where tenantOf(l, t), n > 2', 'E0011'],
    ['concept Visitor { name: }\nderive named(v: Visitor) when v.name == "x"', 'E0017'],
    ['concept Visitor ( name: Text )\nderive a(v: Visitor) when Visitor(v)', 'E0010'],
    ['query q( -> Int { value 1 }\nquery r() -> Int { value 2 }', 'E0011'],
    ['mutation m(p: Person -> Person { return p }', 'E0011'],
    ['query q() -> { value 1 }\nquery r() -> Int { value 2 }', 'E0017'],
    ['query q() -> [Person { select p where Person(p) }', 'E0011'],
    ['mutation m(p: Person) {\n  insert Person name: "x" }\n  delete p\n}', 'E0010'],
    ['concept Visitor\n  name: Text\n}\nderive a(v: Visitor) when Visitor(v), v.name == "x"', 'E0010'],
    ['relation sees(a: Person, b: Person [0..1)\nderive a(p: Person) when sees(p, _)', 'E0011'],
    ['relation sees(a: Person b: Person)\nderive a(p: Person) when sees(p, _)', 'E0011'],
    ['relation sees(a: Person b: Person)\nconcept Visitor { host: Person? via sees }', 'E0011'],
    ['individual bob: Person { nam: "Bob" }', 'E0105'],
    ['mutation m() { insert Person { nam: "x" } }', 'E0105'],
    ['mutation m(p: Person) { let x = 1 + set p.rank = x }', 'E0016'],
    ['fn f(s: Status?) -> Int = match s { draft => 1, signed => 2 }', 'E0202'],
    ['query q() -> [Lease] { select l where Lease(l) limit 1 - 3 }', 'E0609'],
    ['enum Mood { good bad }\nfn f() -> Mood = Mood::bad', 'E0011'],
    ['concept Visitor { name Text }\nconcept Guest is Visitor { }\nderive a(g: Guest) when g.name == "x"', 'E0010'],
    ['enum Mood good, bad }\nfn f(m: Mood) -> Bool = m == bad', 'E0010'],
    ['derive a(l: Lease) when l.status signed, tenantOf(l, _)', 'E0014'],
    ['derive a(l: Lease) when tenantOf l, _), l.rent > 3', 'E0014'],
    [
      'derive near(a Person, b: Person) when reports(a, b)\nderive near(a: Person, b: Person) when reports(b, a)',
      'E0010',
    ],
    ['check c(l: Lease)\n  when Lease(l, not rented(l)\n  severity warning\n  message "x"', 'E0011'],
    ['check c(l: Lease) when Lease(l) severity message "x"', 'E0010'],
    ['query q() -> [Lease] {\n  select l\n  where rented l), l.rent > 3\n  order by l.code\n}', 'E0011'],
    ['query q() -> [Lease]\n  select l\n  where Lease(l)\n}\nconcept Visitor { }', 'E0010'],
    ['query q() -> [Lease] { select l where rented(), l.rent > 3 }', 'E0207'],
    ['mutation m(l: Lease, p: Person) {\n  delete tenantOf l, p)\n  set l.rent = 3\n}', 'E0015'],
    ['mutation m(p: Person {\n  delete p\n}\nconcept Visitor { }', 'E0011'],
    ['relation sees(a: Person, b Person)\nconcept Visitor is Person { host: Person? via sees.b }', 'E0010'],
    ['relation sees(a: Person, b Person)\nderive a(p: Person) when sees(a: p, b: q), q != p', 'E0010'],
    ['fn f(a: Int, b Int) -> Int = a + b\nfn g() -> Int = f(a: 1, b: 2)', 'E0010'],
    ['fn f(a: Status, b Int) -> Int = b\nfn g(s: Status) -> Int = f(draft, 2) + f(signed, 3)', 'E0010'],
    [
      'query q() -> [{ p: Person, n Int }] { select { p: p, n: n } where age(p, n) }\ntest "t" { expect q() == [{ p: @ada, n: 1 }] }',
      'E0010',
    ],
    [
      'query q() -> [{ s: Status, n: Int }] { select { s: l.status, n: 1 } where Lease(l }\ntest "t" { expect q() == [{ s: draft, n: none }, { s: signed, n: 1 }] }',
      'E0011',
    ],
    ['test "t" { expect laeses() == [{ s: draft, n: none }, { s: signed, n: 1 }] }', 'E0101'],
    ['test "t" { expect leasez() == [], leases() == [] }', 'E0101'],
    ['mutation m(all: [Leas]) { for l in all { delete l } }\ntest "t" { m([]) m([@ada]) }', 'E0101'],
    ['mutation m(of: Lease, n: Int = nine) { set of.rent = n }\nmutation o(l: Lease) { m(l) m(of: l) }', 'E0101'],
    [
      'derive contains(a: Person, b: Person) reports(a, b)\nderive all(p: Person) when contains(p, q), contains(q, r), r != p',
      'E0010',
    ],
    [
      'query q() -> [{ c: Text, n: Decimal }] { select { c: l.code, n: l.rent where Lease(l) order by l.code }',
      'E0011',
    ],
    ['mutation m(l: Lease) {\n  let p = insert Person { name: "x"\n  set l.rent = 2\n  return p\n}', 'E0011'],
    ['fact age(person: @ada, years 36)', 'E0011'],
    ['fn g() -> Int = least(a: 1, b 2)\nfn least(a: Int, b: Int) -> Int = a + b', 'E0011'],
    ['mutation m(l: Lease) {\n  require rented(, _) message "x"\n  delete l\n}', 'E0016'],
    ['mutation m(l: Lease) {\n  require l.rent > message "x"\n  delete l\n}', 'E0010'],
    ['mutation m(l: Lease) {\n  if l. > 3 { delete l }\n  set l.rent = 2\n}', 'E0010'],
    ['mutation m(l: Lease) {\n  if l.rent > { delete l }\n  else { set l.rent = 2 }\n  set l.rent = 2\n}', 'E0016'],
    ['mutation m(l: Lease) {\n  if { delete l }\n  set l.rent = 2\n}', 'E0016'],
    ['mutation m(all: [Lease]) {\n  for l in {\n    delete l\n  }\n  rename(@ada, "x")\n}', 'E0016'],
    ['test "t" {\n  let n = 3\n  expect n ==\n  expect not age(@ada, n)\n}', 'E0016'],
    [
      'test "t" {\n  let n = 3\n  expect n == 3,\n  expect error SVC_RUNTIME_CHECK_VIOLATION from rename(@ada, "")\n}',
      'E0016',
    ],
    ['fn f(where: Int, n: Int) -> Int = where + n\nfn g() -> Int = f(where: 1, n: 2)', 'E0012'],
    ['query q(in: Person) -> [Person] { select p where Person(p), p == in }', 'E0012'],
    ['mutation m(set: Int, p: Person) { let x = set + 1 set p.rank = x }\ntest "t" { m(set: 3, p: @ada) }', 'E0012'],
    ['relation in(a: Person, b: Person)\nderive both(a: Person, b: Person) when in(a, b), in(b, a)', 'E0012'],
    ['fact in(@ada, @ada)', 'E0012'],
    ['use office::{in}', 'E0012'],
    ['enum Way { in, out }\nfn f(w: Way) -> Bool = w == out', 'E0012'],
    ['mutation m(p: Person) -> {\n  let n = p.rank\n  set p.rank = n + 1\n  return p\n}', 'E0017'],
    ['mutation m(p: Person) -> { rename(p, "x") delete p }', 'E0017'],
    [
      'mutation m(of: [{ p: Person, n: Int }]) { for o in of { set o.p.rank = o.n } }\ntest "t" { m([{ p: @ada, n: 1, { p: @ada, n: 2 }, { p: @ada, n: 3 }]) }',
      'E0010',
    ],
    [
      'mutation m(of: [{ p: Person, n: Int }]) { for o in of { set o.p.rank = o.n } }\ntest "t" { m([p: @ada, n: 1 }, { p: @ada, n: 2 }]) }',
      'E0016',
    ],
    ['mutation m(of: Person = @adda, n: Int) { set of.rank = n }\nmutation o() { m(n: 2) }', 'E0101'],
  ];
  it.each(rows)('%s: %s', (snippet, code) => check(snippet, [[code, '']]));

  it('does not hide another mistake in the same line', () => {
    check('derive a(l: Lease) when l.rent = l.rnet, Lease(l)', [
      ['E0018', '=='],
      ['E0105', 'rent'],
    ]);
    check('derive a(l: Lease) when Lease(l), l.cod == "x", l.rent = 3', [
      ['E0105', 'code'],
      ['E0018', '=='],
    ]);
  });

  it('does not hide mistakes in other items and statements', () => {
    check(
      'derive a(l: Lease) when tenantOf(l _)\nmutation m(p: Person) {\n  set p.rank 3\n  delete p extra\n}\nfn f() -> Int = g(2)',
      [
        ['E0011', ''],
        ['E0010', ''],
        ['E0015', ''],
        ['E0101', ''],
      ],
    );
  });
});

describe('an import with a syntax error', () => {
  const FLOOR = 'module office::floor\npub concept Desk { no: Int }\npub concept Room { no: Int }';
  const USERS = 'relation at(d: Desk, r: Room)\nderive full(r: Room) when at(d, r), d.no > r.no';
  it.each([
    ['use office::floor{Desk, Room}', 'E0010'],
    ['use office::floor::{Desk Room}', 'E0011'],
    ['use office::floor::{Desk, Room', 'E0011'],
    ['import office::floor::{Desk, Room}', 'E0014'],
  ])('has one finding, and its names are known: %s', (line, code) => {
    const text = `module m\n${line}\n${USERS}\nquery q() -> Int { value misspelt }`;
    const { diagnostics } = compile([
      { file: 'm.entail', text },
      { file: 'floor.entail', text: FLOOR },
    ]);
    expect(diagnostics.map((each) => each.code)).toEqual([code, 'E0101']);
  });
});

describe('a mistake in what another module declares', () => {
  it.each([
    [
      'concept Desk { no: Int }\npub define Free(d: Desk) when d.no == 1',
      'E0013',
      'Start the file with `module name`.',
    ],
    [
      'moduel office::floor\npub concept Desk { no: Int }\npub define Free(d: Desk) when d.no == 1',
      'E0013',
      'Did you mean `module`?',
    ],
    [
      'module office::floor\npub concept Desk { no: Int }\npub define Free(d: Desk) when d.no == 1\ndefine Free(d: Desk) when d.no == 2',
      'E0305',
      'before none',
    ],
    [
      'module office::floor\npub concept Desk { no: Int }\ndefine Free(d: Desk) when d.no == 1\npub define Free(d: Desk) when d.no == 2',
      'E0305',
      'before none',
    ],
    [
      'module office::floor\npub Desk { no: Int }\npub define Free(d: Desk) when d.no == 1',
      'E0014',
      'A declaration starts with',
    ],
    [
      'module office::floor\npub define Free(d: Desk) when d.no == 1\npub concept Desk no: Int, at: Text',
      'E0010',
      'Write `{`',
    ],
  ])('is reported only there: %s', (floor, code, hint) => {
    const text =
      'module m\nuse office::floor::{Desk}\nrelation at(d: Desk, n: Int)\nderive first(d: office::floor::Desk) when at(d, n), n < d.no, office::floor::Free(d)';
    const { diagnostics } = compile([
      { file: 'm.entail', text },
      { file: 'floor.entail', text: floor },
    ]);
    expect(diagnostics).toMatchObject([{ code, hint: expect.stringContaining(hint), span: { file: 'floor.entail' } }]);
    expect(diagnostics).toHaveLength(1);
  });
});

describe('ground truth is checked with every built-in function', () => {
  it.each([
    'concept C { t: Text where upper(value) == value }\nindividual c: C { t: "a" }',
    'concept C { d: Date where year(value) > 2000 }\nindividual c: C { d: date "1999-01-01" }',
    'concept C { d: Date where addDays(value, 1) > date "2000-01-01" }\nindividual c: C { d: date "1999-12-31" }',
    'concept C { n: Decimal where round(value, 1) == value }\nindividual c: C { n: 1.25 }',
    'concept C { n: Decimal where floor(value) == 2 }\nindividual c: C { n: 1.25 }',
    'concept C { n: Int where max(value, 3) == 3 }\nindividual c: C { n: 4 }',
    'concept C { n: Int where text(value) != "4" }\nindividual c: C { n: 2 + 2 }',
  ])('%s', (snippet) => check(snippet, [['E0306', 'refinement']]));
});

describe('arguments in the wrong order', () => {
  const rows: readonly Row[] = [
    [
      'mutation move(l: Lease, p: Person) { insert tenantOf(p, l) }',
      'E0201',
      'tenantOf takes (lease: Lease, tenant: Person), in this order.',
    ],
    [
      'fn repeat(word: Text, times: Int) -> Text = word ++ text(times)\nfn twoOf(word: Text) -> Text = repeat(2, word)',
      'E0201',
      'repeat takes (word: Text, times: Int), in this order.',
    ],
    [
      'individual elm: Lease { code: "E", rent: 1 }\nfact tenantOf(@ada, @elm)',
      'E0201',
      'tenantOf takes (lease: Lease, tenant: Person), in this order.',
    ],
    ['mutation first(l: Lease) { insert price(1, l) }', 'E0201', 'price takes (lease: Lease, amount: Decimal)'],
  ];
  it.each(rows)('%s', (snippet, code, hint) => check(snippet, [[code, hint]]));
});

describe('arguments that fit in no order', () => {
  const rows: readonly (readonly [snippet: string, ...hints: string[]])[] = [
    [
      'concept Airport is Person { }\nrelation flight(from: Airport, to: Airport)\nmutation fly(a: Person, x: Person) { insert flight(a, x) }',
      'Test it first: `if Airport(a) { … }`, or `Airport(a) and …` in an expression.',
      'Test it first: `if Airport(x) { … }`, or `Airport(x) and …` in an expression.',
    ],
    [
      'mutation move(l: Lease, word: Text) { insert tenantOf(word, l) }',
      'Use an individual of Lease, such as a declared `@name`.',
      'Use a value of type Person, or correct the type.',
    ],
  ];
  it.each(rows)('%s', (snippet, ...hints) =>
    check(
      snippet,
      hints.map((hint) => ['E0201', hint]),
    ),
  );
});
