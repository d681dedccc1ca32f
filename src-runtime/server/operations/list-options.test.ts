/** Lists over HTTP with options: sorted, filtered, from any position, with extras; and counts. */

import { describe, expect, it } from 'vitest';
import type { Entity, ListCondition, ListedFact, RelationCount } from '../../api/schemas/schemas.js';
import type { TestResponse } from '../testing/http.js';
import { type RealOptions, type RealServer, serversOfTests } from '../testing/real.js';

const HOUSING = `
module housing
context tenantId: Text?
enum Size { small, large }
pub concept Party { name: Text }
pub concept Person is Party { age: Int?, boss: Party? }
pub concept Flat { code: Text, rent: Decimal, size: Size = small }
pub relation lives(person: Person, flat: Flat, floor: Int)
pub relation next(from: Int, to: Int)
pub individual acme: Party { name: "Acme Ltd" }
pub individual ada: Person { name: "Ada", age: 36, boss: @acme }
pub individual bo: Person { name: "bo", age: 7 }
pub individual cy: Person { name: "Cy" }
pub individual attic: Flat { code: "A", rent: 900 }
pub individual cellar: Flat { code: "C", rent: 90.5, size: large }
fact lives(@ada, @cellar, 0)
fact lives(@bo, @attic, 3)
fact next(1, 2)
pub derive neighbour(a: Person, b: Person) when lives(a, f, _), lives(b, f, _), a != b
pub derive reach(a: Int, b: Int) when next(a, b)
pub derive reach(a: Int, c: Int) when reach(a, b), next(b, c)
pub define Housed(p: Person) when lives(p, _, _)
pub mutation move(person: Person, flat: Flat, floor: Int) { insert lives(person, flat, floor) }
pub mutation leave(person: Person) { delete lives(person, _, _) }
pub mutation link(from: Int, to: Int) { insert next(from, to) }
pub mutation chain(length: Int) { for i in (select i where i in range(0, length)) { insert next(i, length - i) } }
pub mutation enter(name: Text) -> Person { return insert Person { name: name } }
pub mutation rename(person: Person, name: Text) { set person.name = name }
`;

const started = serversOfTests();
const serve = (options: RealOptions = {}) => started(HOUSING, options);

interface Wish {
  readonly filter?: readonly ListCondition[];
  readonly [option: string]: unknown;
}

function list(server: RealServer, path: string, { filter, ...wish }: Wish, headers?: Record<string, string>) {
  const query = new URLSearchParams(Object.entries(wish).map(([key, value]) => [key, String(value)]));
  if (filter !== undefined) query.set('filter', JSON.stringify(filter));
  return server.call('GET', `${path}?${query.toString()}`, undefined, headers);
}

const LIVES = '/v1/relations/housing::lives';
const PEOPLE = { class: 'housing::Person' };
const tuples = ({ body }: TestResponse) => body.result.map(({ tuple }: ListedFact) => tuple.join(' '));
const names = ({ body }: TestResponse) => body.result.map(({ name }: Entity) => name);

function expectRefused({ status, body }: TestResponse, message: RegExp): void {
  expect([status, body.error?.code]).toEqual([400, 'SVC_RUNTIME_VALIDATION_FAILED']);
  expect(body.error.message).toMatch(message);
}

describe('the count of a relation', () => {
  const count = (server: RealServer, path: string, wish: Wish = {}, headers?: Record<string, string>) =>
    list(server, `/v1/relations/housing::${path}/count`, wish, headers);

  it('evaluates a derived relation, also beyond the row cap, and includes writes', async () => {
    const server = await serve({ limits: { rows: 5 } });
    expect((await count(server, 'reach')).body.result).toEqual({ facts: 1 });
    for (let from = 2; from < 6; from++) await server.mutation('housing::link', { from, to: from + 1 });
    expect((await count(server, 'reach')).body.result).toEqual({ facts: 15 });
  });

  it('counts the matches of a filter on the fork of the request', async () => {
    const server = await serve();
    await server.call('POST', '/v1/forks', { id: 'crowded' });
    const onFork = { 'x-fork-id': 'crowded' };
    await server.mutation('housing::move', { person: 'cy', flat: 'attic', floor: 3 }, onFork);
    const filter: ListCondition[] = [['floor', '=', 3]];
    expect((await count(server, 'lives', { filter }, onFork)).body.result).toEqual({ facts: 2 });
    expect((await count(server, 'lives', { filter })).body.result).toEqual({ facts: 1 });
  });

  it('is refused for a filter on an unknown column and for an unknown relation', async () => {
    const server = await serve();
    expectRefused(await count(server, 'lives', { filter: [['flor', '=', 3]] }), /flor/);
    expectRefused(await count(server, 'live'), /housing::lives/);
  });
});

describe('a sorted list', () => {
  it('is ordered by endpoints and by fields of references, in both directions, missing values last', async () => {
    const server = await serve();
    await server.mutation('housing::move', { person: 'cy', flat: 'attic', floor: 3 });
    const [ada, bo, cy] = [
      '@housing::ada @housing::cellar 0',
      '@housing::bo @housing::attic 3',
      '@housing::cy @housing::attic 3',
    ];
    expect(tuples(await list(server, LIVES, { sort: 'floor' }))).toEqual([ada, bo, cy]);
    expect(tuples(await list(server, LIVES, { sort: '-floor' }))).toEqual([bo, cy, ada]);
    expect(tuples(await list(server, LIVES, { sort: 'flat.rent,-person.name' }))).toEqual([ada, bo, cy]);
    expect(tuples(await list(server, LIVES, { sort: 'person.age' }))).toEqual([bo, ada, cy]);
    expect(tuples(await list(server, LIVES, { sort: '-person.age' }))).toEqual([ada, bo, cy]);
    expect(tuples(await list(server, LIVES, { sort: 'person.boss.name' }))).toEqual([ada, bo, cy]);
    const people = await list(server, '/v1/individuals', { ...PEOPLE, sort: '-name' });
    expect(names(people)).toEqual(['bo', 'Cy', 'Ada']);
    const flats = await list(server, '/v1/individuals', { class: 'housing::Flat', sort: '-size' });
    expect(flats.body.result.map(({ code }: Entity) => code)).toEqual(['C', 'A']);
  });

  it('is sorted again after a sort key changes', async () => {
    const server = await serve();
    const { $id } = (await server.mutation('housing::enter', { name: 'Zoe' })).body.result;
    const sorted = async () => names(await list(server, '/v1/individuals', { ...PEOPLE, sort: 'name' }));
    expect(await sorted()).toEqual(['Ada', 'Cy', 'Zoe', 'bo']);
    await server.mutation('housing::rename', { person: $id, name: 'Abe' });
    expect(await sorted()).toEqual(['Abe', 'Ada', 'Cy', 'bo']);
  });

  it('has each row once in its pages while others write', async () => {
    const server = await serve();
    for (let from = 0; from < 20; from++) await server.mutation('housing::link', { from, to: from % 3 });
    const taken: ListedFact[] = [];
    let cursor: string | undefined = '';
    for (let page = 0; cursor !== undefined; page++) {
      const { body }: TestResponse = await list(server, '/v1/relations/housing::next', {
        sort: '-to',
        limit: 3,
        ...(cursor !== '' && { page: cursor }),
      });
      taken.push(...body.result);
      cursor = body.nextCursor;
      await server.mutation('housing::link', { from: 100 + page, to: page % 3 });
    }
    const ids = taken.map(({ factId }) => factId);
    expect(new Set(ids).size).toBe(ids.length);
    const to = taken.map(({ tuple }) => Number(tuple[1]));
    expect(to).toEqual(to.toSorted((a, b) => b - a));
    expect(taken.filter(({ tuple }) => Number(tuple[0]) < 20)).toHaveLength(21);
  });
});

describe('a filtered list', () => {
  it.each<[string, ListCondition[], string[]]>([
    ['by equality', [['person', '=', '@housing::ada']], ['ada']],
    ['by inequality', [['person', '!=', 'ada']], ['bo']],
    ['by order', [['floor', '>', 0]], ['bo']],
    ['by a field of a reference', [['flat.rent', '<=', '90.5']], ['ada']],
    ['by an enum of a reference', [['flat.size', '>=', 'large']], ['ada']],
    ['by text in a field', [['person.name', 'contains', 'B']], ['bo']],
    ['by how text begins', [['person.name', 'startsWith', 'a']], ['ada']],
    ['by what a reference is called', [['flat', 'contains', 'CELL']], ['ada']],
    ['by text that is not in it', [['flat', 'notContains', 'CELL']], ['bo']],
    ['by several values', [['floor', 'in', [3, 5]]], ['bo']],
    ['by several references', [['person', 'in', ['ada', '@housing::bo']]], ['ada', 'bo']],
    ['by several values or none', [['person.age', 'in', [7, null]]], ['bo']],
    ['by none of several values', [['floor', 'notIn', [3, 5]]], ['ada']],
    ['by no value', [['floor', 'in', []]], []],
    ['by the name that its module gives it', [['flat', 'startsWith', 'cellar']], ['ada']],
    ['but not by the module', [['*', 'contains', 'housing']], []],
    ['by anything', [['*', 'contains', '3']], ['bo']],
    ['by what is absent', [['person.boss', '=', null]], ['bo']],
    ['by what is there', [['person.boss', '!=', null]], ['ada']],
    [
      'by several conditions',
      [
        ['floor', '<', 9],
        ['person', '=', 'ada'],
        ['*', 'contains', 'ada'],
      ],
      ['ada'],
    ],
    [
      'by any of several conditions, on one column or on several',
      [
        {
          any: [
            ['floor', '>', 2],
            ['person', '=', 'ada'],
          ],
        },
        {
          any: [
            ['floor', '=', 0],
            ['floor', '=', 7],
            ['*', 'contains', 'nobody'],
          ],
        },
      ],
      ['ada'],
    ],
    ['to nothing', [['floor', '=', 5]], []],
  ])('%s', async (_, filter, expected) => {
    const server = await serve();
    const { body } = await list(server, LIVES, { filter, total: true });
    expect(body.error).toBeUndefined();
    expect(body.result.map(({ tuple }: ListedFact) => String(tuple[0]).split('::')[1])).toEqual(expected);
    expect(body.total).toBe(expected.length);
  });

  it('matches text in any case and Unicode form', async () => {
    const server = await serve();
    for (const name of ['Straße', 'İstanbul', 'Οδός', 'Zoe\u0301']) await server.mutation('housing::enter', { name });
    const found = async (operator: 'contains' | 'startsWith', text: string) =>
      names(await list(server, '/v1/individuals', { ...PEOPLE, filter: [['name', operator, text]] }));
    expect(await found('contains', 'STRASSE')).toEqual(['Straße']);
    expect(await found('startsWith', 'istan')).toEqual(['İstanbul']);
    expect(await found('contains', 'ΟΔΌΣ')).toEqual(['Οδός']);
    expect(await found('contains', 'zo\u00e9')).toEqual(['Zoe\u0301']);
    expect(await found('contains', 'zoe')).toEqual([]);
  });

  it('sorts and compares lists and records by value, and searches each of their elements', async () => {
    const server = await started(`module trips
pub concept Stop { name: Text }
pub individual quay: Stop { name: "Quayside" }
pub individual hill: Stop { name: "Hill" }
pub relation trip(no: Int, stops: [Stop], price: { amount: Decimal, by: Stop? })
fact trip(1, [@quay, @hill], { amount: 2, by: none })
fact trip(2, [@hill], { amount: 10, by: @quay })
fact trip(3, [], { amount: 2, by: @hill })
`);
    const found = async (wish: Wish) => {
      const { body } = await list(server, '/v1/relations/trips::trip', wish);
      return body.result.map(({ tuple }: ListedFact) => tuple[0]);
    };
    expect(await found({ filter: [['stops', 'contains', 'side']] })).toEqual([1]);
    expect(await found({ filter: [['stops', 'contains', 'trips']] })).toEqual([]);
    expect(await found({ filter: [['price', 'startsWith', 'quay']] })).toEqual([2]);
    expect(await found({ filter: [['price', 'notContains', 'amount']] })).toEqual([1, 2, 3]);
    expect(await found({ filter: [['*', 'contains', 'hill']] })).toEqual([1, 2, 3]);
    expect(await found({ filter: [['stops', '=', ['@hill']]] })).toEqual([2]);
    expect(await found({ filter: [['stops', 'in', [[], ['quay', 'hill']]]] })).toEqual([1, 3]);
    expect(await found({ filter: [['price', '=', { by: '@hill', amount: '2.0' }]] })).toEqual([3]);
    expect(await found({ filter: [['price', '>', { amount: 2, by: '@hill' }]] })).toEqual([1, 2]);
    expect(await found({ sort: 'stops' })).toEqual([3, 2, 1]);
    expect(await found({ sort: '-price,no' })).toEqual([2, 1, 3]);
  });

  it('matches a number with all of its digits', async () => {
    const server = await serve();
    const counted = async (filter: string) => {
      const answer = await server.call('GET', `${LIVES}?total=true&filter=${encodeURIComponent(filter)}`);
      return answer.body.error?.message ?? answer.body.total;
    };
    expect(await counted('[["flat.rent", "<", 900.00000000000000000001]]')).toBe(2);
    expect(await counted('[["flat.rent", "<", 900]]')).toBe(1);
    expect(await counted('[["floor", "=", 9007199254740993]]')).toMatch(/got 9007199254740993 /);
    expect(await counted(`${'['.repeat(200)}${']'.repeat(200)}`)).toMatch(/^The filter nests deeper than 128 levels/);
  });

  it('matches members of a class, and applies the row cap to its result', async () => {
    const server = await serve({ limits: { rows: 2 } });
    const some = await list(server, '/v1/individuals', {
      class: 'housing::Party',
      filter: [['name', 'contains', 'a']],
    });
    expect(names(some)).toEqual(['Acme Ltd', 'Ada']);
    const housed = await list(server, '/v1/individuals', { class: 'housing::Housed', sort: '-age' });
    expect(names(housed)).toEqual(['Ada', 'bo']);
    const all = await list(server, '/v1/individuals', { class: 'housing::Party', filter: [['name', '!=', 'x']] });
    expect([all.status, all.body.error.code]).toEqual([413, 'SVC_RUNTIME_RESULT_TOO_LARGE']);
  });

  it('is refused for an unknown column, a value that does not fit, or an operator that does not apply', async () => {
    const server = await serve();
    const refused = async (filter: unknown, message: RegExp) =>
      expectRefused(await list(server, LIVES, { filter: filter as ListCondition[] }), message);
    await refused([['flor', '=', 1]], /no stored column "flor"; did you mean "floor"/);
    await refused([['person.nam', '=', '']], /did you mean "name"/);
    await refused([['floor', '=', 'x']], /Expected a whole number.*got "x"/);
    await refused([['person', '=', 'ghost']], /"ghost"/);
    await refused([['person', '<', 'ada']], /Expected = or != /);
    await refused([['floor', 'contains', 3]], /Expected a text/);
    await refused([['*', '=', 'a']], /Expected the filter "contains"/);
    await refused([['floor', 'in', 3]], /Expected a list/);
    await refused([['floor', 'in', [3, 'x']]], /Expected a whole number.*got "x"/);
    await refused([['floor', '~', 3]], /\[0\]\[1\]/);
    await refused([{ any: [['floor', '~', 3]] }], /\[0\]\[any\]\[0\]\[1\]/);
    await refused([{ any: [] }], /\[0\]\[any\]/);
    await refused([{ all: [['floor', '=', 3]] }], /\[0\]/);
    await refused([{ any: Array(9).fill(['floor', '=', 3]) }, ...Array(8).fill(['floor', '=', 3])], /16 .* 17 /);
    expectRefused(await list(server, LIVES, { sort: 'flat.person' }), /no stored column "flat.person"/);
    expectRefused(await list(server, '/v1/individuals', { sort: 'name' }), /\?class=/);
    expectRefused(await list(server, LIVES, { include: 'names' }), /"include" can be labels or origin/);
    expectRefused(await server.call('GET', `${LIVES}?filter=%5B`), /not JSON/);
  });
});

describe('a list read from any position', () => {
  it('has its total, in any order, also for all individuals', async () => {
    const server = await serve({ limits: { rows: 100 } });
    await server.mutation('housing::chain', { length: 200 });
    const next = '/v1/relations/housing::next';
    const middle = await list(server, next, { offset: 150, limit: 2, total: true });
    expect(middle.body).toMatchObject({ total: 201, result: [{ tuple: [149, 51] }, { tuple: [150, 50] }] });
    const behind = await list(server, next, { limit: 1, page: middle.body.nextCursor });
    expect(behind.body.result).toMatchObject([{ tuple: [151, 49] }]);
    expect('total' in behind.body).toBe(false);
    const sorted = await list(server, next, { offset: 2, limit: 1, sort: 'to' });
    expect(sorted.body.result).toMatchObject([{ tuple: [198, 2] }]);
    expect((await list(server, next, { offset: 999, limit: 5 })).body).toMatchObject({ result: [] });
    for (const name of ['Di', 'Ed']) await server.mutation('housing::enter', { name });
    const all: Entity[] = (await list(server, '/v1/individuals', {})).body.result;
    for (const offset of all.keys()) {
      const one = await list(server, '/v1/individuals', { offset, limit: 1, total: true });
      expect(one.body).toMatchObject({ total: all.length, result: [all[offset]] });
    }
    expectRefused(await list(server, next, { offset: 1, limit: 1, page: 'x' }), /both set the start/);
  });

  it('accepts only cursors of the same options, scope and fork', async () => {
    const server = await serve();
    await server.mutation('housing::chain', { length: 9 });
    const next = '/v1/relations/housing::next';
    const { nextCursor: page } = (await list(server, next, { sort: 'to', limit: 1 })).body;
    const foreign = [
      await list(server, next, { limit: 1, page }),
      await list(server, next, { sort: '-to', limit: 1, page }),
      await list(server, next, { sort: 'to', filter: [['to', '>', 0]], limit: 1, page }),
      await list(server, next, { sort: 'to', limit: 1, page }, { 'x-tenant-id': 'other' }),
    ];
    for (const answer of foreign) expect(answer.body.error.code).toBe('SVC_RUNTIME_INVALID_CURSOR');
    expect((await list(server, next, { sort: 'to', limit: 1, page })).status).toBe(200);
  });

  it('has the rows and the total of the fork', async () => {
    const server = await serve();
    await server.call('POST', '/v1/forks', { id: 'f' });
    const inFork = { 'x-fork-id': 'f' };
    await server.mutation('housing::link', { from: 9, to: 0 }, inFork);
    const next = '/v1/relations/housing::next';
    const [fork, main] = [
      await list(server, next, { sort: 'to', total: true }, inFork),
      await list(server, next, { sort: 'to', total: true }),
    ];
    expect([tuples(fork), fork.body.total]).toEqual([['9 0', '1 2'], 2]);
    expect([tuples(main), main.body.total]).toEqual([['1 2'], 1]);
  });

  it('stops at the deadline', async () => {
    const server = await serve({ limits: { timeoutMs: 1 } });
    const answer = await list(server, '/v1/relations/housing::reach', { sort: '-b', limit: 1 });
    expect([200, 408]).toContain(answer.status);
  });
});

describe('list extras', () => {
  it('show the origin of facts and labels of individuals, on request', async () => {
    const server = await serve();
    const { $id } = (await server.mutation('housing::enter', { name: 'Di' })).body.result;
    await server.mutation('housing::move', { person: $id, flat: 'attic', floor: 3 });
    const { body } = await list(server, LIVES, { include: 'origin,labels' });
    expect(body.result.map(({ origin }: ListedFact) => origin)).toEqual(['declared', 'declared', 'stored']);
    expect(body.labels).toEqual({
      '@housing::ada': 'Ada',
      '@housing::bo': 'bo',
      [$id]: 'Di',
      '@housing::attic': 'A',
      '@housing::cellar': 'C',
    });
    const derived = await list(server, '/v1/relations/housing::neighbour', { include: 'origin' });
    expect(derived.body.result[0]).toMatchObject({ origin: 'derived' });
    const plain = (await list(server, LIVES, {})).body;
    expect(Object.keys(plain).sort()).toEqual(['moduleHash', 'requestId', 'result']);
    expect(plain.result[0]).not.toHaveProperty('origin');
    const people = await list(server, '/v1/individuals', { ...PEOPLE, include: 'labels' });
    expect(people.body.labels).toEqual({ '@housing::acme': 'Acme Ltd' });
  });

  it('show for stored facts that mention an individual whether the module declares them', async () => {
    const server = await serve();
    await server.mutation('housing::move', { person: 'ada', flat: 'attic', floor: 1 });
    const { body } = await server.call('GET', `/v1/stored/individuals/${encodeURIComponent('@housing::ada')}`);
    expect(body.result.map(({ relation, origin }: ListedFact) => `${relation} ${origin}`)).toEqual([
      'housing::Party declared',
      'housing::Party.name declared',
      'housing::Person declared',
      'housing::Person.age declared',
      'housing::Person.boss declared',
      'housing::lives stored',
      'housing::lives declared',
    ]);
    const boss = await server.call('GET', `/v1/stored/individuals/${encodeURIComponent('@housing::acme')}?limit=3`);
    expect(boss.body.result.at(-1)).toMatchObject({ relation: 'housing::Person.boss' });
  });
});

describe('counts of relations', () => {
  const counts = async (server: RealServer, headers?: Record<string, string>) => {
    const { body } = await server.call('GET', '/v1/counts', undefined, headers);
    const rows: RelationCount[] = body.result;
    return (path: string) => rows.find(({ relation }) => relation === `housing::${path}`);
  };

  it('are current for stored facts, as of the last evaluation for derived ones, and evaluate nothing', async () => {
    const server = await serve();
    const first = await counts(server);
    expect(first('lives')).toEqual({
      relation: 'housing::lives',
      kind: 'stored',
      facts: 2,
      isCurrent: true,
      declared: 2,
    });
    expect(first('Party')).toMatchObject({ kind: 'concept', facts: 4, declared: 4 });
    expect(first('reach')).toMatchObject({ kind: 'derived', facts: null, isCurrent: false });
    expect((await counts(server))('reach')).toMatchObject({ facts: null });
    await server.call('GET', '/v1/relations/housing::reach');
    expect((await counts(server))('reach')).toMatchObject({ facts: 1, isCurrent: true });
    await server.mutation('housing::link', { from: 2, to: 3 });
    const later = await counts(server);
    expect(later('next')).toMatchObject({ facts: 2, isCurrent: true, declared: 1 });
    expect(later('reach')).toMatchObject({ facts: 1, isCurrent: false });
  });

  it('are shared by a fork and its parent until the facts that they read change', async () => {
    const server = await serve();
    await server.call('GET', '/v1/relations/housing::reach');
    await server.call('POST', '/v1/forks', { id: 'f' });
    const inFork = { 'x-fork-id': 'f' };
    expect((await counts(server, inFork))('reach')).toMatchObject({ facts: 1, isCurrent: true });
    await server.mutation('housing::link', { from: 2, to: 3 }, inFork);
    expect((await counts(server, inFork))('reach')).toMatchObject({ facts: 1, isCurrent: false });
    expect((await counts(server))('reach')).toMatchObject({ facts: 1, isCurrent: true });
  });
});
