/** Reads of the past over HTTP: `asOf` on every operation that reads facts, and its refusal by all others. */

import { describe, expect, it } from 'vitest';
import type { OperationDefinition } from '../api/operations/define-operation.js';
import { OPERATIONS, type Operations, pathsOf } from '../api/operations/index.js';
import { factId } from '../engine/index.js';
import { expectCode } from './testing/expect-code.js';
import { forkServers, on, write } from './testing/lease-forks.js';
import type { RealServer } from './testing/real.js';

type PastOperation = {
  [Name in keyof Operations]: Operations[Name] extends { readonly readsPast: true } ? Name : never;
}[keyof Operations];

const { serve, forked } = forkServers();
const ADA = '%23i1';
const LIABLE = { relation: 'lease::liable', tuple: ['#i1', '#i2'] };

/** The request of each operation, as path and body. */
const REQUESTS: Readonly<Record<PastOperation, readonly [path: string, body?: object]>> = {
  query: ['/dispatch/query', { path: 'lease::names' }],
  compute: ['/dispatch/compute', { path: 'lease::yearly', args: { rent: '2' } }],
  queryAdhoc: ['/query/adhoc', { source: 'derive costly(l: Lease) when Lease(l), l.rent > 100' }],
  profile: ['/dispatch/query/profile', { path: 'lease::names' }],
  profileAdhoc: ['/query/adhoc/profile', { source: 'derive costly(l: Lease) when Lease(l), l.rent > 100' }],
  live: ['/live', { files: [], file: 'lease.entail', offset: 400 }],
  explain: ['/explain', LIABLE],
  explainRow: ['/dispatch/query/explain', { path: 'lease::names', row: 'Ada' }],
  explainAdhoc: [
    '/query/adhoc/explain',
    { source: 'derive costly(l: Lease) when Lease(l), l.rent > 100', tuple: ['#i2'] },
  ],
  explainFact: [`/derived/facts/${factId(LIABLE.relation, LIABLE.tuple)}/explain`],
  explainDerivedOf: [`/derived/individuals/${ADA}/explain`],
  individuals: ['/individuals?total=true'],
  individual: [`/individuals/${ADA}`],
  storedOf: [`/stored/individuals/${ADA}`],
  derivedOf: [`/derived/individuals/${ADA}`],
  relation: ['/relations/lease::liable?include=labels,origin'],
  countRelation: ['/relations/lease::liable/count'],
  counts: ['/counts'],
  checks: ['/checks'],
  checkStates: ['/checks/states'],
  snapshot: ['/snapshot?include=derived'],
  events: ['/events'],
  transactions: ['/transactions?first=9'],
  transaction: ['/transactions/2'],
  transactionEffects: ['/transactions/2/effects'],
  violationOrigins: ['/checks/origins'],
  diffForks: ['/forks/main/diff/empty'],
  diffCounts: ['/forks/main/diff/empty/counts'],
};
const NAMES = Object.keys(REQUESTS) as PastOperation[];

/** Ada signs a lease that a check warns about; afterwards all of it is changed. The moment is between the two. */
async function withPast(server: RealServer) {
  await server.call('POST', '/v1/forks', { id: 'empty' });
  await server.mutation('lease::addPerson', { name: 'Ada' });
  await server.mutation('lease::sign', { tenant: '#i1', code: 'L1', rent: '6000' });
  const before = new Map<PastOperation, unknown>();
  for (const name of NAMES) before.set(name, await read(server, name));
  await server.mutation('lease::rename', { p: '#i1', name: 'Zoe' });
  await server.mutation('lease::addPerson', { name: 'Bo' });
  await server.call('POST', '/v1/mutation/adhoc', { source: 'mutation m() { delete tenantOf(_, _) }' });
  await server.call('POST', '/v1/mutation/adhoc', {
    source: 'mutation m(l: Lease) { set l.rent = 7 }',
    args: { l: '#i2' },
  });
  return { before, asOf: 3 };
}

async function read(server: RealServer, name: PastOperation, asOf?: number | string) {
  const [path, sent] = REQUESTS[name];
  const query = asOf === undefined ? '' : `${path.includes('?') ? '&' : '?'}asOf=${asOf}`;
  const { status, body } = await server.call(OPERATIONS[name].method, `/v1${path}${query}`, sent);
  expect(body.error).toBeUndefined();
  expect(status).toBe(200);
  const { requestId, nextCursor, ...rest } = body;
  return name === 'counts' ? storedCounts(rest.result) : withoutTimes(rest);
}

/** Counts of derived facts are those of the last evaluation. */
function storedCounts(rows: readonly { kind: string }[]) {
  return rows.filter(({ kind }) => ['concept', 'field', 'stored'].includes(kind));
}

function withoutTimes(body: object): unknown {
  return JSON.parse(JSON.stringify(body, (key, value) => (/^ms$|Ms$/.test(key) ? 0 : value)));
}

describe('asOf', () => {
  it('reads, with every operation that has it, what the operation read at that moment', async () => {
    const server = await serve();
    const { before, asOf } = await withPast(server);
    for (const name of NAMES) expect([name, await read(server, name, asOf)]).toEqual([name, before.get(name)]);
    // Fails if a request no longer tells the two moments apart.
    const same: PastOperation[] = ['compute', 'transaction', 'transactionEffects'];
    for (const name of NAMES.filter((each) => !same.includes(each))) {
      expect([name, await read(server, name)]).not.toEqual([name, before.get(name)]);
    }
  });

  it.each(
    Object.values<OperationDefinition>(OPERATIONS)
      .filter(({ readsPast, path }) => readsPast !== true && path.startsWith('/v1/'))
      .flatMap((operation) => pathsOf(operation).map((path) => [operation.method, path])),
  )('is refused by %s %s', async (method, path) => {
    const { server } = await forked();
    const url = path.replace(':fork', 'what-if').replace(/:\w+/g, '1');
    const refused = await server.call(
      method,
      `${url}?asOf=1`,
      method === 'GET' || method === 'DELETE' ? undefined : {},
    );
    expectCode(refused, 'SVC_RUNTIME_VALIDATION_FAILED', /asOf/);
  });

  it('names a transaction or a time that the scope has reached', async () => {
    const { server } = await forked();
    await server.mutation('lease::rename', { p: '#i1', name: 'Zoe' });
    const namesAt = async (asOf: string) => {
      const path = `/v1/dispatch/query?asOf=${encodeURIComponent(asOf)}`;
      return server.call('POST', path, { path: 'lease::names' });
    };
    const { at } = (await server.call('GET', '/v1/transactions')).body.result[0];
    expect((await namesAt(at)).body.result).toEqual(['Zoe']);
    expect((await namesAt(at.replace('Z', '+00:00'))).body.result).toEqual(['Zoe']);
    expect((await namesAt('2020-01-01')).body.result).toEqual([]);
    expect((await namesAt('0')).body.result).toEqual([]);
    // The creation of the fork took the number 2.
    expect((await namesAt('2')).body.result).toEqual(['Ada']);
    const late = new Date(Date.now() + 60_000).toISOString();
    for (const [asOf, words] of [
      ['4', /last transaction of this scope is 3/],
      [late, /future/],
      ['yesterday', /number of a transaction/],
      ['-1', /number of a transaction/],
      ['2020-01-01T09:00:00', /number of a transaction/],
    ] as const) {
      expectCode(await namesAt(asOf), 'SVC_RUNTIME_VALIDATION_FAILED', words);
    }
  });

  it('reads the history of the fork that the request names', async () => {
    const { server } = await forked();
    await write(server, 'what-if', 'lease::addPerson', { name: 'Bo' });
    await write(server, 'main', 'lease::addPerson', { name: 'Cy' });
    await write(server, 'what-if', 'lease::addPerson', { name: 'Di' });
    const namesAt = async (asOf: number, fork: string) =>
      (await server.call('POST', `/v1/dispatch/query?asOf=${asOf}`, { path: 'lease::names' }, on(fork))).body.result;
    expect(await namesAt(4, 'what-if')).toEqual(['Ada', 'Bo']);
    expect(await namesAt(4, 'main')).toEqual(['Ada', 'Cy']);
    expect(await namesAt(1, 'what-if')).toEqual(['Ada']);
    await server.call('DELETE', '/v1/forks/what-if');
    expect(await namesAt(3, 'what-if')).toEqual(['Ada', 'Bo']);
    expect(await namesAt(5, 'what-if')).toEqual(['Ada', 'Bo', 'Di']);
  });

  it('binds a cursor to its moment', async () => {
    const { server } = await forked();
    await server.mutation('lease::addPerson', { name: 'Bo' });
    const page = (query: string) => server.call('GET', `/v1/individuals?limit=1&${query}`);
    const { body } = await page('asOf=3');
    await server.mutation('lease::addPerson', { name: 'Cy' });
    const next = await page(`asOf=3&page=${body.nextCursor}`);
    expect([next.body.result[0].name, next.body.nextCursor]).toEqual(['Bo', undefined]);
    for (const query of ['', 'asOf=2&', 'asOf=4&']) {
      expectCode(await page(`${query}page=${body.nextCursor}`), 'SVC_RUNTIME_INVALID_CURSOR', /cursor/);
    }
  });

  it('does not bring back what was erased', async () => {
    const { server, ada } = await forked({ grant: ['fork', 'reload', 'forget'] });
    await server.mutation('lease::sign', { tenant: ada, code: 'L1', rent: '1' });
    const past = () => server.call('GET', '/v1/snapshot?asOf=3');
    expect((await past()).body.result.facts).toHaveLength(6);
    await server.mutation('lease::erase', { p: ada });
    expect((await past()).body.result.facts.map(({ relation }: { relation: string }) => relation)).toEqual([
      'lease::Lease',
      'lease::Lease.code',
      'lease::Lease.rent',
    ]);
    expect((await server.query('lease::names')).body.result).toEqual([]);
  });

  it('compares two moments of one fork', async () => {
    const { server, ada } = await forked();
    await server.mutation('lease::rename', { p: ada, name: 'Zoe' });
    await server.mutation('lease::addPerson', { name: 'Bo' });
    const { body } = await server.call('GET', '/v1/forks/main/diff/main?asOf=1&otherAsOf=3');
    expect(body.result.map(({ only, tuple }: { only: string; tuple: unknown }) => [only, tuple])).toEqual([
      ['left', [ada, 'Ada']],
      ['right', [ada, 'Zoe']],
    ]);
    const counts = (await server.call('GET', '/v1/forks/main/diff/main/counts?asOf=3&otherAsOf=now')).body.result;
    expect(counts.map(({ relation, right }: { relation: string; right: number }) => [relation, right])).toEqual([
      ['lease::Person', 1],
      ['lease::Person.name', 1],
    ]);
  });

  it('reads the past of facts on disk after a restart', async () => {
    const { server, ada } = await forked({ onDisk: true });
    await server.mutation('lease::rename', { p: ada, name: 'Zoe' });
    await server.stop();
    const again = await serve({ onDisk: true, folder: server.folder });
    expect((await again.call('POST', '/v1/dispatch/query?asOf=1', { path: 'lease::names' })).body.result).toEqual([
      'Ada',
    ]);
  });

  it('is refused with a call to explain, and by a live stream', async () => {
    const { server } = await forked();
    const after = { steps: [{ mutation: 'lease::addPerson', args: { name: 'Bo' } }] };
    const tried = await server.call('POST', '/v1/explain?asOf=1', { relation: 'lease::Person', tuple: ['#i1'], after });
    expectCode(tried, 'SVC_RUNTIME_VALIDATION_FAILED', /past cannot be written/);
    const stream = await server.call('GET', '/v1/events?asOf=1', undefined, { accept: 'text/event-stream' });
    expectCode(stream, 'SVC_RUNTIME_VALIDATION_FAILED', /asOf/);
  });
});
