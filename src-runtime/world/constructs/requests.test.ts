/** LANGUAGE §6, §8 and §9: rule bodies, queries, mutations and tests at their limits, used correctly and incorrectly. */

import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import { compile } from '../../compiler/index.js';
import { runModuleTests } from '../index.js';
import { codesOf, resultOf } from '../testing/constructs.js';
import { failureOf, startWorld } from '../testing/start-world.js';

const PARTS = `
  enum Size { small, large }
  concept Part { name: Text, price: Decimal?, size: Size = small, madeOf: [Part] via uses.part, maker: Text? }
  relation uses(whole: Part, part: Part, count: Int)
  individual car: Part { name: "car", price: 100, size: large, maker: "Z" }
  individual wheel: Part { name: "wheel", price: 10 }
  individual bolt: Part { name: "bolt" }
  fact uses(@car, @wheel, 4)
  fact uses(@car, @bolt, 2)
  fact uses(@wheel, @bolt, 5)
  pub derive inside(whole: Part, part: Part) when uses(whole, part, _)
  pub derive inside(whole: Part, part: Part) when inside(whole, p), uses(p, part, _)
`;

describe('bodies', () => {
  it.each<[where: string, names: JsonValue]>([
    ['uses(part: p)', ['bolt', 'wheel']],
    ['uses(p, _, n), n > 4', ['wheel']],
    ['n > 4, uses(p, _, n)', ['wheel']],
    ['let m = n * 2, m == 10, uses(p, _, n)', ['wheel']],
    ['Part(p), not uses(whole: p)', ['bolt']],
    ['Part(p), not inside(_, p)', ['car']],
    ['inside(@car, p), not p.size == large', ['bolt', 'wheel']],
    // A missing price makes the smallest comparison around it false.
    ['Part(p), p.price < 50', ['wheel']],
    ['Part(p), not p.price < 50', ['bolt', 'car']],
    ['Part(p), p.price < 50 or p.name == "bolt"', ['bolt', 'wheel']],
    ['Part(p), p.price + 1 > 0', ['car', 'wheel']],
    ['Part(p), p.price == none', ['bolt']],
    ['Part(p), p.price != none', ['car', 'wheel']],
    ['Part(p), (p.price ?? 0) < 50', ['bolt', 'wheel']],
    ['Part(p), exists(p.maker) and p.maker == "Z"', ['car']],
    ['Part(p), if exists(p.price) then p.price > 50 else true', ['bolt', 'car']],
    ['Part(p), let x = p.price, x > 5', ['car', 'wheel']],
    // Aggregates of nothing.
    ['Part(p), count(for q where uses(p, q, _)) == 0', ['bolt']],
    ['Part(p), sum(n for q, n where uses(p, q, n)) == 0', ['bolt']],
    ['Part(p), min(n for q, n where uses(p, q, n)) == none', ['bolt']],
    ['Part(p), (max(n for q, n where uses(p, q, n)) ?? 9) == 9', ['bolt']],
    ['Part(p), avg(n for q, n where uses(p, q, n)) == 3', ['car']],
    ['Part(p), max(n for q, n where uses(p, q, n)) > 4', ['wheel']],
    ['Part(p), sum(q.price for q where uses(p, q, _)) == 10', ['car']],
    ['p in @car.madeOf', ['bolt', 'wheel']],
    ['Part(p), n in range(1, 3), length(p.name) == n + 1', ['bolt', 'car'].slice(1)],
    // A fault counts only for a binding that satisfies the rest of the body.
    ['Part(p), 10 / (p.price - 100) < 0, p.name != "car"', ['wheel']],
    ['Part(p), p.name == "car", 10 / (p.price - 100) < 0', 'QUERY_EVAL_FAILED'],
    ['Part(p), p.name == "car" or 10 / (p.price - 100) < 0', ['car', 'wheel']],
  ])('%s', async (where, names) => {
    expect(await resultOf(`${PARTS} pub query q() -> [Text] { select p.name where ${where} order by p.name }`)).toEqual(
      names,
    );
  });

  it('fail with DERIVE_FAILED if they read a faulting rule, and only then', async () => {
    const rules = `${PARTS}
      fn over(n: Int) -> Int = 10 div n
      derive bad(p: Part, n: Int) when uses(p, _, m), let n = over(m - 4)
      pub query fine() -> Int { value count(for p where Part(p)) }
      pub query q() -> [Int] { select n where bad(_, n) }`;
    const world = await startWorld(`module m\n${rules}`);
    const failure = await failureOf(world.query('m::q'));
    expect(failure.code).toBe('SVC_RUNTIME_DERIVE_FAILED');
    expect(failure.details).toMatchObject({ rule: 'm::bad' });
    expect(failure.message).toContain('division by zero, in "m::over"');
    expect(await world.query('m::fine')).toBe(3);
  });

  it.each<[body: string, codes: string[]]>([
    ['pub derive d(p: Part) when Part(q), q.name == "x"', ['E0401']],
    ['pub derive d(p: Part) when not Part(p)', ['E0401']],
    ['pub derive d(p: Part) when Part(p), p.price > n', ['E0401']],
    ['pub derive d(p: Part) when Part(p), uses(p, p, _) or p.name == "x"', ['E0402']],
    ['pub derive d(n: Int) when let n = m, let m = n', ['E0403']],
    ['pub derive d(p: Part) when Part(p), uses(p, q, _)', ['W0401']],
    ['pub derive d(p: Part) when Part(p), not d(p)', ['E0501']],
    ['pub derive d(p: Part, n: Int) when Part(p), let n = count(for q where d(q, _))', ['E0501']],
    ['pub derive d(n: Int) when let n = 0\npub derive d(n: Int) when d(m), let n = m + 1', ['W0501']],
    ['pub derive d(p: Part) when Part(p), p.nme == "x"', ['E0105']],
    ['pub derive d(p: Part) when uses(p, "x", _)', ['E0201']],
    ['pub derive d(p: Part) when uses(p, _)', ['E0207']],
    ['pub derive d(p: Part) when Part(p), count(for p where Part(p)) > 1', ['E0107']],
    ['concept Other { }\npub derive d(o: Other) when Part(o), Other(o)', ['E0204']],
  ])('%s', (body, codes) => expect(codesOf(PARTS + body)).toEqual(codes));
});

describe('queries', () => {
  it.each<[query: string, rows: JsonValue]>([
    ['() -> [Decimal?] { select p.price where Part(p) order by p.price }', ['10', '100', null]],
    ['() -> [Decimal?] { select p.price where Part(p) order by p.price desc }', ['100', '10', null]],
    ['() -> [Text] { select p.name where Part(p) order by p.price != none, p.name desc }', ['bolt', 'wheel', 'car']],
    ['() -> [Text] { select p.name where Part(p) order by p.size desc, p.name limit 2 }', ['car', 'bolt']],
    ['() -> [Text] { select p.name where Part(p) order by p desc }', ['wheel', 'car', 'bolt']],
    ['() -> [Text] { select p.name where Part(p) limit 0 }', []],
    ['() -> [Size] { select p.size where inside(_, p) }', ['small']],
    ['() -> Text? { select p.name where Part(p), p.name == "no" }', null],
    ['() -> Text? { select p.name where Part(p), p.price == 10 }', 'wheel'],
    ['() -> Text? { select p.name where Part(p), p.name != "car" }', 'QUERY_EVAL_FAILED'],
    ['() -> [Text] { value list(p.name for p where inside(@car, p)) }', ['bolt', 'wheel']],
    ['() -> Decimal? { value max(p.price for p where Part(p), p.name == "no") }', null],
    ['() -> Decimal { value max(p.price for p where Part(p), p.name == "no") }', 'QUERY_EVAL_FAILED'],
    ['(n: Int where value > 0 = 2) -> [Int] { select n + i where i in range(0, n) order by i }', [2, 3]],
    ['(p: Part = @wheel) -> Text { value p.name }', 'wheel'],
  ])('%s', async (query, rows) => {
    expect(await resultOf(`${PARTS} pub query q${query}`)).toEqual(rows);
  });

  it.each<[query: string, codes: string[]]>([
    ['pub query q() -> [Int] { select p.name where Part(p) }', ['E0201']],
    ['pub query q() -> Part { select p where Part(p) }', ['E0605']],
    ['pub query q() -> [Part] { select p where Part(p) limit -1 }', ['E0609']],
    ['pub query q() -> Int { value p.price }', ['E0101']],
    ['pub query q(n: Int) -> Int { value 1 }', ['W0601']],
    ['pub query q() -> Text { value context.nobody }', ['E0101']],
  ])('%s', (query, codes) => expect(codesOf(PARTS + query)).toEqual(codes));
});

describe('mutations', () => {
  const SHOP = `module m
    enum Stage { open, paid }
    pub concept Item { name: Text, price: Int where value > 0 = 1, note: Text?, stage: Stage = open, like: Item?, holder: Box? }
    pub concept Box { label: Text, first: Item? }
    pub concept Seal { box: Box }
    pub relation holds(box: Box, item: Item, place: Int [0..1])
    pub derive full(b: Box) when holds(b, _, n), n > 1
    pub individual crate: Box { label: "crate" }
    pub individual gem: Item { name: "gem" }
    fact holds(@crate, @gem, 1)
    pub check tooMany(b: Box) when let n = count(for i where holds(b, i, _)), n > 3 severity blocking message "{b.label}: {n}"
    pub query count(b: Box) -> Int { value count(for i where holds(b, i, _)) }
    mutation put(b: Box, i: Item, at: Int where value > 0) -> Int { insert holds(b, i, at) return at * 10 }
    pub mutation make(name: Text, price: Int) -> Item { return insert Item { name: name, price: price } }
  `;
  const run = async (statements: string, result = '') => {
    const world = await startWorld(`${SHOP} pub mutation t()${result === '' ? '' : ` -> ${result}`} { ${statements} }`);
    try {
      return (await world.mutate('m::t')).result;
    } catch {
      return (await failureOf(world.mutate('m::t'))).code.replace('SVC_RUNTIME_', '');
    }
  };

  it.each<[statements: string, type: string, result: JsonValue]>([
    ['let i = insert Item { name: "a" } return i.price', 'Int', 1],
    ['let i = insert Item { name: "a", note: "n" } set i.note = none return i.note', 'Text?', null],
    ['let i = insert Item { name: "a" } set i.price = 7 return i.price', 'Int', 7],
    ['let i = insert Item { name: "a" } set i.price = 0', '', 'VALIDATION_FAILED'],
    ['let i = insert Item { name: "a", price: 0 - 1 }', '', 'VALIDATION_FAILED'],
    ['insert holds(@crate, @gem, 1) return count(@crate)', 'Int', 1],
    ['insert holds(@crate, @gem, 2)', '', 'CHECK_VIOLATION'],
    ['delete holds(@crate, _, _) return count(@crate)', 'Int', 1],
    [
      'let i = insert Item { name: "a" } insert holds(@crate, i, 5) delete holds(@crate, i, _) return count(@crate)',
      'Int',
      1,
    ],
    // Derived facts are visible immediately.
    [
      'let i = insert Item { name: "a" } insert holds(@crate, i, 5) if full(@crate) { set i.price = 8 } else { set i.price = 9 } return i.price',
      'Int',
      8,
    ],
    [
      'let b = insert Box { label: "b" } if full(b) { set b.label = "1" } else if not full(b) { set b.label = "2" } else { set b.label = "3" } return b.label',
      'Text',
      '2',
    ],
    ['let n = put(@crate, @gem, 1) let m = count(@crate) return n + m', 'Int', 11],
    ['put(@crate, @gem, 0 - 1)', '', 'VALIDATION_FAILED'],
    [
      'for n in range(1, 3) { let i = insert Item { name: text(n), price: n } if n > 1 { for k in [10, 20] { set i.price = i.price + k } } } return sum(i.price for i where Item(i), i != @gem)',
      'Int',
      33,
    ],
    // The rows of `for` are computed before the first iteration.
    ['for i in (select x where Item(x)) { insert Item { name: "copy" } } return count(for x where Item(x))', 'Int', 2],
    ['require full(@crate) message "{@crate.label} is not full"', '', 'CHECK_VIOLATION'],
    ['require not full(@crate) message "full" return 1', 'Int', 1],
    ['return 1 div 0', 'Int', 'COMPUTE_EVAL_FAILED'],
    ['for x in (select 1 div (i.price - 1) where Item(i)) { let _y = x }', '', 'QUERY_EVAL_FAILED'],
    // Deleting clears optional references and the tuples, and leaves required ones to the guard.
    [
      'let a = insert Item { name: "a" } let b = insert Item { name: "b", like: a } insert holds(@crate, a, 2) delete a return b.like',
      'Item?',
      null,
    ],
    ['let a = insert Item { name: "a" } insert holds(@crate, a, 2) delete a return count(@crate)', 'Int', 1],
    ['let b = insert Box { label: "b" } let s = insert Seal { box: b } delete b delete s return 1', 'Int', 1],
    ['let b = insert Box { label: "b" } let _s = insert Seal { box: b } delete b', '', 'CHECK_VIOLATION'],
    ['for i in (select x where Item(x)) { set i.note = "n" }', '', 'VALIDATION_FAILED'],
    ['for i in (select x where Item(x)) { delete i }', '', 'VALIDATION_FAILED'],
    ['let a = insert Item { name: "a" } delete a set a.note = "x"', '', 'VALIDATION_FAILED'],
    ['let a = insert Item { name: "a" } delete a insert holds(@crate, a, 2)', '', 'VALIDATION_FAILED'],
    [
      'for n in range(2, 6) { let i = insert Item { name: text(n) } insert holds(@crate, i, n) }',
      '',
      'CHECK_VIOLATION',
    ],
  ])('%s', async (statements, type, result) => {
    expect(await run(statements, type)).toEqual(result);
  });

  it.each<[statements: string, codes: string[]]>([
    ['set @gem.note = "x"', ['E0603']],
    ['delete @gem', ['E0603']],
    ['forget @gem', ['E0603']],
    ['insert full(@crate)', ['E0603']],
    ['insert Item { }', ['E0608']],
    ['insert Item { name: none }', ['E0202']],
    ['let x = 1 let x = 2', ['E0107', 'W0601']],
    ['t()', ['E0602']],
    ['expect full(@crate)', ['E0015']],
    ['set context.now = datetime "2026-01-01T00:00:00Z"', ['E0701']],
    ['if holds(@crate, i, _) { delete i }', ['E0101']],
    ['if full(@crate) { return 1 }', ['E0606']],
  ])('%s', (statements, codes) => {
    const { diagnostics } = compile([{ file: 'm.entail', text: `${SHOP} pub mutation t() { ${statements} }` }]);
    const found = diagnostics.map(({ code }) => code);
    expect(found.slice(0, 1)).toEqual(codes.slice(0, 1));
  });

  it('checks unique fields and required references with blocking checks', async () => {
    const world = await startWorld(`module m
      pub concept A { code: Text unique }
      pub mutation add(code: Text) -> A { return insert A { code: code } }`);
    await world.mutate('m::add', { code: 'x' });
    const failure = await failureOf(world.mutate('m::add', { code: 'x' }));
    expect(failure.code).toBe('SVC_RUNTIME_CHECK_VIOLATION');
    expect(failure.details).toMatchObject({
      diagnostics: [{ check: 'm::A.code.unique' }, { check: 'm::A.code.unique' }],
    });
  });
});

describe('tests', () => {
  const MODULE = `module m
    context tenantId: Text?
    context level: Int
    pub concept P { name: Text where length(value) > 0, at: DateTime? }
    pub check lonely(p: P) when count(for q where P(q)) > 2 severity blocking message "{p.name}"
    pub mutation add(name: Text) -> P { return insert P { name: name, at: context.now } }
    pub mutation erase(p: P) { forget p }
    pub query level() -> Int { value context.level }
    pub query who() -> Text? { value context.tenantId }
    fn tenth(x: Int where value >= 0) -> Int = 10 div x
    extern fn host() -> Int
    pub fn guest(x: Int) -> Int = if x > 0 then x else host()
    test "t" { set context.level = 1 `;
  const outcome = async (statements: string) => {
    const { artifact, tests, diagnostics } = compile([{ file: 'm.entail', text: `${MODULE} ${statements} }` }]);
    if (!artifact) return diagnostics.map(({ code }) => code).join(' ');
    const options = { clock: { now: () => 0 }, factsPerRule: 1000, createDeadline: () => noDeadline };
    const [result] = await runModuleTests(artifact, tests, options);
    return result?.failure?.message ?? 'passed';
  };

  it.each([
    'let p = add("a") expect P(p), p.name == "a"',
    'let p = add("a") expect p.at == datetime "2026-01-01T00:00:00Z"',
    'set context.now = datetime "2027-01-01T00:00:00Z" let p = add("a") expect p.at == datetime "2027-01-01T00:00:00Z"',
    'set context.level = 7 let n = level() expect n == 7',
    'set context.tenantId = "other" let w = who() expect w == "other"',
    // The scope stays the test's own, whichever tenant it plays.
    'let p = add("a") set context.tenantId = "other" expect P(p)',
    // Set-up is not guarded. A call is, and a failed call is rolled back alone.
    'insert P { name: "a" } insert P { name: "b" } expect error SVC_RUNTIME_CHECK_VIOLATION from add("c") expect not lonely(_)',
    'insert P { name: "a" } insert P { name: "b" } insert P { name: "c" } expect lonely(_)',
    'expect error SVC_RUNTIME_VALIDATION_FAILED from add("") expect not P(_)',
    'let p = add("a") erase(p) expect not P(_)',
    'let p = add("a") forget p expect not P(_)',
    'let p = add("a") require p.name == "a" message "no" expect P(p)',
    'for i in range(0, 3) { insert P { name: text(i) } } expect lonely(_), count(for p where P(p)) == 3',
    'insert P { name: "a" } for p in (select q where P(q)) { set p.name = p.name ++ "b" expect p.name == "ab" } expect P(p), p.name == "ab"',
    // Each call in a block is guarded alone: the third is refused, and the earlier ones stay.
    'for i in [1, 2] { let p = add(text(i)) expect P(p) } for i in [3] { expect error SVC_RUNTIME_CHECK_VIOLATION from add("c") } expect count(for p where P(p)) == 2',
    'if P(_) { add("no") } else if not P(_) { add("a") set context.level = 4 } else { add("no") } expect P(p), p.name == "a" expect level() == 4',
    'expect error SVC_RUNTIME_COMPUTE_EVAL_FAILED from tenth(0) expect tenth(5) == 2',
    'expect error SVC_RUNTIME_VALIDATION_FAILED from tenth(-1)',
    'let n = 0 expect error SVC_RUNTIME_COMPUTE_EVAL_FAILED from m::tenth(x: n)',
    'expect error SVC_RUNTIME_UNKNOWN_COMPUTE from guest(1)',
    'expect error SVC_RUNTIME_UNKNOWN_COMPUTE from host()',
    // Names bound in a block end with it.
    'for i in [1, 2] { let p = add(text(i)) expect P(p) } let p = insert P { name: "p" } expect p.name == "p"',
  ])('pass: %s', async (statements) => {
    expect(await outcome(statements)).toBe('passed');
  });

  it.each([
    ['expect P(_)', /is false|nothing|no /],
    ['add("")', /it failed: SVC_RUNTIME_VALIDATION_FAILED/],
    ['expect error SVC_RUNTIME_CHECK_VIOLATION from add("a")', /but the call succeeded/],
    ['forget @x', /^E0/],
    ['return 1', /^E0702/],
    ['expect error SVC_RUNTIME_COMPUTE_EVAL_FAILED from tenth(3)', /but the call succeeded/],
    ['expect error SVC_RUNTIME_COMPUTE_EVAL_FAILED from lonely(_)', /^E0108/],
    ['expect error SVC_RUNTIME_COMPUTE_EVAL_FAILED from tenth("a")', /^E0201/],
    ['require P(_) message "nobody"', /SVC_RUNTIME_CHECK_VIOLATION .*nobody/],
    ['for i in [1, 2, 3] { let p = add(text(i)) expect P(p) }', /it failed: SVC_RUNTIME_CHECK_VIOLATION/],
    ['if not P(_) { expect P(_) }', /is false/],
    ['for i in [1] { expect i == 2 }', /is false|is 1/],
    ['for i in (select 1 div 0 where not P(_)) { expect i == 2 }', /it failed: SVC_RUNTIME_QUERY_EVAL_FAILED/],
    ['set context.nobody = 1', /^E0/],
    ['expect error NOPE from add("a")', /^E0703/],
  ])('fail: %s', async (statements, message) => {
    expect(await outcome(statements)).toMatch(message);
  });
});
