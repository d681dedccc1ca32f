/** One test a code: how a client comes to see it, over HTTP, from the real runtime. */

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { encodeArtifact, sealArtifact } from '../artifact/index.js';
import { compile } from '../compiler/index.js';
import { expectCode } from './testing/expect-code.js';
import type { Answer } from './testing/http.js';
import { type RealOptions, type RealServer, removeFolder, serveModule } from './testing/real.js';

const LEASE = `
module lease

context tenantId: Text?

enum Status { draft, signed, ended }

pub concept Party { name: Text }

pub concept Person is Party {
  employer: Party? via worksFor
}

pub concept Lease {
  code: Text
  rent: Decimal where value > 0
  status: Status = draft
  keeper: Person? via keeps
}

pub relation worksFor(person: Person, company: Party [0..1])
pub relation tenantOf(lease: Lease, tenant: Person)
pub relation keys(lease: Lease, tenant: Person)

pub individual acme: Party { name: "Acme Ltd" }

pub derive active(l: Lease) when l.status == signed, tenantOf(l, _)
pub derive keeps(l: Lease, p: Person) when keys(l, p)
pub derive share(l: Lease, part: Decimal) when Lease(l), let part = 100 / (l.rent - 1)

pub check tooManyLeases(p: Person)
  when Person(p), let n = count(for l where tenantOf(l, p)), n > 1
  severity blocking
  message "{p.name} holds {n} leases; one is allowed"

pub query leases() -> [Lease] { select l where Lease(l) order by l.code }
pub query shares() -> [Decimal] { select part where share(_, part) }
pub query pairs() -> Int { value count(for a, b, c, d where Lease(a), Lease(b), Lease(c), Lease(d), a.code != b.code, c.code != d.code) }
pub query inverse() -> [Decimal] { select 1 / (l.rent - 1) where Lease(l) }

pub mutation addPerson(name: Text) -> Person { return insert Person { name: name } }
pub mutation sign(tenant: Person, code: Text, rent: Decimal where value > 0) -> Lease {
  let l = insert Lease { code: code, rent: rent, status: signed }
  insert tenantOf(l, tenant)
  return l
}
pub mutation giveKey(lease: Lease, person: Person) { insert keys(lease, person) }

pub fn yearly(rent: Decimal) -> Decimal = rent * 12
pub fn part(of: Decimal, by: Decimal) -> Decimal = of / by
`;

const started: RealServer[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) {
    await server.stop();
    await removeFolder(server.folder);
  }
});

/** Null starts without a module. */
async function serve(text: string | null = LEASE, options: RealOptions = {}): Promise<RealServer> {
  const server = await serveModule(text ?? undefined, options);
  started.push(server);
  return server;
}

async function withAda(server: RealServer, headers?: Record<string, string>): Promise<string> {
  const { body } = await server.mutation('lease::addPerson', { name: 'Ada' }, headers);
  expect(body.error).toBeUndefined();
  return body.result.$id;
}

/** The artifact of a module text, changed before it is sealed: what a broken or a newer compiler might write. */
// biome-ignore lint/suspicious/noExplicitAny: the change breaks the very types it would be checked by.
function artifactOf(text: string, change: (artifact: any) => void): Uint8Array {
  const { artifact } = compile([{ file: 'lease.entail', text }]);
  const copy = structuredClone(artifact);
  change(copy);
  return encodeArtifact(sealArtifact(copy as Parameters<typeof sealArtifact>[0]));
}

const asArtifact = { 'content-type': 'application/vnd.entail.artifact+json' };

async function serveChanged(change: Parameters<typeof artifactOf>[1]): Promise<RealServer> {
  const server = await serve(null);
  const { status, body } = await server.call('PUT', '/v1/module', artifactOf(LEASE, change), asArtifact);
  expect([status, body.error]).toEqual([200, undefined]);
  return server;
}

describe('codes of values and signatures', () => {
  it('SVC_RUNTIME_VALIDATION_FAILED', async () => {
    const server = await serve();
    const ada = await withAda(server);
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
    const both = await server.call('POST', '/v1/dispatch/query', inBody, { 'x-tenant-id': 'b' });
    expectCode(both, 'SVC_RUNTIME_VALIDATION_FAILED');
  });

  it('SVC_RUNTIME_UNKNOWN_QUERY, SVC_RUNTIME_UNKNOWN_MUTATION, SVC_RUNTIME_UNKNOWN_COMPUTE, SVC_RUNTIME_UNKNOWN_CHECK', async () => {
    const server = await serve();
    expectCode(await server.query('lease::leeses'), 'SVC_RUNTIME_UNKNOWN_QUERY', /did you mean "lease::leases"/);
    expectCode(await server.mutation('lease::leases'), 'SVC_RUNTIME_UNKNOWN_MUTATION');
    expectCode(await server.compute('lease::sign'), 'SVC_RUNTIME_UNKNOWN_COMPUTE');
    expectCode(await server.call('GET', '/v1/checks?check=lease::tooMany'), 'SVC_RUNTIME_UNKNOWN_CHECK');
  });

  it('SVC_RUNTIME_CHECK_VIOLATION, and nothing is kept', async () => {
    const server = await serve();
    const tenant = await withAda(server);
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
    expect((await server.query('lease::leases')).body.result).toHaveLength(1);
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

  it('SVC_RUNTIME_CAPABILITY_DENIED, where a mutation forgets and the server does not grant it', async () => {
    const forgetting = `${LEASE}pub mutation erase(p: Person) { forget p }`;
    const server = await serve(forgetting, { onDisk: true });
    const { body } = await server.mutation('lease::addPerson', { name: 'Nobody Known' });
    const denied = await server.mutation('lease::erase', { surplus: true });
    expectCode(denied, 'SVC_RUNTIME_CAPABILITY_DENIED');
    expect(denied.body.error.details.capability).toBe('forget');
    await server.stop();

    const granting = await serve(forgetting, { onDisk: true, folder: server.folder, grant: ['forget'] });
    const erased = await granting.mutation('lease::erase', { p: body.result.$id });
    expect(erased).toMatchObject({ status: 200, body: { events: [{ kind: 'forgetIndividual' }] } });
    const data = join(server.folder, 'data');
    for (const name of await readdir(data)) {
      expect((await readFile(join(data, name))).includes('Nobody Known')).toBe(false);
    }
  });

  it('SVC_RUNTIME_UNKNOWN_ROUTE, SVC_RUNTIME_METHOD_NOT_ALLOWED', async () => {
    const server = await serve();
    expectCode(await server.call('GET', '/v1/nothing'), 'SVC_RUNTIME_UNKNOWN_ROUTE');
    expectCode(await server.call('PATCH', '/v1/module'), 'SVC_RUNTIME_METHOD_NOT_ALLOWED');
  });
});

describe('codes of limits', () => {
  it('SVC_RUNTIME_RESULT_TOO_LARGE, SVC_RUNTIME_INVALID_CURSOR', async () => {
    const server = await serve(LEASE, { limits: { rows: 2 } });
    for (const name of ['a', 'b', 'c']) await server.mutation('lease::addPerson', { name });
    const path = '/v1/individuals?class=lease::Person';
    expectCode(await server.call('GET', path), 'SVC_RUNTIME_RESULT_TOO_LARGE');
    const first = await server.call('GET', `${path}&limit=2`);
    const cursor: string = first.body.nextCursor;
    const rest = await server.call('GET', `${path}&limit=2&page=${cursor}`);
    const names = [...first.body.result, ...rest.body.result].map(({ name }: { name: string }) => name);
    expect([names, rest.body.nextCursor]).toEqual([['a', 'b', 'c'], undefined]);
    const tampered = cursor.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expectCode(await server.call('GET', `${path}&limit=2&page=${tampered}`), 'SVC_RUNTIME_INVALID_CURSOR');
    const elsewhere = `/v1/individuals?class=lease::Party&limit=2&page=${cursor}`;
    expectCode(await server.call('GET', elsewhere), 'SVC_RUNTIME_INVALID_CURSOR');
  });

  it('SVC_RUNTIME_REQUEST_TOO_LARGE', async () => {
    const server = await serve(LEASE, { limits: { bodyBytes: 100 } });
    expectCode(await server.mutation('lease::addPerson', { name: 'x'.repeat(100) }), 'SVC_RUNTIME_REQUEST_TOO_LARGE');
  });

  it('SVC_RUNTIME_REQUEST_TIMEOUT, and other requests are answered meanwhile', async () => {
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

describe('codes of evaluation', () => {
  it('SVC_RUNTIME_DERIVE_FAILED, SVC_RUNTIME_EXPLAIN_FAILED', async () => {
    const server = await serve();
    const tenant = await withAda(server);
    const { body } = await server.mutation('lease::sign', { tenant, code: 'L1', rent: 1 });
    const failed = await server.query('lease::shares');
    expectCode(failed, 'SVC_RUNTIME_DERIVE_FAILED');
    expect(failed.body.error.details.rule).toBe('lease::share');
    const explain = (relation: string, tuple: unknown[]) => server.call('POST', '/v1/explain', { relation, tuple });
    const explained = await explain('lease::share', [body.result.$id, '1']);
    expectCode(explained, 'SVC_RUNTIME_EXPLAIN_FAILED');
    expect(explained.body.error.details.relation).toBe('lease::share');
    expectCode(await explain('lease::shore', []), 'SVC_RUNTIME_EXPLAIN_FAILED', /lease::share/);
    expectCode(await server.call('GET', '/v1/derived/facts/nonsense/explain'), 'SVC_RUNTIME_EXPLAIN_FAILED');
  });

  it('SVC_RUNTIME_FORK_NOT_DERIVED before a derive and after a later write', async () => {
    const server = await serve();
    const derived = () => server.call('GET', '/v1/forks/main/derived');
    const trace = () => server.call('GET', '/v1/forks/main/derive/trace');
    expectCode(await derived(), 'SVC_RUNTIME_FORK_NOT_DERIVED');
    expectCode(await trace(), 'SVC_RUNTIME_FORK_NOT_DERIVED');
    expectCode(await server.call('POST', '/v1/forks/other/derive'), 'SVC_RUNTIME_FORK_NOT_FOUND');
    const tenant = await withAda(server);
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

  it('SVC_RUNTIME_EXPLAIN_BAD_TUPLE, SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL', async () => {
    const server = await serve();
    const explain = (relation: string, tuple: unknown[]) => server.call('POST', '/v1/explain', { relation, tuple });
    expectCode(await explain('lease::active', []), 'SVC_RUNTIME_EXPLAIN_BAD_TUPLE');
    const bad = await explain('lease::tenantOf', ['#i1', 7]);
    expectCode(bad, 'SVC_RUNTIME_EXPLAIN_BAD_TUPLE');
    expect(bad.body.error.details.position).toBe(1);
    expectCode(await explain('lease::active', ['@ghost']), 'SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL');
    expectCode(await explain('lease::active', ['ghost']), 'SVC_RUNTIME_EXPLAIN_UNRESOLVED_INDIVIDUAL');
    expect((await explain('lease::active', ['#i9'])).body.result.holds).toBe(false);
  });

  it('SVC_RUNTIME_COMPUTE_EVAL_FAILED, SVC_RUNTIME_QUERY_EVAL_FAILED by a fault in the expression', async () => {
    const server = await serve();
    expectCode(await server.compute('lease::part', { of: 1, by: 0 }), 'SVC_RUNTIME_COMPUTE_EVAL_FAILED');
    const tenant = await withAda(server);
    await server.mutation('lease::sign', { tenant, code: 'L1', rent: 1 });
    expectCode(await server.query('lease::inverse'), 'SVC_RUNTIME_QUERY_EVAL_FAILED');
  });

  it('SVC_RUNTIME_QUERY_EVAL_FAILED, SVC_RUNTIME_COMPUTE_EVAL_FAILED by a body that cannot be decoded', async () => {
    const server = await serveChanged((artifact) => {
      named(artifact.queries, 'lease::leases').body = { op: 'teleport' };
      named(artifact.functions, 'lease::yearly').body = { op: 'teleport' };
    });
    expectCode(await server.query('lease::leases'), 'SVC_RUNTIME_QUERY_EVAL_FAILED');
    expectCode(await server.compute('lease::yearly', { rent: 1 }), 'SVC_RUNTIME_COMPUTE_EVAL_FAILED');
    expect((await server.compute('lease::part', { of: 1, by: 2 })).body.result).toBe('0.5');
  });

  it('SVC_RUNTIME_CHECK_EVAL_FAILED', async () => {
    const server = await serveChanged((artifact) => {
      named(artifact.checks, 'lease::tooManyLeases').body = { op: 'teleport' };
    });
    expectCode(await server.call('GET', '/v1/checks'), 'SVC_RUNTIME_CHECK_EVAL_FAILED');
  });

  it('SVC_RUNTIME_NAV_FIELD_RESOLVE_FAILED', async () => {
    const server = await serve();
    const ada = await withAda(server);
    const bo = await withAda(server);
    const { body } = await server.mutation('lease::sign', { tenant: ada, code: 'L1', rent: 900 });
    for (const person of [ada, bo]) await server.mutation('lease::giveKey', { lease: body.result.$id, person });
    expectCode(await server.query('lease::leases'), 'SVC_RUNTIME_NAV_FIELD_RESOLVE_FAILED', /keeper/);
  });

  it('SVC_RUNTIME_META_RESOLVE_FAILED', async () => {
    const server = await serve(`${LEASE}\npub define Odd(l: Lease) when 100 / (l.rent - 1) > 1`);
    const tenant = await withAda(server);
    expectCode(
      await server.mutation('lease::sign', { tenant, code: 'L1', rent: 1 }),
      'SVC_RUNTIME_META_RESOLVE_FAILED',
    );
  });

  it('SVC_RUNTIME_UNSUPPORTED_QUERY_RESULT, SVC_RUNTIME_UNSUPPORTED_MUTATION_RESULT, SVC_RUNTIME_UNSUPPORTED_QUERY_BODY', async () => {
    const opaque = { kind: 'extern', path: 'lease::Scan' };
    const server = await serveChanged((artifact) => {
      const span = artifact.concepts?.[0]?.span ?? artifact.schema.concepts[0].span;
      artifact.schema.externTypes.push({ path: 'lease::Scan', public: true, span });
      named(artifact.queries, 'lease::shares').result = { kind: 'list', of: opaque };
      named(artifact.mutations, 'lease::addPerson').result = opaque;
      named(artifact.functions, 'lease::yearly').body = { op: 'extern' };
      named(artifact.queries, 'lease::pairs').body = {
        op: 'value',
        value: {
          op: 'call',
          function: 'lease::yearly',
          args: [{ op: 'constant', type: { kind: 'scalar', name: 'Decimal' }, value: '1' }],
          span,
        },
      };
    });
    expectCode(await server.query('lease::shares'), 'SVC_RUNTIME_UNSUPPORTED_QUERY_RESULT');
    expectCode(await server.mutation('lease::addPerson', { name: 'A' }), 'SVC_RUNTIME_UNSUPPORTED_MUTATION_RESULT');
    expectCode(await server.query('lease::pairs'), 'SVC_RUNTIME_UNSUPPORTED_QUERY_BODY');
    expectCode(await server.compute('lease::yearly', { rent: 1 }), 'SVC_RUNTIME_UNKNOWN_COMPUTE');
  });
});

describe('codes of modules and scopes', () => {
  it('SVC_RUNTIME_MODULE_NOT_LOADED where there is none', async () => {
    const server = await serve(null);
    expectCode(await server.call('GET', '/v1/schema'), 'SVC_RUNTIME_MODULE_NOT_LOADED');
    expectCode(await server.query('lease::leases'), 'SVC_RUNTIME_MODULE_NOT_LOADED');
    expectCode(await server.call('POST', '/v1/module/reload'), 'SVC_RUNTIME_MODULE_NOT_LOADED');
    expect((await server.call('GET', '/v1/health')).body).toMatchObject({
      moduleHash: '',
      result: { module: { loaded: false } },
    });
  });

  it('SVC_RUNTIME_MODULE_NOT_LOADED where a reload fails, and the prior module keeps serving', async () => {
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
    const told = await server.call('GET', '/v1/module');
    expect(told.body.result.lastFailure).toMatchObject({ code: 'SVC_RUNTIME_MODULE_NOT_LOADED', diagnostics: [{}] });
  });

  it('SVC_RUNTIME_MODULE_INCOMPATIBLE, and the prior module keeps serving', async () => {
    const server = await serve();
    const tenant = await withAda(server);
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

  it('SVC_RUNTIME_SCOPE_ID_COLLISION', async () => {
    const server = await serve(LEASE, { scopeIdBits: 4 });
    const answers: Answer[] = [];
    for (let tenant = 0; tenant < 17; tenant++) {
      answers.push(await server.query('lease::leases', {}, { 'x-tenant-id': `tenant-${tenant}` }));
    }
    const collided = answers.filter(({ status }) => status !== 200);
    expect(collided.length).toBeGreaterThan(0);
    for (const answer of collided) expectCode(answer, 'SVC_RUNTIME_SCOPE_ID_COLLISION');
  });

  it('SVC_RUNTIME_SCHEMA_MISMATCH, which a start may accept', async () => {
    const first = await serveModule(LEASE, { onDisk: true });
    await withAda(first);
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
  it('SVC_RUNTIME_STORAGE_UNREACHABLE, SVC_RUNTIME_STORAGE_ERROR while the data directory is gone', async () => {
    const server = await serve(LEASE, { onDisk: true });
    await withAda(server);
    await rm(join(server.folder, 'data'), { recursive: true });
    expectCode(await server.call('GET', '/readyz'), 'SVC_RUNTIME_STORAGE_UNREACHABLE');
    expectCode(await server.call('GET', '/v1/health'), 'SVC_RUNTIME_STORAGE_UNREACHABLE');
    expectCode(await server.mutation('lease::addPerson', { name: 'Bo' }), 'SVC_RUNTIME_STORAGE_ERROR');
    expect((await server.call('GET', '/healthz')).status).toBe(200);
    expect((await server.call('GET', '/v1/individuals?class=lease::Person')).body.result).toHaveLength(1);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: what is found is about to be broken.
function named(declarations: { path: string }[], path: string): any {
  const found = declarations.find((declaration) => declaration.path === path);
  expect(found, path).toBeDefined();
  return found;
}
