/** Ad-hoc queries, derives and mutations on a world whose artifact has no sources. */

import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../api/errors.js';
import type { Cause, JsonValue } from '../../api/schemas/schemas.js';
import { noDeadline } from '../../base/ports.js';
import type { Paging, RequestFrame } from '../index.js';
import { ALL, FRAME, failureOf, startWorld, type TestWorld } from '../testing/start-world.js';

const OFFICE = `module office
enum Status { draft, signed }
context tenantId: Text?
context desk: Text?
pub concept Party { name: Text, size: Decimal = 1 }
pub concept Person is Party { boss: Person? via reports, wrote: [Paper] via authors }
pub concept Paper { title: Text unique, status: Status = draft, pages: Int where value > 0 }
pub relation reports(junior: Person, senior: Person [0..1])
pub relation authors(paper: Paper, author: Person)
pub individual acme: Party { name: "Acme", size: 12.50 }
pub derive signedBy(p: Person, paper: Paper) when authors(paper, p), paper.status == signed
pub define Author(p: Person) when signedBy(p, _)
pub check lonely(p: Paper) when not authors(p, _) severity warning message "{p.title} has no author"
pub check big(p: Paper) when p.pages > 100 severity blocking message "{p.title} is too long"
pub mutation hire(name: Text, boss: Person?) -> Person {
  let p = insert Person { name: name }
  if exists(boss) { insert reports(p, boss) }
  return p
}
pub mutation write(author: Person, title: Text, pages: Int = 3) -> Paper {
  let paper = insert Paper { title: title, pages: pages, status: signed }
  insert authors(paper, author)
  return paper
}
pub query named(name: Text) -> Person? { select p where Person(p), p.name == name }
pub fn half(of: Decimal) -> Decimal = of / 2
extern type Blob
pub extern fn secret(x: Int) -> Int
pub extern fn blob(x: Int) -> Blob
pub fn viaSecret(x: Int) -> Int = secret(x)
pub mutation whisper() -> Int { return viaSecret(1) }
`;

/** Ada is the boss of Bob, who is the boss of Cyd; Bob has written a paper. */
async function office(options: Parameters<typeof startWorld>[1] = {}): Promise<TestWorld> {
  const world = await startWorld(OFFICE, options);
  const hire = async (name: string, boss: JsonValue = null) =>
    (await world.mutate('office::hire', { name, boss })).result;
  const bob = await hire('Bob', await hire('Ada'));
  await hire('Cyd', bob);
  await world.mutate('office::write', { author: bob, title: 'Rules' });
  return world;
}

type Args = Record<string, JsonValue>;

/** A text in the only module. */
const only = (source: string) => ({ source, module: undefined });

async function ask(
  world: TestWorld,
  source: string,
  args: Args = {},
  paging: Paging = ALL,
  frame: RequestFrame = FRAME,
) {
  world.runtime.prepareAdhoc('query', only(source));
  return (await world.runtime.enter(frame)).queryAdhoc(only(source), args, paging, noDeadline);
}

async function change(world: TestWorld, source: string, args: Args = {}, dryRun = false) {
  world.runtime.prepareAdhoc('mutation', only(source));
  return (await world.runtime.enter(FRAME)).mutateAdhoc(only(source), args, { dryRun, granted: [] }, noDeadline);
}

async function resultOf(source: string, args: Args = {}): Promise<JsonValue> {
  return (await ask(await office(), source, args)).result;
}

function refusalOf(world: TestWorld, kind: 'query' | 'mutation', source: string): Promise<ApiError> {
  return failureOf((async () => world.runtime.prepareAdhoc(kind, only(source)))());
}

describe('an ad-hoc query', () => {
  it.each<[string, string, JsonValue, Args?]>([
    ['sees derives', 'query q() -> [Text] { select p.title where signedBy(_, p) }', ['Rules']],
    ['sees defines', 'query q() -> [Text] { select p.name where Author(p) }', ['Bob']],
    ['sees inherited fields', 'query q() -> [Decimal] { select p.size where Person(p), p.name == "Ada" }', ['1']],
    ['sees concepts above', 'query q() -> Int { value count(for p where Party(p)) }', 4],
    [
      'sees navigation',
      'query q() -> [Text] { select p.name ++ ":" ++ (p.boss.name ?? "-") where Person(p) order by p.name }',
      ['Ada:-', 'Bob:Ada', 'Cyd:Bob'],
    ],
    ['sees lists of navigation', 'query q() -> [Text] { select w.title where Person(p), w in p.wrote }', ['Rules']],
    [
      'sees enums',
      'query q(s: Status = signed) -> [Status] { select p.status where Paper(p), p.status == s }',
      ['signed'],
    ],
    ['sees individuals', 'query q() -> Decimal? { select p.size where Party(p), p == @acme }', '12.5'],
    ['sees functions', 'query q(x: Decimal where value > 0) -> Decimal { value half(x) }', '1.5', { x: 3 }],
    [
      'takes and returns records',
      'query q(r: { a: Int, s: Status }) -> { a: Int, s: Status } { value { a: r.a + 1, s: r.s } }',
      { a: 2, s: 'draft' },
      { r: { a: 1, s: 'draft' } },
    ],
    ['may be public', 'pub query q() -> Int { value 1 }', 1],
  ])('%s', async (_, source, expected, args) => {
    expect(await resultOf(source, args)).toEqual(expected);
  });

  it('returns entities, takes individuals, and checks arguments against signature and refinement', async () => {
    const world = await office();
    const source = 'query q(p: Person, n: Int where value < 9 = 1) -> [Person] { select j where reports(j, p), n > 0 }';
    const [bob] = (await ask(world, 'query q() -> [Person] { select p where Author(p) }')).result as { $id: string }[];
    expect((await ask(world, source, { p: bob as JsonValue })).result).toMatchObject([
      { name: 'Cyd', $meta: { type: 'office::Person', classes: ['office::Party', 'office::Person'] } },
    ]);
    expect((await failureOf(ask(world, source))).code).toBe('SVC_RUNTIME_SIGNATURE_MISMATCH');
    expect((await failureOf(ask(world, source, { p: '@acme' }))).code).toBe('SVC_RUNTIME_VALIDATION_FAILED');
    expect((await failureOf(ask(world, source, { p: bob as JsonValue, n: 9 }))).code).toBe(
      'SVC_RUNTIME_VALIDATION_FAILED',
    );
  });

  it('reads the context of its request', async () => {
    const world = await office();
    const source =
      'query q() -> { desk: Text?, year: Int } { value { desk: context.desk, year: year(dateOf(context.now)) } }';
    const frame = { ...FRAME, headerContext: { desk: 'north', now: '2030-05-01T00:00:00Z' } };
    expect((await ask(world, source, {}, ALL, frame)).result).toEqual({ desk: 'north', year: 2030 });
  });

  it('fails like a declared query', async () => {
    const world = await office();
    const failing = await failureOf(ask(world, 'query q() -> Decimal { value 1 / (3 - 3) }'));
    expect(failing.code).toBe('SVC_RUNTIME_QUERY_EVAL_FAILED');
    const two = await failureOf(ask(world, 'query q() -> Person? { select p where Person(p) }'));
    expect(two.message).toMatch(/one row at most/);
  });

  it('has pages, with cursors bound to its text and arguments', async () => {
    const world = await office();
    const source =
      'query q(least: Text = "") -> [Text] { select p.name where Person(p), p.name >= least order by p.name desc }';
    const first = await ask(world, source, {}, { limit: 2, page: undefined });
    expect(first.result).toEqual(['Cyd', 'Bob']);
    const rest = { limit: 2, page: first.nextCursor };
    expect(await ask(world, source, {}, rest)).toEqual({ result: ['Ada'] });
    expect((await failureOf(ask(world, `${source} `, {}, rest))).code).toBe('SVC_RUNTIME_INVALID_CURSOR');
    expect((await failureOf(ask(world, source, { least: '' }, rest))).code).toBe('SVC_RUNTIME_INVALID_CURSOR');
  });

  it('sees a module that is loaded later', async () => {
    const world = await office();
    const source = 'query q() -> Int { value count(for p where Paper(p)) }';
    expect((await ask(world, source)).result).toBe(1);
    await world.load(OFFICE.replace('pub fn half', 'pub fn third(x: Int) -> Int = x div 3\npub fn half'));
    expect((await ask(world, source)).result).toBe(1);
    expect((await ask(world, 'query q() -> Int { value third(9) }')).result).toBe(3);
  });
});

const ABOVE = `derive above(low: Person, high: Person) when reports(low, high)
derive above(low: Person, high: Person) when above(low, middle), reports(middle, high)`;

describe('an ad-hoc derive', () => {
  it('returns its tuples as records of its parameters, including recursion', async () => {
    const world = await office();
    const { result } = await ask(world, ABOVE);
    const pairs = (result as { low: { name: string }; high: { name: string } }[]).map(({ low, high }) => [
      low.name,
      high.name,
    ]);
    expect(pairs).toEqual([
      ['Bob', 'Ada'],
      ['Cyd', 'Ada'],
      ['Cyd', 'Bob'],
    ]);
  });

  it('reads derived relations and makes values', async () => {
    const source =
      'derive pages(p: Person, n: Decimal) when Author(p), let n = sum(w.pages for w where signedBy(p, w))';
    expect(await resultOf(source)).toMatchObject([{ p: { name: 'Bob' }, n: '3' }]);
  });

  it('does not change the program', async () => {
    const world = await office();
    await ask(world, ABOVE);
    expect((await refusalOf(world, 'query', 'query q() -> [Person] { select p where above(p, _) }')).code).toBe(
      'SVC_RUNTIME_ADHOC_TYPE_ERROR',
    );
    expect(world.runtime.schema().relations.some(({ path }) => path.includes('above'))).toBe(false);
  });

  it('sees what was written since its last run', async () => {
    const world = await office();
    expect((await ask(world, ABOVE)).result).toHaveLength(3);
    await world.mutate('office::hire', { name: 'Eve', boss: await world.query('office::named', { name: 'Ada' }) });
    expect((await ask(world, ABOVE)).result).toHaveLength(4);
  });

  it('has pages in one order', async () => {
    const world = await office();
    const seen: JsonValue[] = [];
    let page: string | undefined;
    do {
      const answer = await ask(world, ABOVE, {}, { limit: 1, page });
      expect(answer.result).toHaveLength(1);
      seen.push(...(answer.result as JsonValue[]));
      page = answer.nextCursor;
    } while (page !== undefined);
    expect(seen).toEqual((await ask(world, ABOVE)).result);
  });

  it('takes no arguments, obeys the row cap and fact budget, and fails like a rule', async () => {
    const world = await office({ limits: { rows: 2, factsPerRule: 50 } });
    expect((await failureOf(ask(world, ABOVE, { low: 1 }))).code).toBe('SVC_RUNTIME_SIGNATURE_MISMATCH');
    expect((await failureOf(ask(world, ABOVE))).code).toBe('SVC_RUNTIME_RESULT_TOO_LARGE');
    const endless = 'derive up(n: Int) when n in range(0, 1) derive up(m: Int) when up(n), let m = n + 1';
    const fault = await failureOf(ask(world, endless));
    expect([fault.code, fault.details['rule']]).toEqual(['SVC_RUNTIME_DERIVE_FAILED', 'office::up']);
    const division = 'derive part(n: Decimal) when Person(p), let n = 1 / (p.size - 1)';
    expect((await failureOf(ask(world, division))).code).toBe('SVC_RUNTIME_DERIVE_FAILED');
  });
});

describe('an ad-hoc mutation', () => {
  it('runs statements and declared callables, and returns events and warnings', async () => {
    const world = await office();
    const source = `mutation m(name: Text) -> Person {
      let p = hire(name, none)
      insert Paper { title: "Blank", pages: 1 }
      set p.size = 2.5
      return p
    }`;
    const answer = await change(world, source, { name: 'Dee' });
    expect(answer).toMatchObject({ result: { name: 'Dee', size: '2.5' }, txn: expect.any(Number) });
    expect(answer.events.map(({ kind }) => kind)).toContain('insertIndividual');
    expect(answer.warnings).toMatchObject([{ check: 'office::lonely', message: 'Blank has no author' }]);
    const scopeId = (await world.runtime.enter(FRAME)).scopeId;
    const causes: Cause[] = [];
    for await (const { cause } of world.store.read(scopeId, 'main', 0)) causes.push(cause);
    expect(causes.at(-1)).toEqual({ kind: 'adhoc' });
  });

  it('is guarded, and rolls back a dry run', async () => {
    const world = await office();
    const count = async () => (await ask(world, 'query q() -> Int { value count(for p where Paper(p)) }')).result;
    const source = 'mutation m(pages: Int) { insert Paper { title: "Long", pages: pages } }';
    const failure = await failureOf(change(world, source, { pages: 101 }));
    expect(failure).toMatchObject({
      code: 'SVC_RUNTIME_CHECK_VIOLATION',
      details: { diagnostics: [{ check: 'office::big' }] },
    });
    expect(await failureOf(change(world, source, { pages: 0 }))).toMatchObject({
      code: 'SVC_RUNTIME_VALIDATION_FAILED',
      details: { field: 'office::Paper.pages', refinement: 'value > 0', value: 0 },
    });
    expect(await change(world, source, { pages: 5 }, true)).toMatchObject({ txn: null, events: [{}, {}, {}, {}] });
    expect(await count()).toBe(1);
  });

  it('requires the capability to forget', async () => {
    const world = await office();
    const failure = await failureOf(change(world, 'mutation m(p: Person) { forget p }', { p: '#i1' }));
    expect(failure).toMatchObject({ code: 'SVC_RUNTIME_CAPABILITY_DENIED', details: { capability: 'forget' } });
  });
});

describe('an invalid ad-hoc text', () => {
  it.each<['query' | 'mutation', string, RegExp]>([
    ['query', '', /is empty; write one query or derive/],
    ['query', 'query q( -> Int', /cannot be read: .*line 1, column 10/],
    ['query', 'query a() -> Int { value 1 } query b() -> Int { value 1 }', /holds 2 items \(query, query\)/],
    [
      'query',
      'mutation m() { }',
      /holds a mutation, and one query or derive is taken here; send it to \/v1\/mutation\/adhoc/,
    ],
    ['mutation', ABOVE, /holds a derive, and one mutation is taken here; send it to \/v1\/query\/adhoc/],
    ['query', 'concept C { name: Text }', /holds a concept.*declare it in the module/],
    ['query', 'query q() -> Int { value viaSecret(1) }', /extern function "office::secret"/],
    ['query', 'query q(n: Int where secret(value) > 0) -> Int { value n }', /extern function/],
    ['query', 'query q(b: Blob) -> Int { value 1 }', /extern type/],
    ['query', 'derive d(n: Int) when let n = secret(1)', /extern function/],
    ['mutation', 'mutation m() { whisper() }', /extern function "office::secret"/],
  ])('is refused before a %s runs: %s', async (kind, source, message) => {
    const world = await startWorld(OFFICE);
    const failure = await refusalOf(world, kind, source);
    expect(failure.code).toBe('SVC_RUNTIME_ADHOC_PREPARATION_FAILED');
    expect(failure.message).toMatch(message);
    // A second request is refused alike.
    expect((await refusalOf(world, kind, source)).message).toBe(failure.message);
  });

  it('is refused with all of its findings', async () => {
    const world = await startWorld(OFFICE);
    const source = 'query q() -> [Person] {\n  select p where Person(p), p.nam == "x", reports(p, 3)\n}';
    const failure = await refusalOf(world, 'query', source);
    expect(failure.code).toBe('SVC_RUNTIME_ADHOC_TYPE_ERROR');
    expect(failure.details['diagnostics']).toMatchObject([
      {
        code: 'E0105',
        severity: 'error',
        hint: expect.stringMatching(/"name"/),
        span: { file: 'adhoc', start: { line: 2, column: 31, offset: 54 } },
      },
      { code: 'E0201', span: { start: { line: 2 } } },
    ]);
  });

  it('is not compiled if the server takes none or the artifact has several modules', async () => {
    const off = await startWorld(OFFICE, { adhoc: false });
    expect((await refusalOf(off, 'query', 'nonsense')).code).toBe('SVC_RUNTIME_ADHOC_DISABLED');
    const two = await startWorld([OFFICE, 'module other\npub concept Thing { name: Text }']);
    const failure = await refusalOf(two, 'query', 'nonsense');
    expect(failure).toMatchObject({
      code: 'SVC_RUNTIME_ADHOC_MULTI_MODULE_UNSUPPORTED',
      details: { modules: ['office', 'other'] },
    });
  });
});
