/** Reaches each code of modules, scopes and storage over HTTP, from the real runtime. */

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCode } from './testing/expect-code.js';
import type { TestResponse } from './testing/http.js';
import { addAda, LEASE, leaseServers } from './testing/lease.js';
import { serveModule } from './testing/real.js';

const serve = leaseServers();

describe('codes of modules and scopes', () => {
  it('SVC_RUNTIME_MODULE_NOT_LOADED without a module', async () => {
    const server = await serve(null);
    expectCode(await server.call('GET', '/v1/schema'), 'SVC_RUNTIME_MODULE_NOT_LOADED');
    expectCode(await server.query('lease::leases'), 'SVC_RUNTIME_MODULE_NOT_LOADED');
    expectCode(await server.call('POST', '/v1/module/reload'), 'SVC_RUNTIME_MODULE_NOT_LOADED');
    expect((await server.call('GET', '/v1/health')).body).toMatchObject({
      moduleHash: '',
      result: { module: { loaded: false } },
    });
  });

  it('SVC_RUNTIME_MODULE_NOT_LOADED if a reload fails, and the previous module keeps serving', async () => {
    const server = await serve();
    const before = server.running.moduleHash;
    await writeFile(join(server.folder, 'lease.entail'), 'module lease pub concept {');
    const failed = await server.call('POST', '/v1/module/reload');
    expectCode(failed, 'SVC_RUNTIME_MODULE_NOT_LOADED');
    expect(failed.body.error.details.diagnostics[0]).toMatchObject({
      code: expect.stringMatching(/^E00/),
      span: { file: 'lease.entail' },
    });
    const { body } = await server.query('lease::leases');
    expect([body.result, body.moduleHash]).toEqual([[], before]);
    const state = await server.call('GET', '/v1/module');
    expect(state.body.result.lastFailure).toMatchObject({ code: 'SVC_RUNTIME_MODULE_NOT_LOADED', diagnostics: [{}] });
  });

  it('SVC_RUNTIME_MODULE_INCOMPATIBLE, and the previous module keeps serving', async () => {
    const server = await serve();
    const tenant = await addAda(server);
    await server.mutation('lease::sign', { tenant, code: 'L1', rent: 900 });
    await writeFile(
      join(server.folder, 'lease.entail'),
      LEASE.replace('rent: Decimal where value > 0\n', 'rent: Decimal where value > 1000\n'),
    );
    const refused = await server.call('POST', '/v1/module/reload');
    expectCode(refused, 'SVC_RUNTIME_MODULE_INCOMPATIBLE');
    expect(refused.body.error.details.incompatibilities).toHaveLength(1);
    expect((await server.query('lease::leases')).body.result).toHaveLength(1);
  });

  it('does not fail if stored declarations are renamed: their facts move, or nothing is saved', async () => {
    const server = await serve();
    const tenant = await addAda(server);
    await server.mutation('lease::sign', { tenant, code: 'L1', rent: 900 });
    const text = LEASE.replaceAll(/\brent\b/g, 'price');
    const save = (renames: object[], query = '') =>
      server.call('PUT', `/v1/module/sources${query}`, { files: [{ file: 'lease.entail', text }], renames });
    const refused = await save([]);
    expect(refused.body.result).toMatchObject({ saved: false, failure: { code: 'SVC_RUNTIME_MODULE_INCOMPATIBLE' } });
    const [offered] = refused.body.result.failure.details.renames;
    expect(offered).toMatchObject({ from: 'lease::Lease.rent', to: ['lease::Lease.price'] });
    const wrong = await save([{ from: 'lease::Lease.rent', to: 'lease::Lease.cost' }]);
    expectCode(wrong, 'SVC_RUNTIME_VALIDATION_FAILED', /no field "lease::Lease.cost"/);
    expect(wrong.body.error.details.path).toBe('$.renames[0].to');
    const renames = [{ from: offered.from, to: offered.to[0] }];
    expect((await save(renames, '?dryRun=true')).body.result).toMatchObject({
      saved: false,
      change: { renames: [{ to: 'lease::Lease.price', facts: 1 }] },
    });
    expect((await server.query('lease::leases')).body.result).toMatchObject([{ rent: '900' }]);
    expect((await save(renames)).body.result).toMatchObject({ saved: true, reloaded: true });
    expect((await server.query('lease::leases')).body.result).toMatchObject([{ price: '900' }]);
  });

  it('SVC_RUNTIME_SCOPE_ID_COLLISION', async () => {
    const server = await serve(LEASE, { scopeIdBits: 4 });
    const answers: TestResponse[] = [];
    for (let tenant = 0; tenant < 17; tenant++) {
      answers.push(await server.query('lease::leases', {}, { 'x-tenant-id': `tenant-${tenant}` }));
    }
    const collided = answers.filter(({ status }) => status !== 200);
    expect(collided.length).toBeGreaterThan(0);
    for (const answer of collided) expectCode(answer, 'SVC_RUNTIME_SCOPE_ID_COLLISION');
  });

  it('SVC_RUNTIME_SCHEMA_MISMATCH, unless the start accepts it', async () => {
    const first = await serveModule(LEASE, { onDisk: true });
    await addAda(first);
    await first.stop();
    const changed = LEASE.replace('code: Text\n', 'code: Text\n  note: Text?\n');
    const refused = await serveModule(changed, { onDisk: true, folder: first.folder });
    expectCode(await refused.query('lease::leases'), 'SVC_RUNTIME_SCHEMA_MISMATCH');
    await refused.stop();
    const accepted = await serve(changed, { onDisk: true, folder: first.folder, acceptSchemaChange: true });
    expect((await accepted.call('GET', '/v1/individuals?class=lease::Person')).body.result).toHaveLength(1);
  });
});

describe('codes of storage', () => {
  it('SVC_RUNTIME_STORAGE_UNREACHABLE while the data directory is gone', async () => {
    const server = await serve(LEASE, { onDisk: true });
    await rm(join(server.folder, 'data'), { recursive: true });
    expectCode(await server.call('GET', '/readyz'), 'SVC_RUNTIME_STORAGE_UNREACHABLE');
    expectCode(await server.call('GET', '/v1/health'), 'SVC_RUNTIME_STORAGE_UNREACHABLE');
    expect((await server.call('GET', '/healthz')).status).toBe(200);
  });

  it('SVC_RUNTIME_STORAGE_ERROR if the disk refuses a write, and rolls back', async () => {
    const server = await serve(LEASE, { onDisk: true });
    await addAda(server);
    await rm(join(server.folder, 'data'), { recursive: true });
    expectCode(await server.mutation('lease::addPerson', { name: 'Bo' }), 'SVC_RUNTIME_STORAGE_ERROR');
    expect((await server.call('GET', '/v1/individuals?class=lease::Person')).body.result).toHaveLength(1);
  });
});
