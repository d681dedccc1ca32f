/** Tests of modules: what `test` blocks can rely on, and what failures report. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { noDeadline } from '../../base/ports.js';
import { compile } from '../../compiler/index.js';
import { runModuleTests } from '../index.js';

const MODULE = `module m
context region: Text?
pub concept Person { name: Text, age: Int where value >= 0 = 30 }
pub relation knows(a: Person, b: Person)
pub relation boss(a: Person, b: Person [0..1])
pub concept Badge { no: Int unique }
pub concept Seat { of: Person }
pub individual ada: Person { name: "Ada" }
pub derive linked(a: Person, b: Person) when knows(a, b)
pub derive linked(a: Person, b: Person) when knows(a, c), linked(c, b)
pub check loner(p: Person) when not knows(p, _) severity warning message "alone"
pub check selfish(p: Person) when knows(p, p) severity blocking message "{p.name} knows only itself"
pub query everyone() -> [Person] { select p where Person(p) order by p.name }
pub query here() -> Text? { select r where Person(@ada), let r = context.region }
pub query thisYear() -> Int { value year(dateOf(context.now)) }
pub mutation add(name: Text where length(value) > 0) -> Person { return insert Person { name: name } }
pub mutation meet(a: Person, b: Person) { insert knows(a, b) }
pub mutation visit(a: Person, b: Person) { require linked(a, b) message "strangers" }
pub mutation part(a: Person, b: Person) { delete knows(a, b) }
pub mutation addAlone(name: Text) { let p = insert Person { name: name } insert knows(p, p) }
extern type Picture
extern fn hello() -> Text
extern fn draw() -> Picture
pub query greeting() -> Text { value hello() }
pub query picture() -> Picture { value draw() }
pub mutation paint() -> Picture { return draw() }
pub mutation greet() { add(hello()) }
`;

const run = async (source: string) => {
  const { artifact, tests, diagnostics } = compile([{ file: 'm.entail', text: source }]);
  if (!artifact) throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
  let nowMs = 0;
  return runModuleTests(artifact, tests, {
    clock: { now: () => nowMs++ },
    factsPerRule: 100_000,
    createDeadline: () => noDeadline,
  });
};

const failureOf = async (body: string) => {
  const [result] = await run(`${MODULE}test "t" { ${body} }`);
  return result?.failure;
};

describe('an expectation with alternatives', () => {
  const setUp = 'let bob = add("Bob") meet(@ada, bob)';

  it('holds if one of them does', async () => {
    expect(await failureOf(`${setUp} expect (linked(bob, @ada) or linked(@ada, bob), bob.age > 20)`)).toBeUndefined();
    expect(
      await failureOf(`${setUp} expect not (linked(bob, @ada) or loner(@ada)), (loner(bob) or false)`),
    ).toBeUndefined();
    expect(
      await failureOf(`${setUp} if Person(bob) and bob.age > 20 { expect (loner(p), p.age > 20), p == bob }`),
    ).toBeUndefined();
  });

  it('says why each of them fails', async () => {
    const failure = await failureOf(`${setUp} expect (linked(bob, @ada) or linked(@ada, p), p.age > 40)`);
    expect(failure?.message).toBe('no alternative holds: m::linked(bob, @m::ada) is false; `p.age > 40` is false');
  });

  it('reports an unmet requirement with the values of the alternative that binds most', async () => {
    const required = `pub mutation greetFriend(a: Person) { require (linked(a, b), b.age > 40 or boss(a, b), b.age > 50) message "{b.name} is young" }`;
    const [result] = await run(`${MODULE}${required}\ntest "t" { ${setUp} greetFriend(@ada) }`);
    expect(result?.failure?.message).toContain('Bob is young');
  });
});

describe('a context field with the name of an inherited member', () => {
  it.each(['constructor', 'toString', '__proto__'])('is none until %s is set', async (field) => {
    const source = `module m
      context ${field}: Text?
      concept P { name: Text? }
      query place() -> Text { value context.${field} ?? "all" }
      test "absent" { let w = place() expect w == "all" insert P { name: context.${field} } expect P(p), not exists(p.name) }
      test "set" { set context.${field} = "north" let w = place() expect w == "north" }`;
    expect((await run(source)).map(({ failure }) => failure?.message)).toEqual([undefined, undefined]);
  });

  it('is reported as missing if required', async () => {
    const source = `module m
      context constructor: Text
      concept P { }
      mutation add() { insert P { } }
      test "missing" { expect error SVC_RUNTIME_MISSING_CONTEXT from add() }`;
    expect((await run(source)).map(({ failure }) => failure?.message)).toEqual([undefined]);
  });
});

describe('a test block', () => {
  it.each([
    ['names bound by let', 'let p = add("Bo") expect p.name == "Bo", Person(p)'],
    ['queries', 'add("Bo") let all = everyone() expect count(for p where p in all) == 2'],
    [
      'queries in expectations',
      'expect thisYear() + 1 == 2027 let b = add("Bo") expect b in everyone(), thisYear() > 1',
    ],
    ['a range that is longer than the limit of lists', 'for _n in range(0, 1000001) { } expect Person(@ada)'],
    ['lists in expectations', 'let b = add("Bo") expect everyone() == [@ada, b], everyone() != [b, @ada]'],
    ['set-up that no check guards', 'insert knows(@ada, @ada) expect selfish(@ada)'],
    [
      'violations by the name of the check',
      'let b = add("Bo") expect loner(@ada) meet(@ada, b) expect not loner(@ada)',
    ],
    ['violations by a qualified path', 'expect m::loner(@ada)'],
    [
      'violations of a `[0..1]`',
      'insert boss(@ada, @ada) expect not boss.b(_) let b = add("Bo") insert boss(@ada, b) expect boss.b(@ada)',
    ],
    [
      'violations of `unique`',
      'insert Badge { no: 1 } expect not m::Badge.no.unique(_) insert Badge { no: 1 } expect Badge.no.unique(_)',
    ],
    [
      'violations of a required reference',
      'let b = add("Bo") let s = insert Seat { of: b } expect not Seat.of(_) delete b expect Seat.of(s)',
    ],
    ['a fixed clock', 'let y = thisYear() expect y == 2026'],
    ['a clock that it sets', 'set context.now = datetime "2031-05-01T00:00:00Z" let y = thisYear() expect y == 2031'],
    ['context that it sets', 'set context.region = "north" let r = here() expect r == "north"'],
    ['faults in the arguments of a call', 'expect error SVC_RUNTIME_COMPUTE_EVAL_FAILED from add(text(1 div 0))'],
    ['errors by their code', 'expect error SVC_RUNTIME_VALIDATION_FAILED from add("")'],
    [
      'the error codes of extern functions and types',
      `expect error SVC_RUNTIME_UNSUPPORTED_QUERY_BODY from greeting()
      expect error SVC_RUNTIME_UNSUPPORTED_QUERY_RESULT from picture()
      expect error SVC_RUNTIME_UNSUPPORTED_MUTATION_RESULT from paint()
      expect error SVC_RUNTIME_COMPUTE_EVAL_FAILED from greet()`,
    ],
    [
      'refused calls with deleted individuals as arguments',
      'let b = add("Bo") delete b expect error SVC_RUNTIME_VALIDATION_FAILED from part(b, b) expect not Person(b)',
    ],
  ])('has %s', async (_, body) => {
    expect(await failureOf(body)).toBeUndefined();
  });

  it('rolls back only a refused call, and continues', async () => {
    const body = `let b = add("Bo")
      expect error SVC_RUNTIME_CHECK_VIOLATION from meet(b, b)
      expect not knows(_, _)
      meet(@ada, b)
      expect linked(@ada, b)`;
    expect(await failureOf(body)).toBeUndefined();
  });

  it('sees no changes of earlier tests', async () => {
    const results = await run(
      `${MODULE}test "a" { add("Bo") } test "b" { let all = everyone() expect count(for p where p in all) == 1 }`,
    );
    expect(results.map(({ name, passed }) => [name, passed])).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });
});

describe('a failure', () => {
  it('names a fact that holds and differs only in its last value, by the names of the test', async () => {
    const failure = await failureOf('let b = add("Bo") let c = add("Cy") meet(@ada, b) expect linked(@ada, c)');
    expect(failure?.message).toBe('m::linked(@m::ada, c) is false, but m::linked(@m::ada, b) is true');
  });

  it('shows where a missing fact is expected and why it does not hold', async () => {
    const failure = await failureOf('let b = add("Bo") expect linked(@ada, b)');
    expect(failure).toMatchObject({
      message: 'm::linked(@m::ada, b) is false',
      text: 'expect linked(@ada, b)',
      values: { b: '#i1' },
      names: { '#i1': 'Bo' },
      facts: [{ holds: false, whyNot: { relation: 'm::linked' } }],
    });
  });

  it('suggests changes for a comparison, and for a call that a `require` refuses', async () => {
    const compared = await failureOf('let b = add("Bo") expect b.age > 40');
    expect(compared).toMatchObject({
      facts: [],
      suggestions: { sets: [{ changes: [{ op: 'set', relation: 'm::Person.age', tuple: ['#i1', 41] }] }] },
    });
    const refused = await failureOf('let b = add("Bo") visit(@ada, b)');
    expect(refused).toMatchObject({
      suggestions: { sets: [{ changes: [{ op: 'insert', relation: 'm::knows', tuple: ['@m::ada', '#i1'] }] }] },
      names: { '#i1': 'Bo' },
    });
    expect(await failureOf('expect 1 > 2')).not.toHaveProperty('suggestions');
  });

  it('shows the proof of each violation of a refused call, and what would end it', async () => {
    const refused = await failureOf('let b = add("Bo") meet(b, b)');
    expect(refused).toMatchObject({
      message: expect.stringContaining('Blocked by check selfish: Bo knows only itself'),
      facts: [
        {
          proof: { relation: 'm::selfish' },
          holds: true,
          suggestions: { sets: [{ changes: [{ op: 'delete', relation: 'm::knows', tuple: ['#i1', '#i1'] }] }] },
        },
      ],
      names: { '#i1': 'Bo' },
    });
    expect(await failureOf('addAlone("Cy")')).toMatchObject({ facts: [{ holds: true }], names: { '#i1': 'Cy' } });
    expect(
      await failureOf('let b = add("Bo") expect error SVC_RUNTIME_CHECK_VIOLATION from meet(b, b)'),
    ).toBeUndefined();
  });

  it('shows the proof of an unwanted fact', async () => {
    const failure = await failureOf('let b = add("Bo") meet(@ada, b) expect not linked(_, b)');
    expect(failure).toMatchObject({
      message: 'm::linked(@m::ada, b) is true',
      facts: [
        {
          holds: true,
          proof: { kind: 'derived', premises: [{ relation: 'm::knows' }] },
          suggestions: { sets: [{ changes: [{ op: 'delete', relation: 'm::knows' }], firings: [] }] },
        },
      ],
    });
  });

  it('names unlabelled individuals of the test by concept and number', async () => {
    const failure = await failureOf('add("Bo") insert Badge { no: 1 } expect not Badge(_), Person(@ada)');
    expect(failure).toMatchObject({ message: 'm::Badge(#i2) is true', names: { '#i2': 'Badge 2' } });
  });

  it('shows the values of a comparison', async () => {
    const failure = await failureOf('let n = 3 expect n > 4');
    expect(failure).toMatchObject({ message: '`n > 4` is false', values: { n: 3 } });
  });

  it('shows both sides of a comparison, unless a side is a constant or faults', async () => {
    const failure = await failureOf('let n = 3 expect n + 1 == n * 2');
    expect(failure).toMatchObject({ values: { n: 3, 'n + 1': 4, 'n * 2': 6 } });
    const faulting = await failureOf('let n = 0 let b = add("Bo") expect length(b.name) == 3');
    expect(faulting?.values).toEqual({ b: '#i1', 'length(b.name)': 2 });
    expect((await failureOf('let n = 0 expect 1 div n == 2'))?.values).toEqual({ n: 0 });
  });

  it('shows the result of the query in a comparison', async () => {
    const failure = await failureOf('expect 2027 == thisYear()');
    expect(failure).toMatchObject({ text: 'expect 2027 == thisYear()', values: { 'thisYear()': 2026 } });
  });

  it('names the error that occurred instead of the expected one', async () => {
    const success = await failureOf('expect error SVC_RUNTIME_VALIDATION_FAILED from add("Bo")');
    expect(success?.message).toBe('expected SVC_RUNTIME_VALIDATION_FAILED, but the call succeeded');
    const other = await failureOf('expect error SVC_RUNTIME_CHECK_VIOLATION from add("")');
    // A quoted name contains no other quoted name.
    expect(other?.message).toMatch(/got SVC_RUNTIME_VALIDATION_FAILED: "test [^"]+" calls "/);
  });

  it('names the statement of a failed set-up', async () => {
    const failure = await failureOf('insert Person { name: "x", age: -1 }');
    expect(failure).toMatchObject({ text: 'insert Person { name: "x", age: -1 }' });
    expect(failure?.message).toMatch(/^it failed: SVC_RUNTIME_VALIDATION_FAILED/);
  });
});

describe('the first module of the language reference', () => {
  it('passes its own test', async () => {
    const first = `module lease
enum Status { draft, signed, ended }
pub concept Party { name: Text }
pub concept Person is Party { email: Text? }
pub concept Lease { code: Text, rent: Decimal where value > 0, status: Status = draft }
pub relation worksFor(person: Person, company: Party [0..1])
pub relation tenantOf(lease: Lease, tenant: Person)
pub relation guarantees(guarantor: Party, lease: Lease)
pub derive active(l: Lease) when l.status == signed, tenantOf(l, _)
pub derive liable(p: Party, l: Lease) when guarantees(p, l)
pub derive liable(p: Party, l: Lease) when tenantOf(l, t), worksFor(t, p)
pub mutation sign(tenant: Person, code: Text, rent: Decimal where value > 0) -> Lease {
  let l = insert Lease { code: code, rent: rent, status: signed }
  insert tenantOf(l, tenant)
  return l
}
test "a signed lease is active" {
  let p = insert Person { name: "Ada" }
  let l = sign(p, "L1", 900)
  expect active(l)
  expect not liable(_, l)
  expect error SVC_RUNTIME_VALIDATION_FAILED from sign(p, "L2", -1)
}`;
    expect(await run(first)).toMatchObject([{ name: 'a signed lease is active', passed: true }]);
  });
});

describe('the sample modules', () => {
  const folder = new URL('../../../resources/modules/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.entail'));

  it.each(files)('%s has passing tests', async (file) => {
    const results = await run(readFileSync(new URL(file, folder), 'utf8'));
    expect(results.length).toBeGreaterThan(1);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
  });
});
