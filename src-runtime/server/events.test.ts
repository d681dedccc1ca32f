/** The history over HTTP: in pages, followed live, resumed, by many and by slow clients, until either side ends it. */

import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClient } from '../api/client.js';
import { createMessageReader } from '../api/follow.js';
import type { WireEvent } from '../api/schemas/schemas.js';
import { StorageError } from '../storage/event-store.js';
import type { EventFeed } from '../world/contract/requests.js';
import { BINDINGS } from './operations/bindings.js';
import { expectCode } from './testing/expect-code.js';
import { createFakeRuntime } from './testing/fake-runtime.js';
import { serveFake, type TestServer } from './testing/http.js';
import { addNote, noteServers } from './testing/notes.js';
import type { RealServer } from './testing/real.js';
import { signal } from './testing/signal.js';
import { openStream } from './testing/stream.js';

const { serve, stream, atEnd } = noteServers();

async function serveFeed(feed: Partial<EventFeed>): Promise<TestServer> {
  const whole: EventFeed = { seq: 0, onWrite: () => () => {}, onFork: () => () => {}, unread: nothing, ...feed };
  const server = await serveFake(createFakeRuntime({ events: { ...BINDINGS.events, stream: async () => whole } }));
  atEnd(() => server.close());
  return server;
}

/** No news. */
async function* nothing(): AsyncGenerator<never> {}

const clientOf = ({ running }: RealServer) => createClient({ baseUrl: running.url, token: running.token });

describe('the history in pages', () => {
  it('is complete and in order while others write', async () => {
    const server = await serve();
    for (let index = 0; index < 20; index++) await addNote(server, `before ${index}`);
    const before: WireEvent[] = (await server.call('GET', '/v1/events')).body.result;
    const pages: WireEvent[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { body } = await server.call('GET', `/v1/events?limit=7${cursor && `&page=${cursor}`}`);
      pages.push(...body.result);
      cursor = body.nextCursor;
      if (pages.length < 60) await addNote(server, 'meanwhile');
    }
    expect(before).toHaveLength(40);
    expect(pages.slice(0, 40)).toEqual(before);
    expect(pages.map(({ seq }) => seq)).toEqual(Array.from(pages, (_, index) => index + 1));
    expect(pages[0]).toEqual({
      seq: 1,
      txn: 1,
      at: expect.any(String),
      kind: 'insertIndividual',
      id: '#i1',
      concept: 'notes::Note',
    });
  });

  it('can be cut inside a transaction', async () => {
    const server = await serve();
    await server.mutation('notes::addAll', { texts: ['a', 'b', 'c'] });
    const first = await server.call('GET', '/v1/events?limit=5');
    const second = await server.call('GET', `/v1/events?limit=5&page=${first.body.nextCursor}`);
    const seqs = [first, second].map(({ body }) => body.result.map(({ seq }: WireEvent) => seq));
    expect([seqs, second.body.nextCursor]).toEqual([[[1, 2, 3, 4, 5], [6]], undefined]);
  });

  it('accepts only cursors of its own scope, and applies the row cap without a limit', async () => {
    const server = await serve({ limits: { rows: 3 } });
    const ofA = { 'x-tenant-id': 'a' };
    for (const tenant of ['a', 'b'])
      for (const text of ['1', '2']) await addNote(server, text, { 'x-tenant-id': tenant });
    const first = await server.call('GET', '/v1/events?limit=1', undefined, ofA);
    const cursor: string = first.body.nextCursor;
    const page = (path: string, tenant: string) =>
      server.call('GET', `${path}?limit=1&page=${cursor}`, undefined, { 'x-tenant-id': tenant });
    expect((await page('/v1/events', 'a')).body.result).toMatchObject([{ seq: 2 }]);
    expectCode(await page('/v1/events', 'b'), 'SVC_RUNTIME_INVALID_CURSOR');
    expectCode(await page('/v1/snapshot', 'a'), 'SVC_RUNTIME_INVALID_CURSOR');
    expectCode(await server.call('GET', '/v1/events', undefined, ofA), 'SVC_RUNTIME_RESULT_TOO_LARGE');
  });
});

describe('the live stream', () => {
  it('sends the events of one scope, from the time that it was opened', async () => {
    const server = await serve();
    await addNote(server, 'before');
    const { status, contentType, events } = await stream(server);
    expect([status, contentType]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await addNote(server, 'elsewhere', { 'x-tenant-id': 'other' });
    const first = await addNote(server, 'first');
    const second = await addNote(server, 'second');
    expect(await events(4)).toEqual([...first, ...second]);
  });

  it('resumes after the event that Last-Event-ID names', async () => {
    const server = await serve();
    const texts = Array.from({ length: 100 }, (_, index) => `${index}`);
    const all: WireEvent[] = [];
    for (let turn = 0; turn < 3; turn++) all.push(...(await server.mutation('notes::addAll', { texts })).body.events);
    for (const from of [0, 1, 2, 255, 256, 257, 511, 512, 599]) {
      const { events, close } = await stream(server, { 'last-event-id': String(from) });
      expect(await events(600 - from)).toEqual(all.slice(from));
      await close();
    }
    const { events, text } = await stream(server, { 'last-event-id': '600' });
    const next = await addNote(server, 'next');
    expect(await events(2)).toEqual(next);
    expect(text().match(/^id: .*$/gm)).toEqual(['id: 601', 'id: 602']);
  });

  it('refuses an invalid or future event, and pages, before it starts', async () => {
    const server = await serve();
    await addNote(server, 'one');
    const ask = (headers: Record<string, string>, query = '') =>
      server.call('GET', `/v1/events${query}`, undefined, { accept: 'text/event-stream', ...headers });
    for (const id of ['x', '-1', '1.5', '3']) {
      expectCode(await ask({ 'last-event-id': id }), 'SVC_RUNTIME_VALIDATION_FAILED');
    }
    expectCode(await ask({}, '?limit=1'), 'SVC_RUNTIME_VALIDATION_FAILED');
    expectCode(await ask({ 'x-fork-id': 'none' }), 'SVC_RUNTIME_FORK_NOT_FOUND');
    const refusing = await server.call('GET', '/v1/events', undefined, { accept: 'text/event-stream;q=0, */*' });
    expect(refusing.body.result).toHaveLength(2);
  });

  it('continues under a module that was loaded meanwhile', async () => {
    const server = await serve();
    const { events } = await stream(server);
    expect((await server.call('POST', '/v1/module/reload')).status).toBe(200);
    const added = await addNote(server, 'after the reload');
    expect(await events(2)).toEqual(added);
  });

  it('serves many listeners at once', async () => {
    const server = await serve();
    const listeners = await Promise.all(Array.from({ length: 60 }, () => stream(server)));
    const added: WireEvent[] = [];
    for (let index = 0; index < 10; index++) added.push(...(await addNote(server, `${index}`)));
    for (const { events } of listeners) expect(await events(20)).toEqual(added);
  });

  it('ends with the envelope if the history cannot be read any more', async () => {
    const server = await serveFeed({
      async *unread() {
        yield [{ seq: 1, txn: 1, at: '2026-01-01T00:00:00.000Z', kind: 'insertFact', relation: 'a::b', tuple: [] }];
        throw new StorageError('EIO: /secret', 'failed');
      },
    });
    const { next, text } = await openStream({ url: server.url, token: 'test-token' }, { 'x-request-id': 'r-9' });
    expect((await next())?.lastEventId).toBe('1');
    const last = await next();
    expect(last?.event).toBe('error');
    expect(JSON.parse(last?.data ?? '')).toMatchObject({
      error: { code: 'SVC_RUNTIME_STORAGE_ERROR' },
      requestId: 'r-9',
      moduleHash: 'abc123',
    });
    expect(await next()).toBeUndefined();
    expect(text()).not.toContain('secret');
    expect(server.logLines.find((line) => line.includes('/secret'))).toContain('r-9');
  });
});

/** Megabytes of events take long on a busy machine. The timeout only ends a test that hangs. */
const BUSY_MS = 300_000;

describe('a slow listener', () => {
  it('makes the server read no more history than its connection can take', { timeout: BUSY_MS }, async () => {
    const text = 'x'.repeat(64 * 1024);
    const batches = 1000;
    let pulled = 0;
    const server = await serveFeed({
      async *unread() {
        for (; pulled < batches; pulled++) {
          yield [{ seq: pulled + 1, txn: 1, at: '', kind: 'setField', id: '#i1', field: 'a::b.c', value: text }];
        }
      },
    });
    const listener = await deafListener(server.url, 'test-token');
    // A stream that has started and is not read yet.
    for (let turn = 0; turn < batches; turn++) await server.call('GET', '/healthz');
    expect(pulled).toBeGreaterThan(0);
    expect(pulled).toBeLessThan(batches / 2);
    expect(await idsUpTo(batches, listener)).toEqual(Array.from({ length: batches }, (_, index) => index + 1));
  });

  it('receives each event once, and does not delay other listeners', { timeout: BUSY_MS }, async () => {
    const server = await serve();
    const listener = await deafListener(server.running.url, server.running.token);
    const quick = await stream(server);
    const texts = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(2000)}`);
    for (let turn = 0; turn < 20; turn++) await server.mutation('notes::addAll', { texts });
    expect((await quick.events(20_000)).map(({ seq }) => seq)).toEqual(Array.from({ length: 20_000 }, (_, i) => i + 1));
    expect(await idsUpTo(20_000, listener)).toEqual(Array.from({ length: 20_000 }, (_, index) => index + 1));
  });
});

describe('the end of a stream', () => {
  it('follows a disconnect of the client', async () => {
    const left = signal();
    const server = await serveFeed({ onWrite: () => () => left.give() });
    const { close, next } = await openStream({ url: server.url, token: 'test-token' });
    void next();
    await close();
    await left.given;
  });

  it('is immediate for a HEAD request', async () => {
    const left = signal();
    const server = await serveFeed({ onWrite: () => () => left.give() });
    const { status } = await server.call('HEAD', '/v1/events', undefined, { accept: 'text/event-stream' });
    expect(status).toBe(200);
    await left.given;
  });

  it('follows the close of the server, also for a client that does not read', async () => {
    const server = await serve();
    const { events, next } = await stream(server);
    const listener = await deafListener(server.running.url, server.running.token);
    const texts = Array.from({ length: 1000 }, () => 'x'.repeat(2000));
    for (let turn = 0; turn < 10; turn++) await server.mutation('notes::addAll', { texts });
    await events(20_000);
    await server.stop();
    expect(await next()).toBeUndefined();
    await expect(idsUpTo(20_000, listener)).rejects.toThrow('aborted');
  });
});

describe('the client', () => {
  it('resumes after a lost connection', async () => {
    const server = await serve();
    const connections: AbortController[] = [];
    const client = createClient({
      baseUrl: server.running.url,
      token: server.running.token,
      fetch: (url, init) => {
        const connection = new AbortController();
        connections.push(connection);
        return fetch(url, { ...init, signal: connection.signal });
      },
    });
    const opened = signal();
    const events = client.follow({ onOpen: opened.give });
    const first = events.next();
    await opened.given;
    const added = await addNote(server, 'one');
    expect((await first).value).toEqual(added[0]);
    expect((await events.next()).value).toEqual(added[1]);
    connections.at(-1)?.abort();
    const missed = await addNote(server, 'two');
    expect([(await events.next()).value, (await events.next()).value]).toEqual(missed);
    expect(connections).toHaveLength(2);
    await events.return();
  });

  it('starts after the given event, and ends when its signal aborts', async () => {
    const server = await serve();
    const added = [...(await addNote(server, 'one')), ...(await addNote(server, 'two'))];
    const stop = new AbortController();
    const found: WireEvent[] = [];
    for await (const event of clientOf(server).follow({ after: 1, signal: stop.signal })) {
      found.push(event);
      if (found.length === 3) stop.abort();
    }
    expect(found).toEqual(added.slice(1));
  });

  it('reports where a later stream resumes, before the first event too', async () => {
    const server = await serve();
    await addNote(server, 'one');
    const reported: number[] = [];
    const position = signal();
    const onSeq = (seq: number): void => {
      reported.push(seq);
      position.give();
    };
    const events = clientOf(server).follow({ onSeq });
    const first = events.next();
    await position.given;
    expect(reported).toEqual([2]);
    await addNote(server, 'two');
    expect((await first).value).toMatchObject({ seq: 3 });
    expect(reported).toEqual([2, 3]);
    await events.return();
  });

  it('throws the refusals of the server', async () => {
    const server = await serve();
    await expect(clientOf(server).follow({ after: 5 }).next()).rejects.toMatchObject({
      code: 'SVC_RUNTIME_VALIDATION_FAILED',
      status: 400,
    });
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1' });
    await expect(nobody.follow().next()).rejects.toThrow('Is it running?');
  });
});

/** A stream that has started. Nothing is read from it until the test does. */
function deafListener(url: string, token: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  return new Promise((resolve, reject) => {
    get(`${url}/v1/events`, { headers }, resolve).on('error', reject);
  });
}

/** The ids of the messages with data, up to this one. Heartbeats have none. */
async function idsUpTo(last: number, listener: IncomingMessage): Promise<number[]> {
  const ids: number[] = [];
  const read = createMessageReader();
  listener.setEncoding('utf8');
  for await (const text of listener) {
    for (const { data, lastEventId } of read(text)) if (data !== '') ids.push(Number(lastEventId));
    if (ids.at(-1) === last) break;
  }
  return ids;
}
