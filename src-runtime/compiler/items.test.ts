/** Items compiled against an artifact without sources: the same findings as at the end of the module, and separate bodies. */

import { describe, expect, it } from 'vitest';
import type { Artifact } from '../artifact/index.js';
import { type CompiledItem, compile, itemCompiler } from './index.js';
import { materialFrom, randomText } from './testing/random-texts.js';

const MODULE = `module lease

enum Status { draft, signed, ended }
context tenantId: Text
context region: Status?
pub concept Party { name: Text }
pub concept Person is Party { born: Date?, employer: Party? via worksFor, tags: [Status] via tagged }
concept Lease { code: Text unique, rent: Decimal where value > 0, status: Status = draft, landlord: Party?, tenants: [Person] via tenantOf }
relation worksFor(person: Person, company: Party [0..1])
relation tenantOf(lease: Lease, tenant: Person)
relation tagged(person: Person, tag: Status)
individual acme: Party { name: "Acme Ltd" }
derive active(l: Lease) when l.status == signed, tenantOf(l, _)
define Tenant(p: Person) when tenantOf(_, p)
define Signatory(p: Tenant) when tenantOf(l, p), active(l)
check busy(p: Person) when count(for l where tenantOf(l, p)) > 3 severity blocking message "{p.name}"
query leases(least: Decimal = 0, among: [Status] = [draft, signed]) -> [Lease] {
  select l where Lease(l), l.rent >= least, s in among, l.status == s
}
mutation sign(tenant: Person, code: Text, note: Text?) -> Lease {
  let l = insert Lease { code: code ++ (note ?? ""), rent: 1, status: signed }
  insert tenantOf(l, tenant)
  return l
}
fn yearly(rent: Decimal, months: Int = 12) -> Decimal = rent * months
extern type Blob
extern fn blobOf(x: Int) -> Blob
test "everything is used" { let p = insert Person { name: "Ada" } let l = sign(p, "L", none) insert worksFor(p, @acme) insert tagged(p, draft) set l.rent = yearly(1) expect Signatory(p) }
`;

const artifact = withoutSources(MODULE);
const compileItem = itemCompiler(artifact);

function withoutSources(text: string): Artifact {
  const { artifact: built, diagnostics } = compile([{ file: 'lease.entail', text }]);
  if (built === undefined) throw new Error(JSON.stringify(diagnostics));
  expect(built.sources).toBeUndefined();
  return built;
}

const ITEMS = [
  'query q() -> [Lease] { select l where active(l), l.rent >= yearly(1), l.landlord == @acme order by l.code desc limit 3 }',
  'query q(s: Status = signed) -> [{ who: Person, at: Text }] { select { who: p, at: p.employer.name ?? "" } where Signatory(p), t in p.tags, t == s }',
  'query q() -> Text { value context.tenantId }',
  'query q() -> Bool { value context.region == draft }',
  'query q() -> [Lease] { select l where activ(l) }',
  'query q() -> [Leese] { select l where Lease(l) }',
  'query q() -> [Person] { select l where Lease(l) }',
  'query q() -> [Lease] { select l where Lease(l), l.status == drafft }',
  'query q() -> [Text] { select l.cod where Lease(l) }',
  'query q() -> [Lease] { select l where Lease(l), l.rent > "1" }',
  'query q() -> [Lease] { select l where tenantOf(l) }',
  'query q() -> [Lease] { select l where tenantOf(lease: l, renter: _) }',
  'query q() -> [Lease] { select l where not active(l) }',
  'query q() -> [Party] { select p where Party(p), p == @acmee }',
  'query q() -> Int { value context.nothing }',
  'query q() -> Decimal { value yearly("x") }',
  'query q() -> Decimal { value yearly(1, 2, 3) }',
  'query q() -> Decimal { value leases() }',
  'query q() -> [Lease] { select l where busy(l) }',
  'query q(unused: Int) -> Int { value 1 }',
  'query leases() -> Int { value 1 }',
  'query Int() -> Int { value 1 }',
  'query q() -> [Lease] { select l where lease::active(l), other::active(l) }',
  'derive reach(a: Person, b: Person) when tenantOf(l, a), tenantOf(l, b)  derive reach(a: Person, c: Person) when reach(a, b), reach(b, c)',
  'derive odd(p: Person) when Person(p), not odd(p)',
  'derive narrow(p: Person) when Party(p)',
  'derive grows(n: Int) when n in range(0, 1)  derive grows(m: Int) when grows(n), let m = n + 1',
  'derive loose(p: Person, n: Int) when Person(p)',
  'derive reads(t: Text) when let t = context.tenantId',
  'derive total(p: Person, t: Decimal) when Person(p), let t = sum(l.rent for l where tenantOf(l, p))',
  'mutation m(p: Person) { let l = sign(p, "x") set l.rent = 3 delete tenantOf(l, _) }',
  'mutation m() -> [Lease] { let ls = leases(among: [ended]) return ls }',
  'mutation m() { insert Lease { code: "x" } }',
  'mutation m() { insert Lease { code: "x", rent: 1, tenants: [] } }',
  'mutation m() { insert active(1) }',
  'mutation m(p: Person) { set p.employer = none }',
  'mutation m() { set @acme.name = "x" }',
  'mutation m(l: Lease) { set l.status = gone }',
  'mutation m(l: Lease) { if exists(l.landlord) { set l.landlord.name = "x" } }',
  'mutation m() { m() }',
];

describe('an item outside the sources has the same findings as inside', () => {
  it.each(ITEMS)('%s', (text) => {
    const inside = compile([{ file: 'lease.entail', text: MODULE + text }]).diagnostics;
    const found = compileItem(text);
    // A module that exports only its `pub` declarations also warns about unused declarations.
    const expected = inside.filter(({ code }) => code !== 'W0302').map((finding) => shown(finding, MODULE.length));
    expect(findingsOf(found).map((finding) => shown(finding, 0))).toEqual(expected);
    expect(found.ok).toBe(inside.every(({ severity }) => severity === 'warning'));
  });
});

function findingsOf(found: CompiledItem) {
  if (found.ok) return found.warnings;
  return found.diagnostics;
}

function shown(finding: ReturnType<typeof compile>['diagnostics'][number], before: number) {
  const { code, severity, message, hint, span, notes } = finding;
  const place = [span.start.offset - before, span.end.offset - before];
  return { code, severity, message, hint, place, notes: notes?.map((note) => note.message) };
}

describe('an item', () => {
  it('is lowered as it would be inside the module', () => {
    const text = 'query q(least: Decimal = 2) -> [Text] { select l.code where active(l), l.rent >= yearly(least) }';
    const inside = compile([{ file: 'lease.entail', text: MODULE + text }]).artifact?.queries.find(
      ({ path }) => path === 'lease::q',
    );
    const found = compileItem(text);
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value, (key, part) => (key === 'span' ? 0 : part)));
    expect(found.ok && plain(found.item.declaration)).toEqual(plain(inside));
  });

  it('is not visible to the next one', () => {
    const text = 'derive mine(l: Lease) when active(l)';
    expect(compileItem(text).ok).toBe(true);
    expect(compileItem(text).ok).toBe(true);
    expect(findingsOf(compileItem('query q() -> [Lease] { select l where mine(l) }'))).toMatchObject([
      { code: 'E0101' },
    ]);
  });

  it('cannot add a clause to a declared derive', () => {
    const found = compileItem('derive active(l: Lease) when Lease(l)');
    expect(findingsOf(found)).toMatchObject([
      { code: 'E0301', span: { file: 'adhoc', start: { line: 1, column: 8 } } },
    ]);
    expect(compileItem('query q() -> [Lease] { select l where active(l) }').ok).toBe(true);
  });

  it.each([
    ['', []],
    ['// nothing', []],
    ['query a() -> Int { value 1 } query b() -> Int { value 2 }', ['query', 'query']],
    ['derive a(n: Int) when let n = 1 derive b(n: Int) when let n = 1', ['derive', 'derive']],
    ['concept C { name: Text }', ['concept']],
    ['extern fn f() -> Int', ['extern fn']],
  ])('is the only thing in its text: %j', (text, kinds) => {
    const found = compileItem(text);
    expect(found).toMatchObject({ ok: false, reason: 'items', kinds });
    expect(findingsOf(found).map(({ code }) => code)).toEqual(['E0901']);
  });

  it.each([
    'query',
    'query q() -> { value',
    'module lease query q() -> Int { value 1 }',
    '\u0000',
    'query q() -> Int { value sum(1) }',
  ])('is distinguished from a syntax error: %j', (text) => {
    const found = compileItem(text);
    expect(found).toMatchObject({ ok: false, reason: 'syntax' });
    expect(findingsOf(found).some(({ code }) => code.startsWith('E00'))).toBe(true);
  });

  it('is compiled or rejected for any text, with every span inside it', () => {
    const material = materialFrom(ITEMS);
    let compiled = 0;
    for (let seed = 1; seed <= 4000; seed++) {
      const text = randomText(material, seed);
      const found = compileItem(text);
      const findings = findingsOf(found);
      expect(
        findings.some(({ severity }) => severity === 'error'),
        `seed ${seed}`,
      ).toBe(!found.ok);
      for (const { span } of findings) {
        const isInside = span.start.offset <= span.end.offset && span.end.offset <= text.length;
        expect([span.file, isInside], `seed ${seed}`).toEqual(['adhoc', true]);
      }
      if (found.ok) compiled += 1;
    }
    expect(compiled).toBeGreaterThan(50);
  }, 60_000);
});
