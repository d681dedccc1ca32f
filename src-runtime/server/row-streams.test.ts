/** Whole results over HTTP as CSV, TSV and JSON lines: complete beyond the row cap, or visibly broken off. */

import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { type RealOptions, type RealServer, serversOfTests } from './testing/real.js';
import { openStream } from './testing/stream.js';

const LEASE = `module lease
pub concept Person { name: Text, of: Int? }
pub concept Lease { code: Text, rent: Decimal, keeper: Person? via keeps, tenants: [Person] via tenantOf }
pub relation tenantOf(lease: Lease, tenant: Person)
pub relation keys(lease: Lease, tenant: Person)
pub derive keeps(l: Lease, p: Person) when keys(l, p)
pub derive share(l: Lease, part: Decimal) when Lease(l), let part = 100 / (l.rent - 1)
pub query leases(least: Decimal = 0) -> [Lease] { select l where Lease(l), l.rent >= least order by l.rent desc }
pub query rents() -> [{ lease: Lease, rent: Decimal, note: Text? }] {
  select { lease: l, rent: l.rent, note: none } where Lease(l)
}
pub query codes() -> [Text] { select l.code where Lease(l) }
pub query one(code: Text) -> Lease? { select l where Lease(l), l.code == code }
pub query count() -> Int { value count(for l where Lease(l)) }
pub mutation sign(code: Text, rent: Decimal, name: Text) -> Lease {
  let p = insert Person { name: name }
  let l = insert Lease { code: code, rent: rent }
  insert tenantOf(l, p)
  return l
}
pub mutation add(count: Int, prefix: Text = "C") {
  for i in (select i where i in range(0, count)) { insert Lease { code: prefix ++ text(i), rent: i + 2 } }
}
pub mutation giveKeys(lease: Lease) {
  let a = insert Person { name: "a" }
  let b = insert Person { name: "b" }
  insert keys(lease, a)
  insert keys(lease, b)
}
`;

const started = serversOfTests();

async function serve(options: RealOptions = {}): Promise<RealServer> {
  const server = await started(LEASE, options);
  await server.mutation('lease::sign', { code: 'L1', rent: '900.50', name: 'Ada, "A"' });
  await server.mutation('lease::sign', { code: 'L2', rent: 1000, name: '' });
  return server;
}

const PARQUET = 'application/vnd.apache.parquet';
const [CSV, TSV, LINES] = ['text/csv', 'text/tab-separated-values', 'application/x-ndjson'];

async function read(server: RealServer, path: string, accept = CSV, body?: object): Promise<string> {
  const response = await server.call(body === undefined ? 'GET' : 'POST', path, body, { accept });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, `${accept}; charset=utf-8`]);
  return response.body;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('a relation', () => {
  it('has a column for each endpoint, and individuals as their ids', async () => {
    const server = await serve();
    const path = '/v1/relations/lease::tenantOf';
    expect(await read(server, path)).toBe('lease,tenant\r\n#i2,#i1\r\n#i4,#i3\r\n');
    expect(await read(server, path, TSV)).toBe('lease\ttenant\n#i2\t#i1\n#i4\t#i3\n');
    expect(linesOf(await read(server, path, LINES))).toEqual([
      { lease: '#i2', tenant: '#i1' },
      { lease: '#i4', tenant: '#i3' },
    ]);
  });

  it('is sorted and filtered like a page', async () => {
    const server = await serve();
    const path = '/v1/relations/lease::tenantOf?sort=-lease.rent';
    expect(await read(server, path)).toBe('lease,tenant\r\n#i4,#i3\r\n#i2,#i1\r\n');
    const filter = encodeURIComponent('[["lease.code","=","L1"]]');
    expect(await read(server, `${path}&filter=${filter}`)).toBe('lease,tenant\r\n#i2,#i1\r\n');
    expect(await read(server, `/v1/relations/lease::keys`)).toBe('lease,tenant\r\n');
  });
});

describe('individuals', () => {
  it('have a column for their id and for each field, or are entities', async () => {
    const server = await serve();
    const path = '/v1/individuals?class=lease::Lease';
    expect(await read(server, path)).toBe('$id,code,rent,keeper,tenants\r\n#i2,L1,900.5,,#i1\r\n#i4,L2,1000,,#i3\r\n');
    const { body } = await server.call('GET', path);
    expect(linesOf(await read(server, path, LINES))).toEqual(body.result);
    expect(await read(server, '/v1/individuals?class=lease::Person')).toBe(
      '$id,name,of\r\n#i1,"Ada, ""A""",\r\n#i3,"",\r\n',
    );
  });
});

describe('a query', () => {
  const dispatch = (server: RealServer, name: string, accept?: string, args = {}) =>
    read(server, '/v1/dispatch/query', accept, { path: `lease::${name}`, args });

  it('has the rows of its result', async () => {
    const server = await serve();
    expect(await dispatch(server, 'leases', CSV, { least: 950 })).toBe(
      '$id,code,rent,keeper,tenants\r\n#i4,L2,1000,,#i3\r\n',
    );
    expect(await dispatch(server, 'rents')).toBe('lease,rent,note\r\n#i2,900.5,\r\n#i4,1000,\r\n');
    expect(linesOf(await dispatch(server, 'rents', LINES))).toEqual((await server.query('lease::rents')).body.result);
    expect(await dispatch(server, 'codes')).toBe('value\r\nL1\r\nL2\r\n');
    expect(linesOf(await dispatch(server, 'codes', LINES))).toEqual(['L1', 'L2']);
  });

  it('of one value has one row, or none', async () => {
    const server = await serve();
    expect(await dispatch(server, 'count')).toBe('value\r\n2\r\n');
    expect(linesOf(await dispatch(server, 'one', LINES, { code: 'L2' }))).toMatchObject([{ $id: '#i4' }]);
    expect(await dispatch(server, 'one', LINES, { code: 'L3' })).toBe('');
  });

  it('may be ad hoc, and run on a fork', async () => {
    const server = await serve();
    await server.call('POST', '/v1/forks', { id: 'trial' });
    await server.mutation('lease::sign', { code: 'L3', rent: 1, name: 'Cyd' }, { 'x-fork-id': 'trial' });
    const source = 'derive dear(l: Lease, rent: Decimal) when Lease(l), let rent = l.rent, rent < 950';
    expect(await read(server, '/v1/query/adhoc', CSV, { source })).toBe('l,rent\r\n#i2,900.5\r\n');
    const onFork = '/v1/forks/trial/query/adhoc';
    expect(linesOf(await read(server, onFork, LINES, { source }))).toEqual(
      (await server.call('POST', onFork, { source })).body.result,
    );
    expect(await read(server, '/v1/forks/trial/dispatch/query', CSV, { path: 'lease::codes', args: {} })).toBe(
      'value\r\nL1\r\nL2\r\nL3\r\n',
    );
  });
});

it('is a Parquet file with a type for each column, from a relation, a class or a query', async () => {
  const server = await serve();
  const rows = async (path: string, body?: object): Promise<unknown[]> => {
    const response = await fetch(server.running.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${server.running.token}`,
        accept: PARQUET,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.headers.get('content-type')).toBe(PARQUET);
    return parquetReadObjects({ file: await response.arrayBuffer() });
  };
  expect(await rows('/v1/relations/lease::tenantOf')).toEqual([
    { lease: '#i2', tenant: '#i1' },
    { lease: '#i4', tenant: '#i3' },
  ]);
  expect(await rows('/v1/relations/lease::keys')).toEqual([]);
  expect(await rows('/v1/individuals?class=lease::Lease')).toMatchObject([
    { $id: '#i2', code: 'L1', rent: '900.5', keeper: null, tenants: ['#i1'] },
    { $id: '#i4' },
  ]);
  const source = 'query all() -> [{ lease: Lease, n: Int }] { select { lease: l, n: 2 } where Lease(l) }';
  expect(await rows('/v1/query/adhoc', { source })).toEqual([
    { lease: '#i2', n: 2n },
    { lease: '#i4', n: 2n },
  ]);
  const { result } = (await server.call('GET', '/v1/requests')).body;
  expect(result[0]).toMatchObject({ path: '/v1/query/adhoc', status: 200 });
});

it('has all rows beyond the row cap', async () => {
  const server = await started(LEASE, { limits: { rows: 10 } });
  await server.mutation('lease::add', { count: 3000 });
  const body = { path: 'lease::codes', args: {} };
  expect((await server.call('POST', '/v1/dispatch/query', body)).body.error.code).toBe('SVC_RUNTIME_RESULT_TOO_LARGE');
  expect(linesOf(await read(server, '/v1/dispatch/query', LINES, body))).toHaveLength(3000);
  expect(linesOf(await read(server, '/v1/individuals?class=lease::Lease', LINES))).toHaveLength(3000);
  expect(linesOf(await read(server, '/v1/individuals', LINES))).toHaveLength(3000);
  expect(linesOf(await read(server, '/v1/relations/lease::Lease.code', LINES))).toHaveLength(3000);
});

it('is refused in the error envelope if it fails before its first row', async () => {
  const server = await serve();
  const codeOf = async (path: string, body?: object) =>
    (await server.call(body === undefined ? 'GET' : 'POST', path, body, { accept: CSV })).body.error?.code;
  await server.mutation('lease::sign', { code: 'L0', rent: 1, name: '' });
  expect(await codeOf('/v1/relations/lease::share')).toBe('SVC_RUNTIME_DERIVE_FAILED');
  expect(await codeOf('/v1/relations/lease::shares')).toBe('SVC_RUNTIME_VALIDATION_FAILED');
  expect(await codeOf('/v1/individuals?class=lease::Nobody')).toBe('SVC_RUNTIME_VALIDATION_FAILED');
  expect(await codeOf('/v1/individuals?sort=code')).toBe('SVC_RUNTIME_VALIDATION_FAILED');
  expect(await codeOf('/v1/relations/lease::keys?limit=5')).toBe('SVC_RUNTIME_VALIDATION_FAILED');
  expect(await codeOf('/v1/relations/lease::keys?include=labels')).toBe('SVC_RUNTIME_VALIDATION_FAILED');
  expect(await codeOf('/v1/dispatch/query', { path: 'lease::lease', args: {} })).toBe('SVC_RUNTIME_UNKNOWN_QUERY');
  expect(await codeOf('/v1/dispatch/query', { path: 'lease::one', args: {} })).toBe('SVC_RUNTIME_SIGNATURE_MISMATCH');
  expect(await codeOf('/v1/query/adhoc', { source: 'query' })).toBe('SVC_RUNTIME_ADHOC_PREPARATION_FAILED');
});

it('breaks the connection if it fails later, and the log says why', async () => {
  const server = await started(LEASE);
  await server.mutation('lease::add', { count: 3000 });
  await server.mutation('lease::giveKeys', { lease: '#i2900' });
  const path = '/v1/individuals?class=lease::Lease';
  await expect(server.call('GET', path, undefined, { accept: LINES })).rejects.toThrow('terminated');
  const { result } = (await server.call('GET', '/v1/requests')).body;
  expect(result[0]).toMatchObject({ path, unfinished: true });
  const { answer } = (await server.call('GET', `/v1/requests/${result[0].requestId}`)).body.result;
  expect(answer.text).toContain('SVC_RUNTIME_NAV_FIELD_RESOLVE_FAILED');
});

it('is JSON if the request prefers that, or accepts anything', async () => {
  const server = await serve();
  const typeOf = async (accept: string) =>
    (await server.call('GET', '/v1/relations/lease::keys', undefined, { accept })).headers.get('content-type');
  for (const accept of ['*/*', 'text/*', 'text/html', `${CSV};q=0, */*`, `application/json, ${CSV};q=0.9`]) {
    expect([accept, await typeOf(accept)]).toEqual([accept, 'application/json; charset=utf-8']);
  }
  expect(await typeOf(`application/json;q=0.5, ${TSV};q=0.6, ${LINES};q=0.8`)).toMatch(LINES ?? '');
  expect(await typeOf('application/json, TEXT/CSV')).toMatch(CSV ?? '');
});

it('sends only the headers of a HEAD request', async () => {
  const server = await serve();
  const response = await server.call('HEAD', '/v1/relations/lease::tenantOf', undefined, { accept: CSV });
  expect([response.status, response.body]).toEqual([200, '']);
});

it('does not keep the server from closing if the client does not read', async () => {
  const server = await started(LEASE, { limits: { timeoutMs: 2000 } });
  for (let turn = 0; turn < 20; turn++) await server.mutation('lease::add', { count: 500, prefix: 'x'.repeat(4000) });
  const response = await fetch(`${server.running.url}/v1/individuals`, {
    headers: { authorization: `Bearer ${server.running.token}`, accept: LINES ?? '' },
  });
  await server.stop();
  await expect(response.text()).rejects.toThrow('terminated');
});

it('ends, and releases its rows, if the client stops reading', async () => {
  const server = await started(LEASE, { limits: { timeoutMs: 1000 } });
  for (let turn = 0; turn < 20; turn++) await server.mutation('lease::add', { count: 500, prefix: 'x'.repeat(4000) });
  const requests = await openStream(server.running, {}, '/v1/requests');
  const path = '/v1/individuals';
  const response = await fetch(server.running.url + path, {
    headers: { authorization: `Bearer ${server.running.token}`, accept: LINES ?? '' },
  });
  let noted = await requests.next();
  while (noted !== undefined && !noted.data.includes(`"path":"${path}"`)) noted = await requests.next();
  const { requestId, unfinished } = JSON.parse(noted?.data ?? '{}');
  const { answer } = (await server.call('GET', `/v1/requests/${requestId}`)).body.result;
  expect([unfinished, answer.text]).toEqual([true, expect.stringContaining('took no rows for 1000 ms')]);
  await expect(response.text()).rejects.toThrow('terminated');
  await requests.close();
});
