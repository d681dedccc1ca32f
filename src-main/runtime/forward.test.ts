/** The parts of a page's request that reach the runtime, and the parts of the response that come back. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { forward, type RuntimeAddress } from './forward.js';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<RuntimeAddress> {
  const started = createServer(handler);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(started.address() as AddressInfo).port}`, token: 'secret' };
}

it('forwards method, path, body and headers, and replaces the token of the page', async () => {
  const runtime = await serve((request, response) => {
    const { authorization, origin } = request.headers;
    const tenant = request.headers['x-tenant-id'];
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      response.writeHead(201, { 'content-type': 'application/json', 'x-request-id': 'r1' });
      response.end(JSON.stringify({ method: request.method, url: request.url, authorization, origin, tenant, body }));
    });
  });
  const response = await forward(
    new Request('app://workbench/v1/dispatch/query?limit=2', {
      method: 'POST',
      headers: { authorization: 'Bearer guess', origin: 'app://workbench', 'x-tenant-id': 'acme' },
      body: '{"path":"lease::activeLeases"}',
    }),
    runtime,
  );
  expect([response.status, response.headers.get('x-request-id')]).toEqual([201, 'r1']);
  expect(await response.json()).toEqual({
    method: 'POST',
    url: '/v1/dispatch/query?limit=2',
    authorization: 'Bearer secret',
    tenant: 'acme',
    body: '{"path":"lease::activeLeases"}',
  });
});

it('streams events as they arrive, and closes the runtime connection when the page cancels', async () => {
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const runtime = await serve((_request, response) => {
    response.on('close', close);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('id: 1\n\n');
  });
  const response = await forward(new Request('app://workbench/v1/events'), runtime);
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('id: 1\n\n');
  await reader?.cancel();
  await closed;
});

it('breaks off a stream where the runtime breaks off', async () => {
  const runtime = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' });
    response.write('a,b\r\n', () => response.destroy());
  });
  const response = await forward(new Request('app://workbench/v1/relations/m::r'), runtime);
  await expect(response.text()).rejects.toThrow();
});

it('forwards a response without a body', async () => {
  const runtime = await serve((_request, response) => response.writeHead(204).end());
  const response = await forward(new Request('app://workbench/v1/forks/a', { method: 'DELETE' }), runtime);
  expect([response.status, await response.text()]).toEqual([204, '']);
});

it('returns a network error if no runtime responds', async () => {
  const request = new Request('app://workbench/v1/health');
  expect((await forward(request, undefined)).type).toBe('error');
  const runtime = await serve((request) => request.socket.destroy());
  expect((await forward(request, runtime)).type).toBe('error');
});
