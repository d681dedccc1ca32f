/** A rule that needs more memory than the process may take ends its request, and nothing else. */

import { expect, it } from 'vitest';
import { processMemory } from './http/process-memory.js';
import { serversOfTests } from './testing/real.js';

const GROWING = `module big
pub concept Thing { no: Int }
pub derive reached(n: Int) when Thing(t), let n = t.no
pub derive reached(n: Int) when reached(m), k in range(0, 1000), let n = m * 1000 + k
pub derive told(t: Text) when Thing(x), let t = text(x.no)
pub derive told(t: Text) when told(s), k in range(0, 1000), let t = s ++ text(k) ++ "-"
pub query things() -> [Int] { select t.no where Thing(t) }
pub query highest() -> Int? { value max(n for n where reached(n)) }
pub query longest() -> Int? { value max(length(t) for t where told(t)) }
pub mutation add(no: Int) -> Thing { return insert Thing { no: no } }
`;

const MIB = 2 ** 20;

const serve = serversOfTests();

it('names the rule, goes on with other requests, and has the memory again', async () => {
  const server = await serve(GROWING, { memoryLimit: 2 ** 30, limits: { timeoutMs: 600_000 } });
  await server.mutation('big::add', { no: 1 });
  // What the test runner has is not the server's.
  const before = collectedUse();
  processMemory.limit = before + 64 * MIB;
  for (const [query, rule] of [
    ['big::highest', 'big::reached'],
    ['big::longest', 'big::told'],
  ] as const) {
    const growing = server.query(query);
    expect((await server.query('big::things')).body.result).toEqual([1]);
    const { status, body } = await growing;
    expect([status, body.error.code, body.error.details.rule]).toEqual([400, 'SVC_RUNTIME_DERIVE_FAILED', rule]);
    expect(body.error.message).toMatch(/memory/);
    expect((await server.mutation('big::add', { no: 1 })).status).toBe(200);
  }
  expect(collectedUse() - before).toBeLessThan(16 * MIB);
}, 600_000);

/** Bytes in use after a garbage collection. */
function collectedUse(): number {
  processMemory.limit = 0;
  return -processMemory.left();
}
