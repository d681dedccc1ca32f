/** Reaches each code of values, access and limits over HTTP, from the real runtime. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCode } from './testing/expect-code.js';
import { addAda, LEASE, leaseServers } from './testing/lease.js';

const serve = leaseServers();

const asArtifact = { 'content-type': 'application/vnd.entail.artifact+json' };

describe('codes of values and signatures', () => {
  it('SVC_RUNTIME_VALIDATION_FAILED', async () => {
    const server = await serve();
    const ada = await addAda(server);
    expectCode(
      await server.mutation('lease::sign', { tenant: ada, code: 'L1', rent: '-1' }),
      'SVC_RUNTIME_VALIDATION_FAILED',
    );
    expectCode(
      await server.mutation('lease::sign', { tenant: ada, code: 1, rent: '1' }),
      'SVC_RUNTIME_VALIDATION_FAILED',
    );
    expectCode(
      await server.mutation('lease::sign', { tenant: '#i99', code: 'L', rent: 1 }),
      'SVC_RUNTIME_VALIDATION_FAILED',
    );
    expectCode(
      await server.mutation('lease::sign', { tenant: '@acme', code: 'L', rent: 1 }),
      'SVC_RUNTIME_VALIDATION_FAILED',
    );
    expectCode(await server.call('GET', '/v1/relations/lease%3A%3Aactiv'), 'SVC_RUNTIME_VALIDATION_FAILED', /active/);
    expectCode(await server.call('GET', '/v1/individuals/%23i99'), 'SVC_RUNTIME_VALIDATION_FAILED');
    expectCode(
      await server.call('GET', '/v1/individuals?class=lease::Leese'),
      'SVC_RUNTIME_VALIDATION_FAILED',
      /Lease/,
    );
    expectCode(await server.call('PUT', '/v1/module', '{}', asArtifact), 'SVC_RUNTIME_VALIDATION_FAILED');
  });

  it('SVC_RUNTIME_SIGNATURE_MISMATCH', async () => {
    const server = await serve();
    expectCode(await server.mutation('lease::addPerson', {}), 'SVC_RUNTIME_SIGNATURE_MISMATCH', /name/);
    expectCode(
      await server.mutation('lease::addPerson', { name: 'A', age: 1 }),
      'SVC_RUNTIME_SIGNATURE_MISMATCH',
      /age/,
    );
    expectCode(await server.compute('lease::yearly', { rant: 1 }), 'SVC_RUNTIME_SIGNATURE_MISMATCH', /rent/);
  });

  it('SVC_RUNTIME_MISSING_CONTEXT', async () => {
    const server = await serve(LEASE.replace('tenantId: Text?', 'tenantId: Text'));
    expectCode(await server.query('lease::leases'), 'SVC_RUNTIME_MISSING_CONTEXT', /x-tenant-id/);
    expect((await server.query('lease::leases', {}, { 'x-tenant-id': 'a' })).status).toBe(200);
    const inBody = { path: 'lease::leases', context: { tenantId: 'a' } };
    expect((await server.call('POST', '/v1/dispatch/query', inBody)).status).toBe(200);
    const nowhere = { path: 'lease::leases', context: { tenantId: null } };
    expectCode(await server.call('POST', '/v1/dispatch/query', nowhere), 'SVC_RUNTIME_MISSING_CONTEXT');
    const both = await server.call('POST', '/v1/dispatch/query', inBody, { 'x-tenant-id': 'b' });
    expectCode(both, 'SVC_RUNTIME_VALIDATION_FAILED');
  });

  it('SVC_RUNTIME_UNKNOWN_QUERY', async () => {
    const server = await serve();
    expectCode(await server.query('lease::leeses'), 'SVC_RUNTIME_UNKNOWN_QUERY', /did you mean "lease::leases"/);
    expectCode(await server.query('leases'), 'SVC_RUNTIME_UNKNOWN_QUERY', /did you mean "lease::leases"/);
  });

  it('SVC_RUNTIME_UNKNOWN_MUTATION', async () => {
    const server = await serve();
    expectCode(await server.mutation('lease::zzzzzzzz'), 'SVC_RUNTIME_UNKNOWN_MUTATION', /GET \/v1\/schema/);
    expectCode(await server.mutation('lease::leases'), 'SVC_RUNTIME_UNKNOWN_MUTATION', /but is a query/);
  });

  it('SVC_RUNTIME_UNKNOWN_COMPUTE', async () => {
    const server = await serve();
    expectCode(await server.compute('lease::sign'), 'SVC_RUNTIME_UNKNOWN_COMPUTE');
  });

  it('SVC_RUNTIME_UNKNOWN_CHECK', async () => {
    const server = await serve();
    expectCode(await server.call('GET', '/v1/checks?check=lease::tooMany'), 'SVC_RUNTIME_UNKNOWN_CHECK');
  });

  it('SVC_RUNTIME_CHECK_VIOLATION, and rolls back', async () => {
    const server = await serve();
    const tenant = await addAda(server);
    await server.mutation('lease::sign', { tenant, code: 'L1', rent: 900 });
    const second = await server.mutation('lease::sign', { tenant, code: 'L2', rent: 900 });
    expectCode(second, 'SVC_RUNTIME_CHECK_VIOLATION');
    expect(second.body.error.details.diagnostics).toMatchObject([
      {
        check: 'lease::tooManyLeases',
        severity: 'blocking',
        message: 'Ada holds 2 leases; one is allowed',
        tuple: { p: tenant },
      },
    ]);
    expect(second.body.error.details.names).toBeUndefined();
    expect((await server.query('lease::leases')).body.result).toHaveLength(1);
  });

  it('SVC_RUNTIME_CHECK_VIOLATION with labels of discarded individuals, because their ids may be reused', async () => {
    const server = await serve(`module m
pub concept Room { code: Text }
pub check odd(r: Room) when Room(r), r.code == "odd" severity blocking message "odd"
pub mutation add(code: Text) -> Room { return insert Room { code: code } }`);
    const refused = await server.mutation('m::add', { code: 'odd' });
    expectCode(refused, 'SVC_RUNTIME_CHECK_VIOLATION');
    const [{ tuple }] = refused.body.error.details.diagnostics;
    expect(refused.body.error.details.names).toEqual({ [tuple.r]: 'odd' });
  });
});

describe('codes of access and routing', () => {
  it('SVC_RUNTIME_CAPABILITY_DENIED', async () => {
    const server = await serve(LEASE, { grant: [] });
    const noToken = await server.call('GET', '/v1/schema', undefined, { authorization: '' });
    expectCode(noToken, 'SVC_RUNTIME_CAPABILITY_DENIED');
    const denied = await server.call('POST', '/v1/module/reload');
    expectCode(denied, 'SVC_RUNTIME_CAPABILITY_DENIED');
    expect(denied.body.error.details.capability).toBe('reload');
  });

  it('SVC_RUNTIME_CAPABILITY_DENIED, if a mutation forgets and the server does not grant that', async () => {
    const forgetting = `${LEASE}pub mutation erase(p: Person) { forget p }`;
    const server = await serve(forgetting, { onDisk: true });
    const { body } = await server.mutation('lease::addPerson', { name: 'Nobody Known' });
    const denied = await server.mutation('lease::erase', { surplus: true });
    expectCode(denied, 'SVC_RUNTIME_CAPABILITY_DENIED');
    expect(denied.body.error.details.capability).toBe('forget');
    await server.stop();

    const furtherTokens = [{ token: 'lesser', grant: [] }];
    const granting = await serve(forgetting, { onDisk: true, folder: server.folder, grant: ['forget'], furtherTokens });
    const step = { mutation: 'lease::erase', args: { p: body.result.$id } };
    const lesser = { authorization: 'Bearer lesser' };
    for (const [path, sent] of [
      ['/v1/dispatch/mutation', { path: step.mutation, args: step.args }],
      ['/v1/batch', { steps: [step] }],
      ['/v1/import', { mutation: step.mutation, rows: [step.args] }],
      ['/v1/mutation/adhoc', { source: 'mutation m(p: Person) { forget p }', args: step.args }],
    ] as const) {
      const refused = await granting.call('POST', path, sent, lesser);
      expectCode(refused, 'SVC_RUNTIME_CAPABILITY_DENIED');
      expect(refused.body.error.details.capability).toBe('forget');
    }
    const erased = await granting.mutation('lease::erase', { p: body.result.$id });
    expect(erased).toMatchObject({ status: 200, body: { events: [{ kind: 'forgetIndividual' }] } });
    const data = join(server.folder, 'data');
    for (const name of await readdir(data)) {
      expect((await readFile(join(data, name))).includes('Nobody Known')).toBe(false);
    }
  });

  it('SVC_RUNTIME_UNKNOWN_ROUTE', async () => {
    const server = await serve();
    expectCode(await server.call('GET', '/v1/nothing'), 'SVC_RUNTIME_UNKNOWN_ROUTE');
  });

  it('SVC_RUNTIME_METHOD_NOT_ALLOWED', async () => {
    const server = await serve();
    expectCode(await server.call('PATCH', '/v1/module'), 'SVC_RUNTIME_METHOD_NOT_ALLOWED');
  });
});

describe('codes of limits', () => {
  const path = '/v1/individuals?class=lease::Person';

  it('SVC_RUNTIME_RESULT_TOO_LARGE', async () => {
    const server = await serve(LEASE, { limits: { rows: 2 } });
    for (const name of ['a', 'b']) await server.mutation('lease::addPerson', { name });
    expect((await server.call('GET', path)).status).toBe(200);
    await server.mutation('lease::addPerson', { name: 'c' });
    expectCode(await server.call('GET', path), 'SVC_RUNTIME_RESULT_TOO_LARGE');
  });

  it('SVC_RUNTIME_INVALID_CURSOR', async () => {
    const server = await serve();
    for (const name of ['a', 'b', 'c']) await server.mutation('lease::addPerson', { name });
    const first = await server.call('GET', `${path}&limit=2`);
    const cursor: string = first.body.nextCursor;
    const rest = await server.call('GET', `${path}&limit=2&page=${cursor}`);
    const names = [...first.body.result, ...rest.body.result].map(({ name }: { name: string }) => name);
    expect([names, rest.body.nextCursor]).toEqual([['a', 'b', 'c'], undefined]);
    const tampered = cursor.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expectCode(await server.call('GET', `${path}&limit=2&page=${tampered}`), 'SVC_RUNTIME_INVALID_CURSOR');
    const none = { path: 'lease::pairs' };
    expectCode(await server.call('POST', `/v1/dispatch/query?page=${cursor}`, none), 'SVC_RUNTIME_INVALID_CURSOR');
    const elsewhere = `/v1/individuals?class=lease::Party&limit=2&page=${cursor}`;
    expectCode(await server.call('GET', elsewhere), 'SVC_RUNTIME_INVALID_CURSOR');
  });

  it('SVC_RUNTIME_INVALID_CURSOR, if the context differs', async () => {
    const server = await serve(`${LEASE}context level: Int?`);
    for (const name of ['a', 'b']) await server.mutation('lease::addPerson', { name });
    const source = { source: 'query people() -> [Person] { select p where Person(p) }' };
    const page = (query: string, level: string) =>
      server.call('POST', `/v1/query/adhoc?limit=1${query}`, source, { 'x-context-level': level });
    const next = `&page=${(await page('', '1')).body.nextCursor}`;
    expect((await page(next, '1')).body.result).toHaveLength(1);
    expectCode(await page(next, '2'), 'SVC_RUNTIME_INVALID_CURSOR');
  });

  it('SVC_RUNTIME_REQUEST_TOO_LARGE', async () => {
    const server = await serve(LEASE, { limits: { bodyBytes: 100 } });
    expectCode(await server.mutation('lease::addPerson', { name: 'x'.repeat(100) }), 'SVC_RUNTIME_REQUEST_TOO_LARGE');
  });

  it('SVC_RUNTIME_REQUEST_TIMEOUT, while other requests get responses', async () => {
    const server = await serve(LEASE, { limits: { timeoutMs: 300 } });
    for (let index = 0; index < 80; index++) {
      const { body } = await server.mutation('lease::addPerson', { name: `P${index}` });
      await server.mutation('lease::sign', { tenant: body.result.$id, code: `L${index}`, rent: 900 });
    }
    let longRuns = true;
    const long = server.query('lease::pairs').finally(() => {
      longRuns = false;
    });
    expect((await server.call('GET', '/healthz')).status).toBe(200);
    expect(longRuns).toBe(true);
    expectCode(await long, 'SVC_RUNTIME_REQUEST_TIMEOUT');
  });
});
