/** Imports over HTTP: all rows or none, and failures row by row. */

import { describe, expect, it } from 'vitest';
import { ERROR_REGISTRY, type ErrorCode } from '../api/errors.js';
import type { ImportFailure } from '../api/schemas/import-schemas.js';
import type { TestResponse } from './testing/http.js';
import { type RealOptions, type RealServer, serversOfTests } from './testing/real.js';

const CLUB = `module club
context tenantId: Text?
pub concept Member { name: Text unique, age: Int where value > 0, mentor: Member? }
pub relation knows(a: Member, b: Member)
pub relation seen(n: Int)
pub check minor(m: Member) when m.age < 18 severity blocking message "{m.name} is too young"
pub check old(m: Member) when m.age > 90 severity warning message "{m.name} is old"
pub derive acquainted(a: Member, b: Member) when knows(a, b)
pub derive acquainted(a: Member, c: Member) when acquainted(a, b), knows(b, c)
pub query names() -> [Text] { select m.name where Member(m) order by m.name }
pub query numbers() -> [Int] { select n where seen(n) order by n }
pub mutation admit(name: Text, age: Int) -> Member { return insert Member { name: name, age: age } }
pub mutation rename(from: Text, to: Text) { for m in (select m where Member(m), m.name == from) { set m.name = to } }
pub mutation call(member: Member, name: Text) { set member.name = name }
pub mutation see(n: Int) { insert seen(n) insert seen(1000 div n) }
pub mutation expel(member: Member) { delete member }
pub mutation introduce(a: Member, b: Member) { insert knows(a, b) }
pub concept Patron is Member {}
pub mutation honour(name: Text) -> Patron { return insert Patron { name: name, age: 50 } }
pub mutation bow(to: Patron) { set to.age = to.age + 1 }
pub mutation enrol(name: Text, age: Int, mentor: Member?) { insert Member { name: name, age: age, mentor: mentor } }
pub mutation gather(members: [Member]) { insert seen(count(for m where m in members)) }
pub mutation erase(member: Member) { forget member }
`;

const started = serversOfTests();
const serve = (options: RealOptions = {}) => started(CLUB, options);

const send = (server: RealServer, mutation: string, rows: unknown, query = '', headers: Record<string, string> = {}) =>
  server.call('POST', `/v1/import${query}`, { mutation: `club::${mutation}`, rows }, headers);
const names = async (server: RealServer) => (await server.query('club::names')).body.result;

function expectCode({ status, body }: TestResponse, code: ErrorCode): void {
  expect([body.error?.code, status]).toEqual([code, ERROR_REGISTRY[code].status]);
}

const failuresIn = ({ body }: TestResponse) =>
  body.error.details.failures.map(({ row, code, message }: ImportFailure) => [
    row,
    code.replace('SVC_RUNTIME_', ''),
    message,
  ]);

describe('an import', () => {
  it('reports all changes on request, conclusions included', async () => {
    const server = await serve();
    const members = ['Ada', 'Bo', 'Cy'].map((name) => ({ name, age: 40 }));
    expect((await send(server, 'admit', members)).body).not.toHaveProperty('effects');
    const knows = [
      { a: '#i1', b: '#i2' },
      { a: '#i2', b: '#i3' },
    ];
    const { body } = await send(server, 'introduce', knows, '?dryRun=true&effects=true');
    const derived = body.effects.facts.filter(({ kind }: { kind: string }) => kind === 'derived');
    const changes = derived.map(
      ({ change, tuple }: { change: string; tuple: string[] }) => `${change} ${tuple.join(' ')}`,
    );
    expect(changes.sort()).toEqual(['added #i1 #i2', 'added #i1 #i3', 'added #i2 #i3']);
    const aged = await send(server, 'admit', [{ name: 'Methuselah', age: 969 }], '?dryRun=true&effects=true');
    expect(aged.body.effects.firings).toMatchObject([{ change: 'added', firing: { check: 'club::old' } }]);
  });

  it('runs the mutation for each row, in one transaction, and returns a summary', async () => {
    const server = await serve();
    const { status, body } = await send(server, 'admit', [
      { name: 'Ada', age: 36 },
      { name: 'Methuselah', age: 969 },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({
      result: { rows: 2, events: 6, warnings: 1 },
      txn: 1,
      warnings: [expect.objectContaining({ check: 'club::old', message: 'Methuselah is old' })],
      requestId: expect.any(String),
      moduleHash: expect.any(String),
    });
    expect(await names(server)).toEqual(['Ada', 'Methuselah']);
    const events = (await server.call('GET', '/v1/events')).body.result;
    expect(new Set(events.map(({ txn }: { txn: number }) => txn))).toEqual(new Set([1]));
    const ids = (await server.call('GET', '/v1/individuals')).body.result.map(({ $id }: { $id: string }) => $id);
    expect(ids).toEqual(['#i1', '#i2']);
  });

  it('belongs to the scope and the fork that it runs in', async () => {
    const server = await serve();
    await server.call('POST', '/v1/forks', { id: 'f' });
    await server.call('POST', '/v1/forks/f/import', { mutation: 'club::admit', rows: [{ name: 'Ada', age: 36 }] });
    await send(server, 'admit', [{ name: 'Bo', age: 36 }], '', { 'x-tenant-id': 'other' });
    expect(await names(server)).toEqual([]);
    const inFork = await server.query('club::names', {}, { 'x-fork-id': 'f' });
    expect(inFork.body.result).toEqual(['Ada']);
  });

  it('returns the same summary for a dry run, and rolls back', async () => {
    const server = await serve();
    const { body } = await send(server, 'admit', [{ name: 'Ada', age: 91 }], '?dryRun=true');
    expect(body).toMatchObject({
      result: { rows: 1, events: 3, warnings: 1 },
      txn: null,
      warnings: [{ check: 'club::old' }],
    });
    expect(await names(server)).toEqual([]);
  });

  it('labels individuals in the warnings of a dry run, which will not exist', async () => {
    const server = await serve();
    const kept = await send(server, 'admit', [{ name: 'Eva', age: 91 }]);
    expect(kept.body).not.toHaveProperty('names');
    const { body } = await send(server, 'admit', [{ name: 'Ada', age: 92 }], '?dryRun=true');
    expect(body).toMatchObject({ warnings: [{ tuple: { m: '#i2' } }], names: { '#i2': 'Ada' } });
  });

  it('has one guard for all rows: a later row may fix what an earlier one violates', async () => {
    const server = await serve();
    for (const name of ['Ada', 'Bo']) await server.mutation('club::admit', { name, age: 30 });
    const swapped = await send(server, 'call', [
      { member: '#i1', name: 'Bo' },
      { member: '#i2', name: 'Ada' },
    ]);
    expect(swapped.body.result).toEqual({ rows: 2, events: 2, warnings: 0 });
    expectCode(await send(server, 'call', [{ member: '#i1', name: 'Ada' }]), 'SVC_RUNTIME_CHECK_VIOLATION');
  });

  it('takes more rows than a batch has steps, and each sees the earlier ones', async () => {
    const server = await serve({ limits: { batchSteps: 10 } });
    const rows = Array.from({ length: 1500 }, (_, index) => ({ name: `M${index}`, age: 20 + (index % 50) }));
    expect((await send(server, 'admit', rows)).body.result).toEqual({ rows: 1500, events: 4500, warnings: 0 });
    const renames = [
      { from: 'M0', to: 'N0' },
      { from: 'N0', to: 'O0' },
    ];
    expect((await send(server, 'rename', renames)).body.result.events).toBe(2);
    expect(await names(server)).toContain('O0');
  });
});

describe('an import without a mutation', () => {
  const into = (server: RealServer, path: string, rows: unknown, query = '', more: object = {}) =>
    server.call('POST', `/v1/import${query}`, { into: path, rows, ...more });

  it('inserts each row into a concept or a stored relation, by keys too', async () => {
    const server = await serve();
    const members = [
      { name: 'Ada', age: 36 },
      { name: 'Bo', age: 40, mentor: null },
    ];
    expect((await into(server, 'club::Member', members)).body).toMatchObject({
      result: { rows: 2, events: 6, warnings: 0 },
      txn: 1,
    });
    const keys = { a: 'name', b: 'name' };
    const knows = await into(server, 'club::knows', [{ a: 'Ada', b: 'Bo' }], '', { keys });
    expect(knows.body.result).toEqual({ rows: 1, events: 1, warnings: 0 });
    expect((await server.call('GET', '/v1/relations/club::acquainted')).body.result).toHaveLength(1);
    const { result } = (await server.call('GET', '/v1/transactions')).body;
    expect(result.map(({ cause }: { cause: unknown }) => cause)).toEqual([{ kind: 'adhoc' }, { kind: 'adhoc' }]);
  });

  it('reports rows that a type, a refinement or a check refuses, and saves none', async () => {
    const server = await serve();
    const answer = await into(server, 'club::Member', [
      { name: 'Ada', age: 36 },
      { name: 'Bo', age: -1 },
      { name: 7, age: 20 },
      { name: 'Cy' },
    ]);
    expect(failuresIn(answer)).toEqual([
      [1, 'VALIDATION_FAILED', expect.stringContaining('to satisfy value > 0')],
      [2, 'VALIDATION_FAILED', expect.stringContaining('got 7')],
      [3, 'SIGNATURE_MISMATCH', expect.stringContaining('needs the argument "age"')],
    ]);
    expectCode(await into(server, 'club::Member', [{ name: 'Di', age: 9 }]), 'SVC_RUNTIME_CHECK_VIOLATION');
    expect(await names(server)).toEqual([]);
  });

  it('is explained as a dry run', async () => {
    const server = await serve();
    await into(server, 'club::Member', [
      { name: 'Ada', age: 36 },
      { name: 'Bo', age: 40 },
    ]);
    const after = { import: { into: 'club::knows', rows: [{ a: '#i1', b: '#i2' }] } };
    const { body } = await server.call('POST', '/v1/explain', {
      relation: 'club::acquainted',
      tuple: ['#i1', '#i2'],
      after,
    });
    expect(body.result.holds).toBe(true);
  });

  it('needs exactly one target, and one that stores facts', async () => {
    const server = await serve();
    for (const path of ['club::acquainted', 'club::Memberr', 'club::Member.age', 'club::old']) {
      const answer = await into(server, path, [{}]);
      expectCode(answer, 'SVC_RUNTIME_VALIDATION_FAILED');
      expect(answer.body.error.details.path).toBe('$.into');
    }
    expectCode(
      await into(server, 'club::seen', [{ n: 1 }], '', { mutation: 'club::see' }),
      'SVC_RUNTIME_VALIDATION_FAILED',
    );
    expectCode(await server.call('POST', '/v1/import', { rows: [{ n: 1 }] }), 'SVC_RUNTIME_VALIDATION_FAILED');
  });

  it('is disabled where only declared mutations may write', async () => {
    const server = await serve({ adhoc: false });
    expectCode(await into(server, 'club::seen', [{ n: 1 }]), 'SVC_RUNTIME_ADHOC_DISABLED');
    const after = { import: { into: 'club::seen', rows: [{ n: 1 }] } };
    expectCode(
      await server.call('POST', '/v1/explain', { relation: 'club::seen', tuple: [1], after }),
      'SVC_RUNTIME_ADHOC_DISABLED',
    );
  });
});

describe('failing rows', () => {
  it('are reported together, each with its code and field, and roll back the import', async () => {
    const server = await serve();
    await server.mutation('club::admit', { name: 'Eva', age: 40 });
    const answer = await send(server, 'admit', [
      { name: 'Ada', age: 36 },
      { name: 'Bo', age: 7 },
      { name: 'Cy', age: 'x' },
      { name: 'Di' },
      { name: 'Ada', age: 50 },
      { name: 'Bo', age: 27 },
      { name: 'Eva', age: 20 },
      { name: 'Fay', age: -1 },
    ]);
    expectCode(answer, 'SVC_RUNTIME_CHECK_VIOLATION');
    expect(answer.body.error.message).toMatch(
      /^In row 1 \(and 5 more rows\): Blocked by check minor: .*Bo is too young$/,
    );
    expect(answer.body.error.details).toMatchObject({ row: 1, diagnostics: [{ check: 'club::minor' }], cut: false });
    expect(failuresIn(answer)).toEqual([
      [1, 'CHECK_VIOLATION', expect.stringContaining('Bo is too young')],
      [2, 'VALIDATION_FAILED', expect.stringContaining('($.args.age)')],
      [3, 'SIGNATURE_MISMATCH', expect.stringContaining('"age"')],
      [4, 'CHECK_VIOLATION', expect.stringContaining('name')],
      [6, 'CHECK_VIOLATION', expect.stringContaining('name')],
      [7, 'VALIDATION_FAILED', expect.stringContaining('value > 0')],
    ]);
    expect(answer.body.error.details.failures[1].details).toMatchObject({ parameter: 'age' });
    expect(await names(server)).toEqual(['Eva']);
    await send(server, 'admit', [{ name: 'Gus', age: 30 }]);
    expect(await names(server)).toEqual(['Eva', 'Gus']);
  });

  it('leave no changes that a later row could see', async () => {
    const server = await serve();
    for (const name of ['Ada', 'Bo']) await server.mutation('club::admit', { name, age: 30 });
    const answer = await send(server, 'rename', [
      { from: 'Ada', to: 'Bo' },
      { from: 'Bo', to: 'Zoe' },
      { from: 'Ada', to: 'Bo' },
      { from: 'Zoe', to: 'Bo' },
    ]);
    expect(failuresIn(answer).map(([row]: [number]) => row)).toEqual([0, 3]);
    const faults = await send(server, 'see', [{ n: 5 }, { n: 0 }, { n: 7 }]);
    expect(failuresIn(faults)).toEqual([[1, 'COMPUTE_EVAL_FAILED', expect.any(String)]]);
    expect((await server.query('club::numbers')).body.result).toEqual([]);
    const gone = await send(server, 'expel', [{ member: '#i1' }, { member: '#i1' }, { member: '#i2' }]);
    expect(failuresIn(gone)).toEqual([[1, 'VALIDATION_FAILED', expect.stringContaining('#i1')]]);
    expect(await names(server)).toEqual(['Ada', 'Bo']);
  });

  it('are reported up to a hundred', async () => {
    const server = await serve();
    const rows = Array.from({ length: 150 }, (_, index) => ({ name: `M${index}`, age: 1 }));
    const { body } = await send(server, 'admit', rows);
    expect(body.error.details.failures).toHaveLength(100);
    expect(body.error.details.cut).toBe(true);
  });
});

describe('keys', () => {
  const withKeys = (server: RealServer, mutation: string, rows: unknown, keys: unknown, query = '') =>
    server.call('POST', `/v1/import${query}`, { mutation: `club::${mutation}`, rows, keys });
  const both = { a: 'name', b: 'name' };

  it('let rows refer to individuals by a field, also to those that the import creates', async () => {
    const server = await serve();
    for (const name of ['Ada', 'Bo']) await server.mutation('club::admit', { name, age: 30 });
    const { status } = await withKeys(
      server,
      'introduce',
      [
        { a: 'Ada', b: 'Bo' },
        { a: 'Bo', b: 'Ada' },
      ],
      both,
    );
    expect(status).toBe(200);
    const tuples = (await server.call('GET', '/v1/relations/club::knows')).body.result;
    expect(tuples.map(({ tuple }: { tuple: unknown }) => tuple)).toEqual([
      ['#i1', '#i2'],
      ['#i2', '#i1'],
    ]);
    const sworn = [
      { name: 'Cy', age: 20, mentor: 'Ada' },
      { name: 'Di', age: 20, mentor: 'Cy' },
      { name: 'Ed', age: 20 },
    ];
    expect((await withKeys(server, 'enrol', sworn, { mentor: 'name' })).body.result.rows).toBe(3);
    const members = (await server.call('GET', '/v1/individuals')).body.result;
    expect(members.map(({ mentor }: { mentor: unknown }) => mentor)).toEqual([null, null, '#i1', '#i3', null]);
    await withKeys(server, 'gather', [{ members: ['Ed', 'Di'] }], { members: 'name' });
    expect((await server.query('club::numbers')).body.result).toEqual([2]);
  });

  it('are reported row by row if they are unknown, ambiguous or invalid', async () => {
    const server = await serve();
    for (const name of ['Ada', 'Bo']) await server.mutation('club::admit', { name, age: 30 });
    const answer = await withKeys(
      server,
      'introduce',
      [
        { a: 'Ada', b: 'Bob' },
        { a: 7, b: 'Bo' },
      ],
      both,
    );
    expectCode(answer, 'SVC_RUNTIME_VALIDATION_FAILED');
    expect(failuresIn(answer)).toEqual([
      [
        0,
        'VALIDATION_FAILED',
        expect.stringContaining('Expected the name of a Member, got "Bob", which no Member has'),
      ],
      [1, 'VALIDATION_FAILED', expect.stringContaining('got 7 ')],
    ]);
    expect(answer.body.error.details).toMatchObject({ parameter: 'b', key: 'club::Member.name' });
    const shared = await withKeys(server, 'expel', [{ member: 30 }], { member: 'age' });
    expect(failuresIn(shared)).toEqual([
      [0, 'VALIDATION_FAILED', expect.stringContaining('got 30, which both #i1 and #i2 have')],
    ]);
  });

  it("find only individuals of the parameter's class, also by an inherited field", async () => {
    const server = await serve();
    await server.mutation('club::admit', { name: 'Ada', age: 50 });
    await server.mutation('club::honour', { name: 'Bo' });
    // Both are fifty, and one of them is a patron.
    expect((await withKeys(server, 'bow', [{ to: 50 }], { to: 'age' })).status).toBe(200);
    expectCode(await withKeys(server, 'bow', [{ to: 'Ada' }], { to: 'name' }), 'SVC_RUNTIME_VALIDATION_FAILED');
    expect((await withKeys(server, 'bow', [{ to: 'Bo' }], { to: 'name' })).status).toBe(200);
  });

  it("must be fields of the parameter's class", async () => {
    const server = await serve();
    const wrong = async (keys: unknown) => {
      const answer = await withKeys(server, 'introduce', [{}], keys);
      expectCode(answer, 'SVC_RUNTIME_VALIDATION_FAILED');
      return [answer.body.error.message, answer.body.error.details.path];
    };
    expect(await wrong({ c: 'name' })).toEqual([expect.stringContaining('no parameter "c"'), '$.keys.c']);
    expect(await wrong({ a: 'nam' })).toEqual([expect.stringContaining('did you mean "name"?'), '$.keys.a']);
    expect(await wrong({ a: 'mentor' })).toEqual([expect.stringContaining('there are: name, age'), '$.keys.a']);
    const answer = await withKeys(server, 'see', [{ n: 1 }], { n: 'name' });
    expect(answer.body.error.message).toContain('takes no individuals');
  });
});

describe('a refused import', () => {
  it('fails for its form, mutation, fork or capability before any row is read', async () => {
    const server = await serve();
    expectCode(await send(server, 'admit', []), 'SVC_RUNTIME_VALIDATION_FAILED');
    expectCode(await send(server, 'admit', [3]), 'SVC_RUNTIME_VALIDATION_FAILED');
    expectCode(await send(server, 'admit', [{}], '?dry=true'), 'SVC_RUNTIME_VALIDATION_FAILED');
    expectCode(await send(server, 'admitt', [{}]), 'SVC_RUNTIME_UNKNOWN_MUTATION');
    expectCode(await send(server, 'erase', [{}]), 'SVC_RUNTIME_CAPABILITY_DENIED');
    expectCode(await send(server, 'admit', [{}], '', { 'x-fork-id': 'f' }), 'SVC_RUNTIME_FORK_NOT_FOUND');
    await server.call('POST', '/v1/forks', { id: 'f' });
    await server.call('DELETE', '/v1/forks/f');
    expectCode(await send(server, 'admit', [{}], '', { 'x-fork-id': 'f' }), 'SVC_RUNTIME_FORK_CLOSED');
  });
});
