/** The live operation over HTTP: what a declaration gives under texts that are not saved. */

import { describe, expect, it } from 'vitest';
import type { LiveResult } from '../api/schemas/live-schemas.js';
import { DEFAULT_LIMITS } from './options.js';
import { expectCode } from './testing/expect-code.js';
import { type RealOptions, type RealServer, serversOfTests } from './testing/real.js';

const PEOPLE = `module people
pub concept Person { name: Text, age: Int }
pub relation knows(a: Person, b: Person)
pub derive linked(a: Person, b: Person) when knows(a, b)
pub derive linked(a: Person, b: Person) when linked(a, c), knows(c, b)
pub derive elder(p: Person) when Person(p), p.age > 60
pub derive alone(p: Person) when Person(p), not linked(p, _), not linked(_, p)
pub check tooOld(p: Person) when elder(p), p.age > 90 severity warning message "{p.name} is {p.age}"
pub query friends(p: Person, most: Int = 5) -> [Person] { select b where knows(p, b) limit most }
pub query oldest() -> Int { value max(p.age for p where Person(p)) ?? 0 }
pub fn next(age: Int) -> Int = age + 1
pub mutation add(name: Text, age: Int) -> Person { return insert Person { name: name, age: age } }
pub mutation link(a: Person, b: Person) { insert knows(a, b) }
test "links" {
  let a = add("A", 1)
  link(a, a)
  expect linked(a, a)
}
`;

const started = serversOfTests();

/** Ada, Bo, Cy and Di, of 30, 65, 70 and 95; Ada knows Bo, and Bo knows Cy. */
async function serve(options: RealOptions = {}): Promise<RealServer> {
  const server = await started(PEOPLE, options);
  for (const [name, age] of [
    ['Ada', 30],
    ['Bo', 65],
    ['Cy', 70],
    ['Di', 95],
  ]) {
    expect((await server.mutation('people::add', { name, age })).status).toBe(200);
  }
  for (const [a, b] of [
    ['#i1', '#i2'],
    ['#i2', '#i3'],
  ])
    await server.mutation('people::link', { a, b });
  return server;
}

/** The answer for the first place of `at` in the text, as `PEOPLE` with one replacement. */
async function ask(
  server: RealServer,
  at: string,
  replace: [string, string] = ['', ''],
  more: object = {},
): Promise<LiveResult> {
  const text = PEOPLE.replace(...replace);
  expect(text).toContain(at);
  const files = [{ file: 'lease.entail', text }];
  const { body } = await server.call('POST', '/v1/live', {
    files,
    file: 'lease.entail',
    offset: text.indexOf(at),
    ...more,
  });
  expect(body.error).toBeUndefined();
  return body.result;
}

const bindings = ({ clauses }: LiveResult) =>
  clauses.map(({ conditions }) => conditions.map((condition) => condition.bindings));

describe('POST /v1/live', () => {
  it('marks the rows of a derive that the text adds and removes', async () => {
    const found = await ask(await serve(), 'derive elder', ['p.age > 60', 'p.age < 68']);
    expect(found).toMatchObject({
      declaration: { kind: 'derive', path: 'people::elder' },
      outcome: {
        kind: 'rows',
        columns: [{ name: 'p', type: { kind: 'class', path: 'people::Person' } }],
        rows: [
          { value: ['#i1'], change: 'added' },
          { value: ['#i2'] },
          { value: ['#i3'], change: 'removed' },
          { value: ['#i4'], change: 'removed' },
        ],
        total: 2,
        added: 1,
        removed: 2,
        compared: true,
      },
      names: { '#i1': 'Ada', '#i4': 'Di' },
      cut: [],
    });
  });

  it('counts the bindings left after each condition of each clause', async () => {
    const server = await serve();
    const found = await ask(server, 'linked(a, c)');
    expect(bindings(found)).toEqual([[2], [3, 1]]);
    expect(found.clauses[1]?.conditions[1]?.examples).toEqual([{ a: '#i1', c: '#i2', b: '#i3' }]);
    expect(bindings(await ask(server, 'derive alone'))).toEqual([[4, 2, 1]]);
  });

  it('follows the edit to what reads it', async () => {
    const found = await ask(await serve(), 'derive alone', ['when knows(a, b)', 'when knows(a, b), a.age > 40']);
    expect(found.outcome).toMatchObject({
      rows: [{ value: ['#i1'], change: 'added' }, { value: ['#i4'] }],
      added: 1,
      removed: 0,
    });
  });

  it('gives the violations of a check with their messages', async () => {
    const found = await ask(await serve(), 'check tooOld', ['p.age > 90', 'p.age > 65']);
    expect(found.outcome).toMatchObject({
      rows: [
        { value: ['#i3'], change: 'added', message: 'Cy is 70' },
        { value: ['#i4'], message: 'Di is 95' },
      ],
    });
  });

  it('runs a query with given and default arguments, and asks for missing ones', async () => {
    const server = await serve();
    const missing = await ask(server, 'query friends');
    expect(missing).toMatchObject({
      parameters: [
        { name: 'p', required: true },
        { name: 'most', required: false },
      ],
      outcome: { kind: 'arguments', missing: ['p'] },
    });
    const found = await ask(server, 'query friends', ['knows(p, b)', 'linked(p, b)'], { args: { p: '#i1' } });
    expect(found.outcome).toMatchObject({
      rows: [{ value: { name: 'Bo' } }, { value: { name: 'Cy' }, change: 'added' }],
      total: 2,
    });
    expect(bindings(found)).toEqual([[2]]);
    expect((await ask(server, 'query oldest', ['max(p.age', 'min(p.age'])).outcome).toMatchObject({
      value: 30,
      before: 95,
    });
  });

  it.each([
    ['a filter', 'p.age > 60', 'p.age > 66'],
    ['recursion', 'linked(a, c), knows(c, b)', 'knows(a, c), linked(b, c)'],
    ['a stored relation', 'pub fn next', 'pub relation likes(a: Person, b: Person)\npub fn next'],
    ['an individual', 'pub fn next', 'pub individual eve: Person { name: "Eve", age: 80 }\npub fn next'],
    ['a rule more', 'pub fn next', 'pub derive elder(p: Person) when knows(p, _)\npub fn next'],
  ])('gives the rows that a save gives, after an edit of %s', async (_, from, to) => {
    const server = await serve();
    const text = PEOPLE.replace(from, to);
    const live: unknown[] = [];
    for (const name of ['elder', 'alone', 'linked']) {
      const { outcome } = await ask(server, `derive ${name}`, [from, to]);
      if (outcome?.kind !== 'rows') throw new Error(`${name} has rows`);
      live.push(outcome.rows.flatMap(({ value, change }) => (change === 'removed' ? [] : [value])));
    }
    await server.call('PUT', '/v1/module/sources', { files: [{ file: 'lease.entail', text }] });
    const saved: unknown[] = [];
    for (const name of ['elder', 'alone', 'linked']) {
      const { body } = await server.call('GET', `/v1/relations/people::${name}`);
      saved.push(body.result.map(({ tuple }: { readonly tuple: unknown }) => tuple));
    }
    expect(live).toEqual(saved);
  });

  it('explains a row of a query under the text', async () => {
    const more = { args: { p: '#i1' }, why: '#i3' };
    const found = await ask(await serve(), 'query friends', ['knows(p, b)', 'linked(p, b)'], more);
    expect(found.explanation).toMatchObject({
      holds: true,
      proof: { premises: [{ relation: 'people::linked', tuple: ['#i1', '#i3'] }] },
    });
  });

  it('tells declared from stored facts in the proof of a row, also after a replay', async () => {
    const server = await serve();
    const replace: [string, string] = [
      'pub fn next',
      'pub individual eve: Person { name: "Eve", age: 80 }\nfact knows(@eve, @eve)\npub fn next',
    ];
    const proofOf = async (p: string, why: string) =>
      (await ask(server, 'query friends', replace, { args: { p }, why })).explanation;
    expect(await proofOf('@eve', '@people::eve')).toMatchObject({ proof: { premises: [{ kind: 'declared' }] } });
    expect(await proofOf('#i1', '#i2')).toMatchObject({
      proof: { premises: [{ kind: 'stored', event: { kind: 'insertFact', txn: 5 } }] },
    });
  });

  it('computes a function on arguments, and reports a value that does not fit', async () => {
    const server = await serve();
    const changed: [string, string] = ['age + 1', 'age + 2'];
    expect((await ask(server, 'fn next', changed, { args: { age: 3 } })).outcome).toMatchObject({
      value: 5,
      before: 4,
    });
    expect((await ask(server, 'fn next', changed, { args: { age: 'x' } })).outcome).toMatchObject({
      kind: 'failed',
      code: 'SVC_RUNTIME_VALIDATION_FAILED',
    });
  });

  it('runs a test', async () => {
    const server = await serve();
    expect((await ask(server, 'test "links"')).outcome).toMatchObject({ kind: 'test', result: { passed: true } });
    const broken = await ask(server, 'test "links"', ['when knows(a, b)', 'when knows(a, b), a.age > 5']);
    expect(broken.outcome).toMatchObject({ result: { passed: false } });
  });

  it('evaluates what does not use a declaration with an error, and says what does', async () => {
    const server = await serve();
    const damage: [string, string] = ['when knows(a, b)', 'when nosuch(a, b)'];
    expect((await ask(server, 'derive elder', damage)).outcome).toMatchObject({ kind: 'rows', total: 3 });
    const found = await ask(server, 'derive alone', damage);
    expect(found.outcome).toMatchObject({ kind: 'unavailable', why: { code: 'E0101' } });
    expect(found.diagnostics).toHaveLength(1);
    expect(found.unavailable.map(({ path }) => path)).toContain('people::alone');
  });

  it('replays the history if stored declarations change', async () => {
    const server = await serve();
    const text: [string, string] = ['pub fn next', 'pub individual eve: Person { name: "Eve", age: 80 }\npub fn next'];
    const found = await ask(server, 'derive elder', text);
    expect(found.outcome).toMatchObject({ total: 4, added: 1, removed: 0 });
    expect(found.names).toMatchObject({ '@people::eve': 'Eve', '#i2': 'Bo' });
    expect((await ask(server, 'derive elder', ['p.age > 60', 'p.age > 90'])).outcome).toMatchObject({
      total: 1,
      removed: 2,
    });
  });

  it('reads the facts of its fork, and changes nothing', async () => {
    const server = await serve();
    await server.call('POST', '/v1/forks', { id: 'try' });
    await server.call('POST', '/v1/forks/try/dispatch/mutation', {
      path: 'people::add',
      args: { name: 'Eve', age: 99 },
    });
    const files = [{ file: 'lease.entail', text: PEOPLE.replace('p.age > 60', 'p.age > 98') }];
    const body = { files, file: 'lease.entail', offset: files[0]?.text.indexOf('elder') };
    const onFork = await server.call('POST', '/v1/forks/try/live', body);
    expect(onFork.body.result.outcome).toMatchObject({ total: 1, removed: 3 });
    expect((await server.call('POST', '/v1/live', body)).body.result.outcome).toMatchObject({ total: 0, removed: 3 });
    const { body: now } = await server.call('GET', '/v1/relations/people::elder/count');
    expect(now.result).toEqual({ facts: 3 });
  });

  it('says what a limit left out', async () => {
    const found = await ask(await serve(), 'derive elder', ['', ''], { rows: 1 });
    expect(found).toMatchObject({
      outcome: { rows: [{ value: ['#i2'] }], total: 3 },
      cut: [{ what: 'rows', reason: 'limit' }],
    });
  });

  it('ends with what it has when the time is up', async () => {
    const grow =
      'pub derive grow(n: Int) when Person(_), let n = 0\npub derive grow(n: Int) when grow(m), let n = m + 1\npub fn next';
    const server = await serve({ limits: { ...DEFAULT_LIMITS, timeoutMs: 300 } });
    const found = await ask(server, 'derive grow', ['pub fn next', grow]);
    expect(found).toMatchObject({
      outcome: null,
      cut: [
        { what: 'rows', reason: 'deadline' },
        { what: 'bindings', reason: 'deadline' },
      ],
    });
  });

  it('is refused like an ad-hoc query on a server without them', async () => {
    const server = await serve({ adhoc: false });
    const body = { files: [], file: 'lease.entail', offset: 0 };
    expectCode(await server.call('POST', '/v1/live', body), 'SVC_RUNTIME_ADHOC_DISABLED');
  });

  it('has nothing for a place before the first declaration', async () => {
    expect(await ask(await serve(), 'module')).toMatchObject({ declaration: null, outcome: null, clauses: [] });
  });
});
