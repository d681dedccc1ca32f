/** Rebases over HTTP: the facts of the new fork, conflicts, and the unchanged old fork. */

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectCode } from './testing/expect-code.js';
import { forkServers, names, on, write } from './testing/lease-forks.js';
import type { RealServer } from './testing/real.js';

const { serve, forked } = forkServers();

const PATH = '/v1/forks/what-if/update';

const record = async (server: RealServer, fork: string) =>
  (await server.call('GET', `/v1/forks/${fork}`)).body.result as Record<string, unknown>;

/** `main` has Cy and the fork Bob since the fork was created. */
async function parted(options: Parameters<typeof forked>[0] = {}) {
  const { server, ada } = await forked(options);
  const { result: bob } = await write(server, 'what-if', 'lease::addPerson', { name: 'Bob' });
  const { body } = await server.mutation('lease::addPerson', { name: 'Cy' });
  return { server, ada, bob: bob.$id as string, cy: body.result.$id as string };
}

describe('a rebased fork', () => {
  it("is a new fork of the parent's current state, with the changes; the old fork is unchanged", async () => {
    const { server, bob } = await parted();
    expect(await record(server, 'what-if')).toMatchObject({ behind: 2, events: 2 });
    const dryRun = await server.call('POST', `${PATH}?dryRun=true`, { id: 'what-if-2' });
    expect(dryRun).toMatchObject({
      status: 200,
      body: {
        result: { id: 'what-if-2', parent: 'main', changesOf: 'what-if', events: 2 },
        txn: null,
        events: [
          { kind: 'insertIndividual', id: bob },
          { kind: 'setField', value: 'Bob' },
        ],
        conflicts: [],
        warnings: [],
      },
    });
    expectCode(await server.call('GET', '/v1/forks/what-if-2'), 'SVC_RUNTIME_FORK_NOT_FOUND');
    const { status, body } = await server.call('POST', PATH, { id: 'what-if-2' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      result: { id: 'what-if-2', parent: 'main', baseSeq: 6, status: 'open', changesOf: 'what-if', events: 2 },
      txn: expect.any(Number),
      conflicts: [],
      warnings: [],
    });
    expect(body.result).not.toHaveProperty('behind');
    expect(await names(server, 'what-if-2')).toEqual(['Ada', 'Bob', 'Cy']);
    expect(await names(server, 'what-if')).toEqual(['Ada', 'Bob']);
    expect(await record(server, 'what-if')).toMatchObject({ status: 'open', behind: 2 });
    const { transaction } = (await server.call('GET', `/v1/transactions/${body.txn}`, undefined, on('what-if-2'))).body;
    expect(transaction).toMatchObject({ fork: 'what-if-2', cause: { kind: 'update', fork: 'what-if' }, events: 2 });
    await write(server, 'what-if-2', 'lease::addPerson', { name: 'Dan' });
    const promoted = (await server.call('POST', '/v1/forks/what-if-2/promote')).body;
    expect(promoted).toMatchObject({ result: { status: 'promoted' }, conflicts: [] });
    expect(await names(server, 'main')).toEqual(['Ada', 'Bob', 'Cy', 'Dan']);
  });

  it('survives a restart, with its record and the distance of other forks', async () => {
    const { server } = await parted({ onDisk: true });
    await server.call('POST', PATH, { id: 'what-if-2' });
    await server.mutation('lease::addPerson', { name: 'Eve' });
    await server.stop();
    const again = await serve({ onDisk: true, folder: server.folder });
    expect(await names(again, 'what-if-2')).toEqual(['Ada', 'Bob', 'Cy']);
    expect(await record(again, 'what-if-2')).toMatchObject({ changesOf: 'what-if', events: 2, behind: 2 });
    expect(await record(again, 'what-if')).toMatchObject({ behind: 4 });
  });

  it.each([
    ['promoted', 'POST', '/v1/forks/what-if/promote', ['Ada', 'Bob', 'Cy', 'Ina']],
    ['aborted', 'DELETE', '/v1/forks/what-if', ['Ada', 'Cy', 'Ina']],
  ] as const)('moves to the grandparent if the parent was %s, and can be promoted', async (_, method, path, after) => {
    const { server } = await parted();
    await server.call('POST', '/v1/forks', { id: 'inner', from: 'what-if' });
    await write(server, 'inner', 'lease::addPerson', { name: 'Ina' });
    await server.call(method, path);
    expectCode(await server.call('POST', '/v1/forks/inner/promote'), 'SVC_RUNTIME_FORK_CLOSED', /Rebase it first/);
    const { status, body } = await server.call('POST', '/v1/forks/inner/update', { id: 'inner-2' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ result: { parent: 'main', changesOf: 'inner', events: 2 }, conflicts: [] });
    expect(await names(server, 'inner-2')).toEqual(after);
    expect(await names(server, 'inner')).toEqual(['Ada', 'Bob', 'Ina']);
    expect((await server.call('POST', '/v1/forks/inner-2/promote')).status).toBe(200);
    expect(await names(server, 'main')).toEqual(after);
  });

  it('needs no changes, and no name or body in its request', async () => {
    const { server } = await forked();
    await server.mutation('lease::addPerson', { name: 'Cy' });
    const { status, body } = await server.call('POST', PATH);
    expect([status, body.txn, body.events]).toEqual([201, null, []]);
    expect(body.result).toMatchObject({ id: expect.any(String), parent: 'main', events: 0 });
    expect(await names(server, body.result.id)).toEqual(['Ada', 'Cy']);
    await server.call('DELETE', '/v1/forks/what-if');
    const created = await server.call('POST', `/v1/forks/${body.result.id}/update`, { id: 'what-if' });
    expect(created.body.result, 'under the name of one that was aborted').toMatchObject({ id: 'what-if' });
  });

  it('reports fields that both sides have changed, and keeps the requested value', async () => {
    const { server, ada } = await parted();
    await write(server, 'what-if', 'lease::rename', { p: ada, name: 'Ida' });
    await server.mutation('lease::rename', { p: ada, name: 'Eda' });
    const field = 'lease::Person.name';
    const values = { individual: ada, field, base: 'Ada', fork: 'Ida', parent: 'Eda' };
    const { body } = await server.call('POST', `${PATH}?dryRun=true`);
    expect(body.conflicts).toMatchObject([{ ...values, kept: 'fork' }]);
    const mine = await server.call('POST', PATH, { id: 'mine' });
    expect(mine.body.conflicts).toMatchObject([{ ...values, kept: 'fork' }]);
    expect(await names(server, 'mine')).toEqual(['Bob', 'Cy', 'Ida']);
    const keep = encodeURIComponent(JSON.stringify([[ada, field]]));
    for (const [id, query] of [
      ['theirs', '?keep=parent'],
      ['chosen', `?keep=${keep}`],
    ]) {
      const { conflicts } = (await server.call('POST', `${PATH}${query}`, { id })).body;
      expect(conflicts).toMatchObject([{ ...values, kept: 'parent' }]);
      expect(await names(server, String(id))).toEqual(['Bob', 'Cy', 'Eda']);
    }
    expectCode(await server.call('POST', `${PATH}?keep=mine`), 'SVC_RUNTIME_VALIDATION_FAILED', /parent/);
  });

  it('is not guarded: violations are reported, and can be fixed before its promotion', async () => {
    const { server, ada } = await parted();
    const { result: lease } = await write(server, 'what-if', 'lease::sign', { tenant: ada, code: 'L1', rent: 9000 });
    await server.mutation('lease::sign', { tenant: ada, code: 'L2', rent: 100 });
    const { status, body } = await server.call('POST', PATH, { id: 'mended' });
    expect(status).toBe(201);
    expect(body.warnings).toMatchObject([
      { severity: 'blocking', check: 'lease::tooManyLeases', message: 'Ada holds 2 leases; one is allowed' },
      { severity: 'warning', check: 'lease::dear', tuple: { l: lease.$id } },
    ]);
    expectCode(await server.call('POST', '/v1/forks/mended/promote'), 'SVC_RUNTIME_CHECK_VIOLATION');
    await write(server, 'mended', 'lease::fire', { p: ada });
    expect((await server.call('POST', '/v1/forks/mended/promote')).status).toBe(200);
  });

  it('is previewed with incoming and outgoing changes and conclusions', async () => {
    const { server, ada, cy } = await parted();
    const { result: lease } = await write(server, 'what-if', 'lease::sign', { tenant: ada, code: 'L1', rent: 100 });
    const { body } = await server.mutation('lease::sign', { tenant: ada, code: 'L2', rent: 100 });
    const stored = (await server.call('GET', `${PATH}?relation=lease%3A%3APerson`)).body.result;
    expect(stored).toMatchObject([{ only: 'right', tuple: [cy] }]);
    expect((await server.call('GET', `${PATH}?layer=firings`)).body.result).toMatchObject([
      { only: 'right', firing: { severity: 'blocking', message: 'Ada holds 2 leases; one is allowed' } },
    ]);
    const counts = (await server.call('GET', `${PATH}/counts?layer=derived`)).body.result;
    expect(counts).toMatchObject([
      { relation: 'lease::liable', left: 0, right: 1 },
      { relation: 'lease::share', left: 0, right: 1 },
    ]);
    const derived = (await server.call('GET', `${PATH}?layer=derived&limit=1`)).body;
    expect(derived.result).toMatchObject([{ only: 'right', tuple: [ada, body.result.$id] }]);
    const rest = await server.call('GET', `${PATH}?layer=derived&limit=1&page=${derived.nextCursor}`);
    expect(rest.body.result).toMatchObject([{ relation: 'lease::share' }]);
    await server.mutation('lease::fire', { p: ada });
    const lost = (await server.call('GET', `${PATH}?keep=parent&layer=derived`)).body;
    expect(lost.error, 'the fork has a lease of whom main has lost').toMatchObject({
      code: 'SVC_RUNTIME_VALIDATION_FAILED',
      details: { fork: 'what-if', parent: 'main' },
    });
    expect(await record(server, 'what-if')).toMatchObject({ status: 'open' });
    expect(lease.$id).not.toBe(body.result.$id);
  });

  it('SVC_RUNTIME_STORAGE_ERROR if the disk refuses it: no fork is created, and it can be repeated later', async () => {
    const { server } = await parted({ onDisk: true });
    const data = join(server.folder, 'data');
    await rename(data, `${data}-away`);
    expectCode(await server.call('POST', PATH, { id: 'what-if-2' }), 'SVC_RUNTIME_STORAGE_ERROR');
    expectCode(await server.call('GET', '/v1/forks/what-if-2'), 'SVC_RUNTIME_FORK_NOT_FOUND');
    await rename(`${data}-away`, data);
    expect((await server.call('POST', PATH, { id: 'what-if-2' })).status).toBe(201);
    expect(await names(server, 'what-if-2')).toEqual(['Ada', 'Bob', 'Cy']);
  });
});
