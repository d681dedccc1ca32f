/** Requests with injected faults, and servers in the states that some faults need. */

import { expect } from 'vitest';
import type { Capability } from '../../api/schemas/health-schemas.js';
import { rememberScopeIds } from '../../world/state/scope-id.js';
import { compileToBytes } from '../modules/compile.js';
import type { TestResponse } from './http.js';
import { type RealServer, removeFolder, serveModule } from './real.js';

const MODULE = `
module lease

context tenantId: Text
context level: Int?

extern type Scan
extern fn scan(name: Text) -> Scan
extern fn scanned(name: Text) -> Int

pub concept Person { name: Text }
pub concept Odd { n: Int }
pub individual odd: Odd { n: 0 }
pub relation knows(a: Person, b: Person)
fact knows(@ada, @ada)
pub individual ada: Person { name: "Declared" }

pub derive linked(a: Person, b: Person) when knows(a, b)
pub derive linkedFails(a: Person, b: Person) when knows(a, b), Odd(o), 1 div o.n > 0
pub define Broken(o: Odd) when 1 div o.n > 0
pub check lonely(p: Person) when Person(p), not knows(p, _) severity warning message "alone"
pub check lonelyFails(o: Odd) when Odd(o), 1 div o.n > 0 severity warning message "broken"

pub fn share(p: Text where length(value) > 0, by: Decimal) -> Decimal = if p == "" then 0 else 1 / by
pub fn shareExtern(p: Text, by: Decimal) -> Decimal = if scanned(p) > 0 then by else 0

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

function artifactOf(text: string): Uint8Array {
  const { bytes, diagnostics } = compileToBytes([{ file: 'lease.entail', text }]);
  if (bytes === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return bytes;
}

/** The module that the servers run. */
export const ARTIFACT = artifactOf(MODULE);
/** A module that stored facts do not fit. */
export const MISFIT = artifactOf(MODULE.replace('{ name: Text }', '{ name: Text where value != "Ada" }'));

export const BODY_BYTES = 100_000;
const SCOPE_ID_BITS = 8;
const scopeIdOf = rememberScopeIds(SCOPE_ID_BITS);
const TENANT = 'tenant';
export const COLLIDING = Array.from({ length: 10_000 }, (_, index) => `other-${index}`).find(
  (other) => scopeIdOf(other) === scopeIdOf(TENANT),
);

/** The subject of a request; each kind of request puts its parts in different places. */
export interface Subject {
  /** The path of a callable, relation, class or check. */
  path?: string;
  args?: Record<string, unknown>;
  source?: string;
  /** The id of an individual or a fact, or of a fork to create. */
  id?: string;
  tuple?: unknown[];
  /** The parent of a new fork. */
  from?: string;
  /** The fork to compare with. */
  other?: string;
  artifact?: Uint8Array;
}

/** A request to send, and the server that it needs. Faults modify both. */
export interface Attempt {
  readonly server: { module: boolean; recorded: 'same' | 'changed'; adhoc: boolean; grant: Capability[] };
  method: string;
  /** Appended to the path of the kind. */
  suffix: string;
  readonly forkIn: 'path' | 'header' | 'body';
  fork: string | undefined;
  readonly headers: Record<string, string>;
  readonly query: Record<string, string>;
  readonly subject: Subject;
  /** Applied to the text of the body. */
  readonly text: ((text: string) => string)[];
}

export interface RequestKind {
  readonly method?: 'GET' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/v1`, or below the fork if the path names one. */
  readonly path: (subject: Subject) => string;
  readonly forkIn?: Attempt['forkIn'];
  readonly fork?: string;
  readonly query?: (subject: Subject) => Record<string, string>;
  readonly subject?: Subject;
  /** Absent without a body. */
  readonly body?: (subject: Subject) => object;
}

export function attemptOf({ method, forkIn = 'header', fork, subject }: RequestKind): Attempt {
  return {
    server: { module: true, recorded: 'same', adhoc: true, grant: ['fork', 'reload'] },
    method: method ?? 'POST',
    suffix: '',
    forkIn,
    fork,
    headers: { 'x-tenant-id': TENANT },
    query: {},
    subject: { ...subject },
    text: [],
  };
}

export async function send(kind: RequestKind, attempt: Attempt): Promise<TestResponse> {
  const { server, method, suffix, forkIn, fork, headers, query, subject, text } = attempt;
  const { call } = await serverFor(server);
  const below = forkIn === 'path' ? `/forks/${fork}` : '';
  const search = new URLSearchParams({ ...kind.query?.(subject), ...query }).toString();
  const body = kind.body?.({ ...subject, ...(forkIn === 'body' && fork !== undefined && { fork }) });
  const type = body instanceof Uint8Array ? 'application/vnd.entail.artifact+json' : 'application/json';
  const json = body instanceof Uint8Array ? new TextDecoder().decode(body) : JSON.stringify(body);
  return call(
    method,
    `/v1${below}${kind.path(subject)}${suffix}${search && `?${search}`}`,
    body && text.reduce((sent, change) => change(sent), json),
    {
      ...(body && { 'content-type': type }),
      ...(forkIn === 'header' && fork !== undefined && { 'x-fork-id': fork }),
      ...headers,
    },
  );
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

/** Starts a server with a person `#i1` and with open and closed forks, in the scope of the tenant. */
async function start({ module, recorded, adhoc, grant }: Attempt['server']): Promise<RealServer> {
  expect(COLLIDING).toBeDefined();
  const options = { scopeIdBits: SCOPE_ID_BITS, adhoc, limits: { bodyBytes: BODY_BYTES }, onDisk: true };
  const first = await serveModule(MODULE, options);
  const headers = { 'x-tenant-id': TENANT };
  await first.mutation('lease::add', { name: 'Ada' }, headers);
  for (const id of ['open', 'closed', 'promotable', 'abortable', 'spare']) {
    await first.call('POST', '/v1/forks', { id }, headers);
  }
  const closed = await first.call('DELETE', '/v1/forks/closed', undefined, headers);
  expect(closed.body.result?.status).toBe('aborted');
  await first.stop();
  const text = module ? (recorded === 'changed' ? CHANGED : MODULE) : undefined;
  const server = await serveModule(text, { ...options, folder: first.folder, grant });
  return server;
}

export async function stopServers(): Promise<void> {
  for (const starting of servers.values()) {
    const server = await starting;
    await server.stop();
    await removeFolder(server.folder);
  }
}
