/** While a derivation takes long, other requests get responses. It ends with its request and leaves nothing behind. */

import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { type RealServer, removeFolder, serveModule } from './testing/real.js';

const COUNTING = `module long
pub concept Thing { no: Int }
pub derive reached(n: Int) when Thing(t), let n = t.no
pub derive reached(n: Int) when reached(m), let n = m + 1
pub derive pair(a: Int, b: Int) when a in range(0, 3000), b in range(0, 3000), c in range(0, 3000), a + b == c, a > b + c
pub query things() -> [Int] { select t.no where Thing(t) }
pub query highest() -> Int? { value max(n for n where reached(n)) }
pub query pairs() -> Int { value count(for a, b where pair(a, b)) }
pub mutation add(no: Int) -> Thing { return insert Thing { no: no } }
pub mutation addPairs() -> Thing { return insert Thing { no: count(for a, b where pair(a, b)) } }
`;

let server: RealServer;
afterEach(async () => {
  await server.stop();
  await removeFolder(server.folder);
});

/** Sends one request after another until the work has ended. Returns how many got responses before. */
async function answersDuring(
  work: Promise<unknown>,
): Promise<{ readonly answers: number; readonly longestMs: number }> {
  let runs = true;
  const end = work.finally(() => {
    runs = false;
  });
  let [answers, longestMs] = [0, 0];
  const asks = [
    () => server.call('GET', '/healthz'),
    () => server.call('GET', '/v1/health'),
    () => server.query('long::things'),
  ];
  while (runs) {
    const startedAt = performance.now();
    const { status } = await (asks[answers % asks.length] as (typeof asks)[0])();
    expect(status).toBe(200);
    if (!runs) break;
    answers += 1;
    longestMs = Math.max(longestMs, performance.now() - startedAt);
  }
  await end;
  return { answers, longestMs };
}

describe('health and point queries', () => {
  it.each([
    ['a rule that makes values for ever', () => server.query('long::highest')],
    ['a join that takes long', () => server.query('long::pairs')],
    ['a mutation that takes long', () => server.mutation('long::addPairs')],
    ['a derive of every rule', () => server.call('POST', '/v1/forks/main/derive')],
  ])('get responses during %s, which ends at the deadline and rolls back', async (_, start) => {
    server = await serveModule(COUNTING, { limits: { timeoutMs: 2000 } });
    await server.mutation('long::add', { no: 1 });
    const long = start();
    const { answers, longestMs } = await answersDuring(long);
    const { status, body } = await long;
    expect([status, body.error.code]).toEqual([408, 'SVC_RUNTIME_REQUEST_TIMEOUT']);
    // Each waits for a block or two. During a derivation that never yields, at most one would get a response.
    expect(answers, `the longest answer took ${longestMs.toFixed(0)} ms`).toBeGreaterThanOrEqual(20);
    expect((await server.call('GET', '/v1/forks/main/derived')).body.error.code).toBe('SVC_RUNTIME_FORK_NOT_DERIVED');
    expect((await server.query('long::things')).body.result).toEqual([1]);
    expect((await server.mutation('long::add', { no: 2 })).status).toBe(200);
  });
});
