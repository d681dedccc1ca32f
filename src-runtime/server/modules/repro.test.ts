/** A served repro bundle: the request sees the same facts and ids, and gets the same response. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { eventsBefore, type ReproBundle } from '../../api/repro-bundle.js';
import type { ForkInfo } from '../../api/schemas/fork-schemas.js';
import type { RequestDetail } from '../../api/schemas/request-log.js';
import type { WireEvent } from '../../api/schemas/schemas.js';
import { newFolder, type RealServer, removeFolder, serveModule } from '../testing/real.js';
import { openReproBundle } from './repro.js';

const MODULE = `
module lease
context tenantId: Text?
pub concept Person { name: Text }
pub concept Lease { code: Text unique, guarantor: Person? }
pub relation tenantOf(lease: Lease, tenant: Person)
pub individual acme: Person { name: "Acme" }
pub relation visit(order: [Person], note: { text: Text, by: Person? })
pub mutation plan(order: [Person], text: Text, by: Person?) { insert visit(order, { text: text, by: by }) }
pub query visits(order: [Person]) -> [{ order: [Person], by: Person? }] {
  select { order: order, by: n.by } where visit(order, n)
}
pub derive housed(p: Person) when tenantOf(_, p)
pub query people() -> [Person] { select p where Person(p) order by p.name }
pub query housedPeople() -> [Person] { select p where housed(p) order by p.name }
pub mutation addPerson(name: Text) -> Person { return insert Person { name: name } }
pub mutation addLease(code: Text, g: Person?) -> Lease { return insert Lease { code: code, guarantor: g } }
pub mutation move(p: Person, l: Lease) { insert tenantOf(l, p) }
pub mutation rename(p: Person, name: Text) { set p.name = name }
pub mutation guarantee(l: Lease, g: Person) { set l.guarantor = g }
pub mutation drop(p: Person) { delete p }
pub mutation forgetPerson(p: Person) { forget p }
`;

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function serve(options: Parameters<typeof serveModule>[1] & { text?: string } = {}): Promise<RealServer> {
  const server = await serveModule(options.bundle === undefined ? MODULE : undefined, options);
  opened.push(async () => {
    await server.stop();
    await removeFolder(server.folder);
  });
  return server;
}

/** A bundle as the workbench writes it, read back from a file. */
async function bundleOf(server: RealServer, requestId: string, tenant: string, fork = 'main'): Promise<ReproBundle> {
  const headers = { 'x-tenant-id': tenant, 'x-fork-id': fork };
  const get = async <T>(path: string): Promise<T> => (await server.call('GET', path, undefined, headers)).body.result;
  const request = await get<RequestDetail>(`/v1/requests/${requestId}`);
  const { id, baseSeq, status, createdAt, closedAt } = await get<ForkInfo>(`/v1/forks/${fork}`);
  const bundle: ReproBundle = {
    format: 'entail-repro',
    formatVersion: 1,
    savedAt: '2026-01-01T00:00:00.000Z',
    version: '0.0.0',
    artifact: await get('/v1/module/artifact'),
    scope: {
      tenant,
      fork: { id, baseSeq, status, createdAt, ...(closedAt !== undefined && { closedAt }) },
      events: eventsBefore(await get<WireEvent[]>('/v1/events'), request),
    },
    request,
  };
  const file = join(server.folder, 'lease.repro.json');
  await writeFile(file, JSON.stringify(bundle));
  return openReproBundle(file);
}

/** Sends the request of a bundle to the server, with the id under which it was logged. */
async function sendAgain(server: RealServer, { request }: ReproBundle) {
  const { 'content-length': _, ...headers } = request.headers;
  const { status, body } = await server.call(request.method, request.path, request.body?.text, {
    ...headers,
    'x-request-id': request.requestId,
  });
  return { status, body };
}

const ADA = { 'x-tenant-id': 'ada & co' };

async function add(server: RealServer, name: string, headers: Record<string, string> = ADA): Promise<string> {
  return (await server.mutation('lease::addPerson', { name }, headers)).body.result.$id;
}

describe('a served bundle', () => {
  it('repeats a mutation with its original ids, numbers and events', async () => {
    const server = await serve();
    const gone = await add(server, 'Gone');
    await server.mutation('lease::drop', { p: gone }, ADA);
    const grace = await add(server, 'Grace');
    await server.mutation('lease::rename', { p: grace, name: 'Grace H.' }, ADA);
    await server.mutation('lease::addLease', { code: 'L1', g: grace }, { ...ADA, 'x-request-id': 'the-one' });
    await add(server, 'Later');
    const bundle = await bundleOf(server, 'the-one', 'ada & co');

    const again = await sendAgain(await serve({ bundle }), bundle);
    const first = JSON.parse(bundle.request.answer?.text ?? '');
    expect(again.status).toBe(200);
    const withoutTime = (body: typeof first) => ({
      ...body,
      events: body.events.map((event: WireEvent) => ({ ...event, at: '' })),
    });
    expect(withoutTime(again.body)).toEqual(withoutTime(first));
  });

  it('has the same lists and records, with the individuals in them', async () => {
    const server = await serve();
    const [ada, bo] = [await add(server, 'Ada'), await add(server, 'Bo')];
    await server.mutation('lease::plan', { order: [bo, ada], text: 'x', by: ada }, ADA);
    await server.mutation('lease::plan', { order: [], text: '#i1', by: null }, ADA);
    await server.query('lease::visits', { order: [bo, '@acme'] }, { ...ADA, 'x-request-id': 'none' });
    await server.mutation('lease::plan', { order: [bo, '@acme'], text: 'late', by: null }, ADA);
    const bundle = await bundleOf(server, 'none', 'ada & co');
    const again = await serve({ bundle });
    expect((await sendAgain(again, bundle)).body.result).toEqual([]);
    const { result } = (await again.query('lease::visits', { order: [bo, ada] }, ADA)).body;
    expect(result).toMatchObject([{ order: [{ name: 'Bo' }, { name: 'Ada' }], by: { name: 'Ada' } }]);
    expect((await again.query('lease::visits', { order: [] }, ADA)).body.result).toHaveLength(1);
  });

  it('refuses a refused request again, even if the cause has been fixed since', async () => {
    const server = await serve();
    await server.mutation('lease::addLease', { code: 'L1' }, ADA);
    const { status, body } = await server.mutation(
      'lease::addLease',
      { code: 'L1' },
      { ...ADA, 'x-request-id': 'refused' },
    );
    expect(status).toBe(400);
    const bundle = await bundleOf(server, 'refused', 'ada & co');
    expect(await sendAgain(await serve({ bundle }), bundle)).toEqual({ status, body });
  });

  it('restores a fork with its inherited changes and its own', async () => {
    const server = await serve();
    const ada = await add(server, 'Ada');
    await server.call('POST', '/v1/forks', { id: 'first' }, ADA);
    await add(server, 'Of the fork', { ...ADA, 'x-fork-id': 'first' });
    await server.call('POST', '/v1/forks', { id: 'second', from: 'first' }, ADA);
    await add(server, 'Not seen');
    await server.mutation('lease::rename', { p: ada, name: 'Ada L.' }, { ...ADA, 'x-fork-id': 'second' });
    const headers = { ...ADA, 'x-fork-id': 'second', 'x-request-id': 'listed' };
    const { body } = await server.query('lease::people', {}, headers);
    expect(body.result.map(({ name }: { name: string }) => name)).toEqual(['Acme', 'Ada L.', 'Of the fork']);
    const bundle = await bundleOf(server, 'listed', 'ada & co', 'second');
    const served = await serve({ bundle });
    expect((await sendAgain(served, bundle)).body).toEqual(body);
    const onMain = await served.query('lease::people', {}, ADA);
    expect(onMain.body.result.map(({ name }: { name: string }) => name)).toEqual(['Acme', 'Ada', 'Of the fork']);
  });

  it('keeps a closed fork closed', async () => {
    const server = await serve();
    await server.call('POST', '/v1/forks', { id: 'over' }, ADA);
    await server.call('DELETE', '/v1/forks/over', undefined, ADA);
    const headers = { ...ADA, 'x-fork-id': 'over', 'x-request-id': 'late' };
    const { status, body } = await server.mutation('lease::addPerson', { name: 'Late' }, headers);
    expect(body.error.code).toBe('SVC_RUNTIME_FORK_CLOSED');
    const bundle = await bundleOf(server, 'late', 'ada & co', 'over');
    expect(await sendAgain(await serve({ bundle }), bundle)).toEqual({ status, body });
  });

  it('restores erased individuals as erased, and the fields that they cleared as empty', async () => {
    const server = await serve({ grant: ['forget'] });
    const [ada, grace] = [await add(server, 'Ada'), await add(server, 'Grace')];
    const lease = (await server.mutation('lease::addLease', { code: 'L1', g: grace }, ADA)).body.result.$id;
    await server.mutation('lease::guarantee', { l: lease, g: ada }, ADA);
    await server.mutation('lease::move', { p: grace, l: lease }, ADA);
    await server.mutation('lease::forgetPerson', { p: ada }, ADA);
    const path = `/v1/individuals/${encodeURIComponent(lease)}`;
    const { body } = await server.call('GET', path, undefined, { ...ADA, 'x-request-id': 'after' });
    expect(body.result.guarantor).toBeNull();
    const bundle = await bundleOf(server, 'after', 'ada & co');
    expect(JSON.stringify(bundle.scope)).not.toContain('Ada');
    expect((await sendAgain(await serve({ bundle }), bundle)).body).toEqual(body);
    // The erased event records that the field is empty.
    const events = bundle.scope.events.filter(({ kind, value }) => kind !== 'setField' || value !== null);
    const withoutClearing = { ...bundle, scope: { ...bundle.scope, events } };
    expect((await sendAgain(await serve({ bundle: withoutClearing }), bundle)).body).toEqual(body);
  });

  it('derives the same conclusions', async () => {
    const server = await serve();
    const ada = await add(server, 'Ada');
    const lease = (await server.mutation('lease::addLease', { code: 'L1' }, ADA)).body.result.$id;
    await server.mutation('lease::move', { p: ada, l: lease }, ADA);
    const { body } = await server.query('lease::housedPeople', {}, { ...ADA, 'x-request-id': 'housed' });
    expect(body.result).toMatchObject([{ name: 'Ada' }]);
    const bundle = await bundleOf(server, 'housed', 'ada & co');
    expect((await sendAgain(await serve({ bundle }), bundle)).body).toEqual(body);
  });
});

describe('a bundle that cannot be served', () => {
  it('is refused with an error that names the problem', async () => {
    const folder = await newFolder();
    opened.push(() => removeFolder(folder));
    await expect(openReproBundle(join(folder, 'none.repro.json'))).rejects.toThrow(/none\.repro\.json cannot be read/);
    await writeFile(join(folder, 'other.repro.json'), '{}');
    await expect(openReproBundle(join(folder, 'other.repro.json'))).rejects.toThrow(/not a repro bundle/);

    const server = await serve();
    await server.call('GET', '/v1/errors', undefined, { 'x-request-id': 'one' });
    await add(server, 'Ada');
    const bundle = await bundleOf(server, 'one', 'ada & co');
    const event: WireEvent = { seq: 1, txn: 1, at: '2026-01-01T00:00:00.000Z', kind: 'setField', id: '#i1' };
    await expect(serve({ bundle: { ...bundle, scope: { ...bundle.scope, events: [event] } } })).rejects.toThrow(
      /event 1 is not whole/,
    );
    const damaged = { ...bundle, artifact: { ...bundle.artifact, compiler: 'another' } };
    await expect(serve({ bundle: damaged })).rejects.toThrow(/integrity/);
  });
});
