/** Reaches each code of evaluation over HTTP, from the real runtime. */

import { describe, expect, it } from 'vitest';
import { artifactOf, asArtifact, named } from './testing/changed-artifact.js';
import { expectCode } from './testing/expect-code.js';
import { addAda, LEASE, leaseServers } from './testing/lease.js';
import type { RealServer } from './testing/real.js';

const serve = leaseServers();

async function serveChanged(change: Parameters<typeof artifactOf>[1]): Promise<RealServer> {
  const server = await serve(null);
  const { status, body } = await server.call('PUT', '/v1/module', artifactOf(LEASE, change), asArtifact);
  expect([status, body.error]).toEqual([200, undefined]);
  return server;
}

describe('codes of evaluation', () => {
  it('SVC_RUNTIME_DERIVE_FAILED', async () => {
    const server = await serve();
    const tenant = await addAda(server);
    await server.mutation('lease::sign', { tenant, code: 'L1', rent: 1 });
    const failed = await server.query('lease::shares');
    expectCode(failed, 'SVC_RUNTIME_DERIVE_FAILED');
    expect(failed.body.error.details.rule).toBe('lease::share');
  });

  it('SVC_RUNTIME_EXPLAIN_FAILED', async () => {
    const server = await serve();
    const tenant = await addAda(server);
    const { body } = await server.mutation('lease::sign', { tenant, code: 'L1', rent: 1 });
    const explain = (relation: string, tuple: unknown[]) => server.call('POST', '/v1/explain', { relation, tuple });
    const explained = await explain('lease::share', [body.result.$id, '1']);
    expectCode(explained, 'SVC_RUNTIME_EXPLAIN_FAILED');
    expect(explained.body.error.details.relation).toBe('lease::share');
    expectCode(await explain('lease::shore', []), 'SVC_RUNTIME_EXPLAIN_FAILED', /lease::share/);
    const ofNone = await server.call('GET', '/v1/derived/facts/nonsense/explain');
    expectCode(ofNone, 'SVC_RUNTIME_EXPLAIN_FAILED');
    expect(ofNone.body.error.details).toEqual({ relation: null, factId: 'nonsense' });
    const lease = encodeURIComponent(body.result.$id);
    const ofLease = await server.call('GET', `/v1/derived/individuals/${lease}/explain`);
    expectCode(ofLease, 'SVC_RUNTIME_EXPLAIN_FAILED');
    expect(ofLease.body.error.details).toMatchObject({ relation: 'lease::share', rule: 'lease::share' });
  });

  it('SVC_RUNTIME_FORK_NOT_DERIVED before a derive and after a later write', async () => {
    const server = await serve();
    const derived = () => server.call('GET', '/v1/forks/main/derived');
    const trace = () => server.call('GET', '/v1/forks/main/derive/trace');
    expectCode(await derived(), 'SVC_RUNTIME_FORK_NOT_DERIVED');
    expectCode(await trace(), 'SVC_RUNTIME_FORK_NOT_DERIVED');
    expectCode(await server.call('POST', '/v1/forks/other/derive'), 'SVC_RUNTIME_FORK_NOT_FOUND');
    const tenant = await addAda(server);
    const answer = await server.call('POST', '/v1/forks/main/derive');
    expect(answer.status).toBe(200);
    expect((await derived()).body.result).toEqual(answer.body.result);
    const entries: { rule: string; newFacts: number }[] = (await trace()).body.result;
    const added = entries.reduce((sum, { newFacts }) => sum + newFacts, 0);
    expect(added).toBe(answer.body.result.facts);
    expect((await trace()).body.cut).toBe(answer.body.result.traceCut);
    const { body } = await server.mutation('lease::sign', { tenant, code: 'L1', rent: 1 });
    expect(body.txn).toBeGreaterThan(answer.body.result.txn);
    expectCode(await derived(), 'SVC_RUNTIME_FORK_NOT_DERIVED');
    expectCode(await trace(), 'SVC_RUNTIME_FORK_NOT_DERIVED');
    const failed = await server.call('POST', '/v1/forks/main/derive');
    expectCode(failed, 'SVC_RUNTIME_DERIVE_FAILED');
    expect(failed.body.error.details.rule).toBe('lease::share');
    expectCode(await derived(), 'SVC_RUNTIME_FORK_NOT_DERIVED');
  });

  it('SVC_RUNTIME_EXPLAIN_BAD_TUPLE', async () => {
    const server = await serve();
    const explain = (relation: string, tuple: unknown[]) => server.call('POST', '/v1/explain', { relation, tuple });
    expectCode(await explain('lease::active', []), 'SVC_RUNTIME_EXPLAIN_BAD_TUPLE');
    const bad = await explain('lease::tenantOf', ['#i1', 7]);
    expectCode(bad, 'SVC_RUNTIME_EXPLAIN_BAD_TUPLE');
    expect(bad.body.error.details.position).toBe(1);
  });

  it('SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL', async () => {
    const server = await serve();
    const explain = (relation: string, tuple: unknown[]) => server.call('POST', '/v1/explain', { relation, tuple });
    expectCode(await explain('lease::active', ['@ghost']), 'SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL');
    expectCode(await explain('lease::active', ['ghost']), 'SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL');
    expect((await explain('lease::active', ['#i9'])).body.result.holds).toBe(false);
  });

  it('SVC_RUNTIME_COMPUTE_EVAL_FAILED for a fault in the expression', async () => {
    const server = await serve();
    expectCode(await server.compute('lease::part', { of: 1, by: 0 }), 'SVC_RUNTIME_COMPUTE_EVAL_FAILED');
  });

  it('SVC_RUNTIME_QUERY_EVAL_FAILED for a fault in the expression', async () => {
    const server = await serve();
    const tenant = await addAda(server);
    await server.mutation('lease::sign', { tenant, code: 'L1', rent: 1 });
    expectCode(await server.query('lease::inverse'), 'SVC_RUNTIME_QUERY_EVAL_FAILED');
  });

  it('SVC_RUNTIME_QUERY_EVAL_FAILED for a body that cannot be decoded', async () => {
    const server = await serveChanged((artifact) => {
      named(artifact.queries, 'lease::leases').body = { op: 'teleport' };
    });
    expectCode(await server.query('lease::leases'), 'SVC_RUNTIME_QUERY_EVAL_FAILED');
  });

  it('SVC_RUNTIME_COMPUTE_EVAL_FAILED for a body that cannot be decoded', async () => {
    const server = await serveChanged((artifact) => {
      named(artifact.functions, 'lease::yearly').body = { op: 'teleport' };
    });
    expectCode(await server.compute('lease::yearly', { rent: 1 }), 'SVC_RUNTIME_COMPUTE_EVAL_FAILED');
    expect((await server.compute('lease::part', { of: 1, by: 2 })).body.result).toBe('0.5');
  });

  it('SVC_RUNTIME_CHECK_EVAL_FAILED', async () => {
    const server = await serveChanged((artifact) => {
      named(artifact.checks, 'lease::tooManyLeases').body = { op: 'teleport' };
    });
    expectCode(await server.call('GET', '/v1/checks'), 'SVC_RUNTIME_CHECK_EVAL_FAILED');
    const question = { relation: 'lease::tooManyLeases', tuple: ['#i1'] };
    const explained = await server.call('POST', '/v1/explain', question);
    expectCode(explained, 'SVC_RUNTIME_EXPLAIN_FAILED');
    expect(explained.body.error.details.relation).toBe('lease::tooManyLeases');
  });

  it('SVC_RUNTIME_NAV_FIELD_RESOLVE_FAILED', async () => {
    const server = await serve();
    const ada = await addAda(server);
    const bo = await addAda(server);
    const { body } = await server.mutation('lease::sign', { tenant: ada, code: 'L1', rent: 900 });
    for (const person of [ada, bo]) await server.mutation('lease::giveKey', { lease: body.result.$id, person });
    expectCode(await server.query('lease::leases'), 'SVC_RUNTIME_NAV_FIELD_RESOLVE_FAILED', /keeper/);
  });

  it('SVC_RUNTIME_META_RESOLVE_FAILED', async () => {
    const server = await serve(`${LEASE}\npub define Odd(l: Lease) when 100 / (l.rent - 1) > 1`);
    const tenant = await addAda(server);
    expectCode(
      await server.mutation('lease::sign', { tenant, code: 'L1', rent: 1 }),
      'SVC_RUNTIME_META_RESOLVE_FAILED',
    );
  });

  it('SVC_RUNTIME_META_RESOLVE_FAILED for lists of entities, of all classes or of the define', async () => {
    const server = await serve(`${LEASE}\npub define Even(p: Party) when 1 div (length(p.name) - 8) > 0`);
    for (const path of ['/v1/individuals', '/v1/individuals/@acme', '/v1/individuals?class=lease::Even']) {
      expectCode(await server.call('GET', path), 'SVC_RUNTIME_META_RESOLVE_FAILED', /lease::Even/);
    }
  });

  const EXTERN = `${LEASE}
extern type Scan
extern fn scan(name: Text) -> Scan
extern fn score(name: Text) -> Int
pub fn doubled(name: Text) -> Int = score(name) * 2
pub query scans() -> [{ scan: Scan }] { select { scan: scan(p.name) } where Person(p) }
pub query scores() -> [Int] { select doubled(p.name) where Person(p) }
pub mutation rescan(p: Person) -> Scan { set p.name = "" return scan(p.name) }`;

  it('SVC_RUNTIME_UNSUPPORTED_QUERY_RESULT', async () => {
    const server = await serve(EXTERN);
    expectCode(await server.query('lease::scans'), 'SVC_RUNTIME_UNSUPPORTED_QUERY_RESULT');
  });

  it('SVC_RUNTIME_UNSUPPORTED_MUTATION_RESULT', async () => {
    const server = await serve(EXTERN);
    const p = await addAda(server);
    expectCode(await server.mutation('lease::rescan', { p }), 'SVC_RUNTIME_UNSUPPORTED_MUTATION_RESULT');
  });

  it('SVC_RUNTIME_UNSUPPORTED_QUERY_BODY', async () => {
    const server = await serve(EXTERN);
    expectCode(await server.query('lease::scores'), 'SVC_RUNTIME_UNSUPPORTED_QUERY_BODY', /lease::score/);
    expectCode(await server.compute('lease::doubled', { name: '' }), 'SVC_RUNTIME_UNKNOWN_COMPUTE', /lease::score/);
  });
});
