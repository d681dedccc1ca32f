/** Any thrown value, wherever it is thrown, is reported in the envelope and reveals nothing internal. */

import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '../api/errors.js';
import type { WireEvent } from '../api/schemas/schemas.js';
import { BINDINGS } from './operations/bindings.js';
import { createFakeRuntime } from './testing/fake-runtime.js';
import { serveFake, type TestServer } from './testing/http.js';

let server: TestServer;
afterEach(() => server.close());

const QUERY = { path: 'lease::activeLeases', args: {} };
const ENVELOPE = { error: { code: expect.any(String), message: expect.any(String), details: expect.any(Object) } };

const fakeStream = (stream: typeof BINDINGS.events.stream) =>
  createFakeRuntime({ events: { ...BINDINGS.events, stream } });

describe('an unexpected fault', () => {
  it.each([
    ['a handler', () => createFakeRuntime({ query: () => Promise.reject(new Error('boom at /secret/file.ts')) })],
    ['what is no Error', () => createFakeRuntime({ query: () => Promise.reject('boom /secret') })],
    ['the serializer', () => createFakeRuntime({ query: async () => ({ result: 1n as unknown as number }) })],
    [
      'details that JSON cannot carry',
      () =>
        createFakeRuntime({ query: () => Promise.reject(new ApiError('SVC_RUNTIME_DERIVE_FAILED', 'x', { n: 1n })) }),
    ],
  ])('SVC_RUNTIME_INTERNAL_ERROR from %s', async (_place, runtime) => {
    server = await serveFake(runtime());
    const { status, body, headers } = await server.call('POST', '/v1/dispatch/query', QUERY, { 'x-request-id': 'r-1' });
    expect(status).toBe(500);
    expect(body).toMatchObject({ error: { code: 'SVC_RUNTIME_INTERNAL_ERROR' }, requestId: 'r-1' });
    expect(headers.get('x-request-id')).toBe('r-1');
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(server.logLines.some((line) => line.includes('"level":50') && line.includes('r-1'))).toBe(true);
  });

  it('SVC_RUNTIME_INTERNAL_ERROR from hooks before the handler, and the server continues', async () => {
    const grant = Object.assign(['reload' as const], {
      includes: () => {
        throw new Error('boom at /secret/file.ts');
      },
    });
    server = await serveFake(createFakeRuntime(), { grant });
    const { status, body } = await server.call('PUT', '/v1/module', '{}', { 'x-request-id': 'r-2' });
    expect([status, body.error.code, body.requestId]).toEqual([500, 'SVC_RUNTIME_INTERNAL_ERROR', 'r-2']);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect((await server.call('GET', '/v1/errors')).status).toBe(200);
  });

  it('SVC_RUNTIME_INTERNAL_ERROR in the middle of a stream, which then ends', async () => {
    async function* news(): AsyncGenerator<WireEvent[]> {
      yield [{ seq: 7, txn: 1, at: '', kind: 'redacted' }];
      throw new Error('boom at /secret/file.ts');
    }
    server = await serveFake(
      fakeStream(async () => ({ seq: 6, onWrite: () => () => {}, onFork: () => () => {}, unread: news })),
    );
    const { status, body } = await server.call('GET', '/v1/events', undefined, { accept: 'text/event-stream' });
    const [, sent, failure] = (body as string).split('\n\n');
    expect([status, sent]).toEqual([200, expect.stringContaining('id: 7')]);
    const envelope = /^event: error\ndata: (.*)$/.exec(failure ?? '')?.[1] ?? '';
    expect(JSON.parse(envelope)).toMatchObject({ ...ENVELOPE, error: { code: 'SVC_RUNTIME_INTERNAL_ERROR' } });
    expect(body).not.toContain('secret');
    expect(server.logLines.some((line) => line.includes('"level":50'))).toBe(true);
  });

  it('SVC_RUNTIME_INTERNAL_ERROR before a stream has begun', async () => {
    server = await serveFake(fakeStream(() => Promise.reject(new Error('boom'))));
    const { status, body } = await server.call('GET', '/v1/events', undefined, { accept: 'text/event-stream' });
    expect([status, body.error.code]).toEqual([500, 'SVC_RUNTIME_INTERNAL_ERROR']);
  });

  it('SVC_RUNTIME_INTERNAL_ERROR from serializing a response, and the server continues', async () => {
    let hash = (): string => {
      throw new Error('boom');
    };
    const fake = createFakeRuntime();
    const runtime = Object.defineProperty(fake, 'moduleHash', { get: () => hash() });
    server = await serveFake(runtime);
    const broken = await server.call('GET', '/v1/errors');
    expect([broken.status, broken.body.error.code]).toEqual([500, 'SVC_RUNTIME_INTERNAL_ERROR']);
    hash = () => 'back';
    expect((await server.call('GET', '/v1/errors')).body.moduleHash).toBe('back');
  });
});
