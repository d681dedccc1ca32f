/** Access by host, origin, token and capability, for any spelling of a request. */

import { afterEach, describe, expect, it } from 'vitest';
import { createFakeRuntime } from '../testing/fake-runtime.js';
import { serveFake, type TestServer } from '../testing/http.js';

let server: TestServer;
afterEach(() => server.close());

describe('access', () => {
  const denied = 'SVC_RUNTIME_CAPABILITY_DENIED';

  it('requires the token for every path under /v1, known or not', async () => {
    server = await serveFake(createFakeRuntime());
    for (const authorization of ['', 'Bearer', 'Bearer wrong', 'Basic dGVzdA==', 'Bearer test-token extra']) {
      for (const path of ['/v1/schema', '/v1/nothing', '/v1/openapi.json']) {
        const { status, body } = await server.call('GET', path, undefined, { authorization });
        expect([status, body.error.code]).toEqual([403, denied]);
      }
    }
  });

  it.each(['test-toke', 'test-token-and-more', 'test-tokeñ', 'xest-token'])(
    'refuses %s, which resembles the token, also after the token itself',
    async (almost) => {
      server = await serveFake(createFakeRuntime());
      expect((await server.call('GET', '/v1/errors')).status).toBe(200);
      const headers = { authorization: `Bearer ${almost}` };
      expect((await server.call('GET', '/v1/errors', undefined, headers)).status).toBe(403);
    },
  );

  it('requires no token for the probes', async () => {
    server = await serveFake(createFakeRuntime());
    for (const path of ['/healthz', '/readyz']) {
      expect((await server.call('GET', path, undefined, { authorization: '' })).status).toBe(200);
    }
  });

  it('refuses a foreign origin and accepts its own', async () => {
    server = await serveFake(createFakeRuntime());
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      const { status, body } = await server.call('GET', '/v1/errors', undefined, { origin });
      expect([status, body.error.code, body.error.details.reason]).toEqual([403, denied, 'origin']);
    }
    expect((await server.call('GET', '/v1/errors', undefined, { origin: server.url })).status).toBe(200);
  });

  it('refuses a foreign host', async () => {
    server = await serveFake(createFakeRuntime());
    const answer = await server.raw(
      'GET /v1/errors HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer test-token\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain(denied);
  });

  it.each([
    ['/%76%31/schema'],
    ['/v1/%73chema'],
    ['http://localhost/v1/schema'],
    ['HTTP://localhost/%76%31/schema'],
    ['http://evil.example/v1/schema', 'host'],
    ['http://evil.example/healthz', 'host'],
  ])('is not deceived by %s', async (target, reason = 'token') => {
    server = await serveFake(createFakeRuntime());
    const answer = await server.raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain(`"code":"${denied}"`);
    expect(answer).toContain(`"reason":"${reason}"`);
  });

  it('accepts a target with scheme and host', async () => {
    server = await serveFake(createFakeRuntime());
    const target = `${server.url}/v1/errors?x=1`;
    const answer = await server.raw(
      `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer test-token\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('limits an additional token to its capabilities', async () => {
    const furtherTokens = [
      { token: 'forks-only', grant: ['fork'] as const },
      { token: 'nothing', grant: [] },
    ];
    server = await serveFake(createFakeRuntime(), { grant: ['fork', 'reload'], furtherTokens });
    const as = (token: string) => ({ authorization: `Bearer ${token}` });
    const carried = async (token: string) =>
      (await server.call('GET', '/v1/health', undefined, as(token))).body.result.capabilities;
    expect([await carried('test-token'), await carried('forks-only'), await carried('nothing')]).toEqual([
      ['fork', 'reload'],
      ['fork'],
      [],
    ]);
    const reload = await server.call('PUT', '/v1/module', 'no artifact', {
      'content-type': 'x/y',
      ...as('forks-only'),
    });
    expect([reload.status, reload.body.error]).toEqual([
      403,
      {
        code: denied,
        message: 'The token of this request does not carry the capability "reload"; send one that does.',
        details: { reason: 'capability', capability: 'reload' },
      },
    ]);
    const fork = async (token: string) => (await server.call('POST', '/v1/forks', { id: 1 }, as(token))).body.error;
    expect(await fork('nothing')).toMatchObject({ code: denied, details: { capability: 'fork' } });
    expect(await fork('forks-only')).toMatchObject({ code: 'SVC_RUNTIME_VALIDATION_FAILED' });
    const logged = await server.call('GET', '/v1/requests', undefined, as('nothing'));
    expect(JSON.stringify(logged.body)).not.toMatch(/forks-only|test-token/);
  });

  it('names the missing capability before it reads the body', async () => {
    server = await serveFake(createFakeRuntime(), { grant: ['fork'] });
    const { status, body } = await server.call('PUT', '/v1/module', 'no artifact', { 'content-type': 'text/plain' });
    expect([status, body.error.code, body.error.details.capability]).toEqual([403, denied, 'reload']);
  });
});
