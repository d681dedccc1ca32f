/** Lists over HTTP: complete and in one order, page by page, while others write; and their limits. */

import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../api/errors.js';
import type { ProofNode } from '../api/schemas/explanation-schemas.js';
import type { Fact } from '../api/schemas/schemas.js';
import type { TestResponse } from './testing/http.js';
import { type RealOptions, type RealServer, serversOfTests } from './testing/real.js';

const LEASE = `
module lease

context tenantId: Text?

pub concept Party { name: Text }
pub concept Person is Party { age: Int? }
pub concept Lease { code: Text }

pub relation tenantOf(lease: Lease, tenant: Person)
pub relation next(from: Int, to: Int)
fact next(1, 2)

pub individual acme: Party { name: "Acme Ltd" }

pub derive housed(p: Person, l: Lease) when tenantOf(l, p)
pub derive neighbour(a: Person, b: Person) when tenantOf(l, a), tenantOf(l, b)
pub derive reach(a: Int, b: Int) when next(a, b)
pub derive reach(a: Int, c: Int) when reach(a, b), next(b, c)
pub define Tenant(p: Person) when tenantOf(_, p)

pub check homeless(p: Person) when Person(p), not tenantOf(_, p) severity warning message "{p.name} has no lease"
pub check nameless(p: Party) when Party(p), p.name == "" severity warning message "somebody has no name"

pub mutation addPerson(name: Text) -> Person { return insert Person { name: name } }
pub mutation addLease(code: Text) -> Lease { return insert Lease { code: code } }
pub mutation move(p: Person, l: Lease) { insert tenantOf(l, p) }
pub mutation link(from: Int, to: Int) { insert next(from, to) }
pub mutation unlink(from: Int, to: Int) { delete next(from, to) }
pub mutation chain(length: Int) { for i in (select i where i in range(0, length)) { insert next(i, i + 1) } }
`;

const started = serversOfTests();
const serve = (options: RealOptions = {}) => started(LEASE, options);

/** Sends a mutation that should succeed, and returns its result. */
async function mutate(server: RealServer, name: string, args: object, headers?: Record<string, string>) {
  const { body } = await server.mutation(`lease::${name}`, args, headers);
  expect(body.error).toBeUndefined();
  return body.result;
}

/** All pages in sequence, with an action between them. */
async function pages(server: RealServer, path: string, between: (page: number) => Promise<unknown> = async () => {}) {
  const results: TestResponse['body'][] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    if (results.length > 0) await between(results.length);
    const { status, body } = await server.call('GET', `${path}${cursor && `&page=${cursor}`}`);
    expect([status, body.error]).toEqual([200, undefined]);
    results.push(body);
    cursor = body.nextCursor;
  }
  return results;
}

function expectCode({ status, body }: TestResponse, code: ErrorCode, expected: number): void {
  expect([body.error?.code, status]).toEqual([code, expected]);
}

const tuples = (facts: readonly Fact[]) => facts.map(({ tuple }) => tuple);

describe('a relation', () => {
  it.each(['next', 'reach'])('is complete while others write, each row of %s once and in order', async (name) => {
    const server = await serve();
    for (let from = 10; from < 50; from++) await mutate(server, 'link', { from: from * 10, to: from });
    const path = `/v1/relations/lease::${name}`;
    const before: Fact[] = (await server.call('GET', path)).body.result;
    const taken: Fact[] = [];
    const read = pages(server, `${path}?limit=3`, async (page) => {
      // Before, after and between rows that were read; one row is deleted and inserted again.
      await mutate(server, 'link', { from: -page, to: page });
      await mutate(server, 'link', { from: 9000 + page, to: page });
      await mutate(server, page % 2 === 0 ? 'link' : 'unlink', { from: 300, to: 30 });
    });
    for (const { result } of await read) taken.push(...result);
    const ids = taken.map(({ factId }) => factId);
    expect(new Set(ids).size).toBe(ids.length);
    const stayed = before.filter(({ tuple }) => !(tuple[0] === 300 && tuple[1] === 30));
    expect(ids).toEqual(expect.arrayContaining(stayed.map(({ factId }) => factId)));
    const order = (rows: readonly Fact[]) =>
      rows.toSorted((a, b) => Number(a.tuple[0]) - Number(b.tuple[0]) || Number(a.tuple[1]) - Number(b.tuple[1]));
    expect(tuples(taken)).toEqual(tuples(order(taken)));
    expect(taken.length).toBeGreaterThan(before.length);
  });

  it('has an empty page if everything after the cursor was removed', async () => {
    const server = await serve();
    const first = await server.call('GET', '/v1/relations/lease::next?limit=1');
    expect(first.body).toMatchObject({ result: [{ tuple: [1, 2] }] });
    expect(first.body.nextCursor).toBeUndefined();
    await mutate(server, 'link', { from: 5, to: 6 });
    const again = await server.call('GET', '/v1/relations/lease::next?limit=1');
    await mutate(server, 'unlink', { from: 5, to: 6 });
    const rest = await server.call('GET', `/v1/relations/lease::next?limit=1&page=${again.body.nextCursor}`);
    expect([rest.status, rest.body.result, rest.body.nextCursor]).toEqual([200, [], undefined]);
  });

  it('is refused without paging above the row cap, and accepts only its own cursors', async () => {
    const server = await serve({ limits: { rows: 10 } });
    await mutate(server, 'chain', { length: 10 });
    await mutate(server, 'chain', { length: 10 }, { 'x-tenant-id': 'other' });
    expectCode(await server.call('GET', '/v1/relations/lease::reach'), 'SVC_RUNTIME_RESULT_TOO_LARGE', 413);
    const first = await server.call('GET', '/v1/relations/lease::reach?limit=10');
    const page = (path: string, headers?: Record<string, string>) =>
      server.call('GET', `${path}?limit=10&page=${first.body.nextCursor}`, undefined, headers);
    expect((await page('/v1/relations/lease::reach')).body.result).toHaveLength(10);
    expectCode(await page('/v1/relations/lease::next'), 'SVC_RUNTIME_INVALID_CURSOR', 400);
    expectCode(await page('/v1/snapshot'), 'SVC_RUNTIME_INVALID_CURSOR', 400);
    const elsewhere = await page('/v1/relations/lease::reach', { 'x-tenant-id': 'other' });
    expectCode(elsewhere, 'SVC_RUNTIME_INVALID_CURSOR', 400);
    expectCode(await server.call('GET', '/v1/relations/lease::nekst'), 'SVC_RUNTIME_VALIDATION_FAILED', 400);
  });
});

describe('individuals', () => {
  it('are listed over all classes in one order, declared ones first', async () => {
    const server = await serve();
    const made: string[] = [];
    for (let index = 0; index < 12; index++) {
      const entity = await (index % 3 === 0
        ? mutate(server, 'addLease', { code: `L${index}` })
        : mutate(server, 'addPerson', { name: `P${index}` }));
      made.push(entity.$id);
    }
    const read = await pages(server, '/v1/individuals?limit=5', () => mutate(server, 'addPerson', { name: 'late' }));
    const ids = read.flatMap(({ result }) => result.map(({ $id }: { $id: string }) => $id));
    expect(ids.slice(0, 13)).toEqual(['@lease::acme', ...made]);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await server.call('GET', '/v1/individuals')).body.result).toHaveLength(ids.length);
  });
});

describe('checks', () => {
  it('are listed by check, then by violation', async () => {
    const server = await serve();
    for (const name of ['b', '', 'a']) await mutate(server, 'addPerson', { name });
    const all = (await server.call('GET', '/v1/checks')).body.result;
    const read = await pages(server, '/v1/checks?limit=1');
    expect(read.flatMap(({ result }) => result)).toEqual(all);
    const fired = all.map(({ check, tuple }: { check: string; tuple: { p: string } }) => [check, tuple.p]);
    expect(fired).toEqual([
      ['lease::homeless', '#i1'],
      ['lease::homeless', '#i2'],
      ['lease::homeless', '#i3'],
      ['lease::nameless', '#i2'],
    ]);
    const filtered = await pages(server, '/v1/checks?check=lease::homeless&limit=2');
    expect(filtered.map(({ result }) => result.length)).toEqual([2, 1]);
    const elsewhere = await server.call('GET', `/v1/checks?limit=2&page=${filtered[0].nextCursor}`);
    expectCode(elsewhere, 'SVC_RUNTIME_INVALID_CURSOR', 400);
  });
});

describe('a snapshot', () => {
  it('has the schema first and then all facts, in pages as in one response', async () => {
    const server = await serve();
    const ada = await mutate(server, 'addPerson', { name: 'Ada' });
    const lease = await mutate(server, 'addLease', { code: 'L1' });
    await mutate(server, 'move', { p: ada.$id, l: lease.$id });
    const { result } = (await server.call('GET', '/v1/snapshot?include=derived')).body;
    const { body: schema } = await server.call('GET', '/v1/schema');
    expect(result).toMatchObject({ fork: 'main', txn: 3, schema: schema.result });
    const events = (await server.call('GET', '/v1/events')).body.result;
    expect(result.seq).toBe(events.at(-1).seq);
    const written = (facts: readonly Fact[]) => facts.map(({ relation, tuple }) => `${relation}(${tuple.join(', ')})`);
    expect(written(result.facts)).toEqual([
      'lease::Lease(#i2)',
      'lease::Lease.code(#i2, L1)',
      'lease::Party(@lease::acme)',
      'lease::Party(#i1)',
      'lease::Party.name(@lease::acme, Acme Ltd)',
      'lease::Party.name(#i1, Ada)',
      'lease::Person(#i1)',
      'lease::next(1, 2)',
      'lease::tenantOf(#i2, #i1)',
    ]);
    expect(written(result.derived)).toEqual([
      'lease::Tenant(#i1)',
      'lease::housed(#i1, #i2)',
      'lease::neighbour(#i1, #i1)',
      'lease::reach(1, 2)',
    ]);
    for (const limit of [1, 4, 9, 13]) {
      const read = await pages(server, `/v1/snapshot?include=derived&limit=${limit}`);
      expect(read.flatMap((page) => page.result.facts)).toEqual(result.facts);
      expect(read.flatMap((page) => page.result.derived)).toEqual(result.derived);
      expect(read.map((page) => 'schema' in page.result)).toEqual(read.map((_, index) => index === 0));
    }
    const stored = (await server.call('GET', '/v1/snapshot')).body.result;
    expect([stored.facts, stored.derived]).toEqual([result.facts, undefined]);
  });

  it('skips no remaining fact, and obeys the row cap', async () => {
    const server = await serve({ limits: { rows: 20 } });
    for (let index = 0; index < 10; index++) await mutate(server, 'addPerson', { name: `P${index}` });
    const ids = (read: TestResponse['body'][]): string[] =>
      read.flatMap(({ result }) => result.facts.map(({ factId }: Fact) => factId));
    const quiet = ids(await pages(server, '/v1/snapshot?limit=7'));
    const busy = ids(
      await pages(server, '/v1/snapshot?limit=7', async (page) => {
        if (page < 4) await mutate(server, 'addPerson', { name: 'late' });
      }),
    );
    expect(new Set(busy).size).toBe(busy.length);
    expect(busy).toEqual(expect.arrayContaining(quiet));
    expectCode(await server.call('GET', '/v1/snapshot'), 'SVC_RUNTIME_RESULT_TOO_LARGE', 413);
    expectCode(await server.call('GET', '/v1/snapshot?include=all'), 'SVC_RUNTIME_VALIDATION_FAILED', 400);
  });
});

describe('the error codes', () => {
  it('can be read in one response or in pages', async () => {
    const server = await serve({ limits: { rows: 20 } });
    expect((await server.call('GET', '/v1/errors')).body.result.length).toBe(ERROR_CODES.length);
    const read = await pages(server, '/v1/errors?limit=20');
    expect(read.map(({ result }) => result.length)).toEqual([20, 20, ERROR_CODES.length - 40]);
    expect(read.flatMap(({ result }) => result.map(({ code }: { code: string }) => code))).toEqual(ERROR_CODES);
    const foreign = `/v1/forks?limit=1&page=${read[0].nextCursor}`;
    expectCode(await server.call('GET', foreign), 'SVC_RUNTIME_INVALID_CURSOR', 400);
  });
});

describe('conclusions about an individual', () => {
  async function house(options: RealOptions = {}) {
    const server = await serve(options);
    const people: string[] = [];
    for (const name of ['Ada', 'Bo', 'Cy']) people.push((await mutate(server, 'addPerson', { name })).$id);
    const lease = await mutate(server, 'addLease', { code: 'L1' });
    for (const p of people) await mutate(server, 'move', { p, l: lease.$id });
    return { server, ada: encodeURIComponent(people[0] ?? '') };
  }

  it('are all derived facts that mention it, once', async () => {
    const { server, ada } = await house();
    const { body } = await server.call('GET', `/v1/derived/individuals/${ada}`);
    expect(body.result.map(({ relation, tuple }: Fact) => [relation, tuple])).toEqual([
      ['lease::Tenant', ['#i1']],
      ['lease::housed', ['#i1', '#i4']],
      ['lease::neighbour', ['#i1', '#i1']],
      ['lease::neighbour', ['#i1', '#i2']],
      ['lease::neighbour', ['#i1', '#i3']],
      ['lease::neighbour', ['#i2', '#i1']],
      ['lease::neighbour', ['#i3', '#i1']],
    ]);
    const read = await pages(server, `/v1/derived/individuals/${ada}?limit=2`);
    expect(read.flatMap(({ result }) => result)).toEqual(body.result);
    expect((await server.call('GET', '/v1/derived/individuals/acme')).body.result).toEqual([]);
    expectCode(await server.call('GET', '/v1/derived/individuals/%23i99'), 'SVC_RUNTIME_VALIDATION_FAILED', 400);
    const other = `/v1/derived/individuals/%23i2?limit=2&page=${read[0].nextCursor}`;
    expectCode(await server.call('GET', other), 'SVC_RUNTIME_INVALID_CURSOR', 400);
  });

  it('are proved fact by fact', async () => {
    const { server, ada } = await house();
    const facts: Fact[] = (await server.call('GET', `/v1/derived/individuals/${ada}`)).body.result;
    const { result } = (await server.call('GET', `/v1/derived/individuals/${ada}/explain`)).body;
    expect(result.map(({ factId }: Fact) => factId)).toEqual(facts.map(({ factId }) => factId));
    for (const each of result) {
      const alone = await server.call('GET', `/v1/derived/facts/${each.factId}/explain`);
      expect(each).toEqual(alone.body.result);
      expect(each).toMatchObject({ holds: true, cut: false });
    }
    const several = (await server.call('GET', `/v1/derived/individuals/${ada}/explain?proofs=2`)).body.result;
    for (const each of several) {
      const alone = await server.call('GET', `/v1/derived/facts/${each.factId}/explain?proofs=2`);
      expect(each).toEqual(alone.body.result);
    }
    const read = await pages(server, `/v1/derived/individuals/${ada}/explain?limit=3`);
    expect(read.flatMap((page) => page.result)).toEqual(result);
  });

  it('share the node limit, and report where a proof was cut', async () => {
    const { server, ada } = await house({ limits: { explainNodes: 9 } });
    const { result } = (await server.call('GET', `/v1/derived/individuals/${ada}/explain`)).body;
    const nodes = (proof: ProofNode): number =>
      proof.premises.reduce((sum, premise) => sum + ('ref' in premise ? 0 : nodes(premise)), 1);
    const sizes: number[] = result.map(({ proof }: { proof: ProofNode }) => nodes(proof));
    expect(sizes.reduce((sum, size) => sum + size)).toBe(9);
    expect(sizes).toEqual([3, 1, 1, 1, 1, 1, 1]);
    expect(result.map(({ cut }: { cut: boolean }) => cut)).toEqual([false, true, true, true, true, true, true]);
  });
});
