/**
 * The typed client of the `/v1` API, for the workbench and the command line: one method a route. It trusts the server's
 * bodies, which are typed by the same schemas, and turns every failure into an ApiFailure or a ConnectionFailure.
 */

import type { z } from 'zod';
import type { Collection, Collections, SaveCollectionRequest } from './collection-schemas.js';
import type { Explanation } from './explanation-schemas.js';
import { ApiFailure, ConnectionFailure } from './failures.js';
import { type FollowOptions, follow } from './follow.js';
import type {
  CreateForkRequest,
  DerivedProjection,
  DeriveTraceEntry,
  DiffLayer,
  ForkConflict,
  ForkDiffCount,
  ForkDiffRow,
  ForkInfo,
  Snapshot,
} from './fork-schemas.js';
import { headerBytes, headerOfContextField } from './headers.js';
import type { ErrorRowBody, Health } from './health-schemas.js';
import type {
  ArtifactDocument,
  ModuleChange,
  ModuleInfo,
  ModuleSources,
  SaveSourcesRequest,
  SaveSourcesResult,
  ServedSchema,
} from './module-schemas.js';
import type { RequestDetail, RequestFilter, RequestLogState, RequestSummary } from './request-log.js';
import type {
  AdhocRequest,
  BatchRequest,
  BatchStepResult,
  CheckState,
  DispatchRequest,
  Effects,
  Entity,
  ErrorEnvelope,
  ExplainAdhocRequest,
  ExplainRequest,
  Fact,
  Firing,
  ImportRequest,
  ImportSummary,
  JsonValue,
  ListedFact,
  ListFilter,
  RelationCount,
  successSchema,
  WireEvent,
} from './schemas.js';
import type { ModuleTestInfo, RunTestsRequest, TestResult } from './test-schemas.js';

/** What every success carries beside its `result`. */
type Frame = Omit<z.infer<ReturnType<typeof successSchema<z.ZodUnknown>>>, 'result'>;
export type Success<T> = { result: T } & Frame;
export type PageOf<T> = Success<T> & { nextCursor?: string };
export type ListOf<T> = PageOf<T[]> & { total?: number; labels?: Record<string, string> };
/** What a write answers beside its result; `txn` is null where nothing was kept. */
interface Written {
  txn: number | null;
  events: WireEvent[];
  warnings: Firing[];
}
export type MutationSuccess = Success<JsonValue> & Written & { effects?: Effects };
export type ImportSuccess = Success<ImportSummary> & { txn: number | null; warnings: Firing[] };
export type PromoteSuccess = Success<ForkInfo> & Written & { conflicts: ForkConflict[] };

export interface ClientOptions {
  /** The bare origin, e.g. `http://127.0.0.1:4711`; empty for the page's own. */
  readonly baseUrl: string;
  readonly token?: string;
  /** What the client calls itself; the log of requests shows it. */
  readonly name?: string;
  readonly fetch?: typeof fetch;
}

/** Where a request runs, and when to give it up. */
export interface CallOptions {
  readonly context?: Readonly<Record<string, string>>;
  readonly fork?: string;
  readonly signal?: AbortSignal;
}

export interface PageOptions extends CallOptions {
  readonly limit?: number;
  /** The `nextCursor` of the page before. */
  readonly page?: string;
}

interface SaveOptions extends CallOptions {
  /** Write and load nothing; tell what that would change. */
  readonly dryRun?: boolean;
  /** Keep scopes that the module does not fit under another id, instead of being refused. */
  readonly setAside?: boolean;
}

interface RequestListOptions extends PageOptions {
  readonly filter?: RequestFilter;
  /** Only those with a higher seq. */
  readonly after?: number;
}

/** A list in an order, narrowed, from a place of its own; see the route. */
export interface ListOptions extends PageOptions {
  readonly sort?: readonly string[];
  readonly filter?: readonly ListFilter[];
  readonly offset?: number;
  readonly total?: boolean;
  readonly include?: readonly ('labels' | 'origin')[];
}

export interface MutationOptions extends CallOptions {
  /** Answers as usual and keeps nothing. */
  readonly dryRun?: boolean;
  /** Tell every fact that changes, what follows included. */
  readonly effects?: boolean;
}

interface ExplainOptions extends CallOptions {
  /** Different proofs to give, at most. */
  readonly proofs?: number;
  /** Where the fact does not hold: which changes of stored facts would make it hold. */
  readonly suggest?: boolean;
}

interface Layered {
  /** Every layer where it is left out; only stored facts for the rows of a diff of two forks. */
  readonly layer?: DiffLayer;
}

interface DiffOptions extends PageOptions, Layered {
  /** This relation alone, whichever layer it is of. */
  readonly relation?: string;
}

type Query = Record<string, string | number | boolean | undefined>;

interface Message extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Query;
  readonly body?: unknown;
  /** `application/json` unless given. */
  readonly accept?: string;
  readonly lastEventId?: string | undefined;
  /** Sent as it is, with this content type. */
  readonly raw?: { readonly contentType: string; readonly text: string };
}

type Send = <T>(path: string, message?: Message) => Promise<T>;

export type Client = ReturnType<typeof createClient>;

export function createClient(options: ClientOptions) {
  const send: Send = (path, message = {}) => request(options, path, message);
  return {
    health: (call: CallOptions = {}) => send<Success<Health>>('/v1/health', call),
    module: (call: CallOptions = {}) => send<Success<ModuleInfo>>('/v1/module', call),
    /** Hot reload with the text of an artifact. */
    putModule: (artifact: string, call: CallOptions = {}) =>
      send<Success<ModuleInfo>>('/v1/module', {
        ...call,
        method: 'PUT',
        raw: { contentType: 'application/vnd.entail.artifact+json', text: artifact },
      }),
    reloadModule: (call: CallOptions = {}) =>
      send<Success<ModuleInfo>>('/v1/module/reload', { ...call, method: 'POST' }),
    artifact: (call: CallOptions = {}) => send<Success<ArtifactDocument>>('/v1/module/artifact', call),
    sources: (call: CallOptions = {}) => send<Success<ModuleSources>>('/v1/module/sources', call),
    saveSources: (body: SaveSourcesRequest, { dryRun, setAside, ...call }: SaveOptions = {}) =>
      send<Success<SaveSourcesResult>>('/v1/module/sources', {
        ...call,
        method: 'PUT',
        body,
        query: { dryRun, setAside },
      }),
    /** What the last load of a module changed. */
    moduleChange: (call: CallOptions = {}) => send<Success<ModuleChange | null>>('/v1/module/change', call),
    collections: (call: CallOptions = {}) => send<Success<Collections>>('/v1/module/collections', call),
    saveCollection: (name: string, body: SaveCollectionRequest, call: CallOptions = {}) =>
      send<Success<Collection>>(collectionPath(name), { ...call, method: 'PUT', body }),
    deleteCollection: (name: string, revision: string, call: CallOptions = {}) =>
      send<Success<null>>(collectionPath(name), { ...call, method: 'DELETE', query: { revision } }),
    schema: (call: CallOptions = {}) => send<Success<ServedSchema>>('/v1/schema', call),
    errors: (call: CallOptions = {}) => send<Success<ErrorRowBody[]>>('/v1/errors', call),
    query: (body: DispatchRequest, call: PageOptions = {}) =>
      send<PageOf<JsonValue>>('/v1/dispatch/query', { ...paged(call), method: 'POST', body }),
    mutation: (body: DispatchRequest, { dryRun, effects, ...call }: MutationOptions = {}) =>
      send<MutationSuccess>('/v1/dispatch/mutation', { ...call, method: 'POST', body, query: { dryRun, effects } }),
    compute: (body: DispatchRequest, call: CallOptions = {}) =>
      send<Success<JsonValue>>('/v1/dispatch/compute', { ...call, method: 'POST', body }),
    /** A query or derive as text. */
    queryAdhoc: (body: AdhocRequest, call: PageOptions = {}) =>
      send<PageOf<JsonValue>>('/v1/query/adhoc', { ...paged(call), method: 'POST', body }),
    /** A mutation as text. */
    mutateAdhoc: (body: AdhocRequest, { dryRun, effects, ...call }: MutationOptions = {}) =>
      send<MutationSuccess>('/v1/mutation/adhoc', { ...call, method: 'POST', body, query: { dryRun, effects } }),
    batch: (body: BatchRequest, call: CallOptions = {}) =>
      send<Success<BatchStepResult[]>>('/v1/batch', { ...call, method: 'POST', body }),
    /** One mutation for many rows, as one transaction. */
    import: (body: ImportRequest, { dryRun, ...call }: CallOptions & { readonly dryRun?: boolean } = {}) =>
      send<ImportSuccess>('/v1/import', { ...call, method: 'POST', body, query: { dryRun } }),
    checks: ({ check, ...call }: PageOptions & { readonly check?: string } = {}) =>
      send<PageOf<Firing[]>>('/v1/checks', paged(call, { check })),
    checkStates: (call: PageOptions = {}) => send<PageOf<CheckState[]>>('/v1/checks/states', paged(call)),
    ...testCalls(send),
    explain: (body: ExplainRequest, { proofs, suggest, ...call }: ExplainOptions = {}) =>
      send<Success<Explanation>>('/v1/explain', { ...call, method: 'POST', body, query: { proofs, suggest } }),
    /** A row of a derive as text. */
    explainAdhoc: (body: ExplainAdhocRequest, { proofs, ...call }: Omit<ExplainOptions, 'suggest'> = {}) =>
      send<Success<Explanation>>('/v1/query/adhoc/explain', { ...call, method: 'POST', body, query: { proofs } }),
    explainFact: (factId: string, { proofs, suggest, ...call }: ExplainOptions = {}) =>
      send<Success<Explanation>>(`/v1/derived/facts/${encodeURIComponent(factId)}/explain`, {
        ...call,
        query: { proofs, suggest },
      }),
    individuals: ({ class: classPath, ...call }: ListOptions & { readonly class?: string } = {}) =>
      send<ListOf<Entity>>('/v1/individuals', listed(call, { class: classPath })),
    individual: (id: string, call: CallOptions = {}) =>
      send<Success<Entity>>(`/v1/individuals/${encodeURIComponent(id)}`, call),
    relation: (path: string, call: ListOptions = {}) =>
      send<ListOf<ListedFact>>(`/v1/relations/${encodeURIComponent(path)}`, listed(call)),
    /** How many facts there are, as far as that is known without evaluating anything. */
    counts: (call: CallOptions = {}) => send<Success<RelationCount[]>>('/v1/counts', call),
    /** The stored facts that mention an individual. */
    storedOf: (id: string, call: PageOptions = {}) =>
      send<PageOf<ListedFact[]>>(`/v1/stored/individuals/${encodeURIComponent(id)}`, paged(call)),
    /** The derived facts that mention an individual. */
    derivedOf: (id: string, call: PageOptions = {}) =>
      send<PageOf<Fact[]>>(`/v1/derived/individuals/${encodeURIComponent(id)}`, paged(call)),
    /** The proofs of the same. */
    explainDerivedOf: (id: string, call: PageOptions = {}) =>
      send<PageOf<Explanation[]>>(`/v1/derived/individuals/${encodeURIComponent(id)}/explain`, paged(call)),
    snapshot: ({ include, ...call }: PageOptions & { readonly include?: 'derived' } = {}) =>
      send<PageOf<Snapshot>>('/v1/snapshot', paged(call, { include })),
    events: (call: PageOptions = {}) => send<PageOf<WireEvent[]>>('/v1/events', paged(call)),
    /** The events as they come, until the signal or a `break` ends it. */
    follow: (call: CallOptions & FollowOptions = {}) =>
      follow((lastEventId) => openStream(options, '/v1/events', { ...call, lastEventId }), call),
    requests: ({ after, filter, ...call }: RequestListOptions = {}) =>
      send<PageOf<RequestSummary[]> & { log: RequestLogState }>('/v1/requests', paged(call, { ...filter, after })),
    request: (requestId: string, call: CallOptions = {}) =>
      send<Success<RequestDetail>>(`/v1/requests/${encodeURIComponent(requestId)}`, call),
    ...forkMethods(send),
  };
}

function forkMethods(send: Send) {
  return {
    forks: (call: PageOptions = {}) => send<PageOf<ForkInfo[]>>('/v1/forks', paged(call)),
    createFork: (body: CreateForkRequest, call: CallOptions = {}) =>
      send<Success<ForkInfo>>('/v1/forks', { ...call, method: 'POST', body }),
    fork: (fork: string, call: CallOptions = {}) => send<Success<ForkInfo>>(forkPath(fork), call),
    abortFork: (fork: string, call: CallOptions = {}) =>
      send<Success<ForkInfo>>(forkPath(fork), { ...call, method: 'DELETE' }),
    promoteFork: (fork: string, { dryRun, ...call }: CallOptions & { readonly dryRun?: boolean } = {}) =>
      send<PromoteSuccess>(`${forkPath(fork)}/promote`, { ...call, method: 'POST', query: { dryRun } }),
    /** What promoting would take from the parent (left) and give to it (right), whatever its guards say. */
    promotion: (fork: string, { layer, relation, ...call }: DiffOptions = {}) =>
      send<PageOf<ForkDiffRow[]>>(`${forkPath(fork)}/promotion`, paged(call, { layer, relation })),
    promotionCounts: (fork: string, { layer, ...call }: CallOptions & Layered = {}) =>
      send<Success<ForkDiffCount[]>>(`${forkPath(fork)}/promotion/counts`, { ...call, query: { layer } }),
    /** Facts and firings that only one of the two has, `fork` being the left one. */
    diffForks: (
      fork: string,
      other: string,
      { derived, layer, relation, ...call }: DiffOptions & { readonly derived?: boolean } = {},
    ) => send<PageOf<ForkDiffRow[]>>(diffPath(fork, other), paged(call, { derived, layer, relation })),
    /** How many of them, by relation. */
    diffCounts: (fork: string, other: string, { layer, ...call }: CallOptions & Layered = {}) =>
      send<Success<ForkDiffCount[]>>(`${diffPath(fork, other)}/counts`, { ...call, query: { layer } }),
    /** Evaluates every rule on the fork; what that found is kept until the next write. */
    deriveFork: (fork: string, call: CallOptions = {}) =>
      send<Success<DerivedProjection>>(`${forkPath(fork)}/derive`, { ...call, method: 'POST' }),
    /** What the last derive found. */
    forkProjection: (fork: string, call: CallOptions = {}) =>
      send<Success<DerivedProjection>>(`${forkPath(fork)}/derived`, call),
    /** Its trace, round by round. */
    deriveTrace: (fork: string, call: PageOptions = {}) =>
      send<PageOf<DeriveTraceEntry[]> & { cut: boolean }>(`${forkPath(fork)}/derive/trace`, paged(call)),
  };
}

function testCalls(send: Send) {
  return {
    tests: (call: PageOptions = {}) =>
      send<PageOf<ModuleTestInfo[]> & { available: boolean; loadedAt: string }>('/v1/tests', paged(call)),
    /** Some tests, or all; where time runs short, `nextCursor` goes on. */
    runTests: (body: RunTestsRequest, call: PageOptions = {}) =>
      send<PageOf<TestResult[]>>('/v1/tests/run', { ...paged(call), method: 'POST', body }),
  };
}

function listed({ sort = [], filter = [], offset, total, include = [], ...call }: ListOptions, query: Query = {}) {
  return paged(call, {
    ...query,
    offset,
    total,
    ...(sort.length > 0 && { sort: sort.join(',') }),
    ...(filter.length > 0 && { filter: JSON.stringify(filter) }),
    ...(include.length > 0 && { include: include.join(',') }),
  });
}

function paged({ limit, page, ...call }: PageOptions, query: Query = {}) {
  return { ...call, query: { ...query, limit, page } };
}

function collectionPath(name: string): string {
  return `/v1/module/collections/${encodeURIComponent(name)}`;
}

function forkPath(fork: string): string {
  return `/v1/forks/${encodeURIComponent(fork)}`;
}

function diffPath(fork: string, other: string): string {
  return `${forkPath(fork)}/diff/${encodeURIComponent(other)}`;
}

async function request<T>(options: ClientOptions, path: string, message: Message): Promise<T> {
  const { status, text } = await exchange(options, path, message, async (response) => ({
    status: response.status,
    text: await response.text(),
  }));
  const body = parseBody(text);
  if (status < 400 && body !== undefined && 'result' in body) return body as T;
  throw failureOf(options, status, body);
}

async function openStream(
  options: ClientOptions,
  path: string,
  message: Message & { readonly lastEventId: string | undefined },
): Promise<ReadableStream<Uint8Array>> {
  return exchange(options, path, { ...message, accept: 'text/event-stream' }, async (response) => {
    const type = response.headers.get('content-type') ?? '';
    if (response.ok && response.body !== null && type.startsWith('text/event-stream')) return response.body;
    throw failureOf(options, response.status, parseBody(await response.text()));
  });
}

/** Sends, and reads the response. What breaks on the way is a ConnectionFailure, but for the caller's own abort. */
async function exchange<T>(
  options: ClientOptions,
  path: string,
  message: Message,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const url = options.baseUrl + path + queryText(message.query ?? {});
  const init: RequestInit = { method: message.method ?? 'GET', headers: headersOf(options, message) };
  if (message.body !== undefined) init.body = JSON.stringify(message.body);
  if (message.raw !== undefined) init.body = message.raw.text;
  if (message.signal !== undefined) init.signal = message.signal;
  try {
    return await read(await (options.fetch ?? fetch)(url, init));
  } catch (cause) {
    if (message.signal?.aborted === true || cause instanceof ApiFailure || cause instanceof ConnectionFailure) {
      throw cause;
    }
    throw new ConnectionFailure(`No answer from ${options.baseUrl || 'the server'}; is it running?`, { cause });
  }
}

function failureOf(options: ClientOptions, status: number, body: object | undefined): Error {
  if (body !== undefined && isEnvelope(body)) return new ApiFailure(status, body);
  return new ConnectionFailure(`${options.baseUrl || 'The server'} answered ${status} with what is no Entail answer.`);
}

function headersOf(options: ClientOptions, message: Message): Record<string, string> {
  const headers: Record<string, string> = { accept: message.accept ?? 'application/json' };
  if (message.body !== undefined) headers['content-type'] = 'application/json';
  if (message.raw !== undefined) headers['content-type'] = message.raw.contentType;
  if (options.name !== undefined) headers['x-entail-client'] = options.name;
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
  if (message.lastEventId !== undefined) headers['last-event-id'] = message.lastEventId;
  if (message.fork !== undefined) headers['x-fork-id'] = headerBytes(message.fork);
  for (const [field, text] of Object.entries(message.context ?? {})) {
    headers[headerOfContextField(field)] = headerBytes(text);
  }
  return headers;
}

function queryText(query: Query): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return '';
  return `?${pairs.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`).join('&')}`;
}

function parseBody(text: string): object | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

function isEnvelope(body: object): body is ErrorEnvelope {
  if (!('error' in body)) return false;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}
