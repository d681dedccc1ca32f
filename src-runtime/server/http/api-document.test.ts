/** The OpenAPI document: a public validator accepts it, and its examples are recorded responses of the server. */

import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { validate } from '@readme/openapi-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileToBytes } from '../modules/compile.js';
import { contract } from '../testing/contract.js';
import { type RealServer, removeFolder, serveModule } from '../testing/real.js';
import { EXAMPLE_STEPS, type ExampleStep, exampleOf, type Operation } from './api-document.js';
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

/** The same module with one more declaration, for a reload. */
const NEXT = `${LEASE}pub define Dear(l: Lease) when Lease(l), l.rent > 5000\n`;
const NEXT_ARTIFACT = compileToBytes([{ file: 'lease.entail', text: NEXT }]).bytes;

/** Operations whose body is not an envelope. */
const UNENVELOPED = ['/metrics', '/v1/openapi.json', '/v1/backup'];

let server: RealServer;
beforeAll(async () => {
  const projects = { current: { name: 'lease' }, home: undefined, opensPaths: true, open: () => undefined };
  server = await serveModule(LEASE, { projects });
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

  it('has the same routes as docs/api.md', async () => {
    const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');
    const [, before = ''] =
      /^These routes also exist under `\/v1\/forks\/\{fork\}`, for that fork: (.*?)\.$/ms.exec(page) ?? [];
    const onFork = [...before.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    const documented = [...page.matchAll(/^\| ([A-Z, ]+) `(\/[^`]*)` \|/gm)].flatMap(([, methods = '', path = '']) => {
      const isOnFork = onFork.some(
        (each) => path === `/v1/${each}` || (each.endsWith('…') && path.startsWith(`/v1/${each.slice(0, -1)}`)),
      );
      const paths = isOnFork ? [path, path.replace('/v1/', '/v1/forks/{fork}/')] : [path];
      return methods.split(', ').flatMap((method) => paths.map((each) => `${method} ${each}`));
    });
    const served = (await operations()).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(new Set(documented)).toEqual(new Set(served));
  });

  it('lists the context headers of exactly those routes that require them', async () => {
    const strict = await serveModule('module strict\ncontext tenantId: Text\n');
    try {
      for (const { method, path, operation } of await operations()) {
        if (method !== 'get' || UNENVELOPED.includes(path)) continue;
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

  it('has examples that match the responses of the server (`vitest -u` records them)', async () => {
    const text = `${JSON.stringify(await recordExamples(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../api-examples.json');
  });

  it('has an example of every operation and every JSON body', async () => {
    for (const { method, path, operation } of await operations()) {
      if (UNENVELOPED.includes(path)) continue;
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

/** Replaces the folder of the server in examples. */
const SOME_FOLDER = '/srv/ada';

function withFolder(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value).replaceAll(SOME_FOLDER, server.folder));
}

/** Calls the steps of the file in order. `{…}` in a path is a value that an earlier step returned. */
async function recordExamples(): Promise<ExampleStep[]> {
  const recorded: ExampleStep[] = [];
  const seen: Record<string, string> = {};
  for (const { operation, path, request } of EXAMPLE_STEPS) {
    const method = operation?.includes(' ') ? operation.slice(0, operation.indexOf(' ')) : 'POST';
    const isArtifact = operation === 'PUT /v1/module';
    const headers = { 'x-request-id': 'r-1', ...(isArtifact && { 'content-type': ARTIFACT_CONTENT_TYPE }) };
    const address = path
      .replaceAll(SOME_FOLDER, server.folder)
      .replace(/\{(\w+)\}/g, (_, name: string) => seen[name] ?? name);
    const { status, body } = await server.call(
      method,
      address,
      isArtifact ? NEXT_ARTIFACT : withFolder(request),
      headers,
    );
    expect([operation, operation === 'failure' || status < 300]).toEqual([operation, true]);
    for (const name of ['factId', 'revision']) seen[name] = body.result?.[name] ?? seen[name] ?? '';
    const step = { ...(operation !== undefined && { operation }), path, ...(request !== undefined && { request }) };
    recorded.push(operation === undefined ? step : { ...step, response: settled(body) });
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

/** Replaces values that differ from run to run. */
function settled(body: unknown): unknown {
  const text = JSON.stringify(body, (key, value: unknown) => {
    if (/^(at|\w+At)$/.test(key) && typeof value === 'string') return '2026-01-31T10:00:00.000Z';
    if (/^(ms|uptimeMs)$/.test(key)) return 1;
    if (key === 'instance') return 'b1946ac9-2492-4d23-8d5e-7c6f1a0e3b55';
    if (value === dirname(server.folder)) return dirname(SOME_FOLDER);
    if (/^(moduleHash|schemaHash|integrity)$/.test(key)) return SOME_HASH;
    if (key === 'text' && typeof value === 'string') return value.replace(/[0-9a-f]{64}/g, SOME_HASH);
    if (key === 'log') return { ...(value as object), id: 'b1946ac9-2492-4d23-8d5e-7c6f1a0e3b55' };
    if (isArtifact(value)) return beginningOf(value);
    // Rules are ordered by time, slowest first.
    if (key === 'rules' && Array.isArray(value))
      return value.toSorted((left, right) => (left.rule < right.rule ? -1 : 1));
    if (key === 'nextCursor') return 'AUZvbGxvd2luZyBwYWdl';
    return value;
  });
  return JSON.parse(text.replaceAll(server.folder, SOME_FOLDER));
}
