/** Completion at a cursor `|` in unfinished source, at the end of the text and before another item. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analyse, completionsAt, quickFixes, signatureAt } from '../index.js';
import { withCursor } from '../testing/cursor.js';

const FRAME = `module office
enum Status { draft, signed, ended }
pub concept Party { name: Text }
pub concept Person is Party { email: Text?, boss: Person? via reports }
concept Lease { code: Text, rent: Decimal where value > 0, status: Status = draft, tenants: [Person] via tenantOf }
relation reports(junior: Person, senior: Person [0..1])
relation tenantOf(lease: Lease, tenant: Person)
relation graded(lease: Lease, status: Status)
individual ada: Person { name: "Ada" }
context user: Text
fn twice(x: Decimal) -> Decimal = x * 2
fn next(s: Status) -> Status = s
derive rented(l: Lease) when tenantOf(l, _)
query leases(least: Decimal = 0) -> [Lease] { select l where Lease(l) }
mutation sign(tenant: Person, code: Text) -> Lease { return insert Lease { code: code, rent: 1 } }
`;
const AFTER = ['', '\nderive behind(p: Person) when Person(p)', '\nquery behind(x: Int) -> Int { value x }'];

function labels(source: string): string[] {
  const { analysis, file, offset } = withCursor(source);
  return completionsAt(analysis, file, offset).items.map(({ label }) => label);
}

/** Some labels that are offered, and some that are not (`!name`). */
function check(source: string, expected: string): void {
  for (const behind of AFTER) {
    const found = labels(`${FRAME}${source}${behind}`);
    for (const label of expected.split(' ')) {
      if (label.startsWith('!')) expect(found, `${source}${behind}`).not.toContain(label.slice(1));
      else expect(found, `${source}${behind}`).toContain(label);
    }
  }
}

/** Exactly the labels that are offered, in any order. */
function checkAll(source: string, expected: string): void {
  for (const behind of AFTER) {
    expect(labels(`${FRAME}${source}${behind}`).sort(), `${source}${behind}`).toEqual(
      expected.split(' ').filter(Boolean).sort(),
    );
  }
}

describe('items', () => {
  it('begin with their keywords', () => {
    check('|', 'concept query derive pub test !select');
    check('pub |', 'concept query !test !fact');
    checkAll('extern |', 'fn type');
    checkAll('concept N|', '');
    check('concept N |', 'is');
    check('concept N is |', 'Party Person Lease !Status');
    checkAll('fact |', 'reports tenantOf graded');
  });

  it('have documentation with a form that compiles after its declarations', () => {
    const text = `module m\npub concept Person { name: Text age: Int }\npub concept Company { }\npub relation worksFor(person: Person, company: Company)\npub individual ada: Person { name: "Ada", age: 36 }\npub individual acme: Company { }\npub query people() -> [Person] { select p where Person(p) }\npub mutation hire(name: Text) { insert Person { name: name, age: 1 } }\n`;
    const { items } = completionsAt(analyse([{ file: 'm.entail', text }]), 'm.entail', text.length);
    const docs = items.flatMap(({ kind, doc, label }) => (kind === 'keyword' && label !== 'use' ? [doc ?? ''] : []));
    expect(docs).toHaveLength(15);
    for (const doc of docs) {
      const form = doc.slice(doc.indexOf(': ') + 2).replace('"…"', '"x"');
      const source = { file: 'm.entail', text: `${text}${form}\n` };
      expect(
        analyse([source]).diagnostics.filter(({ code }) => code.startsWith('E00')),
        form,
      ).toEqual([]);
    }
  });

  it('of a file without its module line begin with `module`', () => {
    expect(labels('|')).toContain('module');
  });
});

describe('types', () => {
  it('are offered after a colon and an arrow', () => {
    check('concept N { a: |', 'Text Status Lease !rented !twice');
    check('derive d(l: |', 'Text Status Lease');
    check('query q(l: |', 'Text Status Lease');
    check('query q() -> |', 'Text Lease');
    check('query q() -> [|', 'Text Lease');
    check('query q() -> [{ a: |', 'Text Lease');
    check('context c: |', 'Text');
    check('individual i: |', 'Person !Text');
    check('concept N { a: Text |', 'where unique via');
    check('concept N { a: Person? via |', 'reports tenantOf !Person');
    checkAll('concept N { a: Person? via reports.|', 'junior senior');
    check('concept N { a: Int where |', 'value twice');
    checkAll('concept N { |', '');
  });
});

describe('rules', () => {
  it('offer tuples, concepts, variables and functions where a literal begins', () => {
    check('derive d(l: Lease) when |', 'l tenantOf Lease not let twice round !sign !context');
    check('derive d(l: Lease) when Lease(l), ten|', 'tenantOf l');
    check('derive d(l: Lease) when not |', 'tenantOf');
    check('derive d(l: Lease) |', 'when');
    check('derive d(l: Lease) when Lease(l) |', 'and or !tenantOf');
    check('check c(l: Lease) when Lease(l) |', 'severity');
    checkAll('check c(l: Lease) when Lease(l) severity |', 'blocking warning');
    checkAll('check c(l: Lease) when Lease(l) severity blocking |', 'message');
  });

  it('offer the variables that the body has bound', () => {
    check('derive d(l: Lease) when tenantOf(l, p), |', 'l p');
    check('derive d(l: Lease) when tenantOf(l, p), let n = count(for q where reports(q, p)), |', 'l p n !q');
    check('derive d(l: Lease) when let n = sum(|.rent for x where Lease(x))', 'x l');
  });

  it('offer fields after a dot, including inherited and navigation fields', () => {
    checkAll('derive d(p: Person) when p.|', 'name email boss');
    checkAll('derive d(p: Person) when p.na|', 'name email boss');
    checkAll('derive d(p: Person) when p.boss.|', 'name email boss');
    checkAll('derive d(l: Lease) when tenantOf(l, t), t.|', 'name email boss');
    checkAll('derive d(l: Lease) when tenantOf(tenant: t, lease: l), t.|', 'name email boss');
    checkAll('derive d(l: Lease) when l.rent > 1, @ada.|', 'name email boss');
    checkAll('derive d(l: Lease) when x.|', '');
  });

  it('offer members where an enum is expected', () => {
    const first = (source: string) => labels(FRAME + source).slice(0, 3);
    expect(first('derive d(l: Lease) when l.status == |')).toEqual(['draft', 'ended', 'signed']);
    expect(first('derive d(l: Lease) when graded(l, |')).toContain('draft');
    expect(first('derive d(l: Lease) when graded(lease: l, status: |')).toEqual(['draft', 'ended', 'signed']);
    expect(first('concept N { s: Status = |')).toEqual(['draft', 'ended', 'signed']);
    expect(first('query q(s: Status = |')).toEqual(['draft', 'ended', 'signed']);
    expect(first('fn f() -> Status = |')).toEqual(['draft', 'ended', 'signed']);
    expect(first('fn f() -> Status = next(|')).toContain('draft');
    expect(first('mutation m(l: Lease) { set l.status = |')).toEqual(['draft', 'ended', 'signed']);
    expect(first('mutation m() { insert Lease { status: |')).toEqual(['draft', 'ended', 'signed']);
    checkAll('fn f(s: Status) -> Int = match s { |', '_ draft ended signed');
    checkAll('fn f(s: Status) -> Int = match s { draft => 1, |', '_ draft ended signed');
    checkAll('derive d(l: Lease) when l.status == Status::|', 'draft ended signed');
  });

  it('offer conditions inside the parentheses of alternatives', () => {
    check('derive due(l: Lease) when Lease(l), (|', 'tenantOf Lease not let l');
    check('derive due(l: Lease) when (graded(l, s) or |), s == draft', 'tenantOf Lease not let l s');
    check('derive due(l: Lease) when (graded(l, s), | or Lease(l))', 'tenantOf Lease not let l s');
    check('derive due(l: Lease) when (graded(l, s) |', 'or and !where');
  });

  it('offer what the body binds for a computed parameter of a head', () => {
    check('derive due(l: Lease, n: Decimal = |) when graded(l, s), l.rent > m', 'l s twice count !tenantOf !value');
    check('derive due(l: Lease, n: Decimal = l.|) when Lease(l)', 'rent code !n');
    check('derive rented(k, n = |) when tenantOf(k, p)', 'k p !where');
  });

  it('offer endpoints and parameters by name', () => {
    check('derive d(l: Lease) when tenantOf(|', 'lease tenant l');
    check('derive d(l: Lease) when tenantOf(lease: l, |', 'tenant !lease');
    check('derive d(l: Lease) when tenantOf(l, |', '!tenant l');
    check('mutation m() { sign(|', 'tenant code');
    check('fn f() -> Decimal = twice(|', 'x');
  });

  it('offer the words that keep one value in the head of a derive only', () => {
    check('derive d(l: Lease, |', 'least greatest');
    check('check c(l: Lease, |', '!least');
    check('relation r(|', '!least');
  });

  it('offer individuals after `@`', () => {
    checkAll('fact reports(@|', 'ada');
    checkAll('fact reports(@a|', 'ada');
  });
});

describe('requests', () => {
  it('offer the parts of a query', () => {
    check('query q() -> [Lease] { |', 'select value');
    check('query q() -> [Lease] { select l |', 'where');
    check('query q() -> [Lease] { select l where |', 'tenantOf Lease');
    check('query q() -> [Lease] { select l where Lease(l) |', 'order limit');
    checkAll('query q() -> [Lease] { select l where Lease(l) order |', 'by');
    check('query q() -> [Lease] { select l where Lease(l) order by l.rent |', 'desc asc limit');
    checkAll('query q() -> [Lease] { select l where Lease(l), l.|', 'code rent status tenants');
    checkAll('query q() -> [Lease] { select l.| where Lease(l) }', 'code rent status tenants');
    checkAll('query q() -> Text { value context.|', 'user now');
    checkAll('query q() -> [{ lease: Lease, of: [{ p: Person }] n: Int }] { select { |', 'lease of n');
    checkAll('query q() -> [{ lease: Lease, n: Int }] { select { lease: l, |', 'n');
    checkAll('query q() -> Int { value count(for |', '');
    checkAll('query q() -> { n: Int } { value { |', 'n');
    checkAll('query q() -> [Lease] { select { |', '');
  });

  it('offer statements, insertable concepts and relations, and their fields', () => {
    check('mutation m(p: Person) { |', 'insert set let return sign !expect');
    check('mutation m(p: Person) {\n  delete p\n  |', 'insert set let return sign');
    check('mutation m(p: Person) { insert |', 'Lease tenantOf !rented');
    checkAll('mutation m(p: Person) { insert Lease { |', 'code rent status');
    checkAll('mutation m(p: Person) { insert Lease { code: "x", |', 'rent status');
    checkAll('mutation m(p: Person) { let l = insert Lease { code: "x", r| }', 'rent status');
    checkAll('individual i: Person { |', 'name email');
    check('mutation m(p: Person) { let l = insert Lease { code: "x" }\n set l.|', 'code rent');
    check('mutation m(p: Person) { let x = |', 'p insert sign');
    check('mutation m(p: Person) { if exists(p.boss) { let q = p }\n delete |', 'p tenantOf !q');
  });

  it('know the types of names that statements introduce', () => {
    checkAll('mutation m(p: Person) { for l in (select x where tenantOf(x, p)) { set l.|', 'code rent status');
    checkAll('mutation m(l: Lease) { for t in l.tenants { set t.|', 'name email boss');
    checkAll('mutation m(ps: [Person]) { for p in ps { delete p.|', 'name email boss');
    checkAll('mutation m(ps: [Person]) { let p = ps[0] set p.|', 'name email boss');
    checkAll('mutation m(l: Lease) { let s = l.status set l.status = match s { |', 'draft ended signed _');
    checkAll('mutation m(p: Person) { let l = sign(p, "x") set l.|', 'code rent status');
  });

  it('offer individuals where one is expected', () => {
    check('fact reports(|', '@ada');
    check('test "t" { sign(|', '@ada');
    check('fn f() -> Decimal = twice(|', '!@ada');
  });

  it('offer codes and calls in tests', () => {
    check('test "t" { |', 'expect insert sign for if require forget !return');
    check('test "t" { expect |', 'not error rented');
    check('test "t" { expect error |', 'SVC_RUNTIME_QUERY_EVAL_FAILED');
    const [first, second] = labels(`${FRAME}test "t" { expect error |`);
    expect([first, second]).toEqual(['SVC_RUNTIME_CHECK_VIOLATION', 'SVC_RUNTIME_VALIDATION_FAILED']);
    checkAll('test "t" { expect error SVC_RUNTIME_VALIDATION_FAILED |', 'from');
    check('test "t" { expect error SVC_RUNTIME_VALIDATION_FAILED from |', 'sign leases twice !rented');
    check('test "t" { let l = sign(@ada, "x") expect rented(|', 'l');
  });
});

describe('literals', () => {
  it('are not continued without a space', () => {
    checkAll('derive d(l: Lease) when l.rent > 100|', '');
    checkAll('derive d(l: Lease) when (l.rent > 1.5|', '');
    checkAll('derive d(l: Lease) when l.rent > 100a|', '');
    checkAll('concept N { a: Int = 20|', '');
    checkAll('query q() -> [Lease] { select l where Lease(l), l.rent > 2|', '');
    checkAll('check c(l: Lease) when l.code == "a"|', '');
    checkAll('check c(l: Lease) when Lease(l) severity warning message "{l.rent + 1|', '');
    check('derive d(l: Lease) when l.rent > 100 |', 'and or');
    check('derive d(l2: Lease) when l2|', 'l2');
  });
});

describe('texts and comments', () => {
  it('offer nothing', () => {
    checkAll('// derive |', '');
    checkAll('/* | */', '');
    checkAll('fn f() -> Text = "twi|"', '');
    checkAll('fn f() -> Text = "{twi|}"', '');
    checkAll('check c(l: Lease) when Lease(l) severity warning message "a {l.code} |"', '');
  });

  it('offer expressions between the braces of a message', () => {
    check('check c(l: Lease) when tenantOf(l, p) severity warning message "a {|}"', 'l p');
    checkAll('check c(l: Lease) when tenantOf(l, p) severity warning message "a {p.na|}"', 'name email boss');
    checkAll('check c(l: Lease) when tenantOf(l, p) severity warning message "a {p.|', 'name email boss');
  });
});

describe('other modules', () => {
  const BASE =
    '// file base.entail\nmodule base\npub concept Person { name: Text }\nconcept Hidden { }\npub relation knows(a: Person, b: Person)\n// file m.entail\nmodule m\n';

  function applied(source: string, label: string): string | undefined {
    const { analysis, file, offset } = withCursor(BASE + source);
    const item = completionsAt(analysis, file, offset).items.find((each) => each.label === label);
    const text = analysis.sources.find((each) => each.file === file)?.text ?? '';
    const [edit] = item?.also ?? [];
    if (edit === undefined) return undefined;
    return text.slice(0, edit.span.start.offset) + edit.text + text.slice(edit.span.end.offset);
  }

  it('offer their public names with the `use` that imports them', () => {
    expect(applied('derive d(p: |', 'Person')).toBe('module m\n\nuse base::{Person}\nderive d(p: ');
    expect(applied('use base::{Person}\nderive d(p: Person) when |', 'knows')).toBe(
      'module m\nuse base::{Person, knows}\nderive d(p: Person) when ',
    );
    expect(labels(`${BASE}derive d(p: |`)).not.toContain('Hidden');
  });

  it('offer themselves after `use` and their names behind `::`', () => {
    expect(labels(`${BASE}use |`)).toEqual(['base']);
    expect(labels(`${BASE}use base::{|`)).toEqual(['Person', 'knows']);
    expect(labels(`${BASE}use base::{Person, |}`)).toEqual(['knows']);
    expect(labels(`${BASE}derive d(p: base::|`)).toEqual(['Person', 'knows']);
    expect(labels(`${BASE}fn f() -> Int = std::|`)).toContain('round');
  });
});

it('replaces the whole word at the cursor', () => {
  const { analysis, file, offset } = withCursor('module m\nconcept Lease { }\nderive d(l: Le|as)');
  const { from, to } = completionsAt(analysis, file, offset);
  expect(analysis.sources[0]?.text.slice(from, to)).toBe('Leas');
});

describe.each(['lease', 'access', 'pointsto', 'supply', 'licences', 'transit'])('the sample %s', (name) => {
  const text = readFileSync(new URL(`../../../../resources/modules/${name}.entail`, import.meta.url), 'utf8');
  const file = `${name}.entail`;

  it('works at every word, for the whole word', () => {
    const analysis = analyse([{ file, text }]);
    for (const { index, 0: word } of text.matchAll(/[A-Za-z_]\w*/g)) {
      const { from, to } = completionsAt(analysis, file, index + 1);
      if (from !== to) expect(text.slice(from, to)).toBe(word);
      signatureAt(analysis, file, index);
    }
  });

  it('works wherever the text ends', () => {
    for (let end = 0; end < text.length; end += 97) {
      const analysis = analyse([{ file, text: text.slice(0, end) }]);
      completionsAt(analysis, file, end);
      signatureAt(analysis, file, end);
      quickFixes(analysis, file, 0, end);
    }
  });
});
