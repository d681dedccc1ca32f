/** The request log over HTTP: every request of every client, with its outcome. */

import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PHASES, type RequestDetail, type RequestSummary } from '../api/schemas/request-log.js';
import { expectCode } from './testing/expect-code.js';
import { createFakeRuntime } from './testing/fake-runtime.js';
import { serveFake, type TestServer } from './testing/http.js';
import { type RealServer, removeFolder, serveModule } from './testing/real.js';
import { openStream } from './testing/stream.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(...given: Parameters<typeof serveFake> | []): Promise<TestServer> {
  const [runtime = createFakeRuntime(), overrides] = given;
  const server = await serveFake(runtime, overrides);
  closers.push(() => server.close());
  return server;
}

const LEASE = `
module lease
pub concept Person { name: Text, secret: Text? }
pub mutation addPerson(name: Text) -> Person { return insert Person { name: name } }
pub mutation forgetPerson(p: Person) { forget p }
`;

async function serveReal(): Promise<RealServer> {
  const server = await serveModule(LEASE, { grant: ['forget'] });
  closers.push(async () => {
    await server.stop();
    await removeFolder(server.folder);
  });
  return server;
}

type Calls = Pick<TestServer, 'call'>;

async function logged(server: Calls, query = ''): Promise<RequestSummary[]> {
  const { status, body } = await server.call('GET', `/v1/requests${query}`);
  expect(status).toBe(200);
  return body.result;
}

const QUERY = { path: 'lease::activeLeases', args: {} };

describe('the request log', () => {
  it('lists method, path, status and duration, newest first', async () => {
    const server = await serve();
    await server.call('POST', '/v1/forks/what-if/dispatch/query?limit=3', QUERY, { 'x-request-id': 'one' });
    await server.call('GET', '/v1/errors', undefined, { 'x-request-id': 'two', 'x-entail-client': 'ci' });
    const [second, first] = await logged(server);
    expect(first).toMatchObject({
      requestId: 'one',
      method: 'POST',
      path: '/v1/forks/what-if/dispatch/query?limit=3',
      status: 200,
      fork: 'what-if',
      subject: 'lease::activeLeases',
      ms: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(second).toMatchObject({ requestId: 'two', path: '/v1/errors', client: 'ci' });
    expect(second).not.toHaveProperty('fork');
  });

  it('lists the arguments of a call, and drops them once an individual is erased', async () => {
    const server = await serveReal();
    const { result } = (await server.mutation('lease::addPerson', { name: 'Ada' })).body;
    expect(await logged(server)).toMatchObject([{ args: [{ name: 'name', value: 'Ada' }] }]);
    await server.mutation('lease::forgetPerson', { p: result.$id });
    expect((await logged(server)).filter(({ args }) => args !== undefined)).toEqual([]);
  });

  it.each([
    ['/v1/dispatch/query', QUERY, QUERY.path],
    ['/v1/explain', { relation: 'lease::liable', tuple: [] }, 'lease::liable'],
    ['/v1/import', { mutation: 'lease::sign', rows: [{}] }, 'lease::sign'],
  ])('lists the subject in the body of %s', async (path, body, subject) => {
    const server = await serve();
    await server.call('POST', path, body);
    expect(await logged(server)).toMatchObject([{ subject }]);
  });

  it('lists the fork of a header or body, otherwise main', async () => {
    const server = await serve();
    await server.call('GET', '/v1/checks');
    await server.call('GET', '/v1/checks', undefined, { 'x-fork-id': 'of-header' });
    await server.call('POST', '/v1/dispatch/query', { ...QUERY, fork: 'of-body' });
    expect((await logged(server)).map(({ fork }) => fork)).toEqual(['of-body', 'of-header', 'main']);
  });

  it('lists the tenant of a header or body, and filters by tenant', async () => {
    const server = await serve();
    await server.call('GET', '/v1/checks');
    await server.call('GET', '/v1/checks', undefined, { 'x-tenant-id': Buffer.from('نور').toString('latin1') });
    await server.call('POST', '/v1/dispatch/query', { ...QUERY, context: { tenantId: 'south' } });
    expect((await logged(server)).map(({ tenant }) => tenant)).toEqual(['south', 'نور', undefined]);
    expect(await logged(server, '?tenant=south')).toMatchObject([{ subject: QUERY.path }]);
  });

  it('searches bodies and the listed texts for words', async () => {
    const server = await serveReal();
    await server.mutation('lease::addPerson', { name: 'Ada' });
    await server.mutation('lease::addPerson', { name: 'Bo' });
    await server.call('GET', '/v1/individuals?class=lease::Person');
    const found = async (content: string) =>
      (await logged(server, `?${new URLSearchParams({ content })}`)).map(({ subject = 'list' }) => subject);
    expect(await found('"ADA"')).toEqual(['list', 'lease::addPerson']);
    expect(await found('ada addperson')).toEqual(['lease::addPerson']);
    expect(await found('bo -addPerson')).toEqual(['list']);
    expect(await logged(server, '?text=ada')).toEqual([]);

    const principal = { 'x-principal-id': Buffer.from('Zoë').toString('latin1') };
    await server.call('POST', '/v1/dispatch/query', QUERY, principal);
    expect(await found('zoë'), 'what its headers say of its context is sent too').toEqual([QUERY.path]);
    expect(await found('bearer'), 'no other header is').toEqual([]);
  });

  it.each([
    ['no token', 'GET', '/v1/schema', undefined, { authorization: 'none' }, 'SVC_RUNTIME_CAPABILITY_DENIED'],
    ['an unknown route', 'GET', '/v1/nothing', undefined, {}, 'SVC_RUNTIME_UNKNOWN_ROUTE'],
    ['an unknown route elsewhere', 'GET', '/nothing', undefined, {}, 'SVC_RUNTIME_UNKNOWN_ROUTE'],
    ['another method', 'DELETE', '/v1/schema', undefined, {}, 'SVC_RUNTIME_METHOD_NOT_ALLOWED'],
    ['a path that cannot be read', 'GET', '/v1/%zz', undefined, {}, 'SVC_RUNTIME_VALIDATION_FAILED'],
    ['a body that is no JSON', 'POST', '/v1/dispatch/query', '{"path', {}, 'SVC_RUNTIME_VALIDATION_FAILED'],
    ['a wrong filter of this log', 'GET', '/v1/requests?status=9', undefined, {}, 'SVC_RUNTIME_VALIDATION_FAILED'],
  ])('lists refused requests: %s', async (_name, method, path, body, headers, code) => {
    const server = await serve();
    const given = body === undefined ? headers : { 'content-type': 'application/json', ...headers };
    const { status } = await server.call(method, path, body, given);
    const [entry] = await logged(server);
    expect(entry).toMatchObject({ method, path, status, code });
    const { body: detail } = await server.call('GET', `/v1/requests/${entry?.requestId}`);
    expect(JSON.parse(detail.result.answer.text).error.code).toBe(code);
    expect(detail.result.body?.text).toBe(body);
  });

  it('does not list requests that read it', async () => {
    const server = await serve();
    await server.call('GET', '/v1/errors', undefined, { 'x-request-id': 'one' });
    await logged(server);
    await server.call('GET', '/v1/requests/one');
    expect((await logged(server)).map(({ requestId }) => requestId)).toEqual(['one']);
  });

  it('splits the time of a request into phases', async () => {
    const server = await serveReal();
    const phasesOf = async (requestId: string) => {
      const { ms, phases } = (await server.call('GET', `/v1/requests/${requestId}`)).body.result as RequestDetail;
      const sum = (phases ?? []).reduce((all, phase) => all + phase.ms, 0);
      expect(sum, 'all of it, but for what is rounded').toBeCloseTo(ms, 1);
      return phases?.map(({ phase }) => phase);
    };
    const call = { path: 'lease::addPerson', args: { name: 'Ada' } };
    await server.call('POST', '/v1/dispatch/mutation', call, { 'x-request-id': 'written' });
    await server.call('GET', '/v1/individuals?class=lease::Person', undefined, { 'x-request-id': 'read' });
    await server.call('GET', '/v1/nothing', undefined, { 'x-request-id': 'refused' });
    expect(await phasesOf('written')).toEqual([...PHASES]);
    expect(await phasesOf('read')).toEqual(['receiving', 'evaluating', 'encoding', 'sending']);
    expect(await phasesOf('refused')).toEqual(['receiving', 'sending']);
  });

  it('shows a whole request without tokens', async () => {
    const server = await serve(createFakeRuntime({ query: async () => ({ result: ['a'] }) }));
    await server.call('POST', '/v1/dispatch/query', QUERY, {
      'x-request-id': 'one',
      'x-tenant-id': 'acme',
      'x-context-now': '2026-01-01',
      cookie: 'session=test-token',
      'user-agent': 'fetch with token=test-token',
    });
    const { body } = await server.call('GET', '/v1/requests/one');
    expect(body.result).toMatchObject({
      moduleHash: 'abc123',
      headers: { 'x-tenant-id': 'acme', 'x-context-now': '2026-01-01', 'content-type': 'application/json' },
      body: { text: JSON.stringify(QUERY), bytes: JSON.stringify(QUERY).length, cut: false },
      answerHeaders: { 'content-type': 'application/json; charset=utf-8' },
    });
    expect(JSON.parse(body.result.answer.text).result).toEqual(['a']);
    expect(JSON.stringify(body)).not.toMatch(/test-token|authorization|cookie/i);
  });

  it('lists a request whose client disconnected before the response', async () => {
    let entered = () => {};
    let answer = () => {};
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const server = await serve(
      createFakeRuntime({
        query: () =>
          new Promise((resolve) => {
            answer = () => resolve({ result: [] });
            entered();
          }),
      }),
    );
    const body = JSON.stringify(QUERY);
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `POST /v1/dispatch/query HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer test-token\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await inside;
    socket.destroy();
    // The server logs the request only once it notices the disconnect.
    while ((await logged(server)).length === 0);
    answer();
    expect(await logged(server)).toMatchObject([{ path: '/v1/dispatch/query', unfinished: true }]);
  });

  it('can be filtered, paged and followed', async () => {
    const server = await serve();
    for (const id of ['a', 'b', 'c']) await server.call('GET', '/v1/errors', undefined, { 'x-request-id': id });
    await server.call('GET', '/v1/nothing', undefined, { 'x-request-id': 'd' });
    expect((await logged(server, '?status=4xx')).map(({ requestId }) => requestId)).toEqual(['d']);
    const first = await server.call('GET', '/v1/requests?limit=2&status=2xx');
    expect(first.body).toMatchObject({ result: [{ requestId: 'c' }, { requestId: 'b' }], log: { lastSeq: 4 } });
    const next = await server.call('GET', `/v1/requests?limit=2&status=2xx&page=${first.body.nextCursor}`);
    expect(next.body.result).toMatchObject([{ requestId: 'a' }]);
    expect(next.body).not.toHaveProperty('nextCursor');
    expect((await logged(server, '?after=3')).map(({ requestId }) => requestId)).toEqual(['d']);
    expectCode(
      await server.call('GET', `/v1/requests?limit=2&status=4xx&page=${first.body.nextCursor}`),
      'SVC_RUNTIME_INVALID_CURSOR',
    );
  });

  it('refuses more rows than the cap without a limit', async () => {
    const server = await serve(createFakeRuntime(), {
      limits: { bodyBytes: 1e6, rows: 2, timeoutMs: 1e4, batchSteps: 9, explainNodes: 9, factsPerRule: 9 },
    });
    for (const _ of [1, 2, 3]) await server.call('GET', '/v1/errors');
    expectCode(await server.call('GET', '/v1/requests'), 'SVC_RUNTIME_RESULT_TOO_LARGE', /limit=2/);
  });

  it('reports an unknown request', async () => {
    const server = await serve();
    expectCode(await server.call('GET', '/v1/requests/ghost'), 'SVC_RUNTIME_VALIDATION_FAILED', /the last 500/);
  });

  it('can be turned off', async () => {
    const server = await serve(createFakeRuntime(), { logRequests: 0 });
    await server.call('GET', '/v1/nothing', undefined, { 'x-request-id': 'one' });
    const { body } = await server.call('GET', '/v1/requests');
    expect(body).toMatchObject({ result: [], log: { lastSeq: 0, requestsMax: 0 } });
    expectCode(await server.call('GET', '/v1/requests/one'), 'SVC_RUNTIME_VALIDATION_FAILED', /--log-requests 0/);
    expect((await server.call('GET', '/v1/health')).body.result.logRequests).toBe(0);
  });

  it('keeps no bodies once an individual is erased', async () => {
    const server = await serveReal();
    const { body } = await server.mutation('lease::addPerson', { name: 'Ada' }, { 'x-request-id': 'one' });
    expect(JSON.stringify((await server.call('GET', '/v1/requests/one')).body)).toContain('Ada');
    await server.mutation('lease::forgetPerson', { p: body.result.$id }, { 'x-request-id': 'two' });
    expect((await server.call('GET', '/v1/requests/one')).body.result).toMatchObject({
      body: null,
      answer: null,
      erased: true,
    });
    expect((await server.call('GET', '/v1/requests/two')).body.result).toMatchObject({ status: 200, erased: true });
  });

  it('keeps no bodies once an import has erased an individual', async () => {
    const server = await serveReal();
    const { body } = await server.mutation('lease::addPerson', { name: 'Ada' }, { 'x-request-id': 'one' });
    await server.call('POST', '/v1/import', { mutation: 'lease::forgetPerson', rows: [{ p: body.result.$id }] });
    expect((await server.call('GET', '/v1/requests/one')).body.result).toMatchObject({ body: null, erased: true });
  });

  it('keeps the bodies of later requests, also of those that read the erasure in the history', async () => {
    const server = await serveReal();
    const { body } = await server.mutation('lease::addPerson', { name: 'Ada' });
    await server.mutation('lease::forgetPerson', { p: body.result.$id });
    await server.mutation('lease::addPerson', { name: 'Bel' }, { 'x-request-id': 'later' });
    expect(JSON.stringify((await server.call('GET', '/v1/events')).body)).toContain('forgetIndividual');
    expect(JSON.stringify((await server.call('GET', '/v1/requests/later')).body)).toContain('Bel');
  });
});

describe('the stream of the request log', () => {
  async function follow(server: TestServer, query = '', headers?: Record<string, string>) {
    const connection = await openStream({ url: server.url, token: 'test-token' }, headers, `/v1/requests${query}`);
    closers.push(() => connection.close());
    const next = async (): Promise<RequestSummary | undefined> => {
      const message = await connection.next();
      if (message === undefined) return undefined;
      const row: RequestSummary = JSON.parse(message.data);
      expect(message.lastEventId).toBe(String(row.seq));
      return row;
    };
    return { ...connection, next };
  }

  it('sends matching requests as they end, and resumes after a given one', async () => {
    const server = await serve();
    await server.call('GET', '/v1/errors', undefined, { 'x-request-id': 'before' });
    const all = await follow(server);
    const failed = await follow(server, '?status=4xx');
    await server.call('GET', '/v1/errors', undefined, { 'x-request-id': 'fine' });
    await server.call('GET', '/v1/nothing', undefined, { 'x-request-id': 'lost' });
    expect(all.contentType).toContain('text/event-stream');
    const fine = await all.next();
    expect([fine?.requestId, (await all.next())?.requestId]).toEqual(['fine', 'lost']);
    expect(await failed.next()).toMatchObject({ requestId: 'lost', status: 404 });
    const [listed] = await logged(server, '?status=4xx');
    expect(listed?.requestId).toBe('lost');
    const resumed = await follow(server, '', { 'last-event-id': String(fine?.seq) });
    expect((await resumed.next())?.requestId).toBe('lost');
  });

  it('starts from now after a restart of the server, and does not list itself', async () => {
    const server = await serve();
    const ahead = await follow(server, '', { 'last-event-id': '900' });
    await ahead.close();
    const again = await follow(server, '', { 'last-event-id': '900' });
    await server.call('GET', '/v1/errors');
    expect(await again.next()).toMatchObject({ path: '/v1/errors', seq: 1 });
  });

  it('refuses pages, and resumes only after a number', async () => {
    const server = await serve();
    const live = { accept: 'text/event-stream' };
    for (const query of ['?limit=1', '?after=1']) {
      expectCode(
        await server.call('GET', `/v1/requests${query}`, undefined, live),
        'SVC_RUNTIME_VALIDATION_FAILED',
        /no pages; leave limit, page and after out/,
      );
    }
    expectCode(
      await server.call('GET', '/v1/requests', undefined, { ...live, 'last-event-id': 'one' }),
      'SVC_RUNTIME_VALIDATION_FAILED',
      /seq of a request/,
    );
  });

  it('ends with the server', async () => {
    const server = await serve();
    const stream = await follow(server);
    await server.close();
    expect(await stream.next()).toBeUndefined();
  });
});
