/** The page saves the bytes that the server writes: it makes no file in its main thread. */

import { expect, it, vi } from 'vitest';
import { fileOf } from './row-streams.js';

// The host is read on import and does not exist in tests.
vi.mock('../host/current-host.js', () => ({ host: { kind: 'browser' } }));
vi.mock('./page-fetch.js', () => ({ prefetch: { fetch: undefined }, untilRefused: () => respond }));

const requests = vi.hoisted((): string[] => []);
const respond = vi.hoisted(() => async (_url: string, init: RequestInit) => {
  const type = new Headers(init.headers).get('accept') ?? '';
  requests.push(type);
  return new Response('{"a":1}\n{"a":2}\n', { headers: { 'content-type': type } });
});

it.each([
  ['parquet', 'application/vnd.apache.parquet', '{"a":1}\n{"a":2}\n'],
  ['csv', 'text/csv', '{"a":1}\n{"a":2}\n'],
  ['json', 'application/x-ndjson', '[{"a":1},\n{"a":2}]\n'],
] as const)('saves %s as the server sends it', async (format, type, text) => {
  const open: Parameters<typeof fileOf>[0] = (client, signal) => client.relation('m::r', { signal });
  const file = await fileOf(open, format, new AbortController().signal, () => {});
  expect([requests.at(-1), await file.text()]).toEqual([type, text]);
});
