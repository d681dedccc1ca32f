/** The guarantees of diagnostics and of the syntax tree. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Span } from '../../base/span.js';
import { parseModule } from './module.js';

const SAMPLE = readFileSync(new URL('../../../resources/modules/lease.entail', import.meta.url), 'utf8');

/** The codes, each with the text it points at. */
function check(text: string, expected: readonly string[]): void {
  const { diagnostics } = parseModule('m.entail', `module m\n${text}`);
  const full = `module m\n${text}`;
  expect(diagnostics.map(({ code, span }) => `${code} ${full.slice(span.start.offset, span.end.offset)}`)).toEqual(
    expected,
  );
}

const MODULES = ['lease', 'access', 'pointsto', 'supply', 'licences', 'transit'];
it.each(MODULES)('parses the sample module %s without findings', (name) => {
  const text = readFileSync(new URL(`../../../resources/modules/${name}.entail`, import.meta.url), 'utf8');
  expect(parseModule(name, text).diagnostics).toEqual([]);
});

it('gives every name the span of its text, with line and column', () => {
  const lines = SAMPLE.split('\n');
  const at = ({ start }: Span): number =>
    lines.slice(0, start.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + start.column - 1;
  let names = 0;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('span' in node && 'text' in node && !('kind' in node)) {
      const { span, text } = node as { span: Span; text: string };
      expect(SAMPLE.slice(span.start.offset, span.end.offset)).toBe(text);
      expect(at(span)).toBe(span.start.offset);
      names += 1;
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseModule('lease.entail', SAMPLE).value);
  expect(names).toBeGreaterThan(100);
});

/** Beyond the range of a Decimal. */
const TOO_LARGE = `1${'0'.repeat(6145)}.0`;

it.each([
  ['derive a(x: A) when x.n = 1', ['E0018 =']],
  ['mutation m(x: A) { if x.n = 1, x.m = 2 { set x.n = 2 } }', ['E0018 =', 'E0018 =']],
  [
    'fn f(x: Int) -> Int = if x = 1 then 2 else 3\nfn g(x: Int) -> Int = if (x = 1) then 2 else 3',
    ['E0018 =', 'E0018 ='],
  ],
  ['derive a(x: A) when 1 < x.n < 3', ['E0019 <']],
  ['fn f() -> Decimal = 12.', ['E0005 12.']],
  ['fn f() -> Decimal = .5', ['E0005 .5']],
  ['fn f() -> Int = 9007199254740992', ['E0006 9007199254740992']],
  [`fn f() -> Decimal = ${TOO_LARGE}`, [`E0006 ${TOO_LARGE}`]],
  ['fn f(where: Int) -> Int = 1', ['E0012 where']],
  ['concept A { n: }\nconcept B { a: A }', ['E0017 }']],
  ['concept A { n: Int\nconcept B { }', ['E0011 concept']],
  ['table A\nconcept B { }', ['E0014 table']],
  ['fn f(a: Bool, b: Bool) -> Bool = a && b', ['E0008 &&']],
  ['mutation m() { 1 + 2\n let where = 1\n let x = 1 }', ['E0015 1', 'E0012 where']],
  ['mutation m() {\n let p = Person { name: "A" }\n}', ['E0025 {']],
  ['derive a(x: A) when r(x, 1 +), s(x, 2 *)', ['E0016 )', 'E0016 )']],
  ['derive a(x: A) when r(x, 1), s(x', ['E0011 ']],
  ['fact r(1, b: 2)', ['E0022 b: 2']],
  ['relation r(a: A [1..2])', ['E0026 [']],
  ['query q() -> [A] { select a where A(a), order by a }\nconcept A { }', ['E0010 order']],
  ['pub test "t" { }', ['E0027 pub']],
  ['use office::Desk\nrelation r(a: A)', ['E0010 office::Desk']],
  ['derive d(a: A) when A(a), exists r(a)', ['E0010 exists']],
  ['derive d(a: A) when A(a), not exists r(a)', ['E0010 exists']],
  ['derive d(a: A) when forall x: r(x)', ['E0010 forall']],
  ['fn f() -> Date = date "2026-02-30"', ['E0007 "2026-02-30"']],
  ['fn f() -> Int = /// why\n 1', ['W0001 /// why']],
  ['check c(x: A) when A(x) severity warning message "{x + } {y"', ['E0016 ', 'E0029 {']],
])('%s', (text, expected) => check(text, expected));

it.each([
  ['pub qurey q() -> Int { value 1 }', 'query'],
  ['mutation m(a: A) { delte a }', 'delete'],
  ['query q() -> [A] { select a where A(a) ordr by a.n }', 'order'],
])('suggests for %s: %s', (text, word) => {
  const [finding] = parseModule('m', `module m\n${text}`).diagnostics;
  expect(finding?.hint).toContain(`Did you mean \`${word}\`?`);
});

it.each([
  ['exists r(a)', 'Write only the tuple. `_` matches any value.'],
  ['forall b: r(b)', 'Derive the exceptions, and negate that relation with `not`.'],
  ['a.n in xs', '`in` only binds a variable: write `v in list, x == v`, or `x == a or x == b`.'],
  ['a.s in [draft, signed]', 'Write `a.s == draft or a.s == signed`. `in` only binds a variable.'],
  ['a.n = 3', 'Write `==` to compare.'],
  ['n = 3', 'Write `n == …` to compare, or `let n = …` if nothing else binds "n".'],
])('hints how to write %s', (literal, hint) => {
  const [finding] = parseModule('m', `module m\nderive d(a: A) when A(a), ${literal}`).diagnostics;
  expect(finding?.hint).toBe(hint);
});

it('hints how to write an import without braces', () => {
  const [finding] = parseModule('m', 'module m\nuse office::floor::Desk\n').diagnostics;
  expect(finding?.hint).toBe('Write `use office::floor::{Desk}`.');
});

it('reads parameters of a head without a type, and with a value', () => {
  const { value, diagnostics } = parseModule(
    'm.entail',
    'module m\nderive d(a, b: Int, c = n + 1, d: Int = n) when r(a, b, n)',
  );
  expect(diagnostics).toEqual([]);
  const [item] = value.items;
  const heads = item?.kind === 'derive' ? item.parameters : [];
  expect(heads.map(({ type, value: computed }) => [type?.kind, computed?.kind])).toEqual([
    [undefined, undefined],
    ['named', undefined],
    [undefined, 'arithmetic'],
    ['named', 'name'],
  ]);
});

it.each(['expect', 'expec', 'xpect'])('reports an expectation in a mutation once: %s', (word) => {
  const { diagnostics } = parseModule('m', `module m\nmutation m() { ${word} a }`);
  expect(diagnostics.map(({ code }) => code)).toEqual(['E0015']);
  expect(diagnostics[0]?.hint).toMatch(/^`expect` is only allowed in tests/);
});

it('reports an unclosed comment once, also inside a block', () => {
  const { diagnostics } = parseModule('m', 'module m\nmutation m() { let a = 1 /* and more }\nmutation n() { }');
  expect(diagnostics.map(({ code }) => code)).toEqual(['E0004']);
});

it.each([
  ['a: Int where value > 0', 'value > 0'],
  ['a: Int unique, b: Int', 'unique'],
  ['a: Int [0..1] = 2 * 3, b: Int', '2 * 3'],
])('reports the modifiers of fields in relation r(%s)', (endpoints, place) => {
  const text = `module m\nrelation r(${endpoints})`;
  const { diagnostics } = parseModule('m', text);
  expect(diagnostics.map(({ code, span }) => [code, text.slice(span.start.offset, span.end.offset)])).toEqual([
    ['E0028', place],
  ]);
});

it.each([
  ['concept A { n: Int = 0 where value > 0, m: Int }', 'where value > 0', 'n: Type unique where … = default'],
  ['concept A { n: Int where value > 0 unique = 1\n m: Int }', 'unique', 'n: Type unique where … = default'],
  ['concept A { n: Int = 1 unique where value > 0 }', 'unique where value > 0', 'n: Type unique where … = default'],
  ['fn f(n: Int = 1 where value > 0, m: Int) -> Int = n + m', 'where value > 0', 'n: Type where … = default'],
])('reports the wrong order of clauses in %s once', (item, place, order) => {
  const text = `module m\n${item}`;
  const { diagnostics } = parseModule('m', text);
  expect(diagnostics.map(({ code, span }) => [code, text.slice(span.start.offset, span.end.offset)])).toEqual([
    ['E0028', place],
  ]);
  expect(diagnostics[0]?.hint).toBe(`The order is \`${order}\`.`);
});

it('parses a field called `where` or `unique` after a default', () => {
  const { diagnostics, value } = parseModule('m', 'module m\nconcept A { n: Int = 0 where: Int = 1 unique: Int }');
  expect(diagnostics).toEqual([]);
  expect(value.items).toMatchObject([{ fields: [{}, { name: { text: 'where' } }, { name: { text: 'unique' } }] }]);
});

it.each([
  ['pbu relation r(a: A, b: B)', 'Did you mean `pub`?'],
  ['export relation r(a: A, b: B)', 'Write `pub`.'],
  ['pub pub relation r(a: A, b: B)', 'Remove `pub`.'],
])('parses %s after the superfluous word, so that its declaration is known', (text, hint) => {
  const { diagnostics, value } = parseModule('m', `module m\n${text}\n`);
  expect(diagnostics.map((each) => [each.code, each.hint])).toEqual([['E0014', hint]]);
  expect(value.items).toMatchObject([{ kind: 'relation', public: true, name: { text: 'r' } }]);
});

it('reports a `;` between literals and between parameters once, and parses the rest', () => {
  const text =
    'module m\nderive d(a: A; b: A) when r(a, b);\n  let n = a.n;\n  n > 3;\ncheck c(a: A) when A(a); not d(a, _); severity warning message "x";\nmutation m(a: A) { if A(a) { delete a; } }';
  const { diagnostics, value } = parseModule('m', text);
  expect(diagnostics.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 'E0008'));
  expect(value.items).toMatchObject([
    { kind: 'derive', parameters: { length: 2 }, body: { literals: { length: 3 } } },
    { kind: 'check', body: { literals: { length: 2 } } },
    { kind: 'mutation', body: { statements: { length: 1 } } },
  ]);
});

it('reports a `:` after the keyword of a clause once', () => {
  const text = 'module m\ncheck c(a: A) when: A(a) severity: warning message: "x"';
  const { diagnostics } = parseModule('m', text);
  expect(diagnostics.map(({ code, message, span }) => [code, message, span.start.column])).toEqual([
    ['E0010', 'unexpected `:` after `when`', 19],
    ['E0010', 'unexpected `:` after `severity`', 34],
    ['E0010', 'unexpected `:` after `message`', 51],
  ]);
});

it('reports a misspelt `not` once, also before a possible statement', () => {
  const text = 'module m\nderive d(a: A) when A(a), NOT r(a, _)\ntest "t" { expect nto r(a, _) expect nott\n r(a) }';
  const { diagnostics } = parseModule('m', text);
  expect(diagnostics.map(({ hint, span }) => [hint, text.slice(span.start.offset, span.end.offset)])).toEqual([
    ['Did you mean `not`?', 'NOT'],
    ['Did you mean `not`?', 'nto'],
  ]);
});

it('reports a missing module line once', () => {
  expect(parseModule('m', 'concept A { }').diagnostics.map((each) => each.code)).toEqual(['E0013']);
});

it('ends an expression at a word before a colon, and accepts any word as a field', () => {
  check('concept A { rent: Int where value > 0 and: Int div: Int = 1 where: Text unique unique: Int? }', []);
});

it('parses the whole language', () => {
  check(
    `use a::b::{C, d}
extern type Blob
extern fn hash(b: Blob) -> Int
context tenantId: Text?
fact r(@a, 42, @b::c)
fn f(s: S, n: Int = -1) -> Int = match s { x => if n > 1 then 1 else 2, _ => (n div 2) * 3, }
query q() -> T? { select { a: x.y ?? none, b: [1, 2] } where not r(x, _), x in range(0, 3), let n = list(x.a for x where A(x)) order by n asc limit 3 }
mutation m(l: [T]) {
  for x in (select t where A(t) order by t.b) { delete r(x, _) forget x }
  for y in l { if A(y), y.b == 1 { set y.b = none } else if not A(y) { m(l) } else { return y } }
  require x.ok message "no {x.name} {{here}}"
}
test "t" { set context.now = datetime "2026-01-01T00:30:00+01:00" expect error CHECK_VIOLATION from m(l: [@a]) expect not r(_, _), A(x) }`,
    [],
  );
});

it.each([
  ['{x.a ?? \\"none\\"}!', 'none'],
  ['{{ {x.a ++ \\"}{\\"}', '}{'],
  ['{\\"a\\\\\\"b\\\\\\\\c\\"}', 'a"b\\c'],
])('parses a text with escaped quotes inside the braces of a message: %s', (message, expected) => {
  const source = `module m\ncheck c(x: A) when A(x) severity warning message "${message}"`;
  const { diagnostics, value } = parseModule('m', source);
  expect(diagnostics).toEqual([]);
  expect(JSON.stringify(value)).toContain(`"value":${JSON.stringify(expected)}`);
});

it('reports an unclosed text inside the braces of a message once', () => {
  check('check c(x: A) when A(x) severity warning message "{x.a ++ \\"no} y"', ['E0029 {']);
});

it('reports nesting beyond 256 once, and accepts thousands of terms', () => {
  const deep = (depth: number): string => `fn f() -> Int = ${'('.repeat(depth)}1${')'.repeat(depth)}`;
  const codes = (text: string): string[] => parseModule('m', `module m\n${text}`).diagnostics.map((each) => each.code);
  expect(codes(deep(200))).toEqual([]);
  expect(codes(deep(100_000))).toEqual(['E0020']);
  expect(codes(`mutation m() ${'{ if a '.repeat(5000)}`)).toContain('E0020');
  expect(codes(`fn f() -> Int = 1${' + 1'.repeat(20_000)}`)).toEqual([]);
});

it('warns about bidirectional control characters in comments and texts once per line, and rejects them elsewhere', () => {
  const text =
    'module m\n// \u2066 a \u2069\r\nfn f() -> Text = "\u202eb"\nfn g() -> Int =\u202e 1\nfn h() -> Text = "\u200f\u05d0"';
  const found = parseModule('m', text).diagnostics.map(
    ({ code, span }) => `${code} ${span.start.line}:${span.start.column}`,
  );
  expect(found).toEqual(['W0003 2:4', 'W0003 3:19', 'E0001 4:16']);
});
