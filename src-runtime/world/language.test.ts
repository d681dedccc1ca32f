/** The language end to end: modules, and the results of their queries, mutations and checks. */

import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../api/schemas/schemas.js';
import { noDeadline } from '../base/ports.js';
import { ALL, FRAME, failureOf, startWorld } from './testing/start-world.js';

/** A few people and their managers: `ada` is at the top, `bob` has no age. */
const PEOPLE = `module staff
enum Grade { junior, senior }
concept Person { name: Text, age: Int?, grade: Grade = junior, boss: Person? via reportsTo, team: [Person] via reportsTo.person }
relation reportsTo(person: Person, boss: Person [0..1])
relation knows(person: Person, topic: Text)
individual ada: Person { name: "Ada", age: 50, grade: senior }
individual bob: Person { name: "Bob" }
individual cyd: Person { name: "Cyd", age: 20 }
individual dan: Person { name: "Dan", age: 30, grade: senior }
fact reportsTo(@bob, @ada)
fact reportsTo(@cyd, @ada)
fact reportsTo(@dan, @cyd)
fact knows(@cyd, "go")
fact knows(@dan, "go")
fact knows(@dan, "rust")
derive above(low: Person, high: Person) when reportsTo(low, high)
derive above(low: Person, high: Person) when above(low, middle), reportsTo(middle, high)
`;

async function answer(declarations: string, args: Record<string, JsonValue> = {}): Promise<JsonValue> {
  return (await startWorld(PEOPLE + declarations)).query('staff::q', args);
}

describe('rows', () => {
  it.each<[where: string, names: string[]]>([
    ['Person(p)', ['Ada', 'Bob', 'Cyd', 'Dan']],
    ['reportsTo(p, _)', ['Bob', 'Cyd', 'Dan']],
    ['reportsTo(boss: p)', ['Ada', 'Cyd']],
    ['Person(p), not reportsTo(p, _)', ['Ada']],
    ['Person(p), not reportsTo(boss: p)', ['Bob', 'Dan']],
    ['above(p, @ada)', ['Bob', 'Cyd', 'Dan']],
    ['Person(p), p.grade == senior', ['Ada', 'Dan']],
    ['Person(p), p.grade < senior', ['Bob', 'Cyd']],
    ['Person(p), p.age > 25', ['Ada', 'Dan']],
    ['Person(p), not p.age > 25', ['Bob', 'Cyd']],
    ['Person(p), (p.age > 25) == false', ['Bob', 'Cyd']],
    ['Person(p), let isOld = p.age > 25, isOld == false', ['Bob', 'Cyd']],
    ['Person(p), startsWith(text(p.age), "5") == false', ['Bob', 'Cyd', 'Dan']],
    ['Person(p), startsWith(text(p.age), "5") ?? true', ['Ada', 'Bob']],
    ['Person(p), p.age > 25 or p.name == "Bob"', ['Ada', 'Bob', 'Dan']],
    ['Person(p), p.age == none', ['Bob']],
    ['Person(p), exists(p.age)', ['Ada', 'Cyd', 'Dan']],
    ['Person(p), (p.age ?? 100) > 40', ['Ada', 'Bob']],
    ['Person(p), let a = p.age, a < 40', ['Cyd', 'Dan']],
    ['Person(p), p.age != 20', ['Ada', 'Dan']],
    ['p in @ada.team', ['Bob', 'Cyd']],
    ['Person(p), p.boss.boss == @ada', ['Dan']],
    ['Person(p), count(for t where knows(p, t)) > 1', ['Dan']],
    ['Person(p), n in range(0, 3), n * 10 == p.age', ['Cyd']],
    ['Person(p), 100 div (p.age - 30) > 0, p.age != 30', ['Ada']],
  ])('%s', async (where, names) => {
    expect(await answer(`pub query q() -> [Text] { select p.name where ${where} order by p.name }`)).toEqual(names);
  });

  it.each<[order: string, names: string[]]>([
    ['p.age', ['Cyd', 'Dan', 'Ada', 'Bob']],
    ['p.age desc', ['Ada', 'Dan', 'Cyd', 'Bob']],
    ['(p.age ?? 0) > 25, p.name desc', ['Cyd', 'Bob', 'Dan', 'Ada']],
    ['p.boss.age, p.name', ['Dan', 'Bob', 'Cyd', 'Ada']],
    ['count(for t where knows(p, t)) desc, p.name limit 2', ['Dan', 'Cyd']],
  ])('are sorted by %s', async (order, names) => {
    expect(await answer(`pub query q() -> [Text] { select p.name where Person(p) order by ${order} }`)).toEqual(names);
  });

  it('follow [0..1] fields, and contain none for a missing value', async () => {
    const query = 'pub query q() -> [Text?] { select p.boss.boss.name where Person(p) order by p.boss.boss.name }';
    expect(await answer(query)).toEqual(['Ada', null]);
  });

  it('are grouped by what the body binds, and counted over distinct bindings', async () => {
    const query = `pub query q() -> [{ boss: Text, ages: Int, topics: Int }] {
      select { boss: b.name, ages: sum(p.age for p where reportsTo(p, b)), topics: count(for t where above(p, b), knows(p, t)) }
      where reportsTo(_, b) order by b.name }`;
    expect(await answer(query)).toEqual([
      { boss: 'Ada', ages: 20, topics: 2 },
      { boss: 'Cyd', ages: 30, topics: 2 },
    ]);
  });
});

describe('an aggregate over several values for one binding', () => {
  it.each([
    ['Int', [5, 7, 20, 100]],
    ['Int', [100, 20, 7, 5]],
    ['Int', [20, 5, 100, 7]],
    ['Decimal', [7, 100, 5, 20]],
    ['Decimal', [5, 7, 20, 100]],
  ])('uses the least %s, in whichever order %j were stored', async (type, paid) => {
    const [five, one] = type === 'Int' ? [5, 1] : ['5', '1'];
    const facts = paid.map((amount) => `fact paid(@ada, ${amount}, "gold")`).join('\n');
    const over = '(n for p where paid(p, n, _))';
    const text = `relation paid(person: Person, amount: ${type}, how: Text)
      fact paid(@bob, 1, "gold")
      ${facts}
      pub query q() -> { sum: ${type}, avg: Decimal?, max: ${type}?, min: ${type}?, list: [${type}], count: Int } {
        value { sum: sum${over}, avg: avg${over}, max: max${over}, min: min${over}, list: list${over}, count: count(for p where paid(p, _, _)) }
      }`;
    expect(await answer(text)).toEqual({
      sum: type === 'Int' ? 6 : '6',
      avg: '3',
      max: five,
      min: one,
      list: [one, five],
      count: 2,
    });
  });

  it('fails without a least value', async () => {
    const text = `relation holds(person: Person, about: Person)
      fact holds(@ada, @bob)
      fact holds(@ada, @dan)
      fact holds(@ada, @cyd)
      fact holds(@dan, @bob)
      pub query q() -> Int { value sum(a.age for p where holds(p, a)) }`;
    expect(await answer(text)).toBe(20);
  });

  it('uses the least in rules, also after writes', async () => {
    const world = await startWorld(`${PEOPLE}
      relation paid(person: Person, amount: Int)
      derive total(how: Text, n: Int) when knows(_, how), let n = sum(a for p where knows(p, how), paid(p, a))
      pub mutation pay(person: Person, amount: Int) { insert paid(person, amount) }
      pub mutation unpay(person: Person, amount: Int) { delete paid(person, amount) }
      pub query q() -> [{ how: Text, n: Int }] { select { how: h, n: n } where total(h, n) order by h }`);
    const totals = async () => ((await world.query('staff::q')) as { n: number }[]).map(({ n }) => n);
    const pay = (person: string, amount: number) => world.mutate('staff::pay', { person, amount });
    for (const [person, amount] of [
      ['cyd', 5],
      ['dan', 7],
      ['cyd', 9],
      ['dan', 30],
    ] as const)
      await pay(person, amount);
    expect(await totals()).toEqual([12, 7]);
    await pay('cyd', 3);
    expect(await totals()).toEqual([10, 7]);
    await world.mutate('staff::unpay', { person: 'dan', amount: 7 });
    expect(await totals()).toEqual([33, 30]);
  });
});

describe('records', () => {
  it('can be read by field in values, bodies and fns', async () => {
    const declarations = `
      fn area(size: { width: Decimal, height: Decimal }) -> Decimal = size.width * size.height
      pub query q(size: { width: Decimal, height: Decimal, label: Text? }, wanted: [{ who: Person, least: Int }])
        -> { area: Decimal, label: Text?, names: [Text] } {
        value {
          area: size.width * size.height, label: size.label,
          names: list(w.who.name for w where w in wanted, w.who.age >= w.least)
        }
      }`;
    const wanted = [
      { who: '@ada', least: 50 },
      { who: '@cyd', least: 50 },
    ];
    expect(await answer(declarations, { size: { width: 2, height: '1.5' }, wanted })).toEqual({
      area: '3',
      label: null,
      names: ['Ada'],
    });
  });

  it('can be iterated by a mutation', async () => {
    const world = await startWorld(`module stock
      concept Part { name: Text, price: Int }
      pub mutation raise() -> [{ name: Text, by: Int }] {
        for n in range(1, 4) { insert Part { name: text(n), price: n * 10 } }
        for row in (select { part: p, share: p.price div 10 } where Part(p), p.price > 10 order by p.price) {
          set row.part.price = row.part.price + row.share
        }
        let raised = risen()
        return raised
      }
      query risen() -> [{ name: Text, by: Int }] {
        select { name: p.name, by: p.price mod 10 } where Part(p), p.price mod 10 > 0 order by p.name
      }`);
    expect((await world.mutate('stock::raise')).result).toEqual([
      { name: '2', by: 2 },
      { name: '3', by: 3 },
    ]);
  });

  it('can be aggregated from a list argument of a function', async () => {
    const text = `fn doubled(xs: [Int]) -> [Int] = list(x * 2 for x where x in xs, x > 1)
      fn total(xs: [Int]) -> Int = sum(x for x where x in xs)
      pub query q(xs: [Int]) -> Int { value total(doubled(xs)) }`;
    expect(await answer(text, { xs: [1, 2, 3] })).toBe(10);
  });

  it('may be none in an optional result', async () => {
    const query = 'pub query q(p: Person) -> Int? { select x.age where x in [p] }';
    expect(await answer(query, { p: '@bob' })).toBe(null);
    expect(await answer(query, { p: '@ada' })).toBe(50);
  });

  it('may contain none if the result type says so', async () => {
    expect(await answer('pub query q() -> { n: Int, t: Text? } { value { n: 1, t: none } }')).toEqual({
      n: 1,
      t: null,
    });
  });
});

describe('values', () => {
  it.each<[type: string, expression: string, value: JsonValue]>([
    ['Int', '-7 div 2', -3],
    ['Int', '-7 mod 2', -1],
    ['Decimal', '2 / 3', '0.6666666666666666666666666666666667'],
    ['Decimal', 'round(-2.5, 0)', '-3'],
    ['Bool', '12.5 == 12.50', true],
    ['Bool', 'false and 1 div 0 == 1', false],
    ['Int', 'none ?? 3', 3],
    ['Int?', 'max(p.age for p where Person(p), p.name == "Eve")', null],
    ['Decimal?', 'avg(p.age for p where Person(p))', '33.33333333333333333333333333333333'],
    ['[Int]', 'range(2, 5)', [2, 3, 4]],
    ['Text', 'substring("a😀bc", 1, 2)', '😀b'],
    ['Date', 'addMonths(date "2026-01-31", 1)', '2026-02-28'],
    ['Text', 'match @dan.grade { junior => "j", senior => "s" }', 's'],
  ])('%s: %s', async (type, expression, value) => {
    expect(await answer(`pub query q() -> ${type} { value ${expression} }`)).toEqual(value);
  });

  it.each(['9007199254740991 + 1', '1 div 0', 'max(p.age for p where Person(p), p.name == "Eve")'])(
    'cannot return %s',
    async (expression) => {
      const failure = await failureOf(answer(`pub query q() -> Int { value ${expression} }`));
      expect(failure.code).toBe('SVC_RUNTIME_QUERY_EVAL_FAILED');
    },
  );
});

describe('a parameter for a define', () => {
  const LEADS = `
    define Lead(p: Person) when reportsTo(_, p)
    pub query q(leads: [Lead]) -> [Text] { select l.name where l in leads order by l.name }
    pub mutation promote(lead: Lead, to: Grade) { set lead.name = lead.name }`;

  it('accepts members of the define', async () => {
    expect(await answer(LEADS, { leads: ['@ada', '@cyd'] })).toEqual(['Ada', 'Cyd']);
  });

  it('refuses other individuals', async () => {
    const failure = await failureOf(answer(LEADS, { leads: ['@ada', '@bob'] }));
    expect(failure.code).toBe('SVC_RUNTIME_VALIDATION_FAILED');
    expect(failure.details).toMatchObject({ parameter: 'leads', class: 'staff::Lead', individual: '@staff::bob' });
    const world = await startWorld(PEOPLE + LEADS);
    const refused = await failureOf(world.mutate('staff::promote', { lead: '@bob', to: 'senior' }));
    expect(refused.code).toBe('SVC_RUNTIME_VALIDATION_FAILED');
  });
});

describe('inside a mutation', () => {
  it.each<[statements: string, code: string]>([
    ['delete p return p.age ?? 0', 'VALIDATION_FAILED'],
    ['delete p if p.age == none { insert knows(@ada, "x") } return 0', 'VALIDATION_FAILED'],
    ['delete p let q = self(p) return 0', 'VALIDATION_FAILED'],
    ['let n = adult(3) return n', 'VALIDATION_FAILED'],
    ['return 1 div 0', 'COMPUTE_EVAL_FAILED'],
    ['for k in (select 1 div ((x.age ?? 50) - 50) where Person(x)) { let n = k } return 0', 'QUERY_EVAL_FAILED'],
  ])('%s: %s', async (statements, code) => {
    const world = await startWorld(`${PEOPLE}
      query self(p: Person) -> Int { value 1 }
      mutation adult(age: Int where value >= 18) -> Int { return age }
      pub mutation m() -> Int { let p = insert Person { name: "Eve" } ${statements} }`);
    expect((await failureOf(world.mutate('staff::m'))).code).toBe(`SVC_RUNTIME_${code}`);
  });

  it.each(['delete p', 'delete knows(p, _)'])(
    'accepts deleting a deleted individual again with %s',
    async (statement) => {
      const world = await startWorld(
        `${PEOPLE}pub mutation m() -> Int {
        let p = insert Person { name: "Eve" } insert knows(p, "x") delete p ${statement} return count(for q where Person(q))
      }`,
      );
      expect((await world.mutate('staff::m')).result).toBe(4);
    },
  );
});

describe('the message of a requirement', () => {
  it.each<[body: string, message: string]>([
    ['let n = count(for p where Person(p)), n > 5 message "only {n} of {least}"', 'only 4 of 6'],
    ['n > least, let n = count(for p where Person(p)) message "only {n}"', 'only 4'],
    ['reportsTo(@bob, b), b.age > 60 message "{b.name} is {b.age}"', 'Ada is 50'],
    ['reportsTo(@ada, b), let age = b.age, age > 3 message "<{b.name}{age}>"', '<>'],
    ['let half = least div (least - 6), least > 7, let n = least + 1 message "{n}{half}"', '7'],
  ])('reports what the body found: require %s', async (body, message) => {
    const world = await startWorld(`${PEOPLE}pub mutation m(least: Int) { require ${body} }`);
    const { code, details } = await failureOf(world.mutate('staff::m', { least: 6 }));
    expect([code, details['diagnostics']]).toMatchObject(['SVC_RUNTIME_CHECK_VIOLATION', [{ message }]]);
  });
});

describe('the head of a clause', () => {
  it('takes omitted types from the first clause', async () => {
    const text = `derive d(low: Person, high: Person) when reportsTo(low, high)
      derive d(low, top: Person) when d(low, m), reportsTo(m, top)
      define Lead(p: Person) when reportsTo(boss: p)
      define Lead(p) when p.grade == senior
      pub query q() -> [Text] { select a.name ++ " " ++ b.name where d(a, b), Lead(a) order by a.name, b.name }`;
    expect(await answer(text)).toEqual(['Cyd Ada', 'Dan Ada', 'Dan Cyd']);
  });

  it('computes a parameter in any clause, with the type of the parameter', async () => {
    const text = `derive score(p: Person, n: Decimal = a + 1, g: Grade = junior) when Person(p), let a = p.age
      derive score(p, n = 0, g = p.grade) when Person(p), p.age == none
      derive score(p, n, g = senior) when knows(p, "rust"), let n = 7.5
      pub query q() -> [Text] { select p.name ++ " " ++ text(n) ++ " " ++ text(g) where score(p, n, g) order by p.name, n }`;
    expect(await answer(text)).toEqual([
      'Ada 51 junior',
      'Bob 0 junior',
      'Cyd 21 junior',
      'Dan 7.5 senior',
      'Dan 31 junior',
    ]);
  });

  it('tests a computed parameter that the body binds too, and omits an absent one', async () => {
    const text = `derive twice(p: Person, n: Int) when Person(p), let n = p.age * 2
      derive twice(p, n = p.age + 20) when twice(p, n)
      define Self(p: Person = p.boss.boss) when reportsTo(p, _)
      check old(p: Person, over: Int = p.age - 25) when over > 0 severity warning message "{p.name} {over}"
      pub query q() -> [Text] { select p.name ++ text(n) where twice(p, n), not Self(p) order by p.name }`;
    expect(await answer(text)).toEqual(['Ada100', 'Cyd40', 'Dan60']);
    const world = await startWorld(PEOPLE + text);
    const { result } = await (await world.runtime.enter(FRAME)).checks(undefined, ALL, noDeadline);
    expect(result).toMatchObject([{ message: 'Ada 25' }, { message: 'Dan 5' }]);
  });

  it('counts with a computed parameter in recursion', async () => {
    const text = `derive steps(a: Person, b: Person, n: Int = 1) when reportsTo(a, b)
      derive steps(a, c, n = n0 + 1) when steps(a, b, n0), reportsTo(b, c), n0 < 10
      pub query q() -> [Int] { select n where steps(@dan, b, n) }`;
    expect(await answer(text)).toEqual([1, 2]);
  });
});

describe('alternatives', () => {
  it.each<[where: string, names: string[]]>([
    ['(knows(p, "rust") or reportsTo(boss: p))', ['Ada', 'Cyd', 'Dan']],
    ['(knows(p, "rust") or reportsTo(p, b), b.grade == senior)', ['Bob', 'Cyd', 'Dan']],
    ['(reportsTo(p, b), b.grade == senior or knows(p, t), t == "rust")', ['Bob', 'Cyd', 'Dan']],
    ['(knows(p, t) or reportsTo(_, p), let t = "boss"), t != "go"', ['Ada', 'Cyd', 'Dan']],
    ['Person(p), (knows(p, _) or p.age > 40)', ['Ada', 'Cyd', 'Dan']],
    ['Person(p), (p.age > 40 or not knows(p, _))', ['Ada', 'Bob']],
    ['Person(p), not (knows(p, _) or p.age > 40)', ['Bob']],
    ['Person(p), not (knows(p, "go") and knows(p, "rust"))', ['Ada', 'Bob', 'Cyd']],
    ['Person(p), not (knows(p, "go"), knows(p, "rust"))', ['Ada', 'Bob', 'Cyd']],
    ['(knows(p, "go") and not knows(p, "rust") or p.age > 40), Person(p)', ['Ada', 'Cyd']],
    ['((knows(p, "rust") or reportsTo(p, @ada)), p.age > 20 or reportsTo(boss: p), not knows(p, _))', ['Ada', 'Dan']],
    ['(knows(p, "rust") or knows(p, "go")), (p.age == 20 or above(p, @ada), above(p, @cyd))', ['Cyd', 'Dan']],
    ['(n in range(0, 3) or let n = 50), Person(p), p.age == n', ['Ada']],
    ['(Person(p))', ['Ada', 'Bob', 'Cyd', 'Dan']],
    ['Person(p), count(for t where (knows(p, t) or above(q, p), knows(q, t))) == 2', ['Ada', 'Cyd', 'Dan']],
  ])('find %s', async (where, names) => {
    expect(await answer(`pub query q() -> [Text] { select p.name where ${where} order by p.name }`)).toEqual(names);
    const derived = `derive d(p: Person) when ${where}\npub query q() -> [Text] { select p.name where d(p) order by p.name }`;
    expect(await answer(derived)).toEqual(names);
  });

  it('are allowed in checks, with a message of what all of them bind', async () => {
    const world = await startWorld(`${PEOPLE}
      check busy(p: Person) when (knows(p, t) or reportsTo(boss: p), let t = "people"), t != "go" severity warning message "{p.name} {t}"`);
    const { result } = await (await world.runtime.enter(FRAME)).checks(undefined, ALL, noDeadline);
    expect(result).toMatchObject([{ message: 'Ada people' }, { message: 'Cyd people' }, { message: 'Dan rust' }]);
  });

  it('are allowed in parameters, in mutations and in aggregates', async () => {
    const world = await startWorld(`${PEOPLE}
      pub query q(min: Int, who: Person?) -> [Text] { select p.name where Person(p), (p.age > min or knows(p, "go"), p != who) order by p.name }
      pub query n(topic: Text) -> Int { value sum(p.age for p where (knows(p, topic) or reportsTo(boss: p))) }
      pub mutation learn(p: Person, t: Text) {
        require (reportsTo(p, _) or p.age > 40), not (knows(p, t) or t == "") message "no"
        if (knows(p, "rust") or knows(p, "go")) { insert knows(p, t ++ " too") } else { insert knows(p, t) }
        for each in (select x where (reportsTo(x, p) or x in p.team)) { insert knows(each, t) }
      }
      pub query topics(p: Person) -> [Text] { select t where knows(p, t) order by t }`);
    expect(await world.query('staff::q', { min: 25, who: '@staff::cyd' })).toEqual(['Ada', 'Dan']);
    expect(await world.query('staff::n', { topic: 'rust' })).toBe(100);
    await world.mutate('staff::learn', { p: '@staff::cyd', t: 'c' });
    expect(await world.query('staff::topics', { p: '@staff::cyd' })).toEqual(['c too', 'go']);
    expect(await world.query('staff::topics', { p: '@staff::dan' })).toEqual(['c', 'go', 'rust']);
    await expect(world.mutate('staff::learn', { p: '@staff::dan', t: 'go' })).rejects.toThrow('no');
  });

  it('are named by proofs and why-nots', async () => {
    const world = await startWorld(`${PEOPLE}
      derive lead(p: Person) when Person(p), ((reportsTo(boss: p), p.age > 30 or knows(p, t), t == "rust") or p.grade == senior, p.age == none)
      derive wide(p: Person, n: Int) when Person(p), let n = count(for x where (reportsTo(x, p) or knows(p, t), reportsTo(p, x)))`);
    const explain = async (relation: string, tuple: JsonValue[]) =>
      (await world.runtime.enter(FRAME)).explain(relation, tuple, noDeadline);
    expect(await explain('staff::lead', ['@staff::dan'])).toMatchObject({
      proof: { rule: { clause: 1, branch: 'knows(p, t), t == "rust"' } },
    });
    expect(await explain('staff::lead', ['@staff::cyd'])).toMatchObject({
      whyNot: {
        clauses: [
          { branch: 'reportsTo(boss: p), p.age > 30', fails: { text: 'p.age > 30' } },
          { branch: 'knows(p, t), t == "rust"', fails: { text: 't == "rust"' } },
          { branch: 'p.grade == senior, p.age == none' },
        ],
      },
    });
    expect(await explain('staff::wide', ['@staff::cyd', 2])).toMatchObject({
      proof: {
        premises: [
          { tuple: ['@staff::cyd'] },
          {
            aggregates: [
              {
                value: 2,
                contributions: [
                  { bindings: { x: '@staff::ada' }, premises: [{}, {}] },
                  { bindings: { x: '@staff::dan' }, premises: [{}] },
                ],
              },
            ],
          },
        ],
      },
    });
  });

  it('derive a recursive relation with one clause', async () => {
    const text = `derive up(a: Person, b: Person) when (reportsTo(a, b) or up(a, m), reportsTo(m, b))
      pub query q() -> [Text] { select a.name ++ b.name where up(a, b) order by a.name, b.name }`;
    expect(await answer(text)).toEqual(['BobAda', 'CydAda', 'DanAda', 'DanCyd']);
  });
});

describe('a class that is tested', () => {
  const PLACES = `module places
    concept Place { name: Text, near: Place? }
    concept Airport is Place { runways: Int, code: Text? }
    relation serves(airport: Airport, town: Text)
    individual spot: Place { name: "Spot", near: @hub }
    individual hub: Airport { name: "Hub", runways: 4, near: @pad }
    individual pad: Airport { name: "Pad", runways: 1, code: "PAD" }
    define Big(a: Airport) when a.runways > 2
    `;

  it('narrows what it tests in the block of an if, and after a require', async () => {
    const world = await startWorld(`${PLACES}
      pub mutation open(p: Place, town: Text) {
        if Airport(p) and p.runways > 2 { insert serves(p, town) }
        else if Airport(p.near) { insert serves(p.near, p.near.name ++ text(p.near.runways)) }
      }
      pub mutation build(name: Text) -> Place { return insert Airport { name: name, runways: 1 } }
      pub mutation widen(p: Place?) -> Airport {
        require Airport(p), p.runways < 2 message "no"
        set p.runways = p.runways + 1
        return p
      }
      pub query runways(p: Airport) -> Int { value p.runways }
      pub query served() -> [Text] { select a.name ++ t where serves(a, t) order by a.name, t }`);
    for (const p of ['hub', 'pad', 'spot']) await world.mutate('places::open', { p: `@places::${p}`, town: 'A' });
    expect(await world.query('places::served')).toEqual(['HubA', 'HubHub4']);
    await world.mutate('places::build', { name: 'New' });
    await world.mutate('places::widen', { p: '#i1' });
    expect(await world.query('places::runways', { p: '#i1' })).toBe(2);
    await expect(world.mutate('places::widen', { p: '#i1' })).rejects.toThrow('no');
    await expect(world.mutate('places::widen', { p: '@places::spot' })).rejects.toThrow('no');
    await expect(world.mutate('places::widen', { p: null })).rejects.toThrow('no');
  });

  it('narrows it to the right of and, in then, and in the body of a select', async () => {
    const world = await startWorld(`${PLACES}
      pub query size(p: Place) -> Int { value if Airport(p) and exists(p.near) then p.runways else 0 }
      pub query big(p: Place) -> Bool { value Big(p) and p.runways > 3 }
      pub query codes(p: Place) -> [{ code: Text?, n: Int }] { select { code: p.code, n: p.runways + n } where Airport(p), n in range(0, p.runways), p.runways < 3 }
      derive kind(p: Place, n: Int) when Place(p), let n = if Airport(p) then p.runways else 0 - 1
      pub query kinds() -> [Text] { select p.name ++ text(n) where kind(p, n) order by p.name }`);
    const all = async (query: string) => [
      await world.query(query, { p: '@places::hub' }),
      await world.query(query, { p: '@places::pad' }),
      await world.query(query, { p: '@places::spot' }),
    ];
    expect(await all('places::size')).toEqual([4, 0, 0]);
    expect(await all('places::big')).toEqual([true, false, false]);
    expect(await all('places::codes')).toEqual([[], [{ code: 'PAD', n: 1 }], []]);
    expect(await world.query('places::kinds')).toEqual(['Hub4', 'Pad1', 'Spot-1']);
    const session = await world.runtime.enter(FRAME);
    expect(await session.explain('places::kind', ['@places::hub', 4], noDeadline)).toMatchObject({ holds: true });
    expect(await session.explain('places::kind', ['@places::hub', 5], noDeadline)).toMatchObject({ holds: false });
  });
});
