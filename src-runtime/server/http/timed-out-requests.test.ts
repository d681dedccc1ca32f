/** A request with a unique id runs once, however often a browser retries it. */

import { expect, it } from 'vitest';
import { expectCode } from '../testing/expect-code.js';
import { LEASE, leaseServers } from '../testing/lease.js';

const serve = leaseServers();

const SLOW =
  'query slow() -> Int { value count(for a, b where a in range(0, 90000), b in range(0, 90000), a + b < 0) }';
const FAST = 'query fast() -> Int { value 1 }';

it('repeats the 408 of a request that timed out, and logs one request', async () => {
  const server = await serve(LEASE, { limits: { timeoutMs: 100 } });
  const ask = (source: string, headers: Record<string, string> = {}) =>
    server.call('POST', '/v1/query/adhoc', { source }, headers);
  expectCode(await ask(SLOW, { 'x-entail-once': 'page-1' }), 'SVC_RUNTIME_REQUEST_TIMEOUT');
  // The query would succeed if it ran.
  expectCode(await ask(FAST, { 'x-entail-once': 'page-1' }), 'SVC_RUNTIME_REQUEST_TIMEOUT');
  expect((await ask(FAST, { 'x-entail-once': 'page-2' })).body.result).toBe(1);
  expect((await ask(FAST)).body.result).toBe(1);
  const { body } = await server.call('GET', '/v1/requests?code=SVC_RUNTIME_REQUEST_TIMEOUT');
  expect(body.result).toHaveLength(1);
});

it('runs a request again if it did not time out', async () => {
  const server = await serve();
  for (const result of [1, 1]) {
    const again = await server.call('POST', '/v1/query/adhoc', { source: FAST }, { 'x-entail-once': 'page-1' });
    expect(again.body.result).toBe(result);
  }
});
