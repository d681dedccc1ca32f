/** The page saves the bytes that the server writes: it makes no file in its main thread. */

import { expect, it, vi } from 'vitest';
import { fileOf } from './row-streams.js';

// The host is read on import and does not exist in tests.
vi.mock('../host/current-host.js', () => ({ host: { kind: 'browser' } }));

const ROWS = '{"a":1}\n{"a":2}\n';

it.each([
  ['parquet', ROWS],
  ['csv', ROWS],
  ['json', '[{"a":1},\n{"a":2}]\n'],
] as const)('saves %s as the server sends it, and JSON as a list', async (format, text) => {
  const received: number[] = [];
  const open = async () => new Response(ROWS).body as ReadableStream<Uint8Array>;
  const file = await fileOf(open, format, new AbortController().signal, (bytes) => received.push(bytes));
  expect([await file.text(), received.at(-1)]).toEqual([text, ROWS.length]);
});
