/** Batches over HTTP: responses, and failures of a step. */

import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../api/errors.js';
import { ERROR_REGISTRY } from '../api/errors.js';
import type { TestResponse } from './testing/http.js';
import { type RealOptions, type RealServer, serversOfTests } from './testing/real.js';

const CLUB = `module club
context tenantId: Text?
pub concept Member { name: Text unique, age: Int where value > 0, guest: Bool = false }
pub relation knows(a: Member, b: Member)
pub check minor(m: Member) when m.age < 18, not m.guest severity blocking message "{m.name} is too young"
pub query names() -> [Text] { select m.name where Member(m) order by m.name }
pub query friends(of: Member) -> [Member] { select b where knows(of, b) }
pub query ages() -> [Decimal] { select 100 / (m.age - 30) where Member(m) }
pub query pairs() -> Int { value count(for a, b, c, d where Member(a), Member(b), Member(c), Member(d), a.age != b.age) }
pub mutation admit(name: Text, age: Int) -> Member { return insert Member { name: name, age: age } }
pub mutation correct(m: Member, age: Int) { set m.age = age }
pub mutation introduce(a: Member, to: [Member]) { for b in to { insert knows(a, b) } }
pub mutation fill(n: Int) { for i in (select i where i in range(0, n)) { insert Member { name: text(i), age: 20 + i mod 50 } } }
pub fn next(age: Int) -> Int = age + 1
pub fn half(n: Decimal) -> Decimal = n / 2
`;

const started = serversOfTests();
const serve = (options: RealOptions = {}) => started(CLUB, options);

const batch = (server: RealServer, steps: unknown, more: object = {}, headers: Record<string, string> = {}) =>
  server.call('POST', '/v1/batch', { steps, ...more }, headers);
const admit = (name: string, age = 20) => ({ mutation: 'club::admit', args: { name, age } });

function expectCode({ status, body }: TestResponse, code: ErrorCode, message?: RegExp): void {
  expect(body).toMatchObject({ error: { code, details: expect.any(Object) }, requestId: expect.any(String) });
  expect(status).toBe(ERROR_REGISTRY[code].status);
  if (message !== undefined) expect(body.error.message).toMatch(message);
}

describe('POST /v1/batch', () => {
  it('returns one result for each step in one envelope, and writes one transaction', async () => {
    const server = await serve();
    const { status, body } = await batch(server, [
      admit('Ada'),
      admit('Bob'),
      { mutation: 'club::introduce', args: { a: { $step: 0 }, to: [{ $step: 1 }] } },
      { query: 'club::friends', args: { of: { $step: 0 } } },
      { compute: 'club::next', args: { age: 4 } },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: [
        { result: { $id: '#i1', name: 'Ada' }, txn: 1, events: expect.any(Array), warnings: [] },
        { result: { $id: '#i2', name: 'Bob' }, txn: 1 },
        { result: null, txn: 1, events: [{ kind: 'insertFact', txn: 1, tuple: ['#i1', '#i2'] }] },
        { result: [{ name: 'Bob' }] },
        { result: 5 },
      ],
      requestId: expect.any(String),
      moduleHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Object.keys(body).sort()).toEqual(['moduleHash', 'requestId', 'result']);
    expect(Object.keys(body.result[3])).toEqual(['result']);
    expect((await server.query('club::names')).body.result).toEqual(['Ada', 'Bob']);
  });

  it('accepts numbers with all their digits, and reports received ones in full', async () => {
    const server = await serve();
    const send = (steps: string) =>
      server.call('POST', '/v1/batch', `{"steps":[${steps}]}`, { 'content-type': 'application/json' });
    const { body } = await send('{"compute":"club::half","args":{"n":12345678901234567890.5}}');
    expect(body.result).toEqual([{ result: '6172839450617283945.25' }]);
    const refused = await send('{"compute":"club::next","args":{"age":9007199254740993}}');
    expectCode(refused, 'SVC_RUNTIME_VALIDATION_FAILED', /got 9007199254740993 /);
  });

  it('runs in the scope that its context names', async () => {
    const server = await serve();
    await batch(server, [admit('Ada')], { context: { tenantId: 'a' } });
    const names = [{ query: 'club::names' }];
    expect((await batch(server, names, {}, { 'x-tenant-id': 'a' })).body.result).toEqual([{ result: ['Ada'] }]);
    expect((await batch(server, names, {}, { 'x-tenant-id': 'b' })).body.result).toEqual([{ result: [] }]);
  });
});

describe('a failing step has its own code and its index, and rolls back the batch', () => {
  it.each<[ErrorCode, unknown, RegExp]>([
    ['SVC_RUNTIME_CHECK_VIOLATION', admit('Cyd', 9), /In step 1: Blocked by check minor: Cyd is too young/],
    ['SVC_RUNTIME_VALIDATION_FAILED', admit('Cyd', -1), /In step 1: .*age/],
    ['SVC_RUNTIME_SIGNATURE_MISMATCH', { mutation: 'club::admit', args: { name: 'Cyd' } }, /"age"/],
    ['SVC_RUNTIME_UNKNOWN_QUERY', { query: 'club::nams' }, /did you mean "club::names"/],
    ['SVC_RUNTIME_UNKNOWN_MUTATION', { mutation: 'club::admitt' }, /did you mean "club::admit"/],
    ['SVC_RUNTIME_UNKNOWN_COMPUTE', { compute: 'club::nex' }, /did you mean "club::next"/],
    [
      'SVC_RUNTIME_COMPUTE_EVAL_FAILED',
      { compute: 'club::next', args: { age: 9007199254740991 } },
      /could not be evaluated/,
    ],
  ])('%s', async (code, step, message) => {
    const server = await serve();
    const answer = await batch(server, [admit('Ada'), step]);
    expectCode(answer, code, message);
    expect(answer.body.error.details.batchStep).toBe(1);
    expect((await server.query('club::names')).body.result).toEqual([]);
  });

  it('SVC_RUNTIME_CHECK_VIOLATION, with labels of individuals that earlier steps created', async () => {
    const server = await serve();
    await batch(server, [admit('Cleo')]);
    const correct = (m: object | string) => ({ mutation: 'club::correct', args: { m, age: 9 } });
    const made = await batch(server, [admit('Ada'), admit('Bob'), correct({ $step: 0 })]);
    expectCode(made, 'SVC_RUNTIME_CHECK_VIOLATION', /In step 2: .* Ada is too young/);
    expect(made.body.error.details).toMatchObject({ batchStep: 2, names: { '#i2': 'Ada' } });
    const known = await batch(server, [admit('Ada'), correct('#i1')]);
    expect(known.body.error.details).not.toHaveProperty('names');
  });

  it('SVC_RUNTIME_QUERY_EVAL_FAILED, on data that an earlier step wrote', async () => {
    const server = await serve();
    const answer = await batch(server, [admit('Ada', 30), { query: 'club::ages' }]);
    expectCode(answer, 'SVC_RUNTIME_QUERY_EVAL_FAILED');
    expect(answer.body.error.details.batchStep).toBe(1);
  });

  it('SVC_RUNTIME_RESULT_TOO_LARGE, because a batch has no pages', async () => {
    const server = await serve({ limits: { rows: 1 } });
    const answer = await batch(server, [admit('Ada'), admit('Bob'), { query: 'club::names' }]);
    expectCode(answer, 'SVC_RUNTIME_RESULT_TOO_LARGE');
    expect(answer.body.error.details.batchStep).toBe(2);
  });

  it('SVC_RUNTIME_REQUEST_TIMEOUT, and rolls back', async () => {
    const server = await serve({ limits: { timeoutMs: 400 } });
    await server.mutation('club::fill', { n: 120 });
    const answer = await batch(server, [admit('Ada'), { query: 'club::pairs' }]);
    expectCode(answer, 'SVC_RUNTIME_REQUEST_TIMEOUT');
    expect(answer.body.error.details.batchStep).toBe(1);
    expect((await server.query('club::names')).body.result).not.toContain('Ada');
  });
});

describe('POST /v1/batch?dryRun=true', () => {
  it('responds like the batch, lets steps see earlier ones, and rolls back', async () => {
    const server = await serve();
    await batch(server, [admit('Ada')]);
    const steps = [
      admit('Bob'),
      { mutation: 'club::introduce', args: { a: { $step: 0 }, to: [{ $step: 0 }] } },
      { query: 'club::names' },
    ];
    const { status, body } = await server.call('POST', '/v1/batch?dryRun=true&effects=true', { steps });
    expect(status).toBe(200);
    expect(body.result).toMatchObject([
      {
        result: { name: 'Bob' },
        txn: null,
        events: [{ id: '#i2' }, {}, {}, {}],
        effects: { relations: [{ relation: 'club::Member', added: 1 }, {}, {}, {}], cut: false },
      },
      { txn: null, effects: { facts: [{ change: 'added', relation: 'club::knows' }] } },
      { result: ['Ada', 'Bob'] },
    ]);
    expect((await server.query('club::names')).body.result).toEqual(['Ada']);
    const kept = await batch(server, steps);
    expect(kept.body.result[0]).toMatchObject({ txn: expect.any(Number) });
    expect(kept.body.result[0]).not.toHaveProperty('effects');
  });

  it('reports a check violation like the batch', async () => {
    const server = await serve();
    const refused = await server.call('POST', '/v1/batch?dryRun=true', { steps: [admit('Ada'), admit('Tim', 9)] });
    expectCode(refused, 'SVC_RUNTIME_CHECK_VIOLATION', /In step 1/);
    expect(refused.body.error.details).toMatchObject({ batchStep: 1 });
  });

  it('limits the reported changes of all steps together to the row cap', async () => {
    const server = await serve({ limits: { rows: 6 } });
    const { body } = await server.call('POST', '/v1/batch?dryRun=true&effects=true', {
      steps: [admit('Ada'), admit('Bob'), admit('Cleo')],
    });
    const reported = body.result.map(({ effects }: { effects: { facts: unknown[]; cut: boolean } }) => [
      effects.facts.length,
      effects.cut,
    ]);
    expect(reported).toEqual([
      [4, false],
      [2, true],
      [0, true],
    ]);
  });
});

describe('a refused batch', () => {
  it('SVC_RUNTIME_VALIDATION_FAILED, if it has the wrong form', async () => {
    const server = await serve({ limits: { batchSteps: 2 } });
    const refused = async (steps: unknown, message: RegExp) =>
      expectCode(await batch(server, steps), 'SVC_RUNTIME_VALIDATION_FAILED', message);
    await refused([admit('A'), admit('B'), admit('C')], /has 2 steps at most, and this one has 3/);
    await refused(undefined, /\$\.steps/);
    await refused([{ args: {} }], /must have exactly one of query, mutation and compute \(\$\.steps\[0\]\)/);
    await refused([{ query: 'club::names', compute: 'club::next' }], /exactly one/);
    await refused([{ query: 'club::names', limit: 3 }], /limit/);
    await refused(
      [{ compute: 'club::next', args: { age: { $step: 0 } } }],
      /\$\.steps\[0\]\.args\.age names its own step/,
    );
    const misspelt = await server.call('POST', '/v1/batch?dryrun=true', { steps: [admit('A')] });
    expectCode(misspelt, 'SVC_RUNTIME_VALIDATION_FAILED', /dryrun/);
    expect((await batch(server, [{ query: 'club::names' }])).body.result).toEqual([{ result: [] }]);
  });

  it('SVC_RUNTIME_FORK_CONFLICT, SVC_RUNTIME_FORK_NOT_FOUND precede faults in a step', async () => {
    const server = await serve();
    const unknown = [{ query: 'club::nams' }];
    expectCode(await batch(server, unknown, { fork: 'x' }, { 'x-fork-id': 'y' }), 'SVC_RUNTIME_FORK_CONFLICT');
    expectCode(await batch(server, unknown, { fork: 'x' }), 'SVC_RUNTIME_FORK_NOT_FOUND');
  });
});
