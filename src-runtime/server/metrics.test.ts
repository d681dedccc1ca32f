/** `GET /metrics` over HTTP, as Prometheus scrapes it. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ERROR_CODES } from '../api/errors.js';
import { StorageError } from '../storage/event-store.js';
import { createFakeRuntime } from './testing/fake-runtime.js';
import { serveFake, type TestServer } from './testing/http.js';
import { addNote, noteServers } from './testing/notes.js';
import type { RealServer } from './testing/real.js';

const { serve } = noteServers();

/** Values by name and labels, as Prometheus writes them. */
async function scrape(server: Pick<RealServer, 'running'>): Promise<Map<string, number>> {
  const { url, token } = server.running;
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

/** The whole response. */
function scrapeFake(server: TestServer): Promise<string> {
  return server.raw('GET /metrics HTTP/1.0\r\nhost: 127.0.0.1\r\nauthorization: Bearer test-token\r\n\r\n');
}

it('counts requests by operation and status, their durations, and errors by code', async () => {
  const server = await serve();
  await addNote(server, 'one');
  await addNote(server, 'two');
  await server.mutation('notes::none');
  await server.call('GET', '/nowhere');
  const metrics = await scrape(server);
  expect(metrics.get('entail_http_requests_total{operation="mutation",status="200"}')).toBe(2);
  expect(metrics.get('entail_http_requests_total{operation="mutation",status="404"}')).toBe(1);
  expect(metrics.get('entail_http_requests_total{operation="none",status="404"}')).toBe(1);
  expect(metrics.get('entail_http_request_duration_seconds_count{operation="mutation"}')).toBe(3);
  expect(metrics.get('entail_http_request_duration_seconds_bucket{le="+Inf",operation="mutation"}')).toBe(3);
  expect(metrics.get('entail_errors_total{code="SVC_RUNTIME_UNKNOWN_MUTATION"}')).toBe(1);
});

it('reports open scopes, stored facts, memory and the delay of the event loop', async () => {
  const server = await serve();
  expect([...(await scrape(server))].filter(([name]) => /scopes|facts/.test(name))).toEqual([
    ['entail_open_scopes', 0],
    ['entail_stored_facts', 0],
  ]);
  await addNote(server, 'one', { 'x-tenant-id': 'acme' });
  const metrics = await scrape(server);
  expect(metrics.get('entail_open_scopes')).toBe(1);
  expect(metrics.get('entail_stored_facts')).toBe(2);
  expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(metrics.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
});

it('reports connections to a database by state', async () => {
  const usage = async () => ({ scopes: 1, facts: 2, connections: { used: 3, idle: 7, waiting: 5 } });
  const server = await serveFake(createFakeRuntime({}, { usage }));
  const text = await scrapeFake(server);
  for (const [state, count] of [
    ['used', 3],
    ['idle', 7],
    ['waiting', 5],
  ]) {
    expect(text).toContain(`entail_store_connections{state="${state}"} ${count}\n`);
  }
  await server.close();
});

it('counts errors of the storage', async () => {
  const probeStorage = async () => {
    throw new StorageError('gone', 'unreachable');
  };
  const server = await serveFake(createFakeRuntime({}, { probeStorage }));
  await server.call('GET', '/readyz');
  const text = await scrapeFake(server);
  expect(text).toContain('entail_errors_total{code="SVC_RUNTIME_STORAGE_UNREACHABLE"} 1');
  await server.close();
});

it('has each error code at 0, so that its first failure is an increase', async () => {
  const server = await serveFake(createFakeRuntime());
  const text = await scrapeFake(server);
  for (const code of ERROR_CODES) expect(text).toContain(`entail_errors_total{code="${code}"} 0\n`);
  await server.close();
});

it('needs the token', async () => {
  const server = await serve();
  expect((await fetch(`${server.running.url}/metrics`)).status).toBe(403);
});

it('has only metrics that docs/operations.md lists', async () => {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const names = [...(await scrape(await serve())).keys()].filter((name) => name.startsWith('entail_'));
  const own = new Set(names.map((name) => name.replace(/\{.*|_(bucket|sum|count)(\{.*)?$/g, '')));
  expect([...own].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
