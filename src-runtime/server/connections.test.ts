/** Clients that pipeline, disconnect or keep the server busy: which requests run, and which other clients get responses meanwhile. */

import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { RequestCancelled } from '../base/ports.js';
import { SLICE_MS } from './http/time-slices.js';
import { DEFAULT_LIMITS } from './options.js';
import { createFakeRuntime } from './testing/fake-runtime.js';
import { serveFake, type TestServer } from './testing/http.js';
import { exchange } from './testing/raw-http.js';
import { signal } from './testing/signal.js';

const limits = { ...DEFAULT_LIMITS, timeoutMs: 600_000 };

let server: TestServer;
afterEach(() => server.close());

function queryText(path: string, ...lines: readonly string[]): string {
  const body = JSON.stringify({ path, args: {} });
  const head = ['POST /v1/dispatch/query HTTP/1.1', 'host: 127.0.0.1', 'authorization: Bearer test-token', ...lines];
  return `${head.join('\r\n')}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** The query `m::endless` runs until its deadline throws; other queries return at once. `begins` resolves once `endless` of them run. */
async function serveEndless({ blockMs = 0, endless = 1 } = {}) {
  const begun: string[] = [];
  const counts = { running: 0, runningMax: 0, blocks: 0 };
  const [begins, ends] = [signal(), signal()];
  let end: unknown;
  const runtime = createFakeRuntime({
    query: async (call) => {
      const { path } = call.body;
      const deadline = call.deadline();
      begun.push(path);
      counts.runningMax = Math.max(counts.runningMax, ++counts.running);
      await new Promise((resolve) => setImmediate(resolve));
      try {
        while (path === 'm::endless') {
          if (counts.running === endless) begins.give();
          counts.blocks += 1;
          for (const until = performance.now() + blockMs; performance.now() < until; );
          if (blockMs === 0) await new Promise((resolve) => setImmediate(resolve));
          await deadline.checkpoint();
        }
      } catch (thrown) {
        end = thrown;
        ends.give();
        throw thrown;
      } finally {
        counts.running -= 1;
      }
      return { result: path };
    },
  });
  server = await serveFake(runtime, { limits });
  return { begun, counts, begins, ended: ends.given.then(() => end) };
}

describe('a connection', () => {
  it('evaluates pipelined requests one at a time, in order', async () => {
    const { begun, counts } = await serveEndless();
    // More requests than the server reads ahead.
    const paths = Array.from({ length: 250 }, (_, no) => `m::q${no}`);
    const texts = paths.map((path) => queryText(path, ...(path === paths.at(-1) ? ['connection: close'] : [])));
    const answers = await exchange(
      server.port,
      texts.map((text) => Buffer.from(text)),
    );
    expect(answers.map(({ body }) => JSON.parse(body).result)).toEqual(paths);
    expect(begun).toEqual(paths);
    expect(counts.runningMax).toBe(1);
  });

  it.each(['destroy', 'end'] as const)(
    'stops its request at the next checkpoint, and starts no other, after the client calls %s',
    async (close) => {
      const { begun, begins, ended } = await serveEndless();
      const socket = connect(server.port, '127.0.0.1');
      socket.write([queryText('m::endless'), queryText('m::second'), queryText('m::third')].join(''));
      await begins.given;
      socket[close]();
      expect(await ended).toBeInstanceOf(RequestCancelled);
      const other = await server.call('POST', '/v1/dispatch/query', { path: 'm::other', args: {} });
      expect([other.status, begun]).toEqual([200, ['m::endless', 'm::other']]);
      socket.destroy();
    },
  );
});

const BUSY = 20;

it('responds to a probe within a few time slices while many connections keep the server busy', async () => {
  const { counts, begins } = await serveEndless({ blockMs: SLICE_MS, endless: BUSY });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const probe = () =>
    new Promise<number>((resolve, reject) => {
      const before = counts.blocks;
      get(`${server.url}/healthz`, { agent }, (response) => {
        response.resume().on('end', () => resolve(counts.blocks - before));
      }).on('error', reject);
    });
  await probe();
  const busy = Array.from({ length: BUSY }, () => connect(server.port, '127.0.0.1'));
  for (const socket of busy) socket.write(queryText('m::endless'));
  await begins.given;
  const slices: number[] = [];
  while (slices.length < 5) slices.push(await probe());
  for (const socket of busy) socket.destroy();
  agent.destroy();
  // One while the request is on its way, one while the response is, and as many to spare.
  expect(Math.max(...slices), slices.join(', ')).toBeLessThan(BUSY / 4);
});
