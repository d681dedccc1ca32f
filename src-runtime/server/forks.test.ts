/** Forks over HTTP: their routes, and requests that run on them. */

import { describe, expect, it } from 'vitest';
import { headerBytes } from '../api/headers.js';
import { expectCode } from './testing/expect-code.js';
import { forkServers, names, on, write } from './testing/lease-forks.js';
import type { RealServer } from './testing/real.js';

const { serve, forked } = forkServers();

describe('forks', () => {
  it('are created, written to, read beside their parent, and promoted', async () => {
    const { server, created } = await forked();
    expect(created.body.result).toEqual({
      id: 'what-if',
      parent: 'main',
      baseSeq: 2,
      status: 'open',
      createdAt: expect.any(String),
      events: 0,
    });
    await write(server, 'what-if', 'lease::addPerson', { name: 'Bob' });
    await server.mutation('lease::addPerson', { name: 'Cy' });
    expect([await names(server, 'main'), await names(server, 'what-if')]).toEqual([
      ['Ada', 'Cy'],
      ['Ada', 'Bob'],
    ]);
    const record = await server.call('GET', '/v1/forks/what-if');
    expect(record.body.result).toMatchObject({ status: 'open', events: 2 });
    const promoted = await server.call('POST', '/v1/forks/what-if/promote');
    expect(promoted).toMatchObject({
      status: 200,
      body: {
        result: { id: 'what-if', status: 'promoted', closedAt: expect.any(String) },
        txn: expect.any(Number),
        events: [{ kind: 'insertIndividual' }, { kind: 'setField', value: 'Bob' }],
        warnings: [],
        conflicts: [],
      },
    });
    expect([await names(server, 'main'), await names(server, 'what-if')]).toEqual([
      ['Ada', 'Bob', 'Cy'],
      ['Ada', 'Bob'],
    ]);
    const list = await server.call('GET', '/v1/forks');
    expect(list.body.result).toMatchObject([
      { id: 'main', parent: null, status: 'open', events: 6 },
      { id: 'what-if', parent: 'main', status: 'promoted' },
    ]);
  });

  it('can be named by path, header or body on every route that runs on a fork', async () => {
    const { server, ada } = await forked();
    const { result: bob } = await write(server, 'what-if', 'lease::addPerson', { name: 'Bob' });
    await write(server, 'what-if', 'lease::sign', { tenant: bob.$id, code: 'L1', rent: 9000 });
    const inBody = { path: 'lease::names', fork: 'what-if' };
    const queries = [
      await server.call('POST', '/v1/dispatch/query', inBody),
      await server.query('lease::names', {}, on('what-if')),
    ];
    expect(queries.map(({ body }) => body.result)).toEqual([
      ['Ada', 'Bob'],
      ['Ada', 'Bob'],
    ]);
    const person = await server.call('GET', `/v1/individuals/${encodeURIComponent(bob.$id)}`, undefined, on('what-if'));
    expect(person.body.result.name).toBe('Bob');
    const tuples = (headers: Record<string, string>) =>
      server.call('GET', '/v1/relations/lease%3A%3Aliable', undefined, headers);
    expect([(await tuples({})).body.result, (await tuples(on('what-if'))).body.result]).toMatchObject([
      [],
      [{ tuple: [bob.$id, expect.any(String)] }],
    ]);
    expect((await server.call('GET', '/v1/forks/what-if/checks')).body.result).toMatchObject([
      { check: 'lease::dear' },
    ]);
    expect((await server.call('GET', '/v1/checks')).body.result).toEqual([]);
    const [fact] = (await tuples(on('what-if'))).body.result;
    const byPath = await server.call(
      'POST',
      '/v1/forks/what-if/explain',
      fact && { relation: fact.relation, tuple: fact.tuple },
    );
    expect(byPath.body.result).toMatchObject({
      holds: true,
      proof: { premises: [{ kind: 'stored', event: { kind: 'insertFact', relation: 'lease::tenantOf' } }] },
    });
    const byId = `/v1/derived/facts/${encodeURIComponent(fact.factId)}/explain`;
    expect((await server.call('GET', byId, undefined, on('what-if'))).body.result).toEqual(byPath.body.result);
    expect((await server.call('GET', byId)).body.result.holds).toBe(false);
    const inherited = await server.call('POST', '/v1/forks/what-if/explain', {
      relation: 'lease::Person',
      tuple: [ada],
    });
    expect(inherited.body.result.proof).toMatchObject({ kind: 'stored', event: { seq: 1, id: ada } });
    const compute = { path: 'lease::yearly', args: { rent: 1 } };
    expect((await server.call('POST', '/v1/forks/what-if/dispatch/compute', compute)).body.result).toBe('12');
    const source = 'query people() -> [Text] { select p.name where Person(p) order by p.name }';
    const adhoc = await server.call('POST', '/v1/forks/what-if/query/adhoc', { source });
    expect(adhoc.body.result).toEqual(['Ada', 'Bob']);
    const steps = [
      { mutation: 'lease::addPerson', args: { name: 'Cy' } },
      { query: 'lease::names', args: {} },
    ];
    const batch = await server.call('POST', '/v1/forks/what-if/batch', { steps });
    expect(batch.body.result).toMatchObject([{ result: { name: 'Cy' } }, { result: ['Ada', 'Bob', 'Cy'] }]);
    expect(await names(server, 'main')).toEqual(['Ada']);
    const derived = await server.call('POST', '/v1/forks/what-if/derive');
    expect(derived.body.result).toMatchObject({ fork: 'what-if' });
    expect((await server.call('GET', '/v1/forks/what-if')).body.result.derivedAt).toEqual(expect.any(String));
  });

  it('can be nested, and are promoted onto their parents', async () => {
    const { server } = await forked();
    await write(server, 'what-if', 'lease::addPerson', { name: 'Bob' });
    const inner = await server.call('POST', '/v1/forks', { from: 'what-if' });
    expect(inner).toMatchObject({ status: 201, body: { result: { id: 'fork-2', parent: 'what-if' } } });
    await write(server, 'fork-2', 'lease::addPerson', { name: 'Cy' });
    await write(server, 'what-if', 'lease::addPerson', { name: 'Di' });
    expect(await names(server, 'fork-2')).toEqual(['Ada', 'Bob', 'Cy']);
    expect((await server.call('POST', '/v1/forks/fork-2/promote')).status).toBe(200);
    expect([await names(server, 'what-if'), await names(server, 'main')]).toEqual([
      ['Ada', 'Bob', 'Cy', 'Di'],
      ['Ada'],
    ]);
  });

  it('may have names in any script, in paths and headers', async () => {
    const { server } = await forked();
    const id = 'Wäre wenn';
    expect((await server.call('POST', '/v1/forks', { id })).status).toBe(201);
    const path = `/v1/forks/${encodeURIComponent(id)}`;
    expect((await server.call('GET', path)).body.result.id).toBe(id);
    const written = await server.mutation('lease::addPerson', { name: 'Bob' }, on(headerBytes(id)));
    expect(written.status).toBe(200);
    expect(await names(server, encodeURIComponent(id))).toEqual(['Ada', 'Bob']);
  });

  it('start with the history of their parent at creation, without that of an aborted fork with the same id', async () => {
    const { server } = await forked();
    await write(server, 'what-if', 'lease::addPerson', { name: 'Aborted' });
    await server.call('DELETE', '/v1/forks/what-if');
    await server.call('POST', '/v1/forks', { id: 'what-if' });
    await server.mutation('lease::addPerson', { name: 'Later' });
    await write(server, 'what-if', 'lease::addPerson', { name: 'Bob' });
    const texts = async (headers: Record<string, string>) => {
      const { body } = await server.call('GET', '/v1/events', undefined, headers);
      return body.result.flatMap(({ value }: { value?: string }) => value ?? []);
    };
    expect([await texts({}), await texts(on('what-if'))]).toEqual([
      ['Ada', 'Later'],
      ['Ada', 'Bob'],
    ]);
  });

  it('are compared fact by fact, in pages', async () => {
    const { server, ada } = await forked();
    const { result: lease } = await write(server, 'what-if', 'lease::sign', { tenant: ada, code: 'L1', rent: 900 });
    await server.mutation('lease::rename', { p: ada, name: 'Eve' });
    const diff = async (query: string) => (await server.call('GET', `/v1/forks/main/diff/what-if${query}`)).body;
    const stored = (await diff('')).result;
    expect(stored).toMatchObject([
      { only: 'right', kind: 'stored', relation: 'lease::Lease', tuple: [lease.$id] },
      { only: 'right', relation: 'lease::Lease.code', tuple: [lease.$id, 'L1'] },
      { only: 'right', relation: 'lease::Lease.rent', tuple: [lease.$id, '900'] },
      { only: 'right', relation: 'lease::Person.name', tuple: [ada, 'Ada'] },
      { only: 'left', relation: 'lease::Person.name', tuple: [ada, 'Eve'] },
      { only: 'right', relation: 'lease::tenantOf', tuple: [lease.$id, ada] },
    ]);
    const all = (await diff('?derived=true')).result;
    expect(all.filter(({ kind }: { kind: string }) => kind === 'derived')).toMatchObject([
      { only: 'right', relation: 'lease::liable', tuple: [ada, lease.$id] },
      { only: 'right', relation: 'lease::share' },
    ]);
    const first = await diff('?limit=4');
    const rest = await diff(`?limit=4&page=${first.nextCursor}`);
    expect([...first.result, ...rest.result]).toEqual(stored);
    const elsewhere = await server.call('GET', `/v1/forks/what-if/diff/main?limit=4&page=${first.nextCursor}`);
    expectCode(elsewhere, 'SVC_RUNTIME_INVALID_CURSOR');
    expectCode(await server.call('GET', '/v1/forks/main/diff/nowhere'), 'SVC_RUNTIME_FORK_NOT_FOUND');
  });

  it('are compared layer by layer, violations with messages, and counted by relation', async () => {
    const { server, ada } = await forked();
    const { result: lease } = await write(server, 'what-if', 'lease::sign', { tenant: ada, code: 'L1', rent: 9000 });
    const diff = async (query: string) => (await server.call('GET', `/v1/forks/main/diff/what-if${query}`)).body;
    const dear = { check: 'lease::dear', severity: 'warning', message: 'lease L1 is dear', tuple: { l: lease.$id } };
    expect((await diff('?layer=firings')).result).toMatchObject([
      { only: 'right', kind: 'firing', relation: 'lease::dear', tuple: [lease.$id], firing: dear },
    ]);
    expect((await diff('?layer=derived')).result).toMatchObject([
      { relation: 'lease::liable', tuple: [ada, lease.$id] },
      { relation: 'lease::share' },
    ]);
    expect((await diff('?relation=lease%3A%3Aliable')).result).toMatchObject([{ kind: 'derived' }]);
    expect((await diff('/counts')).result).toEqual([
      { relation: 'lease::Lease', kind: 'stored', left: 0, right: 1 },
      { relation: 'lease::Lease.code', kind: 'stored', left: 0, right: 1 },
      { relation: 'lease::Lease.rent', kind: 'stored', left: 0, right: 1 },
      { relation: 'lease::dear', kind: 'firing', check: 'lease::dear', left: 0, right: 1 },
      { relation: 'lease::liable', kind: 'derived', left: 0, right: 1 },
      { relation: 'lease::share', kind: 'derived', left: 0, right: 1 },
      { relation: 'lease::tenantOf', kind: 'stored', left: 0, right: 1 },
    ]);
    const other = (await server.call('GET', '/v1/forks/what-if/diff/main/counts?layer=firings')).body;
    expect(other.result).toMatchObject([{ left: 1, right: 0 }]);
    expectCode(
      await server.call('GET', '/v1/forks/main/diff/what-if?relation=lease%3A%3Aliabel'),
      'SVC_RUNTIME_VALIDATION_FAILED',
      /liable/,
    );
  });

  it('are compared by side: added, removed, and fields that changed in place', async () => {
    const { server, ada } = await forked();
    const { result: eve } = await write(server, 'what-if', 'lease::addPerson', { name: 'Eve' });
    await write(server, 'what-if', 'lease::rename', { p: ada, name: 'Ida' });
    const { result: bob } = await server.mutation('lease::addPerson', { name: 'Bob' }).then(({ body }) => body);
    const counts = (await server.call('GET', '/v1/forks/main/diff/what-if/counts?layer=stored')).body.result;
    expect(counts).toEqual([
      { relation: 'lease::Person', kind: 'stored', left: 1, right: 1 },
      { relation: 'lease::Person.name', kind: 'stored', left: 2, right: 2, both: 1 },
    ]);
    const path = '/v1/forks/main/diff/what-if?relation=lease%3A%3APerson.name';
    const tuples = async (query: string) => {
      const { result } = (await server.call('GET', `${path}${query}`)).body;
      return result.map(({ only, tuple }: { only: string; tuple: unknown[] }) => `${only} ${tuple.join(' ')}`);
    };
    expect(await tuples('&sides=left')).toEqual([`left ${bob.$id} Bob`]);
    expect(await tuples('&sides=right')).toEqual([`right ${eve.$id} Eve`]);
    expect(await tuples('&sides=both')).toEqual([`left ${ada} Ada`, `right ${ada} Ida`]);
    expect(await tuples('&sides=both,right&limit=3')).toHaveLength(3);
    expect(await tuples('')).toHaveLength(4);
    const promotion = await server.call('GET', '/v1/forks/what-if/promotion?sides=left,right');
    expect(promotion.body.result).toMatchObject([{ tuple: [eve.$id] }, { tuple: [eve.$id, 'Eve'] }]);
    const refused = await server.call('GET', '/v1/forks/main/diff/what-if?sides=middle');
    expectCode(refused, 'SVC_RUNTIME_VALIDATION_FAILED', /left, right, both/);
    const { nextCursor } = (await server.call('GET', `${path}&sides=both&limit=1`)).body;
    expectCode(await server.call('GET', `${path}&limit=1&page=${nextCursor}`), 'SVC_RUNTIME_INVALID_CURSOR');
  });

  it('show before a promotion what the parent would lose and gain, even if guards would refuse', async () => {
    const { server, ada } = await forked();
    const { result: eve } = await write(server, 'what-if', 'lease::addPerson', { name: 'Eve' });
    const { result: first } = await server
      .mutation('lease::sign', { tenant: ada, code: 'L1', rent: 100 })
      .then(({ body }) => body);
    const { result: second } = await write(server, 'what-if', 'lease::sign', { tenant: ada, code: 'L2', rent: 100 });
    const path = '/v1/forks/what-if/promotion';
    expectCode(await server.call('POST', '/v1/forks/what-if/promote?dryRun=true'), 'SVC_RUNTIME_CHECK_VIOLATION');
    const firings = (await server.call('GET', `${path}?layer=firings`)).body.result;
    expect(firings).toMatchObject([
      { only: 'right', firing: { severity: 'blocking', message: 'Ada holds 2 leases; one is allowed' } },
    ]);
    const derived = await server.call('GET', `${path}?layer=derived&limit=1`);
    expect(derived.body.result).toMatchObject([{ only: 'right', tuple: [ada, second.$id] }]);
    const rest = await server.call('GET', `${path}?layer=derived&limit=1&page=${derived.body.nextCursor}`);
    expect(rest.body.result).toMatchObject([{ relation: 'lease::share' }]);
    const stored = (await server.call('GET', `${path}?relation=lease%3A%3APerson`)).body.result;
    expect(stored).toMatchObject([{ only: 'right', tuple: [eve.$id] }]);
    const counts = (await server.call('GET', `${path}/counts?layer=derived`)).body.result;
    expect(counts).toMatchObject([
      { relation: 'lease::liable', left: 0, right: 1 },
      { relation: 'lease::share', left: 0, right: 1 },
    ]);
    expect((await server.call('GET', '/v1/relations/lease%3A%3Aliable')).body.result).toMatchObject([
      { tuple: [ada, first.$id] },
    ]);
    expectCode(await server.call('GET', '/v1/forks/main/promotion'), 'SVC_RUNTIME_VALIDATION_FAILED');
    await server.call('DELETE', '/v1/forks/what-if');
    expectCode(await server.call('GET', path), 'SVC_RUNTIME_FORK_CLOSED');
  });

  it('persist over a restart with their bases, and closed ones stay readable', async () => {
    const { server, ada } = await forked({ onDisk: true });
    await write(server, 'what-if', 'lease::addPerson', { name: 'Bob' });
    await server.mutation('lease::rename', { p: ada, name: 'Eve' });
    await server.call('POST', '/v1/forks', { id: 'inner', from: 'what-if' });
    await write(server, 'what-if', 'lease::rename', { p: ada, name: 'Flo' });
    await server.call('POST', '/v1/forks', { id: 'gone' });
    await server.call('DELETE', '/v1/forks/gone');
    const before = (await server.call('GET', '/v1/forks')).body.result;
    await server.stop();
    const again = await serve({ onDisk: true, folder: server.folder });
    expect((await again.call('GET', '/v1/forks')).body.result).toEqual(before);
    const found = await Promise.all(['main', 'what-if', 'inner', 'gone'].map((fork) => names(again, fork)));
    expect(found).toEqual([['Eve'], ['Bob', 'Flo'], ['Ada', 'Bob'], ['Eve']]);
    const { result } = await write(again, 'inner', 'lease::addPerson', { name: 'Gus' });
    expect(result.$id).toBe('#i3');
  });

  it('report the conflicts of a promotion even if a check refuses it', async () => {
    const { server, ada } = await forked();
    await write(server, 'what-if', 'lease::rename', { p: ada, name: 'Adele' });
    await server.mutation('lease::rename', { p: ada, name: 'Eve' });
    await server.mutation('lease::sign', { tenant: ada, code: 'L1', rent: 100 });
    await write(server, 'what-if', 'lease::sign', { tenant: ada, code: 'L2', rent: 100 });
    const refused = await server.call('POST', '/v1/forks/what-if/promote?dryRun=true');
    expectCode(refused, 'SVC_RUNTIME_CHECK_VIOLATION');
    expect(refused.body.error.details).toMatchObject({
      conflicts: [{ individual: ada, field: 'lease::Person.name', base: 'Ada', fork: 'Adele', parent: 'Eve' }],
      diagnostics: [{ check: 'lease::tooManyLeases' }],
    });
  });

  it('promote a deletion that cleared a field of an individual that the parent has deleted too', async () => {
    const { server, ada } = await forked();
    const { body } = await server.mutation('lease::addPerson', { name: 'Bob' });
    const bob = body.result.$id;
    await server.mutation('lease::hire', { p: bob, boss: ada });
    await server.call('POST', '/v1/forks', { id: 'without-ada' });
    const { events } = await write(server, 'without-ada', 'lease::fire', { p: ada });
    expect(events).toMatchObject([
      { kind: 'setField', id: bob, value: null },
      { kind: 'deleteIndividual', id: ada },
    ]);
    await server.mutation('lease::fire', { p: bob });
    const promoted = await server.call('POST', '/v1/forks/without-ada/promote');
    expect(promoted.body).toMatchObject({ events: [{ kind: 'deleteIndividual', id: ada }], conflicts: [] });
    expect(await names(server, 'main')).toEqual([]);
  });

  it('win field conflicts in a promotion and report them; a dry run shows all and rolls back', async () => {
    const { server, ada } = await forked();
    await write(server, 'what-if', 'lease::rename', { p: ada, name: 'Adele' });
    const { result: lease } = await write(server, 'what-if', 'lease::sign', { tenant: ada, code: 'L1', rent: 9000 });
    await server.mutation('lease::rename', { p: ada, name: 'Eve' });
    const conflict = {
      individual: ada,
      field: 'lease::Person.name',
      base: 'Ada',
      fork: 'Adele',
      parent: 'Eve',
      seq: expect.any(Number),
    };
    const dry = await server.call('POST', '/v1/forks/what-if/promote?dryRun=true');
    expect(dry.body).toMatchObject({ txn: null, conflicts: [conflict], warnings: [{ check: 'lease::dear' }] });
    expect(await names(server, 'main')).toEqual(['Eve']);
    expect((await server.call('GET', '/v1/forks/what-if')).body.result.status).toBe('open');
    const { body } = await server.call('POST', '/v1/forks/what-if/promote');
    expect(body).toMatchObject({ conflicts: [conflict], warnings: [{ tuple: { l: lease.$id } }] });
    expect(body.events).toEqual(
      dry.body.events.map((event: { txn: number }) => ({ ...event, txn: body.txn, at: body.events[0].at })),
    );
    expect(await names(server, 'main')).toEqual(['Adele']);
  });

  it("keep the parent's value on request, field by field or for all conflicts", async () => {
    const { server, ada } = await forked();
    await write(server, 'what-if', 'lease::rename', { p: ada, name: 'Adele' });
    await server.mutation('lease::rename', { p: ada, name: 'Eve' });
    const dry = (keep: string) =>
      server.call('POST', `/v1/forks/what-if/promote?dryRun=true&keep=${encodeURIComponent(keep)}`);
    const pair = JSON.stringify([[ada, 'lease::Person.name']]);
    for (const keep of ['parent', pair]) {
      expect((await dry(keep)).body).toMatchObject({ events: [], conflicts: [{ fork: 'Adele', kept: 'parent' }] });
    }
    expect((await dry('[["#i99","lease::Person.name"]]')).body).toMatchObject({ conflicts: [{ kept: 'fork' }] });
    expectCode(await dry('mine'), 'SVC_RUNTIME_VALIDATION_FAILED', /keep/);
    const counts = await server.call('GET', `/v1/forks/what-if/promotion/counts?keep=${encodeURIComponent(pair)}`);
    expect(counts.body.result).toEqual([]);
    await write(server, 'what-if', 'lease::fire', { p: ada });
    expect((await dry('parent')).body.conflicts).toMatchObject([{ kept: 'fork', deleted: true }]);
  });

  it("keep the parent's value of a `[0..1]` on request, if both sides have set it", async () => {
    const { server, ada } = await forked();
    const [bob, eve] = [await added(server, 'Bob'), await added(server, 'Eve')];
    await server.call('POST', '/v1/forks', { id: 'both' });
    await server.mutation('lease::teach', { pupil: ada, tutor: bob });
    await write(server, 'both', 'lease::teach', { pupil: ada, tutor: eve });
    const promote = (query: string) => server.call('POST', `/v1/forks/both/promote?dryRun=true${query}`);
    const conflict = { individual: ada, field: 'lease::taughtBy.tutor', base: null, fork: eve, parent: bob };
    const refused = await promote('');
    expectCode(refused, 'SVC_RUNTIME_CHECK_VIOLATION');
    expect(refused.body.error.details).toMatchObject({
      conflicts: [{ ...conflict, kept: 'fork' }],
      diagnostics: [{ check: 'lease::taughtBy.tutor' }],
    });
    for (const keep of ['parent', JSON.stringify([[ada, conflict.field]])]) {
      const { status, body } = await promote(`&keep=${encodeURIComponent(keep)}`);
      expect([status, body.events]).toEqual([200, []]);
      expect(body.conflicts).toMatchObject([{ ...conflict, kept: 'parent' }]);
    }
    const { body } = await server.call('POST', '/v1/forks/both/promote?keep=parent');
    expect(body.result.status).toBe('promoted');
    const { result } = (await server.call('GET', '/v1/relations/lease::taughtBy')).body;
    expect(result.map(({ tuple }: { tuple: string[] }) => tuple)).toEqual([[ada, bob]]);
  });

  it('report no conflict for a `[0..1]` that only the fork has changed', async () => {
    const { server, ada } = await forked();
    const bob = await added(server, 'Bob');
    await server.mutation('lease::teach', { pupil: ada, tutor: bob });
    await server.call('POST', '/v1/forks', { id: 'mine' });
    await write(server, 'mine', 'lease::teach', { pupil: ada, tutor: ada });
    const { body } = await server.call('POST', '/v1/forks/mine/promote?keep=parent');
    expect(body).toMatchObject({ conflicts: [], events: [{ kind: 'deleteFact' }, { kind: 'insertFact' }] });
  });
});

async function added(server: RealServer, name: string): Promise<string> {
  return (await server.mutation('lease::addPerson', { name })).body.result.$id;
}
