/** Who is answered at `app://workbench/`, and with what: the page's files, or the runtime behind it. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerWorkbench, type Workbench } from './workbench-protocol.js';

const asked: string[] = [];
const runtime = createServer((request, response) => {
  asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
  response.end('{}');
});
let workbench: Workbench;

beforeAll(async () => {
  await new Promise<void>((resolve) => runtime.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(runtime.address() as AddressInfo).port}`;
  workbench = { page: join(import.meta.dirname, '../src-renderer'), runtime: async () => ({ url, token: 'secret' }) };
});

afterAll(() => runtime.close());

async function statusOf(address: string, init?: RequestInit): Promise<number> {
  return (await answerWorkbench(new Request(address, init), workbench)).status;
}

test('the page is served to whoever is at its own origin, and so is the API, with the token', async () => {
  expect(await statusOf('app://workbench/explain')).toBe(200);
  for (const path of ['/v1/health', '/healthz', '/readyz']) expect(await statusOf(`app://workbench${path}`)).toBe(200);
  expect(asked.splice(0)).toEqual([
    'GET /v1/health Bearer secret',
    'GET /healthz Bearer secret',
    'GET /readyz Bearer secret',
  ]);
});

test.each([
  ['another host of the scheme', 'app://elsewhere/v1/health', {}],
  ['a page of the web', 'app://workbench/v1/health', { headers: { origin: 'https://example.com' } }],
  ['a page without an origin', 'app://workbench/v1/health', { headers: { origin: 'null' } }],
])('%s is refused, and the runtime hears nothing of it', async (_name, address, init) => {
  expect(await statusOf(address, init)).toBe(403);
  expect(asked).toEqual([]);
});

test('only the API takes anything but a GET', async () => {
  expect(await statusOf('app://workbench/', { method: 'POST', body: '{}' })).toBe(405);
  expect(await statusOf('app://workbench/v1/dispatch/query', { method: 'POST', body: '{}' })).toBe(200);
  expect(asked.splice(0)).toEqual(['POST /v1/dispatch/query Bearer secret']);
});
