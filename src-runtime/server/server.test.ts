/** The HTTP layer over a fake runtime: what clients can rely on with any module. */

import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '../api/errors.js';
import { type Deadline, DeadlineExceeded } from '../base/ports.js';
import { StorageError } from '../storage/event-store.js';
import { ScopeRetired } from '../world/state/scope.js';
import { createFakeRuntime } from './testing/fake-runtime.js';
import { serveFake, type TestServer } from './testing/http.js';
import { signal } from './testing/signal.js';

let server: TestServer;
afterEach(() => server.close());

const QUERY = { path: 'lease::activeLeases', args: {} };
const ENVELOPE = { error: { code: expect.any(String), message: expect.any(String), details: expect.any(Object) } };

describe('success bodies', () => {
  it('carry result, requestId and moduleHash, and repeat the id in a header', async () => {
    server = await serveFake(createFakeRuntime({ query: async () => ({ result: ['a'], nextCursor: 'more' }) }));
    const { status, body, headers } = await server.call('POST', '/v1/dispatch/query', QUERY);
    expect(status).toBe(200);
    expect(body).toEqual({ result: ['a'], nextCursor: 'more', requestId: body.requestId, moduleHash: 'abc123' });
    expect(headers.get('x-request-id')).toBe(body.requestId);
  });

  it('keep a well-formed request id and replace any other', async () => {
    server = await serveFake(createFakeRuntime());
    const kept = await server.call('GET', '/v1/errors', undefined, { 'x-request-id': 'My.id_1-2' });
    expect(kept.body.requestId).toBe('My.id_1-2');
    const replaced = await server.call('GET', '/v1/errors', undefined, { 'x-request-id': 'spaces are bad' });
    expect(replaced.body.requestId).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  });

  it('of a mutation have txn, events and warnings, and pass dryRun to the world', async () => {
    const runs: boolean[] = [];
    server = await serveFake(
      createFakeRuntime({
        mutation: async ({ query }) => {
          runs.push(query.dryRun);
          return { result: 1, txn: 2, events: [], warnings: [] };
        },
      }),
    );
    const { body } = await server.call('POST', '/v1/dispatch/mutation', QUERY);
    expect(body).toMatchObject({ result: 1, txn: 2, events: [], warnings: [] });
    await server.call('POST', '/v1/dispatch/mutation?dryRun=true', QUERY);
    expect(runs).toEqual([false, true]);
  });
});

describe('a write', () => {
  it('runs again in a new session, in the same time, if a reload has replaced the module while it waited', async () => {
    const deadlines: Deadline[] = [];
    const runtime = createFakeRuntime({
      mutation: (call) =>
        call.run(() => {
          deadlines.push(call.deadline());
          if (deadlines.length === 1) throw new ScopeRetired();
          return { result: 1, txn: 2, events: [], warnings: [] };
        }),
    });
    server = await serveFake(runtime);
    const { body } = await server.call('POST', '/v1/dispatch/mutation', QUERY);
    expect(body).toMatchObject({ result: 1, txn: 2 });
    expect([runtime.frames.length, deadlines.length, new Set(deadlines).size]).toEqual([2, 2, 1]);
  });
});

describe('failures', () => {
  it('name an unknown route and suggest a similar one', async () => {
    server = await serveFake(createFakeRuntime());
    const { status, body } = await server.call('GET', '/v1/shema');
    expect(status).toBe(404);
    expect(body).toMatchObject({ ...ENVELOPE, moduleHash: 'abc123' });
    expect(body.error).toMatchObject({
      code: 'SVC_RUNTIME_UNKNOWN_ROUTE',
      message: 'No route matches "/v1/shema"; did you mean "/v1/schema"?',
    });
  });

  it.each(['/v1/forks/', '/v1/forks//derived', '/v1/individuals/'])('treat %s as an unknown route', async (path) => {
    server = await serveFake(createFakeRuntime());
    const { status, body } = await server.call('GET', path);
    expect([status, body.error.code]).toEqual([404, 'SVC_RUNTIME_UNKNOWN_ROUTE']);
  });

  it.each([
    ['DELETE', '/v1/schema', 'GET, HEAD'],
    ['GET', '/v1/dispatch/query', 'POST'],
    ['POST', '/v1/individuals/%23i1', 'GET, HEAD'],
    ['OPTIONS', '/v1/module', 'GET, HEAD, PUT'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/v1/%73chema', 'GET, HEAD'],
  ])('list the methods for %s %s', async (method, path, allow) => {
    server = await serveFake(createFakeRuntime());
    const { status, body, headers } = await server.call(method, path);
    expect(status).toBe(405);
    expect(body.error.code).toBe('SVC_RUNTIME_METHOD_NOT_ALLOWED');
    expect(headers.get('allow')).toBe(allow);
  });

  it.each([
    ['bad JSON', '{"path":', 'application/json', /no JSON/],
    ['an empty body', '', 'application/json', /empty/],
    ['another content type', '{}', 'text/plain', /content-type: application\/json/],
    ['a content type that is none', '{}', 'nonsense', /content type/],
    ['a body of another shape', '[]', 'application/json', /body does not fit/],
    ['a missing member', '{"args":{}}', 'application/json', /\$\.path/],
    ['a key given twice', '{"path":"a","path":"b"}', 'application/json', /"path" twice/],
    ['the member __proto__', '{"path":"a","__proto__":{}}', 'application/json', /unknown key.*\(\$\.__proto__\)/],
    ['a value of another type', '{"path":5}', 'application/json', /expected a string, got 5 \(\$\.path\)/],
    [
      'an unknown member',
      '{"path":"a::b","argz":{}}',
      'application/json',
      /unknown key; did you mean "args" \(\$\.argz\)/,
    ],
    ['a body without any', '{"x y":1}', 'application/json', /expected a string, got nothing \(\$\.path\), and 1 more/],
    [
      'nesting without end',
      `{"path":"a","args":{"x":${'['.repeat(5000)}${']'.repeat(5000)}}}`,
      'application/json',
      /nests/,
    ],
  ])('distinguish %s', async (_name, text, contentType, message) => {
    server = await serveFake(createFakeRuntime());
    const { status, body } = await server.call('POST', '/v1/dispatch/query', text, { 'content-type': contentType });
    expect(status).toBe(400);
    expect(body.error.code).toBe('SVC_RUNTIME_VALIDATION_FAILED');
    expect(body.error.message).toMatch(message);
  });

  it('include an encoded body', async () => {
    server = await serveFake(createFakeRuntime());
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const { status, body } = await server.call('POST', '/v1/dispatch/query', JSON.stringify(QUERY), headers);
    expect([status, body.error.code]).toEqual([400, 'SVC_RUNTIME_VALIDATION_FAILED']);
    expect(body.error.message).toContain('"gzip"');
  });

  it('list every issue of the request, by path', async () => {
    server = await serveFake(createFakeRuntime());
    const steps = [{ query: 1, args: [] }, { compute: 'a::b', arg: {} }, {}];
    const { body } = await server.call('POST', '/v1/batch', { steps, fork: null });
    expect(body.error.details).toEqual({
      path: '$.steps[0].query',
      issues: [
        { path: '$.steps[0].query', message: 'expected a string, got 1' },
        { path: '$.steps[0].args', message: 'expected an object, got an array' },
        { path: '$.steps[1].arg', message: 'unknown key; did you mean "args"' },
        { path: '$.steps[2]', message: 'must have exactly one of query, mutation and compute' },
        { path: '$.fork', message: 'expected a string, got null' },
      ],
    });
  });

  it.each([
    ['rows', 0, 'expected an object, got 0'],
    ['steps', {}, 'must have exactly one of query, mutation and compute'],
  ])('list the first faults of a large body only: %s', async (list, item, message) => {
    server = await serveFake(createFakeRuntime());
    const route = list === 'rows' ? '/v1/import' : '/v1/batch';
    const fitting = list === 'rows' ? {} : { query: 'a::b' };
    const items = [...Array(10_000).fill(fitting), ...Array(10_000).fill(item)];
    const { body } = await server.call('POST', route, { mutation: 'a::b', [list]: items });
    expect(body.error.message).toContain(', and at least 99 more; details.issues lists the first 100.');
    const { path, issues } = body.error.details;
    expect([path, issues.length]).toEqual([`$.${list}[10000]`, 100]);
    expect(issues.at(-1)).toEqual({ path: `$.${list}[10099]`, message });
  });

  it('include a body that is not UTF-8', async () => {
    server = await serveFake(createFakeRuntime());
    const { status, body } = await server.call('POST', '/v1/dispatch/query', new Uint8Array([0x22, 0xff, 0x22]), {
      'content-type': 'application/json',
    });
    expect([status, body.error.code]).toEqual([400, 'SVC_RUNTIME_VALIDATION_FAILED']);
  });

  it.each([
    ['limit=0', /from 1 to 10000/],
    ['limit=10001', /from 1 to 10000/],
    ['limit=ten', /must be a whole number, got "ten" \(\$\.limit\)/],
    ['limit=1&limit=2', /limit/],
    ['limt=5', /unknown key; did you mean "limit" \(\$\.limt\)/],
  ])('include invalid paging: %s', async (query, message) => {
    server = await serveFake(createFakeRuntime());
    const { status, body } = await server.call('GET', `/v1/individuals?${query}`);
    expect([status, body.error.code]).toEqual([400, 'SVC_RUNTIME_VALIDATION_FAILED']);
    expect(body.error.message).toMatch(message);
  });

  it('report a malformed path, but only after the access check', async () => {
    server = await serveFake(createFakeRuntime());
    const malformed = await server.call('GET', '/v1/individuals/%zz');
    expect([malformed.status, malformed.body.error.code]).toEqual([400, 'SVC_RUNTIME_VALIDATION_FAILED']);
    const denied = await server.call('GET', '/v1/individuals/%zz', undefined, { authorization: '' });
    expect(denied.body.error.code).toBe('SVC_RUNTIME_CAPABILITY_DENIED');
  });

  it('have separate codes for a storage fault, a deadline and a world error', async () => {
    server = await serveFake(
      createFakeRuntime({
        query: async () => {
          throw new DeadlineExceeded(7);
        },
        mutation: async () => {
          throw new StorageError('ENOSPC: /secret/path', 'failed');
        },
        compute: async () => {
          throw new ApiError('SVC_RUNTIME_UNKNOWN_COMPUTE', 'No such function.', { path: 'a::b' });
        },
      }),
    );
    const late = await server.call('POST', '/v1/dispatch/query', QUERY);
    expect([late.status, late.body.error.code]).toEqual([408, 'SVC_RUNTIME_REQUEST_TIMEOUT']);
    const disk = await server.call('POST', '/v1/dispatch/mutation', QUERY, { 'x-request-id': 'disk-1' });
    expect([disk.status, disk.body.error.code]).toEqual([500, 'SVC_RUNTIME_STORAGE_ERROR']);
    expect(JSON.stringify(disk.body)).not.toContain('secret');
    expect(server.logLines.find((line) => line.includes('disk-1'))).toContain('/secret/path');
    const own = await server.call('POST', '/v1/dispatch/compute', QUERY);
    expect(own.body.error).toEqual({
      code: 'SVC_RUNTIME_UNKNOWN_COMPUTE',
      message: 'No such function.',
      details: { path: 'a::b' },
    });
  });

  it('shorten a received value in the message and details', async () => {
    const long = 'x'.repeat(1_000_000);
    server = await serveFake(
      createFakeRuntime({
        query: async () => {
          throw new ApiError('SVC_RUNTIME_UNKNOWN_QUERY', `Query "${long}" is not declared.`, { path: long });
        },
      }),
    );
    const { status, body } = await server.call('POST', '/v1/dispatch/query', { path: long, args: {} });
    expect([status, body.error.code]).toEqual([404, 'SVC_RUNTIME_UNKNOWN_QUERY']);
    expect(body.error.message).toMatch(/^Query "x+…$/);
    expect(body.error.details.path).toMatch(/^x+…$/);
    expect(JSON.stringify(body).length).toBeLessThan(10_000);
  });

  it('include unreachable storage on /readyz and /v1/health, but not on /healthz', async () => {
    const probeStorage = async () => {
      throw new StorageError('gone', 'unreachable', { why: 'the disk is full' });
    };
    server = await serveFake(createFakeRuntime({}, { probeStorage }));
    for (const path of ['/readyz', '/v1/health']) {
      const { status, body } = await server.call('GET', path);
      expect([status, body.error.code]).toEqual([503, 'SVC_RUNTIME_STORAGE_UNREACHABLE']);
      expect(body.error.message).toBe('The storage cannot be written: the disk is full.');
    }
    expect((await server.call('GET', '/healthz')).status).toBe(200);
  });

  it('include a storage that hangs', async () => {
    const probeStorage = () => new Promise<void>(() => undefined);
    server = await serveFake(createFakeRuntime({}, { probeStorage }), { storageWaitMs: 1 });
    for (const path of ['/readyz', '/v1/health']) {
      const { status, body } = await server.call('GET', path);
      expect([status, body.error.code]).toEqual([503, 'SVC_RUNTIME_STORAGE_UNREACHABLE']);
    }
  });

  it.each<[string, () => Promise<void>, RegExp, object]>([
    [
      'the history is being read',
      () => new Promise(() => undefined),
      /still being read; try again/,
      { reason: 'opening' },
    ],
    [
      'every request would be refused',
      () => Promise.reject(new ApiError('SVC_RUNTIME_SCHEMA_MISMATCH', 'Another schema.')),
      /^No request can be served: Another schema\.$/,
      { reason: 'refused', code: 'SVC_RUNTIME_SCHEMA_MISMATCH' },
    ],
    [
      'the history cannot be read',
      () => Promise.reject(new StorageError('/secret/path is damaged', 'failed')),
      /cannot be read; the log says why/,
      { reason: 'failed' },
    ],
  ])('are reported on /readyz only if %s', async (_, openScopes, message, details) => {
    server = await serveFake(createFakeRuntime({}, { openScopes }));
    const { status, body } = await server.call('GET', '/readyz');
    expect([status, body.error.code]).toEqual([503, 'SVC_RUNTIME_STORAGE_UNREACHABLE']);
    expect(body.error.message).toMatch(message);
    expect(body.error.details).toEqual(details);
    for (const path of ['/v1/health', '/healthz']) expect((await server.call('GET', path)).status).toBe(200);
  });

  it('do not occur on /readyz if the scopes open while it waits', async () => {
    let isOpen = false;
    const openScopes = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isOpen = true;
    };
    server = await serveFake(createFakeRuntime({}, { openScopes }));
    expect([(await server.call('GET', '/readyz')).status, isOpen]).toEqual([200, true]);
  });
});

describe('size', () => {
  const limits = { bodyBytes: 1000, rows: 10, timeoutMs: 1000, batchSteps: 1, explainNodes: 1, factsPerRule: 1 };

  it('SVC_RUNTIME_REQUEST_TOO_LARGE before the content type is checked, declared or chunked', async () => {
    server = await serveFake(createFakeRuntime(), { limits });
    const declared = await server.call('POST', '/v1/dispatch/query', 'x'.repeat(1001), {
      'content-type': 'text/plain',
    });
    expect([declared.status, declared.body.error.code]).toEqual([413, 'SVC_RUNTIME_REQUEST_TOO_LARGE']);
    const chunk = `3e9\r\n${'x'.repeat(1001)}\r\n`;
    const chunked = await server.raw(
      `POST /v1/dispatch/query HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer test-token\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    expect(chunked).toContain('SVC_RUNTIME_REQUEST_TOO_LARGE');
  });

  it('accepts a body of exactly the limit', async () => {
    server = await serveFake(createFakeRuntime(), { limits });
    const body = JSON.stringify({ path: 'a::b', args: { x: '' } });
    const padded = JSON.stringify({ path: 'a::b', args: { x: 'y'.repeat(1000 - body.length) } });
    const { status } = await server.call('POST', '/v1/dispatch/query', padded, { 'content-type': 'application/json' });
    expect(status).toBe(200);
  });
});

describe('malformed HTTP', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a header without a name', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n'],
    ['an invalid length', 'POST /v1/explain HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n'],
    ['headers without end', `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n'],
    ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n'],
  ])('responds to %s with the envelope', async (_name, bytes) => {
    server = await serveFake(createFakeRuntime());
    const answer = await server.raw(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    expect(body).toMatchObject({ ...ENVELOPE, requestId: expect.any(String), moduleHash: 'abc123' });
    expect(body.error.code).toBe('SVC_RUNTIME_VALIDATION_FAILED');
  });

  it('gets the list of methods if it starts without one', async () => {
    server = await serveFake(createFakeRuntime());
    expect(await server.raw('{"a":1}\r\n\r\n')).toContain('send GET, POST, PUT, PATCH or DELETE');
  });
});

describe('an unknown method', () => {
  const refusal = async (line: string, headers: string) => {
    server = await serveFake(createFakeRuntime());
    const answer = await server.raw(`${line} HTTP/1.1\r\n${headers}\r\n\r\n`);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({ ...ENVELOPE, moduleHash: 'abc123' });
    return { status: Number(head.slice(9, 12)), head, ...JSON.parse(body) };
  };
  const AUTHORISED = 'Host: localhost\r\nAuthorization: Bearer test-token';

  it.each([
    ['FOO /healthz', 'Host: localhost', 405, 'METHOD_NOT_ALLOWED'],
    ['get /healthz', 'Host: localhost', 405, 'METHOD_NOT_ALLOWED'],
    ['FOO http://localhost/v1/individuals/%23i1?x=1', AUTHORISED, 405, 'METHOD_NOT_ALLOWED'],
    ['FOO /v1/nothing', AUTHORISED, 404, 'UNKNOWN_ROUTE'],
    ['FOO /v1/schema', 'Host: localhost', 403, 'CAPABILITY_DENIED'],
    ['FOO /healthz', 'Host: evil.example', 403, 'CAPABILITY_DENIED'],
    ['FOO /healthz', 'Host: localhost\r\nHost: localhost', 400, 'VALIDATION_FAILED'],
    ['FOO /healthz', 'Host: localhost\r\nno header', 400, 'VALIDATION_FAILED'],
  ])('is refused in %s with %j like any other', async (line, headers, status, code) => {
    const answer = await refusal(line, headers);
    expect([answer.status, answer.error.code]).toEqual([status, `SVC_RUNTIME_${code}`]);
  });

  it('gets the methods of the route, under the request id of the client', async () => {
    const { head, error, requestId } = await refusal('BREW /healthz', 'Host: localhost\r\nX-Request-Id: mine');
    expect(head).toContain('\r\nallow: GET, HEAD\r\n');
    expect([error.message, requestId]).toEqual(['/healthz does not support BREW; it supports GET, HEAD.', 'mine']);
  });
});

describe('context and fork', () => {
  it('reach the world from headers and body', async () => {
    const runtime = createFakeRuntime();
    server = await serveFake(runtime);
    await server.call(
      'POST',
      '/v1/dispatch/query',
      { ...QUERY, context: { principalId: 'bo' }, fork: 'trial' },
      { 'x-tenant-id': 'acme', 'x-context-foo-bar': '7', 'x-context-now': '2026-01-01T00:00:00Z', 'x-fork-id': 'main' },
    );
    expect(runtime.frames).toEqual([
      {
        headerContext: { tenantId: 'acme', fooBar: '7', now: '2026-01-01T00:00:00Z' },
        bodyContext: { principalId: 'bo' },
        forks: [
          { from: 'header', fork: 'main' },
          { from: 'body', fork: 'trial' },
        ],
      },
    ]);
  });

  it('ignore an empty header for tenant or fork', async () => {
    const runtime = createFakeRuntime();
    server = await serveFake(runtime);
    await server.call('POST', '/v1/dispatch/query', QUERY, { 'x-tenant-id': '', 'x-fork-id': '' });
    expect(runtime.frames).toEqual([{ headerContext: {}, bodyContext: {}, forks: [] }]);
  });

  it('fail for a tenant in a header that would be ignored', async () => {
    server = await serveFake(createFakeRuntime());
    const { status, body } = await server.call('POST', '/v1/dispatch/query', QUERY, { 'x-context-tenant-id': 'acme' });
    expect([status, body.error.code]).toEqual([400, 'SVC_RUNTIME_VALIDATION_FAILED']);
    expect(body.error.message).toContain('x-tenant-id');
  });
});

describe('stopping', () => {
  it('responds to running requests, then closes', async () => {
    const entered = signal();
    const gate = signal();
    server = await serveFake(
      createFakeRuntime({
        query: async () => {
          entered.give();
          await gate.given;
          return { result: ['late'] };
        },
      }),
    );
    const running = server.call('POST', '/v1/dispatch/query', QUERY);
    await entered.given;
    const closing = server.close();
    while (server.listening()) await new Promise((resolve) => setImmediate(resolve));
    gate.give();
    expect((await running).body.result).toEqual(['late']);
    await closing;
  });

  it('does not wait for an idle connection', async () => {
    server = await serveFake(createFakeRuntime());
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await server.close();
    await ended;
  });
});
