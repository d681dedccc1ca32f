/** Rows of queries over HTTP: explanations and profiles. */

import { describe, expect, it } from 'vitest';
import { type RealServer, serversOfTests } from './testing/real.js';

const RENTS = `module rents
context principalId: Text?
pub concept Person { name: Text }
pub concept Lease { code: Text, rent: Decimal }
pub relation tenantOf(lease: Lease, tenant: Person)
pub derive rented(l: Lease) when tenantOf(l, _)
pub individual ada: Person { name: "Ada" }
pub individual l1: Lease { code: "L1", rent: 900 }
pub individual l2: Lease { code: "L2", rent: 1000 }
fact tenantOf(@l1, @ada)
fact tenantOf(@l2, @ada)
pub query totals(least: Decimal = 0, except: [Text] = []) -> [{ tenant: Person, total: Decimal, note: Text? }] {
  select { tenant: p, total: t, note: none }
  where Person(p), let t = sum(l.rent for l where tenantOf(l, p)), t >= least
  order by t limit 1
}
pub query dear(least: Decimal) -> [Lease] { select l where rented(l), l.rent >= least }
pub query codes(first: Text?) -> [Text] { select l.code where Lease(l), l.code >= first ?? "", context.principalId == "vera" }
pub query leases() -> Int { value count(for l where rented(l)) }
pub query lists() -> [{ all: [Text] }] { select { all: list(l.code for l where Lease(l)) } where Person(_) }
pub relation viewing(order: [Lease], by: { who: Person, days: [Int] })
fact viewing([@l1, @l2], { who: @ada, days: [1, 2] })
fact viewing([@l2, @l1], { who: @ada, days: [1, 2] })
pub query viewings() -> [{ order: [Lease], by: { who: Person, days: [Int] } }] { select { order: o, by: b } where viewing(o, b) }
pub query notes() -> [{ note: Text? }] { select { note: none } where Person(_) }
`;

const started = serversOfTests();
const explain = async (server: RealServer, path: string, row: unknown, args: object = {}, headers = {}) =>
  (await server.call('POST', '/v1/dispatch/query/explain', { path: `rents::${path}`, row, args }, headers)).body;

describe('a row of a query', () => {
  it("is explained by the query's condition, with the given arguments", async () => {
    const server = await started(RENTS);
    const [row] = (await server.query('rents::totals', { least: 1000 })).body.result;
    expect(row.total).toBe('1900');
    const { result } = await explain(server, 'totals', row, { least: 1000 });
    expect(result).toMatchObject({ holds: true, proof: { kind: 'derived', relation: 'rents::totals' } });
    expect(result.proof.tuple).toEqual(['@rents::ada', '1900']);
    expect(result.proof.premises).toContainEqual(expect.objectContaining({ kind: 'aggregate', contributions: 2 }));
    expect(result.proof.premises).toContainEqual(expect.objectContaining({ kind: 'test', text: 't >= least' }));
  });

  it('shows what fails if it is missing', async () => {
    const server = await started(RENTS);
    const { result } = await explain(server, 'dear', '@l1', { least: 950 });
    expect(result).toMatchObject({ holds: false, whyNot: { clauses: [{ fails: { text: 'l.rent >= least' } }] } });
    expect((await explain(server, 'dear', '@l2', { least: 950 })).result).toMatchObject({ holds: true, height: 2 });
  });

  it('may be a single value, or have a computed cell, and depends on the context of the request', async () => {
    const server = await started(RENTS);
    expect((await explain(server, 'leases', 2)).result).toMatchObject({
      holds: true,
      proof: { premises: [{ kind: 'aggregate', contributions: 2 }] },
    });
    const vera = { 'x-principal-id': 'vera' };
    expect((await explain(server, 'codes', 'L1', {}, vera)).result.holds).toBe(true);
    expect((await explain(server, 'codes', 'L1', { first: 'L2' }, vera)).result.holds).toBe(false);
    expect((await explain(server, 'codes', 'L1')).result.holds).toBe(false);
  });

  it('of an ad-hoc text is explained like one of a declared query, and one of a derive by its names', async () => {
    const server = await started(RENTS);
    const adhoc = async (source: string, row: unknown, args = {}) =>
      (await server.call('POST', '/v1/query/adhoc/explain', { source, row, args })).body.result;
    const source = 'query big(least: Decimal) -> [Lease] { select l where Lease(l), l.rent > least }';
    expect(await adhoc(source, '@l2', { least: 900 })).toMatchObject({ holds: true, height: 1 });
    expect((await adhoc(source, '@l1', { least: 900 })).holds).toBe(false);
    const derive = 'derive pays(p: Person, l: Lease) when tenantOf(l, p)';
    expect((await adhoc(derive, { l: '@l1', p: '@ada' })).proof.tuple).toEqual(['@rents::ada', '@rents::l1']);
  });

  it('is identified by its lists and records too', async () => {
    const server = await started(RENTS);
    for (const row of (await server.query('rents::viewings')).body.result) {
      const order = row.order.map(({ $id }: { $id: string }) => $id);
      expect((await explain(server, 'viewings', row)).result).toMatchObject({
        proof: { premises: [{ relation: 'rents::viewing', tuple: [order, { who: '@rents::ada', days: [1, 2] }] }] },
      });
    }
    expect((await explain(server, 'viewings', { order: ['@l1'], by: null })).result.holds).toBe(false);
    expect((await explain(server, 'lists', { all: ['L1', 'L2'] })).result.holds).toBe(true);
    expect((await explain(server, 'lists', { all: ['L2'] })).result.holds).toBe(false);
  });

  it('is refused if it has no value', async () => {
    const server = await started(RENTS);
    const { error } = await explain(server, 'notes', { note: null });
    expect(error).toMatchObject({ code: 'SVC_RUNTIME_EXPLAIN_FAILED', details: { relation: 'rents::notes' } });
    expect((await explain(server, 'dear', 7, { least: 1 })).error.code).toBe('SVC_RUNTIME_EXPLAIN_BAD_TUPLE');
    expect((await explain(server, 'dear', '@l1', {})).error.code).toBe('SVC_RUNTIME_SIGNATURE_MISMATCH');
  });
});

describe('a profile', () => {
  it('of a query has its plan and the rules that it reads; of an ad-hoc derive, also the derive itself', async () => {
    const server = await started(RENTS);
    const call = { path: 'rents::dear', args: { least: 950 } };
    const { result } = (await server.call('POST', '/v1/dispatch/query/profile', call)).body;
    expect(result.search).toMatchObject({ matches: 1, joinOrder: expect.stringContaining('rents::rented') });
    expect(result.rules).toMatchObject([{ rule: 'rents::rented', newFacts: 2 }]);
    const source = 'derive far(l: Lease) when rented(l), l.rent > 950';
    const adhoc = (await server.call('POST', '/v1/query/adhoc/profile', { source })).body.result;
    expect(adhoc).not.toHaveProperty('search');
    expect(adhoc.rules.map(({ rule }: { rule: string }) => rule).toSorted()).toEqual(['rents::far', 'rents::rented']);
  });
});
