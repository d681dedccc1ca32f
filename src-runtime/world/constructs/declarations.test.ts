/** LANGUAGE §3 and §5: modules that use each other, and every declaration, used correctly and incorrectly. */

import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import { codesOf, codesOfModules, resultOf } from '../testing/constructs.js';
import { ALL, FRAME, failureOf, startWorld } from '../testing/start-world.js';

const RUN: readonly (readonly [what: string, declarations: string, value: JsonValue])[] = [
  [
    'fields are inherited, refined and have defaults; defaults apply at insert only',
    `enum S { a, b }
     concept A { n: Int where value > 0 = 3, t: Text? }
     concept B is A { s: S = b }
     individual x: B { }
     individual y: B { n: 5, s: a }
     pub query q() -> [{ n: Int, t: Text?, s: S }] { select { n: v.n, t: v.t, s: v.s } where B(v) order by v.n }`,
    [
      { n: 3, t: null, s: 'b' },
      { n: 5, t: null, s: 'a' },
    ],
  ],
  [
    'a concept includes the instances of its subconcepts',
    'concept A { }\nconcept B is A { }\nconcept C is B { }\nindividual x: C { }\npub query q() -> [A] { select a where A(a), B(a), C(a) }',
    [{ $id: '@m::x', $meta: { type: 'm::C', classes: ['m::A', 'm::B', 'm::C'] } }],
  ],
  [
    'individuals may refer to each other in cycles',
    'concept P { friend: P? }\nindividual x: P { friend: @y }\nindividual y: P { friend: @x }\npub query q() -> [P?] { select p.friend.friend where P(p) order by p }',
    [
      { $id: '@m::x', $meta: { type: 'm::P', classes: ['m::P'] }, friend: '@m::y' },
      { $id: '@m::y', $meta: { type: 'm::P', classes: ['m::P'] }, friend: '@m::x' },
    ],
  ],
  [
    'a navigation field reads the values of its endpoint, without further endpoints',
    `concept P { name: Text, up: P? via reports.boss, down: [P] via reports.person, seen: [P] via met.other }
     relation reports(person: P, boss: P [0..1])
     relation met(one: P, other: P, day: Int)
     individual x: P { name: "x" }
     individual y: P { name: "y" }
     fact reports(@x, @y)
     fact met(@x, @y, 1)
     fact met(@x, @y, 2)
     pub query q() -> { up: Text?, down: Int, seen: Int } {
       value { up: @x.up.name, down: count(for p where p in @y.down), seen: count(for p where p in @x.seen) }
     }`,
    { up: 'y', down: 1, seen: 1 },
  ],
  [
    'a relation may hold any storable type, and be of one endpoint',
    `enum S { a }
     concept P { }
     individual x: P { }
     relation one(flag: Bool)
     relation all(p: P, b: Bool, i: Int, d: Decimal, t: Text, on: Date, at: DateTime, s: S)
     fact one(true)
     fact all(@x, true, -1, 2, "t", date "2026-01-31", datetime "2026-01-31T10:00:00Z", a)
     pub query q() -> [{ d: Decimal, on: Date, at: DateTime, s: S }] {
       select { d: d, on: on, at: at, s: s } where all(_, f, -1, d, "t", on, at, s), one(f)
     }`,
    [{ d: '2', on: '2026-01-31', at: '2026-01-31T10:00:00.000Z', s: 'a' }],
  ],
  [
    'a define under a define, used before it is declared, and recursive',
    `concept P { n: Int }
     relation next(a: P, b: P)
     individual x: P { n: 1 }
     individual y: P { n: 2 }
     individual z: P { n: 3 }
     fact next(@x, @y)
     fact next(@y, @z)
     define Big(p: Reached) when p.n > 1
     define Reached(p: P) when p == @x
     define Beyond(p: P) when next(@x, p)
     define Far(p: P) when Beyond(p), not next(_, @x)
     define Chained(p: P) when next(q, p), Starts(q)
     define Starts(p: P) when p == @x
     pub query q() -> [Int] { select p.n where Chained(p), Far(p), not Big(p) order by p.n }`,
    [2],
  ],
  [
    'a define may recurse',
    `concept P { n: Int }
     relation next(a: P, b: P)
     individual x: P { n: 1 }
     individual y: P { n: 2 }
     individual z: P { n: 3 }
     fact next(@x, @y)
     fact next(@y, @z)
     define Live(p: P) when next(p, q), Live(q)
     define Ahead(p: P) when p == @z
     define Ahead(q: P) when next(q, p), Ahead(p)
     define Done(p: P) when not next(p, _)
     derive reach(p: P, n: Int) when p == @z, P(p), n == p.n, let n = 3
     derive leads(p: P) when reach(p, _)
     derive leads(p: P) when next(p, q), leads(q)
     pub query q() -> { live: Int, ahead: Int, done: Int, leads: Int } {
       value { live: count(for p where Live(p)), ahead: count(for p where Ahead(p)), done: count(for p where Done(p)), leads: count(for p where leads(p)) }
     }`,
    { live: 0, ahead: 3, done: 1, leads: 3 },
  ],
  [
    'two defines may meet in one variable',
    `concept P { n: Int }
     individual x: P { n: 5 }
     individual y: P { n: 15 }
     define Small(p: P) when p.n < 10
     define Odd(p: P) when p.n mod 2 == 1
     pub query q() -> [Int] { select p.n where Small(p), Odd(p) }`,
    [5],
  ],
  [
    'clauses of one relation make it together, with the endpoint names of the first',
    `relation r(a: Int)
     fact r(1)
     derive d(left: Int, right: Int) when r(left), let right = left + 1
     derive d(x: Int, y: Int) when r(y), let x = y - 1
     pub query q() -> [{ l: Int, r: Int }] { select { l: l, r: r } where d(right: r, left: l) order by l }`,
    [
      { l: 0, r: 1 },
      { l: 1, r: 2 },
    ],
  ],
  [
    'declarations may have the names of built-ins, fields any word',
    `concept P { and: Int, value: Int }
     individual x: P { and: 1, value: 2 }
     relation sum(a: Int, b: Int)
     fact sum(1, 2)
     pub query q() -> [Int] { select @x.and + @x.value + b where sum(1, b) }`,
    [5],
  ],
];

describe('declarations', () => {
  it.each(RUN)('%s', async (_, declarations, value) => {
    expect(await resultOf(declarations)).toEqual(value);
  });

  it.each<[declarations: string, codes: string[]]>([
    ['enum S { a, a }', ['E0301']],
    ['concept A { }\nconcept A { }', ['E0301']],
    ['pub concept A is B { }\npub concept B is A { }', ['E0302']],
    ['pub concept A { n: Int }\npub concept B is A { n: Int }', ['E0301']],
    ['pub concept A { n: Int where "x" }', ['E0201']],
    ['pub concept A { n: Int where value > 0 = -1 }', ['E0306']],
    ['pub concept A { n: [Int]? }', []],
    ['define D(a: A) when A(a)\npub concept A { n: [{ d: D }] }', ['E0303']],
    ['pub concept A { a: A? where value == none }', ['E0309']],
    ['pub concept A { }\npub relation r(x: A?)', ['E0303']],
    ['pub concept A { n: Int }\npub relation r(x: Int)\npub concept C { a: A? via r }', ['E0304']],
    ['pub concept A { b: A? via r }\npub relation r(x: A, y: A)', ['W0301']],
    ['pub concept A { n: Int }\nindividual x: A { }', ['E0306']],
    ['pub concept A { n: Int where value > 0 }\nindividual x: A { n: 0 }', ['E0306']],
    ['pub relation r(a: Int, b: Int [0..1])\nfact r(1, 2)\nfact r(1, 3)', ['E0306']],
    ['pub concept A { t: Text unique }\nindividual x: A { t: "a" }\nindividual y: A { t: "a" }', []],
    ['pub derive d(x: Int) when d(x)\nfact d(1)', ['E0108']],
    ['pub relation r(x: Int)\npub derive d(x: Int) when r(x)\npub derive d(x: Text) when r(_), let x = "a"', ['E0305']],
    ['pub relation r(x: Int)\npub derive d(x: Int) when r(x)\nderive d(x: Int) when r(x)', ['E0305']],
    ['pub relation r(x: Int)\npub define D(x: Int) when r(x)', ['E0303']],
    ['pub concept A { d: D? }\npub define D(a: A) when a.d == none', ['E0303']],
    ['pub concept A { }\npub check c(a: A) when a != a severity fatal message "m"', ['E0010']],
    ['pub concept A { }\npub check c(a: A) when A(a) severity warning message "{b}"', ['E0401']],
    ['context a: Int\ncontext a: Int', ['E0308']],
    [
      'pub concept A { }\npub check c(a: A) when context.now > datetime "2026-01-01T00:00:00Z", A(a) severity warning message "m"',
      ['E0604'],
    ],
    ['pub fact r(1)', ['E0027']],
  ])('%s', (declarations, codes) => expect(codesOf(declarations)).toEqual(codes));
});

describe('declared facts', () => {
  const firings = async (source: string) => {
    const world = await startWorld(source);
    const { result } = await (await world.runtime.enter(FRAME)).checks(undefined, ALL, noDeadline);
    return result.map(({ check, severity, message }) => [check, severity, message]);
  };

  it('may violate blocking checks from the start', async () => {
    const source = `module m
      concept P { t: Text unique }
      individual x: P { t: "a" }
      individual y: P { t: "a" }
      check few(p: P) when count(for o where P(o), o != p) > 0 severity blocking message "{p}: {{{p.t}}}, {count(for o where P(o))}"`;
    expect(await firings(source)).toEqual([
      ['m::P.t.unique', 'blocking', 'P @m::x has the same t as another: a'],
      ['m::P.t.unique', 'blocking', 'P @m::y has the same t as another: a'],
      ['m::few', 'blocking', '@m::x: {a}, 2'],
      ['m::few', 'blocking', '@m::y: {a}, 2'],
    ]);
  });

  it('show the least of several bindings in the message, and nothing without bindings', async () => {
    const source = `module m
      concept P { t: Text? }
      relation r(p: P, n: Int)
      individual x: P { }
      fact r(@x, 7)
      fact r(@x, 3)
      check c(p: P) when r(p, n) severity warning message "[{n}] [{p.t}]"`;
    expect(await firings(source)).toEqual([['m::c', 'warning', '[3] []']]);
  });
});

describe('modules', () => {
  const PEOPLE = `module hr::people
    use hr::work::{does}
    pub concept Person { name: Text }
    pub individual ada: Person { name: "Ada" }
    fact does(@ada, @hr::work::cook)
    pub derive busy(p: Person) when does(p, j), j.hours > 1
    concept Secret { }
    pub derive secret(s: Secret) when Secret(s)
    pub fn twice(n: Int) -> Int = n * 2`;
  const WORK = `module hr::work
    use hr::people::{Person, busy, twice}
    pub concept Job { hours: Int }
    pub concept Chef is hr::people::Person { }
    pub relation does(p: Person, j: Job)
    pub individual cook: Job { hours: 3 }
    pub query q() -> [{ name: Text, twice: Int }] { select { name: p.name, twice: twice(j.hours) } where busy(p), does(p, j) }
    pub query r() -> [Text] { select p.name where hr::people::busy(p), p == @hr::people::ada }`;

  it('may import each other in cycles, or use qualified paths', async () => {
    for (const order of [
      [PEOPLE, WORK],
      [WORK, PEOPLE],
    ]) {
      const world = await startWorld(order);
      expect(await world.query('hr::work::q')).toEqual([{ name: 'Ada', twice: 6 }]);
      expect(await world.query('hr::work::r')).toEqual(['Ada']);
    }
  });

  it.each<[use: string, codes: string[]]>([
    ['use hr::people::{Persn}', ['E0101']],
    ['use hr::peple::{Person}', ['E0102']],
    ['use hr::people::{Secret}', ['E0103']],
    ['pub derive d(p: hr::people::Secret) when hr::people::Secret(p)', ['E0103', 'E0103']],
    ['use hr::people::{Person}', ['W0101']],
    ['use hr::people::{Person}\npub concept Person { }', ['E0301']],
  ])('%s', (use, codes) => expect(codesOfModules([PEOPLE, WORK, `module x\n${use}`])).toEqual(codes));

  it('refuses two modules with one name, and inheritance cycles', () => {
    expect(codesOfModules(['module a\n', 'module a\n'])).toEqual(['E0109']);
    const circle = ['module a\nuse b::{B}\npub concept A is B { }', 'module b\nuse a::{A}\npub concept B is A { }'];
    expect(codesOfModules(circle)).toEqual(['E0302']);
  });
});

describe('context', () => {
  const SOURCE = `module m
    context principalId: Text
    context level: Int?
    pub query q() -> { who: Text, level: Int?, now: DateTime } {
      value { who: context.principalId, level: context.level, now: context.now }
    }`;

  it('is readable where it is declared, and required unless optional', async () => {
    const { runtime } = await startWorld(SOURCE);
    const enter = async (context: Record<string, JsonValue>) => runtime.enter({ ...FRAME, bodyContext: context });
    expect((await (await enter({ principalId: 'ada', level: 2 })).query('m::q', {}, ALL, noDeadline)).result).toEqual({
      who: 'ada',
      level: 2,
      now: '2026-01-31T10:00:00.000Z',
    });
    expect((await failureOf(enter({ level: 2 }))).code).toBe('SVC_RUNTIME_MISSING_CONTEXT');
    expect((await failureOf(enter({ principalId: 'ada', level: 'x' }))).code).toBe('SVC_RUNTIME_VALIDATION_FAILED');
  });

  it('may have the name of an inherited member of objects', async () => {
    const { runtime } = await startWorld(`module m
      context constructor: Text
      context toString: Text?
      pub query q() -> { who: Text, text: Text? } { value { who: context.constructor, text: context.toString } }`);
    const enter = async (context: Record<string, JsonValue>) => runtime.enter({ ...FRAME, bodyContext: context });
    expect((await failureOf(enter({}))).code).toBe('SVC_RUNTIME_MISSING_CONTEXT');
    const session = await enter({ constructor: 'ada' });
    expect((await session.query('m::q', {}, ALL, noDeadline)).result).toEqual({ who: 'ada', text: null });
  });

  it('has a principal, whether or not it is declared', async () => {
    const { runtime } = await startWorld('module m');
    const enter = async (header: string, inBody: JsonValue) =>
      runtime.enter({ ...FRAME, headerContext: { principalId: header }, bodyContext: { principalId: inBody } });
    await expect(enter('ada', 'ada')).resolves.toBeDefined();
    for (const other of ['bo', 5]) {
      expect((await failureOf(enter('ada', other))).code).toBe('SVC_RUNTIME_VALIDATION_FAILED');
    }
  });
});

describe('extern', () => {
  const SOURCE = `module m
    pub extern type Blob
    pub extern fn hash(n: Int) -> Int
    pub fn double(n: Int) -> Int = hash(n) * 2
    pub extern fn blob() -> Blob
    concept P { n: Int }
    individual x: P { n: 1 }
    pub derive hashed(n: Int) when P(p), let n = hash(p.n)
    pub query q() -> Int { value double(1) }
    pub query b() -> Blob { value blob() }
    pub query d() -> [Int] { select n where hashed(n) }
    pub query fine() -> [Int] { select p.n where P(p) }`;

  it('fails only requests that reach it', async () => {
    const world = await startWorld(SOURCE);
    const compute = async (path: string) => (await world.runtime.enter(FRAME)).compute(path, { n: 1 }, noDeadline);
    expect((await failureOf(compute('m::hash'))).code).toBe('SVC_RUNTIME_UNKNOWN_COMPUTE');
    expect((await failureOf(compute('m::double'))).code).toBe('SVC_RUNTIME_UNKNOWN_COMPUTE');
    expect((await failureOf(world.query('m::q'))).code).toBe('SVC_RUNTIME_UNSUPPORTED_QUERY_BODY');
    expect((await failureOf(world.query('m::b'))).code).toBe('SVC_RUNTIME_UNSUPPORTED_QUERY_RESULT');
    expect((await failureOf(world.query('m::d'))).code).toBe('SVC_RUNTIME_DERIVE_FAILED');
    expect(await world.query('m::fine')).toEqual([1]);
  });
});
