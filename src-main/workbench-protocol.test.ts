/** The responses at `app://workbench/`: the page's files and the runtime's API, and who gets them. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATIONS } from '../src-runtime/api/operations/index.js';
import { PAGE_PROOF, PAGE_WINDOW, type ProvingSession, provePage } from './page-proof.js';
import { runningRequests } from './runtime/running-requests.js';
import { handleWorkbenchRequests, type Workbench } from './workbench-protocol.js';

const requests: string[] = [];
const runtime = createServer((request, response) => {
  requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
  response.end('{}');
});
let workbench: Workbench;

beforeAll(async () => {
  await new Promise<void>((resolve) => runtime.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(runtime.address() as AddressInfo).port}`;
  const page = join(import.meta.dirname, '../src-renderer');
  const project = { id: 'abc', requests: runningRequests(), reached: async () => ({ url, token: 'secret' }) };
  workbench = { page, proof: 'the page', project: (window) => (window === '7' ? project : undefined) };
});

afterAll(() => runtime.close());

async function statusOf(address: string, init?: RequestInit): Promise<number> {
  return (await handleWorkbenchRequests(new Request(address, init), workbench)).status;
}

const OF_PAGE = { headers: { [PAGE_PROOF]: 'the page', [PAGE_WINDOW]: '7' } };

it('serves the page to anyone, and the API with the token to the page', async () => {
  expect(await statusOf('app://workbench/explain')).toBe(200);
  for (const path of ['/v1/health', '/healthz', '/readyz'])
    expect(await statusOf(`app://workbench${path}`, OF_PAGE)).toBe(200);
  expect(requests.splice(0)).toEqual([
    'GET /v1/health Bearer secret',
    'GET /healthz Bearer secret',
    'GET /readyz Bearer secret',
  ]);
});

it.each([
  ['another host of the scheme', 'app://elsewhere/v1/health', OF_PAGE],
  ['another port', 'app://workbench:8080/v1/health', OF_PAGE],
  ['another page or a worker', 'app://workbench/v1/health', {}],
  ['a page that guesses the proof', 'app://workbench/v1/health', { headers: { [PAGE_PROOF]: 'guess' } }],
  ['a page that names a folder', 'app://workbench/v1/project/open', OF_PAGE],
  ['a page that percent-encodes such a path', 'app://workbench/v1/project/%73ave-as', OF_PAGE],
  ['a page that lists folders', 'app://workbench/v1/places?folder=/', OF_PAGE],
  ['a page that names the origin', 'app://workbench/v1/health', { headers: { origin: 'app://workbench' } }],
])('rejects %s without contacting the runtime', async (_name, address, init) => {
  expect(await statusOf(address, init)).toBe(403);
  expect(requests).toEqual([]);
});

it.each([
  ['a web page', { origin: 'https://example.com' }],
  ['a page without an origin', { origin: 'null' }],
  ['another host of the scheme', { origin: 'app://elsewhere' }],
  ['a host that starts like the workbench', { origin: 'app://workbench.example.com' }],
  ['another port', { origin: 'app://workbench:8080' }],
  ['a list of origins', { origin: 'app://workbench, https://example.com' }],
  ['a web page, by its referrer', { referer: 'https://example.com/app://workbench/' }],
  ['a referrer that starts like the workbench', { referer: 'app://workbench.example.com/' }],
])('rejects the origin of %s, even with the proof', async (_name, headers) => {
  for (const path of ['/', '/assets/main.js', '/v1/health', '/healthz']) {
    const request = { headers: { ...OF_PAGE.headers, ...headers } };
    expect(await statusOf(`app://workbench${path}`, request), path).toBe(403);
  }
  expect(requests).toEqual([]);
});

it('accepts its own origin and referrer', async () => {
  const own = { origin: 'app://workbench', referer: 'app://workbench/explain' };
  expect(await statusOf('app://workbench/v1/health', { headers: { ...OF_PAGE.headers, ...own } })).toBe(200);
  expect(requests.splice(0)).toEqual(['GET /v1/health Bearer secret']);
});

it.each(['OPTIONS', 'HEAD', 'PROPFIND', 'QUERY'])('rejects %s for the API', async (method) => {
  expect(await statusOf('app://workbench/v1/forks', { ...OF_PAGE, method })).toBe(405);
  expect(requests).toEqual([]);
});

it('accepts the methods of all operations', async () => {
  const methods = new Set(Object.values(OPERATIONS).map(({ method }) => method));
  for (const method of methods) {
    expect(await statusOf('app://workbench/v1/forks', { ...OF_PAGE, method })).toBe(200);
  }
  expect(requests.splice(0)).toHaveLength(methods.size);
});

it('accepts other methods than GET only for the API', async () => {
  expect(await statusOf('app://workbench/', { method: 'POST', body: '{}' })).toBe(405);
  expect(await statusOf('app://workbench/v1/dispatch/query', { ...OF_PAGE, method: 'POST', body: '{}' })).toBe(200);
  expect(requests.splice(0)).toEqual(['POST /v1/dispatch/query Bearer secret']);
});

it('serves a window the page and the runtime of its project only', async () => {
  const pageOf = async (window: string): Promise<string> => {
    const request = new Request('app://workbench/', { headers: { [PAGE_WINDOW]: window } });
    return await (await handleWorkbenchRequests(request, workbench)).text();
  };
  expect(await pageOf('7')).toContain('content="abc"');
  expect(await pageOf('8')).not.toContain('content="abc"');
  const headers = { [PAGE_PROOF]: 'the page', [PAGE_WINDOW]: '8' };
  const response = await handleWorkbenchRequests(new Request('app://workbench/v1/health', { headers }), workbench);
  expect([response.type, requests]).toEqual(['error', []]);
});

it.each([
  ['the workbench', { origin: 'app://workbench' }, { accept: '*/*', [PAGE_WINDOW]: '7', [PAGE_PROOF]: 'the page' }],
  ['another origin', { origin: 'https://example.com' }, { accept: '*/*', [PAGE_WINDOW]: '7' }],
  ['another host of the scheme', { origin: 'app://elsewhere' }, { accept: '*/*', [PAGE_WINDOW]: '7' }],
  ['no frame', null, { accept: '*/*', [PAGE_WINDOW]: '7' }],
])('names the window of a request from %s, and proves only that of the workbench', (_name, frame, headers) => {
  let prove: (details: object, answer: (response: object) => void) => void = () => undefined;
  const onBeforeSendHeaders = (_filter: object, listener: typeof prove) => {
    prove = listener;
  };
  provePage({ webRequest: { onBeforeSendHeaders } } as unknown as ProvingSession, 'the page');
  const answers: object[] = [];
  const requestHeaders = { accept: '*/*', 'X-Workbench-Page': 'guess', 'X-Workbench-Window': '8' };
  prove({ requestHeaders, frame, webContentsId: 7 }, (answer) => answers.push(answer));
  expect(answers).toEqual([{ requestHeaders: headers }]);
});
