/**
 * Random requests to every route. Each gets a response as in the OpenAPI document, never a fault, and the next one is not affected.
 * `ENTAIL_FUZZ_REQUESTS` makes the run longer, `ENTAIL_FUZZ_SEED` repeats one.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ERROR_REGISTRY, type ErrorCode } from '../api/errors.js';
import type { ServedSchema } from '../api/schemas/module-schemas.js';
import { errorEnvelopeSchema } from '../api/schemas/schemas.js';
import { RUNS_ALL, runs } from '../base/testing/property-runs.js';
import type { ApiDocument } from './http/api-document.js';
import { checkContract } from './testing/contract.js';
import { FUZZ_BODY_MAX } from './testing/fuzz-bodies.js';
import { fuzzRequests, piecesOf } from './testing/fuzz-requests.js';
import { exchange, type RawResponse } from './testing/raw-http.js';
import { type RealServer, removeFolder, serveModule } from './testing/real.js';

const MODULE = `
module lease
context tenantId: Text?
enum Status { draft, signed }
pub concept Party { name: Text }
pub concept Person is Party { born: Date?, boss: Person? }
pub concept Lease { code: Text, rent: Decimal where value > 0, status: Status = draft, tenants: [Person] via tenantOf }
pub relation tenantOf(lease: Lease, tenant: Person)
pub individual acme: Party { name: "Acme Ltd" }
pub individual ada: Person { name: "Ada" }
pub derive active(l: Lease) when l.status == signed, tenantOf(l, _)
pub derive above(a: Person, b: Person) when Person(b), let a = b.boss
pub derive above(a: Person, c: Person) when above(a, b), Person(c), c.boss == b
pub derive share(l: Lease, part: Decimal) when Lease(l), let part = 100 / (l.rent - 1)
pub define Tenant(p: Person) when tenantOf(_, p)
pub check dear(l: Lease) when Lease(l), l.rent > 5000 severity warning message "lease {l.code} is dear"
pub check circle(p: Person) when above(p, p) severity blocking message "{p.name} is their own boss"
pub query leases(least: Decimal?) -> [Lease] { select l where Lease(l) order by l.code }
pub query named(name: Text, born: Date?) -> [Person] { select p where Person(p), p.name == name }
pub query shares() -> [Decimal] { select part where share(_, part) }
pub mutation addPerson(name: Text, born: Date?) -> Person { return insert Person { name: name, born: born } }
pub mutation promote(p: Person, boss: Person?) { set p.boss = boss }
pub mutation sign(tenant: Person, code: Text, rent: Decimal, status: Status) -> Lease {
  let l = insert Lease { code: code, rent: rent, status: status }
  insert tenantOf(l, tenant)
  return l
}
pub mutation remove(l: Lease) { delete l }
pub mutation erase(p: Person) { forget p }
pub fn yearly(rent: Decimal) -> Decimal = rent * 12
pub fn part(of: Int, by: Int) -> Decimal = of / by
`;

const REQUESTS = Number(process.env['ENTAIL_FUZZ_REQUESTS'] ?? runs(600));
const SEED = Number(process.env['ENTAIL_FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const LIMITS = { bodyBytes: FUZZ_BODY_MAX, rows: 100, timeoutMs: 2_000, explainNodes: 200, batchSteps: 3 };

let server: RealServer;
beforeAll(async () => {
  server = await serveModule(MODULE, { limits: LIMITS, grant: ['fork', 'forget', 'reload'] });
  const { body } = await server.mutation('lease::addPerson', { name: 'Bo', born: null });
  await server.mutation('lease::sign', { tenant: body.result.$id, code: 'L1', rent: 900, status: 'signed' });
});
afterAll(async () => {
  await server.stop();
  await removeFolder(server.folder);
});

it(`responds to any request as the OpenAPI document says, and serves the next one (seed ${SEED})`, {
  timeout: 60_000 + REQUESTS * 100,
}, async () => {
  const document: ApiDocument = (await server.call('GET', '/v1/openapi.json')).body;
  const schema: ServedSchema = (await server.call('GET', '/v1/schema')).body.result;
  const port = Number(new URL(server.running.url).port);
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fuzzRequests(document, schema), async (request) => {
      const answers = await exchange(port, piecesOf(request, server.running.token));
      expect(answers).toHaveLength(1);
      for (const answer of answers) {
        seen.add(answer.status);
        await examine(answer, request.method, request.target);
      }
      await expectUnharmed();
    }),
    { numRuns: REQUESTS, seed: SEED },
  );
  // Requests that are all refused would test little.
  if (RUNS_ALL) expect([200, 400, 404].filter((status) => !seen.has(status))).toEqual([]);
});

/** A tenant without requests still has its first facts. */
async function expectUnharmed(): Promise<void> {
  const { status, body } = await server.query('lease::named', { name: 'Ada' }, { 'x-tenant-id': 'unharmed' });
  expect([status, body.error, body.result?.[0]?.$id]).toEqual([200, undefined, '@lease::ada']);
  expect(({} as { x?: number }).x).toBeUndefined();
}

async function examine({ status, headers, body }: RawResponse, method: string, target: string): Promise<void> {
  for (const leak of [server.folder, process.cwd(), 'node_modules', '\n    at ']) expect(body).not.toContain(leak);
  expect(headers['x-injected']).toBeUndefined();
  const contentType = headers['content-type'] ?? '';
  const requestId = headers['x-request-id'] ?? null;
  await checkContract({ method, path: target, status, contentType, requestId, text: body });
  if (status < 400 || method === 'HEAD') return;
  const { error } = errorEnvelopeSchema.parse(JSON.parse(body));
  expect(error.code).not.toBe('SVC_RUNTIME_INTERNAL_ERROR');
  expect(status).toBe(ERROR_REGISTRY[error.code as ErrorCode].status);
  expect(error.message).not.toMatch(/^$|TypeError|RangeError|Cannot read|is not a function/);
}
