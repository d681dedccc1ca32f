/** Rules and expressions that fail to evaluate, over HTTP: what the error reports, and that the scope is unchanged. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RealServer, removeFolder, serveModule } from './testing/real.js';

const SHOP = `module shop
pub concept Order { code: Text unique, total: Int, parts: Int }
pub derive share(o: Order, s: Int) when Order(o), let s = o.total div o.parts
pub check split(o: Order) when Order(o), o.total > 5 severity warning message "{o.code} is {o.total div o.parts} each"
pub query orders() -> [{ code: Text, total: Int }] { select { code: o.code, total: o.total } where Order(o) }
pub query shares() -> [Int] { select s where share(_, s) }
pub query ratios(by: Int) -> [Int] { select o.total div by where Order(o) }
pub fn part(of: Int, by: Int) -> Int = of div by
pub fn filled(text: Text) -> Int = length(replace(text, "a", text))
pub fn doubled(text: Text) -> Int = length(text ++ text ++ text ++ text ++ text ++ text ++ text ++ text ++ text ++ text)
pub mutation place(code: Text, total: Int, parts: Int) -> Order {
  return insert Order { code: code, total: total, parts: parts }
}
pub mutation cut(o: Order, by: Int) { set o.code = "cut" set o.total = o.total div by }
`;

let server: RealServer;
beforeEach(async () => {
  server = await serveModule(SHOP);
});
afterEach(async () => {
  await server.stop();
  await removeFolder(server.folder);
});

async function place(code: string, total: number, parts: number): Promise<string> {
  return (await server.mutation('shop::place', { code, total, parts })).body.result.$id;
}

function lineOf(text: string): number {
  return SHOP.slice(0, SHOP.indexOf(text)).split('\n').length;
}

describe('a fault', () => {
  it('names rule, clause, span and binding, and leaves the scope unchanged for later requests', async () => {
    const broken = await place('A', 10, 0);
    await place('B', 5, 5);
    const before = await server.query('shop::orders');
    const { status, body } = await server.query('shop::shares');
    expect([status, body.error.code]).toEqual([400, 'SVC_RUNTIME_DERIVE_FAILED']);
    expect(body.error.details).toMatchObject({
      rule: 'shop::share',
      clause: 0,
      span: { start: { line: lineOf('pub derive share') } },
      bindings: { o: broken },
    });
    const derived = await server.call('POST', '/v1/forks/main/derive');
    expect(derived.body.error.details).toEqual(body.error.details);
    const explained = await server.call('POST', '/v1/explain', { relation: 'shop::share', tuple: [broken, 1] });
    expect(explained.body.error).toMatchObject({ code: 'SVC_RUNTIME_EXPLAIN_FAILED', details: body.error.details });
    expect((await server.query('shop::orders')).body.result).toEqual(before.body.result);
    expect(await place('C', 4, 2)).toBe('#i3');
    expect((await server.query('shop::orders')).body.result).toHaveLength(3);
    expect((await server.query('shop::shares')).body.error.details.bindings).toEqual({ o: broken });
  });

  it.each([
    ['doubled', 2_000_000],
    ['filled', 5_000],
    // Longer than the longest text that the machine can hold.
    ['filled', 30_000],
  ])('names the declaration that builds an endless text: %s of %i characters', async (fn, length) => {
    const limited = await serveModule(SHOP, { limits: { bodyBytes: 4_000_000 } });
    const args = { text: 'a'.repeat(length) };
    const { status, body } = await limited.call('POST', '/v1/dispatch/compute', { path: `shop::${fn}`, args });
    expect([status, body.error.code]).toEqual([500, 'SVC_RUNTIME_COMPUTE_EVAL_FAILED']);
    expect(body.error.message).toContain('a text of more than 16,777,216 characters');
    await limited.stop();
    await removeFolder(limited.folder);
  });

  it('of one check does not hide the states of the others, even if that check never ends', async () => {
    const slow = `${SHOP}pub individual only: Order { code: "A", total: 3, parts: 0 }
pub derive grow(n: Int) when Order(_), let n = 0
pub derive grow(n: Int) when grow(m), let n = m + 1
pub check growing(n: Int) when grow(n), n < 0 severity warning message "never"
pub check cheap(o: Order) when Order(o), o.total div o.parts < 2 severity warning message "{o.code} is cheap"
pub check small(o: Order) when Order(o), o.total < 5 severity warning message "{o.code} is small"
`;
    const limited = await serveModule(slow, { limits: { timeoutMs: 1000 } });
    const { status, body } = await limited.call('GET', '/v1/checks/states');
    expect([status, body.result]).toEqual([
      200,
      [
        expect.objectContaining({ check: 'shop::Order.code.unique', severity: 'blocking', firings: 0 }),
        expect.objectContaining({
          check: 'shop::cheap',
          firings: null,
          failure: {
            code: 'SVC_RUNTIME_CHECK_EVAL_FAILED',
            message: expect.stringContaining('division by zero'),
            details: expect.objectContaining({ check: 'shop::cheap' }),
          },
        }),
        expect.objectContaining({
          check: 'shop::growing',
          firings: null,
          failure: expect.objectContaining({ code: 'SVC_RUNTIME_REQUEST_TIMEOUT' }),
        }),
        { check: 'shop::small', severity: 'warning', firings: 1 },
        { check: 'shop::split', severity: 'warning', firings: 0 },
      ],
    ]);
    const first = await limited.call('GET', '/v1/forks/main/checks/states?limit=1');
    expect(first.body.result).toHaveLength(1);
    const rest = await limited.call('GET', `/v1/forks/main/checks/states?page=${first.body.nextCursor}`);
    expect(rest.body.result[0].check).toBe('shop::cheap');
    await limited.stop();
    await removeFolder(limited.folder);
  });

  it('of a warning that never ends does not fail a write', async () => {
    const endless = `${SHOP}pub derive grow(n: Int) when Order(_), let n = 0
pub derive grow(n: Int) when grow(m), let n = m + 1
pub check growing(n: Int) when grow(n), n < 0 severity warning message "never"
`;
    const limited = await serveModule(endless, { limits: { timeoutMs: 1000 } });
    const placed = await limited.mutation('shop::place', { code: 'A', total: 8, parts: 2 });
    expect([placed.status, placed.body.warnings]).toEqual([200, [expect.objectContaining({ check: 'shop::split' })]]);
    await limited.stop();
    await removeFolder(limited.folder);
  });

  it('in the message of a check names the check and the violation', async () => {
    const o = await place('A', 10, 0);
    const { body } = await server.call('GET', '/v1/checks');
    expect(body.error).toMatchObject({
      code: 'SVC_RUNTIME_CHECK_EVAL_FAILED',
      details: { check: 'shop::split', rule: 'shop::split', bindings: { o } },
    });
  });

  it('of a query, a function and a mutation names the arguments, and rolls back the mutation', async () => {
    const o = await place('A', 5, 5);
    const queried = await server.query('shop::ratios', { by: 0 });
    expect(queried.body.error).toMatchObject({
      code: 'SVC_RUNTIME_QUERY_EVAL_FAILED',
      details: { span: { start: { line: lineOf('pub query ratios') } }, bindings: { by: 0, o } },
    });
    const computed = await server.compute('shop::part', { of: 7, by: 0 });
    expect(computed.body.error.details.bindings).toEqual({ of: 7, by: 0 });
    const mutated = await server.mutation('shop::cut', { o, by: 0 });
    expect(mutated.body.error).toMatchObject({
      code: 'SVC_RUNTIME_COMPUTE_EVAL_FAILED',
      details: { bindings: { o, by: 0 } },
    });
    expect((await server.query('shop::orders')).body.result).toEqual([{ code: 'A', total: 5 }]);
  });
});
