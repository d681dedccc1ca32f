/** The OpenAPI document: a public validator finds nothing in it, and what it shows as examples is what the server answers. */

import { readFile } from 'node:fs/promises';
import { validate } from '@readme/openapi-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileToBytes } from '../modules/compile.js';
import { contract } from '../testing/contract.js';
import { type RealServer, removeFolder, serveModule } from '../testing/real.js';
import { type Example, exampleOf, type Operation } from './api-document.js';
import { ARTIFACT_CONTENT_TYPE } from './body.js';

const LEASE = `module lease
/// The tenant whose facts they are.
context tenantId: Text?
enum Status { draft, signed }
/// Whoever can rent.
pub concept Person { name: Text }
pub concept Lease { code: Text, rent: Decimal where value > 0, status: Status = draft, tenants: [Person] via tenantOf }
pub relation tenantOf(lease: Lease, tenant: Person)
pub derive active(l: Lease) when l.status == signed, tenantOf(l, _)
pub check dear(l: Lease) when Lease(l), l.rent > 5000 severity warning message "lease {l.code} is dear"
pub query leases(least: Decimal) -> [Lease] { select l where Lease(l), l.rent >= least order by l.code }
pub mutation addPerson(name: Text) -> Person { return insert Person { name: name } }
pub mutation sign(tenant: Person, code: Text, rent: Decimal) -> Lease {
  let l = insert Lease { code: code, rent: rent, status: signed }
  insert tenantOf(l, tenant)
  return l
}
pub fn yearly(rent: Decimal) -> Decimal = rent * 12
test "a lease without a tenant is active" {
  let l = insert Lease { code: "L9", rent: 900, status: signed }
  expect active(l)
}
`;

/** The same, and something that is served after a reload. */
const NEXT = `${LEASE}pub define Dear(l: Lease) when Lease(l), l.rent > 5000\n`;

const ACTIVE = { relation: 'lease::active', tuple: ['#i2'] };
const SIGN = { tenant: '#i1', code: 'L1', rent: '9000' };
const NEW_TENANT = [
  { mutation: 'lease::addPerson', args: { name: 'Bo' } },
  { mutation: 'lease::sign', args: { tenant: { $step: 0 }, code: 'L2', rent: '800' } },
];

const NEW_PEOPLE = { mutation: 'lease::addPerson', rows: [{ name: 'Cy' }, { name: 'Di' }] };

/** What is called, in this order, for the examples; `{…}` in a path stands for what the tour has seen. */
const TOUR: readonly (readonly [operation: string, path: string, request?: unknown])[] = [
  ['GET /healthz', '/healthz'],
  ['GET /readyz', '/readyz'],
  ['GET /v1/health', '/v1/health'],
  ['GET /v1/module', '/v1/module'],
  ['GET /v1/module/artifact', '/v1/module/artifact'],
  ['GET /v1/module/sources', '/v1/module/sources'],
  [
    'PUT /v1/module/collections/{name}',
    '/v1/module/collections/smoke',
    {
      calls: [{ name: 'Sign', mutation: 'lease::sign', args: { tenant: '#i1', code: 'L1', rent: '9000' } }],
      revision: null,
    },
  ],
  ['GET /v1/module/collections', '/v1/module/collections'],
  ['DELETE /v1/module/collections/{name}', '/v1/module/collections/smoke?revision={revision}'],
  [
    'PUT /v1/module/environments/{name}',
    '/v1/module/environments/demo',
    { variables: { tenant: 'acme', lease: 'L1', from: '2026-01-31' }, revision: null },
  ],
  ['GET /v1/module/environments', '/v1/module/environments'],
  ['DELETE /v1/module/environments/{name}', '/v1/module/environments/demo?revision={revision}'],
  ['GET /v1/schema', '/v1/schema'],
  ['GET /v1/errors', '/v1/errors'],
  ['', '/v1/dispatch/mutation', { path: 'lease::addPerson', args: { name: 'Ada' } }],
  ['POST /v1/dispatch/mutation', '/v1/dispatch/mutation', { path: 'lease::sign', args: SIGN }],
  ['POST /v1/dispatch/query', '/v1/dispatch/query?limit=1', { path: 'lease::leases', args: { least: 900 } }],
  ['POST /v1/dispatch/compute', '/v1/dispatch/compute', { path: 'lease::yearly', args: { rent: '9000' } }],
  ['GET /v1/requests', '/v1/requests?limit=2'],
  ['GET /v1/requests/{requestId}', '/v1/requests/r-1'],
  ['failure', '/v1/dispatch/query', { path: 'lease::lease', args: {} }],
  ['POST /v1/query/adhoc', '/v1/query/adhoc', { source: 'query names() -> [Text] { select p.name where Person(p) }' }],
  [
    'POST /v1/query/adhoc/explain',
    '/v1/query/adhoc/explain',
    { source: 'derive rents(p: Person, l: Lease) when tenantOf(l, p)', tuple: ['#i1', '#i2'] },
  ],
  [
    'POST /v1/query/adhoc/profile',
    '/v1/query/adhoc/profile',
    { source: 'query people() -> Int { value count(for p where Person(p)) }' },
  ],
  [
    'POST /v1/dispatch/query/explain',
    '/v1/dispatch/query/explain',
    { path: 'lease::leases', args: { least: 900 }, row: '#i2' },
  ],
  ['POST /v1/dispatch/query/profile', '/v1/dispatch/query/profile', { path: 'lease::leases', args: { least: 900 } }],
  [
    'POST /v1/mutation/adhoc',
    '/v1/mutation/adhoc?dryRun=true&effects=true',
    { source: 'mutation name(p: Person) { set p.name = "Bo" }', args: { p: '#i1' } },
  ],
  ['POST /v1/forks', '/v1/forks', { id: 'what-if' }],
  ['POST /v1/batch', '/v1/forks/what-if/batch', { steps: NEW_TENANT }],
  ['POST /v1/import', '/v1/import?dryRun=true', NEW_PEOPLE],
  ['GET /v1/checks', '/v1/checks'],
  ['GET /v1/checks/states', '/v1/checks/states'],
  ['GET /v1/tests', '/v1/tests'],
  ['GET /v1/tests/coverage', '/v1/tests/coverage'],
  ['POST /v1/tests/run', '/v1/tests/run', { tests: [{ module: 'lease', name: 'a lease without a tenant is active' }] }],
  [
    'POST /v1/tests/try',
    '/v1/tests/try',
    {
      files: [
        {
          file: 'lease.entail',
          text: 'module lease\nrelation due(day: Int)\ntest "today" { insert due(1) expect due(1) }\n',
        },
      ],
    },
  ],
  ['POST /v1/explain', '/v1/explain', ACTIVE],
  ['GET /v1/derived/facts/{factId}/explain', '/v1/derived/facts/{factId}/explain'],
  ['GET /v1/derived/individuals/{id}', '/v1/derived/individuals/%23i2'],
  ['GET /v1/derived/individuals/{id}/explain', '/v1/derived/individuals/%23i2/explain?limit=1'],
  ['GET /v1/individuals', '/v1/individuals?class=lease::Lease'],
  ['GET /v1/individuals/{id}', '/v1/individuals/%23i2'],
  ['GET /v1/relations/{path}', '/v1/relations/lease::tenantOf?limit=1&total=true&include=origin,labels'],
  ['GET /v1/counts', '/v1/counts'],
  ['GET /v1/stored/individuals/{id}', '/v1/stored/individuals/%23i1'],
  ['GET /v1/snapshot', '/v1/snapshot?include=derived'],
  ['GET /v1/events', '/v1/events?limit=3'],
  ['GET /v1/transactions', '/v1/transactions?limit=1&first=1'],
  ['GET /v1/transactions/{txn}', '/v1/transactions/1'],
  ['GET /v1/transactions/{txn}/effects', '/v1/transactions/1/effects'],
  ['POST /v1/transactions/{txn}/undo', '/v1/transactions/1/undo?dryRun=true', {}],
  ['GET /v1/forks', '/v1/forks'],
  ['GET /v1/forks/{fork}', '/v1/forks/what-if'],
  ['GET /v1/forks/{fork}/diff/{other}', '/v1/forks/what-if/diff/main?derived=true'],
  ['GET /v1/forks/{fork}/diff/{other}/counts', '/v1/forks/what-if/diff/main/counts'],
  ['GET /v1/forks/{fork}/promotion', '/v1/forks/what-if/promotion'],
  ['GET /v1/forks/{fork}/promotion/counts', '/v1/forks/what-if/promotion/counts'],
  ['GET /v1/forks/{fork}/update', '/v1/forks/what-if/update'],
  ['GET /v1/forks/{fork}/update/counts', '/v1/forks/what-if/update/counts'],
  ['POST /v1/forks/{fork}/update', '/v1/forks/what-if/update', { id: 'what-if-2' }],
  ['POST /v1/forks/{fork}/pick', '/v1/forks/main/pick?dryRun=true&effects=true', { from: 'what-if', txn: 4 }],
  ['POST /v1/forks/{fork}/derive', '/v1/forks/what-if/derive'],
  ['GET /v1/forks/{fork}/derived', '/v1/forks/what-if/derived'],
  ['GET /v1/forks/{fork}/derive/trace', '/v1/forks/what-if/derive/trace'],
  ['POST /v1/forks/{fork}/promote', '/v1/forks/what-if/promote', {}],
  ['POST /v1/forks/{fork}/promote/undo', '/v1/forks/what-if/promote/undo?dryRun=true', {}],
  ['', '/v1/forks', { id: 'other' }],
  ['PATCH /v1/forks/{fork}', '/v1/forks/other', { label: 'Rent raised 5 %' }],
  ['DELETE /v1/forks/{fork}', '/v1/forks/other'],
  ['POST /v1/module/reload', '/v1/module/reload'],
  ['PUT /v1/module', '/v1/module', compileToBytes([{ file: 'lease.entail', text: NEXT }]).bytes],
  ['GET /v1/module/change', '/v1/module/change'],
  [
    'PUT /v1/module/sources',
    '/v1/module/sources',
    { files: [{ file: 'lease.entail', text: 'module lease\nenum Way {' }] },
  ],
];

let server: RealServer;
beforeAll(async () => {
  server = await serveModule(LEASE);
});
afterAll(async () => {
  await server.stop();
  await removeFolder(server.folder);
});

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { body } = await server.call('GET', '/v1/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(await validate(structuredClone(body))).toMatchObject({ valid: true, warnings: [] });
  });

  it('names the content type of an artifact', async () => {
    const { document } = await contract();
    const { requestBody } = document.paths['/v1/module']?.['put'] ?? {};
    expect(Object.keys(requestBody?.content ?? {})).toEqual([ARTIFACT_CONTENT_TYPE]);
  });

  it('names each operation once', async () => {
    const names = (await operations()).map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('postForksForkQueryAdhoc');
  });

  it('has the routes that docs/api.md tells of', async () => {
    const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');
    const [, before = ''] = /^`\/v1\/forks\/\{fork\}` stands before (.*?) for the same/ms.exec(page) ?? [];
    const onFork = [...before.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    const told = [...page.matchAll(/^\| ([A-Z, ]+) `(\/[^`]*)` \|/gm)].flatMap(([, methods = '', path = '']) => {
      const isOnFork = onFork.some(
        (each) => path === `/v1/${each}` || (each.endsWith('…') && path.startsWith(`/v1/${each.slice(0, -1)}`)),
      );
      const paths = isOnFork ? [path, path.replace('/v1/', '/v1/forks/{fork}/')] : [path];
      return methods.split(', ').flatMap((method) => paths.map((each) => `${method} ${each}`));
    });
    const served = (await operations()).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(new Set(told)).toEqual(new Set(served));
  });

  it('names the headers of context where a request without them is refused, and there only', async () => {
    const strict = await serveModule('module strict\ncontext tenantId: Text\n');
    try {
      for (const { method, path, operation } of await operations()) {
        if (method !== 'get' || path === '/v1/openapi.json') continue;
        const { body } = await strict.call('GET', path.replace(/\{\w+\}/g, '1'));
        const isRefused = body.error?.code === 'SVC_RUNTIME_MISSING_CONTEXT';
        const headers = (operation.parameters ?? []).filter((each) => each.in === 'header').map(({ name }) => name);
        expect([path, headers.includes('x-tenant-id')]).toEqual([path, isRefused]);
      }
    } finally {
      await strict.stop();
      await removeFolder(strict.folder);
    }
  });

  it('shows what the server answers; recorded anew with `vitest -u`', async () => {
    const text = `${JSON.stringify(await recordExamples(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../api-examples.json');
  });

  it('shows an example of every operation, and of every body in JSON', async () => {
    for (const { method, path, operation } of await operations()) {
      if (path === '/v1/openapi.json') continue;
      const example = exampleOf(method, path);
      expect(example?.response, `${method} ${path}`).toBeDefined();
      const body = operation.requestBody?.content['application/json']?.schema;
      const isSent = operation.requestBody?.required === true || example?.request !== undefined;
      if (body !== undefined && isSent) await expectValid(`${method} ${path}`, body, example?.request);
      const [[, success] = []] = Object.entries(operation.responses);
      const schema = success?.content?.['application/json']?.schema ?? {};
      await expectValid(`${method} ${path} answer`, schema, example?.response);
    }
  });
});

async function operations(): Promise<{ method: string; path: string; operation: Operation }[]> {
  const { document } = await contract();
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

async function expectValid(name: string, schema: object, value: unknown): Promise<void> {
  const { validatorOf } = await contract();
  const validate = validatorOf(name, schema);
  validate(value);
  expect(validate.errors, name).toBeNull();
}

async function recordExamples(): Promise<Record<string, Example>> {
  const recorded: Record<string, Example> = {};
  let factId = '';
  let revision = '';
  for (const [operation, path, request] of TOUR) {
    const method = operation.split(' ')[1] === undefined ? 'POST' : (operation.split(' ')[0] ?? 'POST');
    const type = request instanceof Uint8Array ? { 'content-type': ARTIFACT_CONTENT_TYPE } : {};
    const headers = { 'x-request-id': 'r-1', ...type };
    const address = path.replace('{factId}', factId).replace('{revision}', revision);
    const { status, body } = await server.call(method, address, request, headers);
    expect([operation, operation === 'failure' || status < 300]).toEqual([operation, true]);
    factId = body.result?.factId ?? factId;
    revision = body.result?.revision ?? revision;
    const shown = request === undefined || request instanceof Uint8Array ? {} : { request };
    if (operation !== '') recorded[operation] = { ...shown, response: settled(body) };
  }
  return recorded;
}

const SOME_HASH = '5f0c'.padEnd(64, '0');

function isArtifact(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === 'entail-artifact';
}

/** An artifact is as long as its module. */
function beginningOf({ format, formatVersion, compiler, modules, schemaHash, integrity }: Record<string, unknown>) {
  return { format, formatVersion, compiler, modules, schemaHash, integrity };
}

/** The same without what differs from run to run. */
function settled(body: unknown): unknown {
  const text = JSON.stringify(body, (key, value: unknown) => {
    if (/^(at|\w+At)$/.test(key) && typeof value === 'string') return '2026-01-31T10:00:00.000Z';
    if (/^(ms|uptimeMs)$/.test(key)) return 1;
    if (/^(moduleHash|schemaHash|integrity)$/.test(key)) return SOME_HASH;
    if (key === 'text' && typeof value === 'string') return value.replace(/[0-9a-f]{64}/g, SOME_HASH);
    if (key === 'log') return { ...(value as object), id: 'b1946ac9-2492-4d23-8d5e-7c6f1a0e3b55' };
    if (isArtifact(value)) return beginningOf(value);
    // The slowest come first.
    if (key === 'rules' && Array.isArray(value))
      return value.toSorted((left, right) => (left.rule < right.rule ? -1 : 1));
    if (key === 'nextCursor') return 'AUZvbGxvd2luZyBwYWdl';
    return value;
  });
  return JSON.parse(text);
}
