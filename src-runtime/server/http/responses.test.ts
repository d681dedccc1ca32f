import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/schemas/schemas.js';
import { DEFAULT_LIMITS } from '../options.js';
import { createFakeRuntime } from '../testing/fake-runtime.js';
import { serveFake, type TestServer } from '../testing/http.js';
import { createResponses } from './responses.js';

const ROWS = 600;
/** How long one of the rows takes to serialize. */
const ROW_MS = 0.5;

let close: () => unknown = () => undefined;
afterEach(() => close());

/** Rows that take time to serialize, and counts of rows and of turns of the event loop meanwhile. */
function slowRows() {
  const counts = { rows: 0, turns: 0 };
  let [isSerializing, turns] = [true, 0];
  const countTurn = (): void => {
    turns += 1;
    if (isSerializing) setImmediate(countTurn);
  };
  const row = {
    toJSON() {
      if (counts.rows === 0) countTurn();
      counts.rows += 1;
      counts.turns = turns;
      isSerializing = counts.rows < ROWS;
      for (const end = performance.now() + ROW_MS; performance.now() < end; );
      return 1;
    },
  };
  const rows = Array.from({ length: ROWS }, () => row as unknown as number);
  return { rows, counts, stop: () => (isSerializing = false) };
}

async function serve(...options: Parameters<typeof serveFake>): Promise<TestServer> {
  const server = await serveFake(...options);
  close = () => server.close();
  return server;
}

const query = (server: TestServer) => server.call('POST', '/v1/dispatch/query', { path: 'm::all', args: {} });

describe('a long response', () => {
  it('lets other requests run every 20 ms while it is serialized', async () => {
    const { rows, counts } = slowRows();
    const server = await serve(createFakeRuntime({ query: () => ({ result: rows }) }));
    const { status, body } = await query(server);
    expect([status, body.result.length]).toEqual([200, ROWS]);
    // At least 300 ms of work, in slices of 20 ms plus the rest of a chunk.
    expect(counts.turns).toBeGreaterThanOrEqual(8);
  });

  it('fails as a whole at the deadline', async () => {
    const { rows, counts, stop } = slowRows();
    const limits = { ...DEFAULT_LIMITS, timeoutMs: 100 };
    const server = await serve(createFakeRuntime({ query: () => ({ result: rows }) }), { limits });
    const { status, body } = await query(server);
    stop();
    expect([status, body.error.code]).toEqual([408, 'SVC_RUNTIME_REQUEST_TIMEOUT']);
    expect(counts.rows).toBeLessThan(ROWS);
  });

  it('has no deadline if it reports a stored transaction', async () => {
    const { rows } = slowRows();
    const limits = { ...DEFAULT_LIMITS, timeoutMs: 100 };
    const mutation = async () => ({ result: rows, txn: 7, events: [], warnings: [] });
    const server = await serve(createFakeRuntime({ mutation }), { limits });
    const { status, body } = await server.call('POST', '/v1/dispatch/mutation', { path: 'm::fill', args: {} });
    expect([status, body.txn, body.result.length]).toEqual([200, 7, ROWS]);
  });

  it('arrives complete, and the request log keeps its first part', async () => {
    const rows: JsonValue[] = Array.from({ length: 5000 }, (_, no) => ({ no, text: `ä${'x'.repeat(400)}` }));
    const server = await serve(createFakeRuntime({ query: () => ({ result: rows }) }));
    const { headers, body } = await query(server);
    expect(body.result).toEqual(rows);
    const bytes = Number(headers.get('content-length'));
    expect(bytes).toBe(Buffer.byteLength(JSON.stringify(body)));
    const { body: logged } = await server.call('GET', `/v1/requests/${body.requestId}`);
    expect(logged.result).toMatchObject({ bytes, answer: { cut: true, bytes } });
    expect(logged.result.answer.text).toBe(JSON.stringify(body).slice(0, 65_536));
  });

  it('waits for a slow client, and buffers no more than it writes in one step', async () => {
    const result = Array.from({ length: 200 }, () => 'x'.repeat(100_000));
    const app = fastify();
    app.get(
      '/',
      createResponses(10_000)(() => ({ result })),
    );
    close = () => app.close();
    const connected = new Promise<Socket>((resolve) => app.server.once('connection', resolve));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest({ port, host: '127.0.0.1', agent: false }, resolve).on('error', reject).end();
    });
    const socket = await connected;
    await expect.poll(() => socket.writableNeedDrain).toBe(true);
    // A step ends with the first row past 262,144 characters.
    expect(socket.writableLength).toBeLessThan(400_000);
    let bytes = 0;
    for await (const part of response) bytes += (part as Buffer).length;
    expect(bytes).toBe(JSON.stringify({ result }).length);
  });
});
