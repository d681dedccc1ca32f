/** Long answers over HTTP: made a piece at a time, under the deadline, while others have their turns; sent whole. */

import { afterEach, describe, expect, it } from 'vitest';
import type { JsonValue } from '../api/schemas/schemas.js';
import { DEFAULT_LIMITS } from './options.js';
import { createFakeRuntime } from './testing/fake-runtime.js';
import { serveFake, type TestServer } from './testing/http.js';

const ROWS = 600;
/** What it takes to write one of the rows. */
const ROW_MS = 0.5;

let server: TestServer;
afterEach(() => server.close());

/** Rows that take time to write, and what is known of their writing. */
function slowRows() {
  const written = { rows: 0, turns: 0 };
  let [isWriting, turns] = [true, 0];
  const count = (): void => {
    turns += 1;
    if (isWriting) setImmediate(count);
  };
  const row = {
    toJSON() {
      if (written.rows === 0) count();
      written.rows += 1;
      written.turns = turns;
      isWriting = written.rows < ROWS;
      for (const end = performance.now() + ROW_MS; performance.now() < end; );
      return 1;
    },
  };
  const rows = Array.from({ length: ROWS }, () => row as unknown as number);
  return { rows, written, stop: () => (isWriting = false) };
}

const query = () => server.call('POST', '/v1/dispatch/query', { path: 'm::all', args: {} });

describe('a long answer', () => {
  it('lets others have a turn every 20 ms while it is written', async () => {
    const { rows, written } = slowRows();
    server = await serveFake(createFakeRuntime({ query: () => ({ result: rows }) }));
    const { status, body } = await query();
    expect([status, body.result.length]).toEqual([200, ROWS]);
    // 300 ms of work, in turns of 20 ms and the rest of a piece.
    expect(written.turns).toBeGreaterThanOrEqual(8);
  });

  it('is given up at the deadline, with a failure and not with half of an answer', async () => {
    const { rows, written, stop } = slowRows();
    const limits = { ...DEFAULT_LIMITS, timeoutMs: 100 };
    server = await serveFake(createFakeRuntime({ query: () => ({ result: rows }) }), { limits });
    const { status, body } = await query();
    stop();
    expect([status, body.error.code]).toEqual([408, 'SVC_RUNTIME_REQUEST_TIMEOUT']);
    expect(written.rows * ROW_MS).toBeLessThan(200);
  });

  it('is no reason to fail a write that is kept', async () => {
    const { rows } = slowRows();
    const limits = { ...DEFAULT_LIMITS, timeoutMs: 100 };
    const mutate = async () => ({ result: rows, txn: 7, events: [], warnings: [] });
    server = await serveFake(createFakeRuntime({ mutate }), { limits });
    const { status, body } = await server.call('POST', '/v1/dispatch/mutation', { path: 'm::fill', args: {} });
    expect([status, body.txn, body.result.length]).toEqual([200, 7, ROWS]);
  });

  it('comes whole, however many parts it was sent in, and the log keeps its beginning', async () => {
    const rows: JsonValue[] = Array.from({ length: 5000 }, (_, no) => ({ no, text: `ä${'x'.repeat(400)}` }));
    server = await serveFake(createFakeRuntime({ query: () => ({ result: rows }) }));
    const { headers, body } = await query();
    expect(body.result).toEqual(rows);
    const bytes = Number(headers.get('content-length'));
    expect(bytes).toBe(Buffer.byteLength(JSON.stringify(body)));
    const { body: logged } = await server.call('GET', `/v1/requests/${body.requestId}`);
    expect(logged.result).toMatchObject({ bytes, answer: { cut: true, bytes } });
    expect(logged.result.answer.text).toBe(JSON.stringify(body).slice(0, 65_536));
  });
});
