/**
 * Where a request has two faults at once, which of them is told: the one that stands first in the order of the API.
 * Each kind of request lists its faults in that order, and every two of them that can be had together are tried.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../api/errors.js';
import { rememberScopeIds } from '../world/scope-id.js';
import { expectCode } from './testing/expect-code.js';
import { type RealServer, removeFolder, serveModule } from './testing/real.js';

const MODULE = `
module lease

context tenantId: Text

extern type Scan
extern fn scan(name: Text) -> Scan
extern fn scanned(name: Text) -> Int

pub concept Person { name: Text }

pub query find(p: Text where length(value) > 0, by: Decimal) -> [Decimal] { select 1 / by where Person(_), p != "" }
pub query findOpaque(p: Text, by: Decimal) -> [Scan] { select scan(p) where Person(_), by > 0 }
pub query findExtern(p: Text, by: Decimal) -> [Decimal] { select by where Person(_), scanned(p) > 0 }
pub query findOpaqueExtern(p: Text, by: Decimal) -> [Scan] { select scan(p) where Person(_), scanned(p) > 0, by > 0 }

pub mutation add(name: Text) -> Person { return insert Person { name: name } }
pub mutation run(p: Person, by: Decimal) -> Decimal { set p.name = "Ada" return 1 / by }
pub mutation runOpaque(p: Person, by: Decimal) -> Scan { require by > 0 message "" set p.name = "" return scan(p.name) }
pub mutation runForget(p: Person, by: Decimal) -> Decimal { forget p return 1 / by }
pub mutation runOpaqueForget(p: Person, by: Decimal) -> Scan { require by > 0 message "" forget p return scan("") }
`;
const CHANGED = MODULE.replace('{ name: Text }', '{ name: Text, born: Date? }');

const SCOPE_ID_BITS = 8;
const scopeIdOf = rememberScopeIds(SCOPE_ID_BITS);
const TENANT = 'tenant';
const COLLIDING = Array.from({ length: 10_000 }, (_, index) => `other-${index}`).find(
  (other) => scopeIdOf(other) === scopeIdOf(TENANT),
);

/** A request before it is sent, and what the server must be for it; faults change it. */
interface Attempt {
  readonly server: { module: boolean; recorded: 'same' | 'changed'; adhoc: boolean; fork: boolean };
  method: string;
  /** Below `/v1`. */
  path: string;
  /** Under a fork's path, where there is one. */
  inPath: string | undefined;
  readonly headers: Record<string, string>;
  readonly body: { path?: string; source?: string; args?: Record<string, unknown>; fork?: string };
  /** What becomes of the body's text. */
  readonly text: ((text: string) => string)[];
}

interface Fault {
  readonly code: ErrorCode;
  /** Tells faults of one code apart. */
  readonly message?: RegExp;
  /** Two that take the same part of a request cannot be had together. */
  readonly takes?: 'tenant' | 'fork' | 'callable' | 'source';
  apply(attempt: Attempt): void;
}

/** A callable that has the trait beside those it has already. */
const trait = (name: string) => (attempt: Attempt) => {
  if (attempt.body.path !== undefined) attempt.body.path += name;
};

/** In the order of precedence. */
const FAULTS = {
  access: {
    code: 'SVC_RUNTIME_CAPABILITY_DENIED',
    message: /token/,
    apply: ({ headers }) => {
      headers['authorization'] = 'Bearer of-another-server';
    },
  },
  route: {
    code: 'SVC_RUNTIME_UNKNOWN_ROUTE',
    apply: (attempt) => {
      attempt.path += '/nowhere';
    },
  },
  method: {
    code: 'SVC_RUNTIME_METHOD_NOT_ALLOWED',
    apply: (attempt) => {
      attempt.method = 'PATCH';
    },
  },
  capability: {
    code: 'SVC_RUNTIME_CAPABILITY_DENIED',
    message: /"fork"/,
    apply: ({ server }) => {
      server.fork = false;
    },
  },
  size: { code: 'SVC_RUNTIME_REQUEST_TOO_LARGE', apply: ({ text }) => text.push((json) => json.padEnd(5000)) },
  parse: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /JSON/,
    apply: ({ text }) => text.unshift((json) => json.replace('{', '')),
  },
  module: {
    code: 'SVC_RUNTIME_MODULE_NOT_LOADED',
    apply: ({ server }) => {
      server.module = false;
    },
  },
  adhocDisabled: {
    code: 'SVC_RUNTIME_ADHOC_DISABLED',
    apply: ({ server }) => {
      server.adhoc = false;
    },
  },
  adhocSyntax: {
    code: 'SVC_RUNTIME_ADHOC_PREPARATION_FAILED',
    takes: 'source',
    apply: ({ body }) => {
      body.source = 'mutation (';
    },
  },
  adhocTypes: {
    code: 'SVC_RUNTIME_ADHOC_TYPE_ERROR',
    takes: 'source',
    apply: ({ body }) => {
      body.source = 'mutation adhoc(p: Persona) { forget p }';
    },
  },
  context: {
    code: 'SVC_RUNTIME_MISSING_CONTEXT',
    takes: 'tenant',
    apply: ({ headers }) => {
      delete headers['x-tenant-id'];
    },
  },
  collision: {
    code: 'SVC_RUNTIME_SCOPE_ID_COLLISION',
    takes: 'tenant',
    apply: ({ headers }) => {
      headers['x-tenant-id'] = String(COLLIDING);
    },
  },
  schema: {
    code: 'SVC_RUNTIME_SCHEMA_MISMATCH',
    apply: ({ server }) => {
      server.recorded = 'changed';
    },
  },
  forkConflict: {
    code: 'SVC_RUNTIME_FORK_CONFLICT',
    apply: (attempt) => {
      attempt.headers['x-fork-id'] = 'open';
      if (attempt.inPath === undefined) attempt.body.fork ??= 'main';
    },
  },
  forkAbsent: { code: 'SVC_RUNTIME_FORK_NOT_FOUND', takes: 'fork', apply: onFork('ghost') },
  forkClosed: { code: 'SVC_RUNTIME_FORK_CLOSED', takes: 'fork', apply: onFork('closed') },
  query: { code: 'SVC_RUNTIME_UNKNOWN_QUERY', takes: 'callable', apply: trait('Nowhere') },
  mutation: { code: 'SVC_RUNTIME_UNKNOWN_MUTATION', takes: 'callable', apply: trait('Nowhere') },
  queryResult: { code: 'SVC_RUNTIME_UNSUPPORTED_QUERY_RESULT', apply: trait('Opaque') },
  mutationResult: { code: 'SVC_RUNTIME_UNSUPPORTED_MUTATION_RESULT', apply: trait('Opaque') },
  queryBody: { code: 'SVC_RUNTIME_UNSUPPORTED_QUERY_BODY', apply: trait('Extern') },
  forget: {
    code: 'SVC_RUNTIME_CAPABILITY_DENIED',
    message: /"forget"/,
    apply: (attempt) => {
      trait('Forget')(attempt);
      const { source } = attempt.body;
      if (source !== undefined) attempt.body.source = source.replace('set p.name = "Ada"', 'forget p');
    },
  },
  signature: {
    code: 'SVC_RUNTIME_SIGNATURE_MISMATCH',
    apply: ({ body }) => {
      body.args = { ...body.args, surplus: 1 };
    },
  },
  values: {
    code: 'SVC_RUNTIME_VALIDATION_FAILED',
    message: /argument "p"/,
    apply: ({ body }) => {
      body.args = { ...body.args, p: '' };
    },
  },
  queryFails: { code: 'SVC_RUNTIME_QUERY_EVAL_FAILED', apply: dividingByZero },
  computeFails: { code: 'SVC_RUNTIME_COMPUTE_EVAL_FAILED', apply: dividingByZero },
} satisfies Record<string, Fault>;

type FaultName = keyof typeof FAULTS;

function onFork(fork: string): (attempt: Attempt) => void {
  return (attempt) => {
    if (attempt.inPath === undefined) attempt.body.fork = fork;
    else attempt.inPath = fork;
  };
}

function dividingByZero({ body }: Attempt): void {
  body.args = { ...body.args, by: 0 };
}

interface Kind {
  readonly path: string;
  readonly inPath?: string;
  readonly body: Attempt['body'];
  readonly faults: readonly FaultName[];
}

const BEFORE_MODULE: readonly FaultName[] = ['access', 'route', 'method', 'size', 'parse', 'module'];
const PLACE: readonly FaultName[] = ['context', 'collision', 'schema', 'forkConflict', 'forkAbsent'];
const ADHOC: readonly FaultName[] = ['adhocDisabled', 'adhocSyntax', 'adhocTypes'];

const KINDS: Readonly<Record<string, Kind>> = {
  'a query': {
    path: '/dispatch/query',
    body: { path: 'lease::find', args: { p: 'x', by: 1 } },
    faults: [...BEFORE_MODULE, ...PLACE, 'query', 'queryResult', 'queryBody', 'signature', 'values', 'queryFails'],
  },
  'a mutation': {
    path: '/dispatch/mutation',
    body: { path: 'lease::run', args: { p: '#i1', by: 1 } },
    faults: [
      ...BEFORE_MODULE,
      ...PLACE,
      'forkClosed',
      'mutation',
      'mutationResult',
      'forget',
      'signature',
      'values',
      'computeFails',
    ],
  },
  'a mutation under the path of a fork': {
    path: '/dispatch/mutation',
    inPath: 'main',
    body: { path: 'lease::run', args: { p: '#i1', by: 1 } },
    faults: [...BEFORE_MODULE, ...PLACE, 'forkClosed', 'mutation'],
  },
  'an ad-hoc mutation': {
    path: '/mutation/adhoc',
    body: {
      source: 'mutation adhoc(p: Person, by: Decimal) -> Decimal { set p.name = "Ada" return 1 / by }',
      args: { p: '#i1', by: 1 },
    },
    faults: [...BEFORE_MODULE, ...ADHOC, ...PLACE, 'forkClosed', 'forget', 'signature', 'values', 'computeFails'],
  },
  'a promotion': {
    path: '/promote',
    inPath: 'promotable',
    body: {},
    faults: ['access', 'route', 'method', 'capability', 'size', 'parse', 'module', ...PLACE, 'forkClosed'],
  },
};

/** A fault that no request can have beside the other: what is not there has no traits, and no source but one. */
function canBeHadTogether(first: FaultName, second: FaultName): boolean {
  const [one, other]: readonly Fault[] = [FAULTS[first], FAULTS[second]];
  if (one?.takes !== undefined && one.takes === other?.takes) return false;
  const ofCallable: readonly FaultName[] = ['queryResult', 'mutationResult', 'queryBody', 'forget'];
  return !(one?.takes === 'callable' && ofCallable.includes(second));
}

const servers = new Map<string, Promise<RealServer>>();

function serverFor(wish: Attempt['server']): Promise<RealServer> {
  const key = JSON.stringify(wish);
  const known = servers.get(key);
  if (known !== undefined) return known;
  const starting = start(wish);
  servers.set(key, starting);
  return starting;
}

/** One that has a person `#i1`, and forks that are open and closed, in the scope of the tenant. */
async function start({ module, recorded, adhoc, fork }: Attempt['server']): Promise<RealServer> {
  const options = { scopeIdBits: SCOPE_ID_BITS, adhoc, limits: { bodyBytes: 4000 }, onDisk: true };
  const first = await serveModule(MODULE, options);
  const headers = { 'x-tenant-id': TENANT };
  await first.mutation('lease::add', { name: 'Ada' }, headers);
  for (const id of ['open', 'closed', 'promotable']) await first.call('POST', '/v1/forks', { id }, headers);
  const closed = await first.call('DELETE', '/v1/forks/closed', undefined, headers);
  expect(closed.body.result?.status).toBe('aborted');
  await first.stop();
  const text = module ? (recorded === 'changed' ? CHANGED : MODULE) : undefined;
  return serveModule(text, { ...options, folder: first.folder, grant: fork ? ['fork'] : [] });
}

function attemptOf({ path, inPath, body }: Kind): Attempt {
  return {
    server: { module: true, recorded: 'same', adhoc: true, fork: true },
    method: 'POST',
    path,
    inPath,
    headers: { 'x-tenant-id': TENANT, 'content-type': 'application/json' },
    body: { ...body },
    text: [],
  };
}

async function send(attempt: Attempt) {
  const { server, method, path, inPath, headers, body, text } = attempt;
  const { call } = await serverFor(server);
  const sent = text.reduce((json, change) => change(json), JSON.stringify(body));
  return call(method, `/v1${inPath === undefined ? '' : `/forks/${inPath}`}${path}`, sent, headers);
}

beforeAll(() => expect(COLLIDING).toBeDefined());

afterAll(async () => {
  for (const starting of servers.values()) {
    const server = await starting;
    await server.stop();
    await removeFolder(server.folder);
  }
});

for (const [name, kind] of Object.entries(KINDS)) {
  describe(`of ${name}`, () => {
    const { faults } = kind;
    it('each fault alone is told, and without one it succeeds', async () => {
      for (const fault of faults) {
        const { code, message, apply }: Fault = FAULTS[fault];
        const attempt = attemptOf(kind);
        apply(attempt);
        expectCode(await send(attempt), code, message);
      }
      expect(await send(attemptOf(kind))).toMatchObject({ status: 200 });
    });

    for (const [at, first] of faults.slice(0, -1).entries()) {
      const others = faults.slice(at + 1).filter((second) => canBeHadTogether(first, second));
      it(`${first} comes before ${others.join(', ')}`, async () => {
        for (const second of others) {
          const { code, message }: Fault = FAULTS[first];
          const attempt = attemptOf(kind);
          for (const fault of [first, second]) FAULTS[fault].apply(attempt);
          const answer = await send(attempt);
          expect([second, answer.body.error?.code]).toEqual([second, code]);
          expectCode(answer, code, message);
        }
      });
    }
  });
}
