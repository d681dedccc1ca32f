/** Stopping one of two servers behind a load balancer that honours `/readyz`, over real HTTP. */

import { once } from 'node:events';
import { Agent, createServer, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { callsTo } from './testing/http.js';
import { noteServers } from './testing/notes.js';
import type { RealServer } from './testing/real.js';

const { serve, stream, atEnd } = noteServers();

/** Sends each request to the next ready server. It probes all of them in turn, without a pause. */
async function startBalancer(servers: readonly RealServer[]) {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set(servers);
  const probed = servers.map(() => 0);
  let isOpen = true;
  const probing = (async () => {
    for (let at = 0; isOpen; at = (at + 1) % servers.length) {
      const server = servers[at] as RealServer;
      const isReady = await fetch(`${server.running.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      probed[at] = (probed[at] ?? 0) + 1;
      if (isReady) ready.add(server);
      else ready.delete(server);
    }
  })();
  let turn = 0;
  const served = new Map<RealServer, number>();
  const balancer = createServer((incoming, response: ServerResponse) => {
    const server = [...ready][turn++ % ready.size] as RealServer;
    served.set(server, (served.get(server) ?? 0) + 1);
    const { method, url = '/', headers } = incoming;
    const forwarded = request(new URL(url, server.running.url), { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.writeHead(502).end());
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  atEnd(async () => {
    isOpen = false;
    await probing;
    agent.destroy();
    balancer.closeAllConnections();
    balancer.close();
  });
  return { url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`, served, ready, probed };
}

/** Longer than the test. */
const GRACE_MS = 600_000;

it('fails no request while one of two servers is drained', async () => {
  const token = 'the-same-token';
  const [first, second] = [await serve({ token }), await serve({ token })];
  const { url, served, ready, probed } = await startBalancer([first, second]);
  const statuses = new Map<number, number>();
  const { call } = callsTo(url, token);
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const { status } = await call('POST', '/v1/dispatch/mutation', { path: 'notes::add', args: { text: 'x' } });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const clients = [client(), client()];
  const until = async (isTrue: () => boolean) => expect.poll(isTrue, { timeout: 20_000 }).toBe(true);
  await until(() => Math.min(...probed) > 0 && (served.get(first) ?? 0) > 5);
  void first.running.drain(GRACE_MS);
  await until(() => !ready.has(first));
  await first.stop();
  const before = served.get(second) ?? 0;
  await until(() => (served.get(second) ?? 0) > before + 5);
  isOver = true;
  await Promise.all(clients);
  expect([...statuses.keys()]).toEqual([200]);
});

it('is not ready at once, but serves requests and streams', async () => {
  const server = await serve();
  const { next } = await stream(server);
  expect((await server.call('GET', '/readyz')).status).toBe(200);
  void server.running.drain(GRACE_MS);
  const { status, body } = await server.call('GET', '/readyz');
  expect([status, body.error.details]).toEqual([503, { reason: 'stopping' }]);
  const { status: written, headers } = await server.mutation('notes::add', { text: 'late' });
  expect([written, headers.get('connection')]).toEqual([200, 'close']);
  expect(JSON.parse((await next())?.data ?? '')).toMatchObject({ kind: 'insertIndividual' });
});

it('stops after the grace period, and at once if nothing probes it', async () => {
  const [probed, other] = [await serve(), await serve()];
  await probed.call('GET', '/readyz');
  await Promise.all([probed.running.drain(1), other.running.drain(GRACE_MS)]);
  for (const { call } of [probed, other]) await expect(call('GET', '/healthz')).rejects.toThrow();
});

describe('a request that arrives while the server closes', () => {
  const probe = 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';

  it('is served on a connection without a request before', async () => {
    const server = await serve();
    const { socket, received } = connected(server);
    await once(socket, 'connect');
    await server.call('GET', '/healthz');
    socket.write(probe);
    await server.stop();
    expect(await received).toMatch(/^HTTP\/1\.1 200 .*connection: close/is);
  });

  it('is served on a connection that is not accepted yet', async () => {
    const server = await serve();
    const { socket, received } = connected(server);
    socket.write(probe);
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await server.stop();
    expect(await received).toMatch(/^HTTP\/1\.1 200 .*connection: close/is);
  });

  it('does not keep the server if it never comes', async () => {
    const server = await serve();
    const { socket, received } = connected(server);
    await once(socket, 'connect');
    await server.stop();
    expect(await received).toBe('');
  });
});

/** A bare connection, and all that it receives until it is closed. */
function connected({ running }: RealServer): { readonly socket: Socket; readonly received: Promise<string> } {
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const received = new Promise<string>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
  return { socket, received };
}
