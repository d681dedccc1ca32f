/** Ad-hoc queries and mutations over HTTP: responses, codes and their precedence. */

import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../api/errors.js';
import { ERROR_REGISTRY } from '../api/errors.js';
import { encodeArtifact } from '../artifact/index.js';
import { compile } from '../compiler/index.js';
import type { TestResponse } from './testing/http.js';
import { type RealOptions, type RealServer, serversOfTests } from './testing/real.js';

const STOCK = `module stock
context tenantId: Text
pub concept Part { name: Text, price: Decimal where value > 0 }
pub relation needs(whole: Part, part: Part)
pub derive costly(p: Part) when Part(p), p.price > 100
pub check cheap(p: Part) when p.price > 1000 severity blocking message "{p.name} costs too much"
pub mutation add(name: Text, price: Decimal, whole: Part?) -> Part {
  let p = insert Part { name: name, price: price }
  if exists(whole) { insert needs(whole, p) }
  return p
}
extern fn quote(name: Text) -> Decimal
pub derive quoted(p: Part, price: Decimal) when Part(p), let price = quote(p.name)
`;

const started = serversOfTests();
const serve = (text: string | undefined = STOCK, options: RealOptions = {}) => started(text, options);

const TENANT = { 'x-tenant-id': 'a' };

const ask = (server: RealServer, source: unknown, more: object = {}, headers: Record<string, string> = TENANT) =>
  server.call('POST', '/v1/query/adhoc', { source, ...more }, headers);
const change = (server: RealServer, source: unknown, more: object = {}, search = '') =>
  server.call('POST', `/v1/mutation/adhoc${search}`, { source, ...more }, TENANT);

function expectCode({ status, body }: TestResponse, code: ErrorCode, message?: RegExp): void {
  expect(body).toMatchObject({ error: { code, details: expect.any(Object) }, requestId: expect.any(String) });
  expect(status).toBe(ERROR_REGISTRY[code].status);
  if (message !== undefined) expect(body.error.message).toMatch(message);
}

/** Serves an artifact of two modules, without their sources. */
async function serveTwo(): Promise<RealServer> {
  const server = await serve();
  const { artifact } = compile([STOCK, SHOP].map((text, i) => ({ file: `${i}.entail`, text })));
  if (artifact === undefined) throw new Error('the modules compile');
  const type = { 'content-type': 'application/vnd.entail.artifact+json' };
  expect((await server.call('PUT', '/v1/module', encodeArtifact(artifact), type)).status).toBe(200);
  return server;
}

const SHOP = `module shop
use stock::{Part, costly}
concept Shop { name: Text }
relation sells(shop: Shop, part: Part)
derive dear(s: Shop) when sells(s, p), costly(p)
`;

const NAMES = 'query names() -> [Text] { select p.name where Part(p) order by p.name }';

describe('a text for one of several modules', () => {
  it("sees that module's names, its imports, and public names of other modules by path", async () => {
    const server = await serveTwo();
    const open =
      'mutation open(name: Text) -> Shop { let p = stock::add("bike", 500) let s = insert Shop { name: name } insert sells(s, p) return s }';
    const made = await change(server, open, { module: 'shop', args: { name: 'Ada' } });
    expect(made.body).toMatchObject({ result: { $meta: { type: 'shop::Shop' } }, txn: 1 });
    const shop = 'query dears() -> [Text] { select p.name where Part(p), dear(s), sells(s, p), stock::costly(p) }';
    expect((await ask(server, shop, { module: 'shop' })).body.result).toEqual(['bike']);
    expect((await ask(server, NAMES, { module: 'stock' })).body.result).toEqual(['bike']);
    for (const source of ['query q() -> [shop::Shop] { select s where shop::Shop(s) }', shop]) {
      expectCode(await ask(server, source, { module: 'stock' }), 'SVC_RUNTIME_ADHOC_TYPE_ERROR');
    }
  });

  it('can be explained, profiled, written and run on forks, and has its own cursors', async () => {
    const server = await serveTwo();
    const post = (path: string, body: object) => server.call('POST', `/v1/${path}`, body, TENANT);
    expect((await post('forks', { id: 'try' })).status).toBe(201);
    const add = 'mutation m() { for i in (select i where i in range(1, 4)) { let p = add("part " ++ text(i), i) } }';
    expect((await post('forks/try/mutation/adhoc', { source: add, module: 'stock' })).status).toBe(200);
    const page = await post('forks/try/query/adhoc?limit=2', { source: PARTS, module: 'shop' });
    expect(page.body.result).toHaveLength(2);
    const next = `forks/try/query/adhoc?limit=2&page=${encodeURIComponent(page.body.nextCursor)}`;
    expectCode(await post(next, { source: PARTS, module: 'stock' }), 'SVC_RUNTIME_INVALID_CURSOR');
    expect((await post(next, { source: PARTS, module: 'shop' })).body.result).toHaveLength(1);
    const proved = await post('forks/try/query/adhoc/explain', { source: PARTS, module: 'shop', row: '#i1' });
    expect(proved.body.result).toMatchObject({ holds: true, proof: { relation: 'shop::parts' } });
    const profiled = await post('forks/try/query/adhoc/profile', { source: PARTS, module: 'shop' });
    expect(profiled.body.result.search.matches).toBe(3);
  });
});

const PARTS = 'query parts() -> [Part] { select p where Part(p) order by p.name }';

describe('ad-hoc routes', () => {
  it('respond in the envelope: mutations with events and warnings, queries in pages', async () => {
    const server = await serve();
    const source =
      'mutation m(n: Int) { for i in (select i where i in range(0, n)) { let p = add("part " ++ text(i), 1) } }';
    const dry = await change(server, source, { args: { n: 3 } }, '?dryRun=true');
    expect(dry).toMatchObject({ status: 200, body: { result: null, txn: null, warnings: [] } });
    expect((await ask(server, NAMES)).body.result).toEqual([]);
    const written = await change(server, source, { args: { n: 3 } });
    expect(written.body).toMatchObject({ result: null, txn: 1, moduleHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const page = await server.call('POST', '/v1/query/adhoc?limit=2', { source: NAMES }, TENANT);
    expect(page.body).toMatchObject({ result: ['part 0', 'part 1'], nextCursor: expect.any(String) });
    const next = `/v1/query/adhoc?limit=2&page=${encodeURIComponent(page.body.nextCursor)}`;
    expect((await server.call('POST', next, { source: NAMES }, TENANT)).body.result).toEqual(['part 2']);
    const foreign = await server.call('POST', next, { source: `${NAMES} ` }, TENANT);
    expectCode(foreign, 'SVC_RUNTIME_INVALID_CURSOR');
  });

  it('return the effects of a mutation on request, also of a declared one', async () => {
    const server = await serve();
    const source = 'mutation m() { let p = add("bike", 500) }';
    const search = '?dryRun=true&effects=true';
    const { body } = await change(server, source, {}, search);
    expect(body.effects).toMatchObject({ firings: [], unknown: [{ path: 'stock::quoted' }], cut: false });
    expect(body.effects.facts).toContainEqual({
      change: 'added',
      kind: 'derived',
      factId: expect.any(String),
      relation: 'stock::costly',
      tuple: ['#i1'],
    });
    const call = { path: 'stock::add', args: { name: 'bike', price: 500 } };
    const declared = await server.call('POST', `/v1/dispatch/mutation${search}`, call, TENANT);
    expect(declared.body.effects).toEqual(body.effects);
    expect((await ask(server, NAMES)).body.result).toEqual([]);
    expect((await change(server, source)).body).not.toHaveProperty('effects');
  });

  it('explain a row of a derive, and why another row is missing', async () => {
    const server = await serve();
    const { body } = await server.mutation('stock::add', { name: 'bike', price: 500 }, TENANT);
    await server.mutation('stock::add', { name: 'wheel', price: 90, whole: body.result }, TENANT);
    const source =
      'derive inside(w: Part, p: Part) when needs(w, p)  derive inside(w: Part, p: Part) when inside(w, m), needs(m, p)';
    const explain = (tuple: unknown, text = source) =>
      server.call('POST', '/v1/query/adhoc/explain', { source: text, tuple }, TENANT);
    const { result } = (await explain(['#i1', '#i2'])).body;
    expect(result).toMatchObject({ holds: true, proof: { kind: 'derived', relation: 'stock::inside' } });
    expect(result.proof.premises[0]).toMatchObject({ kind: 'stored', relation: 'stock::needs', event: { txn: 2 } });
    expect((await explain(['#i2', '#i1'])).body.result).toMatchObject({
      holds: false,
      whyNot: { relation: 'stock::inside', clauses: [{ clause: 0 }, { clause: 1 }] },
    });
    expectCode(await explain(['#i1']), 'SVC_RUNTIME_EXPLAIN_BAD_TUPLE');
    expectCode(await explain(['#i1'], NAMES), 'SVC_RUNTIME_ADHOC_PREPARATION_FAILED', /whose rows are not facts/);
  });

  it('accept a recursive derive', async () => {
    const server = await serve();
    const { body } = await server.mutation('stock::add', { name: 'bike', price: 500 }, TENANT);
    const wheel = await server.mutation('stock::add', { name: 'wheel', price: 90, whole: body.result }, TENANT);
    await server.mutation('stock::add', { name: 'spoke', price: 1, whole: wheel.body.result }, TENANT);
    const { body: found } = await ask(
      server,
      'derive inside(w: Part, p: Part) when needs(w, p)  derive inside(w: Part, p: Part) when inside(w, m), needs(m, p)',
    );
    const pairs = found.result.map((row: { w: { name: string }; p: { name: string } }) => [row.w.name, row.p.name]);
    expect(pairs).toEqual([
      ['bike', 'wheel'],
      ['bike', 'spoke'],
      ['wheel', 'spoke'],
    ]);
  });
});

describe('codes of ad-hoc bodies', () => {
  it('SVC_RUNTIME_ADHOC_TYPE_ERROR, without running the body', async () => {
    const server = await serve();
    const wrong = await change(server, 'mutation m() {\n  let p = add("x", 1)\n  set p.prise = 2\n}');
    expectCode(wrong, 'SVC_RUNTIME_ADHOC_TYPE_ERROR', /no field "prise", in line 3, column 9/);
    expect(wrong.body.error.details.diagnostics).toMatchObject([
      {
        code: 'E0105',
        severity: 'error',
        hint: 'Did you mean "price"?',
        span: { file: 'adhoc', start: { line: 3, column: 9, offset: 45 } },
      },
    ]);
    expect((await ask(server, NAMES)).body.result).toEqual([]);
    for (const source of [
      'query q() -> [Prt] { select p where Part(p) }',
      'query q() -> [Text] { select p where Part(p) }',
      'query add() -> Int { value 1 }',
      'query q() -> [Part] { select p where not Part(p) }',
      'derive d(p: Part) when Part(p), not d(p)',
      'query q() -> Int { select 1 where true }',
    ])
      expectCode(await ask(server, source), 'SVC_RUNTIME_ADHOC_TYPE_ERROR');
  });

  it.each([
    ['does not parse', 'query q( { value 1 }', /cannot be read/],
    ['is empty', ' // nothing', /is empty; write one query or derive/],
    ['holds several items', `${NAMES} query two() -> Int { value 2 }`, /holds 2 items/],
    ['is of the wrong kind', 'mutation m() { }', /holds a mutation.*\/v1\/mutation\/adhoc/],
    ['reaches an extern', 'query q() -> Decimal { value quote("x") }', /extern function "stock::quote"/],
  ])('SVC_RUNTIME_ADHOC_PREPARATION_FAILED if the source %s', async (_, source, message) => {
    expectCode(await ask(await serve(), source), 'SVC_RUNTIME_ADHOC_PREPARATION_FAILED', message);
  });

  it('SVC_RUNTIME_ADHOC_DISABLED', async () => {
    const server = await serve(STOCK, { adhoc: false });
    expectCode(await ask(server, NAMES), 'SVC_RUNTIME_ADHOC_DISABLED', /--no-adhoc/);
    expectCode(await change(server, 'mutation m() { }'), 'SVC_RUNTIME_ADHOC_DISABLED');
  });

  it('SVC_RUNTIME_ADHOC_MULTI_MODULE_UNSUPPORTED for a text that names none of several modules', async () => {
    const server = await serveTwo();
    expectCode(await ask(server, NAMES), 'SVC_RUNTIME_ADHOC_MULTI_MODULE_UNSUPPORTED', /shop, stock/);
    expectCode(await change(server, 'mutation m() { }'), 'SVC_RUNTIME_ADHOC_MULTI_MODULE_UNSUPPORTED');
  });

  it('SVC_RUNTIME_VALIDATION_FAILED for a module that is not loaded', async () => {
    for (const server of [await serve(), await serveTwo()]) {
      const refused = await ask(server, 'nonsense', { module: 'stok' });
      expectCode(refused, 'SVC_RUNTIME_VALIDATION_FAILED', /got "stok" \(\$\.module\); did you mean "stock"\?/);
      expect(refused.body.error.details).toMatchObject({
        path: '$.module',
        modules: expect.arrayContaining(['stock']),
      });
    }
  });

  it('SVC_RUNTIME_VALIDATION_FAILED for a source that is too long, missing or not a text', async () => {
    const server = await serve();
    expectCode(
      await ask(server, ' '.repeat(20_000)),
      'SVC_RUNTIME_VALIDATION_FAILED',
      /must have 16384 .*\(\$\.source\)/,
    );
    expectCode(await ask(server, undefined), 'SVC_RUNTIME_VALIDATION_FAILED', /\$\.source/);
    expectCode(await ask(server, 3), 'SVC_RUNTIME_VALIDATION_FAILED');
  });

  it('are the same as for declared callables if the body fails', async () => {
    const server = await serve();
    expectCode(await ask(server, 'query q() -> Decimal { value 1 / 0 }'), 'SVC_RUNTIME_QUERY_EVAL_FAILED');
    expectCode(await ask(server, 'query q(x: Int) -> Int { value x }'), 'SVC_RUNTIME_SIGNATURE_MISMATCH', /"x"/);
    expectCode(await change(server, 'mutation m() { let p = add("x", 1001) }'), 'SVC_RUNTIME_CHECK_VIOLATION');
    expectCode(
      await change(server, 'mutation m(p: Part) { forget p }', { args: { p: '#i1' } }),
      'SVC_RUNTIME_CAPABILITY_DENIED',
    );
    await server.mutation('stock::add', { name: 'bike', price: 500 }, TENANT);
    expectCode(
      await ask(server, 'query q() -> [Decimal] { select x where quoted(_, x) }'),
      'SVC_RUNTIME_DERIVE_FAILED',
    );
  });

  it('take precedence over context codes, but not over a missing module', async () => {
    const server = await serve();
    expectCode(await ask(server, 'nonsense', {}, {}), 'SVC_RUNTIME_ADHOC_PREPARATION_FAILED');
    expectCode(await ask(server, NAMES, {}, {}), 'SVC_RUNTIME_MISSING_CONTEXT');
    const forked = await ask(server, NAMES, { fork: 'x', context: { tenantId: 'a' } }, { 'x-fork-id': 'y' });
    expectCode(forked, 'SVC_RUNTIME_FORK_CONFLICT');
    const empty = await started(undefined, { adhoc: false });
    expectCode(await ask(empty, NAMES), 'SVC_RUNTIME_MODULE_NOT_LOADED');
  });
});
