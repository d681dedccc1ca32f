/**
 * The typed client of the `/v1` API, for the workbench and the command line: one method a route. It trusts the server's
 * bodies, which are typed by the same schemas, and turns every failure into an ApiFailure or a ConnectionFailure.
 */

import type { z } from 'zod';
import { type FollowOptions, follow } from './follow.js';
import type { BatchRequest, BatchStepResult } from './schemas/batch-schemas.js';
import type { Collection, Collections, SaveCollectionRequest } from './schemas/collection-schemas.js';
import type { Environment, Environments, SaveEnvironmentRequest } from './schemas/environment-schemas.js';
import type { ExplainRequest } from './schemas/explain-request.js';
import type { Explanation } from './schemas/explanation-schemas.js';
import type {
  CreateForkRequest,
  DerivedProjection,
  DeriveTraceEntry,
  DiffLayer,
  DiffSide,
  ForkConflict,
  ForkDiffCount,
  ForkDiffRow,
  ForkInfo,
  LabelForkRequest,
  PickRequest,
  Snapshot,
  UndoConflict,
} from './schemas/fork-schemas.js';
import type { ErrorRowBody, Health } from './schemas/health-schemas.js';
import type { ImportRequest, ImportSummary } from './schemas/import-schemas.js';
import type {
  ArtifactDocument,
  ModuleChange,
  ModuleInfo,
  ModuleSources,
  SaveSourcesRequest,
  SaveSourcesResult,
  ServedSchema,
} from './schemas/module-schemas.js';
import type { QueryProfile } from './schemas/profile-schemas.js';
import type { RequestDetail, RequestFilter, RequestLogState, RequestSummary } from './schemas/request-log.js';
import type {
  AdhocRequest,
  CheckState,
  DispatchRequest,
  Effects,
  Entity,
  ExplainAdhocRequest,
  ExplainRowRequest,
  Fact,
  Firing,
  JsonValue,
  ListCondition,
  ListedFact,
  ListedTransaction,
  RelationCount,
  successSchema,
  WireEvent,
  WireTransaction,
} from './schemas/schemas.js';
import type {
  CoverageRow,
  ModuleTestInfo,
  RunTestsRequest,
  TestResult,
  TriedTests,
  TryTestsRequest,
} from './schemas/test-schemas.js';
import { type CallOptions, type ClientOptions, type Message, openStream, type Query, request } from './transport.js';

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
export type ImportSuccess = Success<ImportSummary> & {
  txn: number | null;
  warnings: Firing[];
  effects?: Effects | undefined;
  names?: Record<string, string> | undefined;
};
export type PromoteSuccess = Success<ForkInfo> & Written & { conflicts: ForkConflict[] };

export type UndoSuccess = Success<ForkInfo> & Written & { conflicts: UndoConflict[] };

export type PickSuccess = Success<WireTransaction> & Written & { conflicts: ForkConflict[]; effects?: Effects };

type UndoTransactionSuccess = Success<WireTransaction> & Written & { conflicts: UndoConflict[] };

/** Of the transactions that tell of an individual, of a relation, or of both. */
interface HistoryOptions extends PageOptions {
  readonly first?: number;
  readonly individual?: string;
  readonly relation?: string;
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
  readonly filter?: readonly ListCondition[];
  readonly offset?: number;
  readonly total?: boolean;
  readonly include?: readonly ('labels' | 'origin')[];
}

export interface MutationOptions extends CallOptions {
  /** Answers as usual and keeps nothing. */
  readonly dryRun?: boolean;
  /** Tell every fact that changes, what follows included. */
  readonly effects?: boolean;
  /** Prove what it is refused for. */
  readonly explain?: boolean;
}

/** Of what is written over what a fork has. */
type OverOptions = Omit<MutationOptions, 'effects'>;

interface ExplainOptions extends CallOptions {
  /** Different proofs to give, at most. */
  readonly proofs?: number;
  /** Where the fact does not hold: which changes of stored facts would make it hold. */
  readonly suggest?: boolean;
  /** Where it holds: which changes would end it. */
  readonly ending?: boolean;
}

interface Kept {
  /** Conflicts in which the value of the parent is kept: `parent` for all of them, or JSON pairs of an individual and a field. */
  readonly keep?: string;
}

interface Layered {
  /** Every layer where it is left out; only stored facts for the rows of a diff of two forks. */
  readonly layer?: DiffLayer;
}

export interface DiffOptions extends PageOptions, Layered {
  /** This relation alone, whichever layer it is of. */
  readonly relation?: string;
  /** What these sides have; everything where it is left out. */
  readonly sides?: readonly DiffSide[];
}

type Send = <T>(path: string, message?: Message) => Promise<T>;

export type Client = ReturnType<typeof createClient>;

export function createClient(options: ClientOptions) {
  const send: Send = (path, message = {}) => request(options, path, message);
  return {
    health: (call: CallOptions = {}) => send<Success<Health>>('/v1/health', call),
    errors: (call: CallOptions = {}) => send<Success<ErrorRowBody[]>>('/v1/errors', call),
    ...moduleCalls(send),
    ...callableCalls(send),
    ...testCalls(send),
    ...factCalls(send),
    ...explanationCalls(send),
    /** The events as they come, until the signal or a `break` ends it. */
    follow: (call: CallOptions & FollowOptions = {}) =>
      follow<WireEvent>((lastEventId) => openStream(options, '/v1/events', { ...call, lastEventId }), call),
    /** The requests of the log as they end, until the signal or a `break` ends it. */
    followRequests: (call: CallOptions & FollowOptions = {}) =>
      follow<RequestSummary>((lastEventId) => openStream(options, '/v1/requests', { ...call, lastEventId }), call),
    requests: ({ after, filter, ...call }: RequestListOptions = {}) =>
      send<PageOf<RequestSummary[]> & { log: RequestLogState }>('/v1/requests', paged(call, { ...filter, after })),
    request: (requestId: string, call: CallOptions = {}) =>
      send<Success<RequestDetail>>(`/v1/requests/${encodeURIComponent(requestId)}`, call),
    ...forkCalls(send),
  };
}

function moduleCalls(send: Send) {
  return {
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
    environments: (call: CallOptions = {}) => send<Success<Environments>>('/v1/module/environments', call),
    saveEnvironment: (name: string, body: SaveEnvironmentRequest, call: CallOptions = {}) =>
      send<Success<Environment>>(environmentPath(name), { ...call, method: 'PUT', body }),
    deleteEnvironment: (name: string, revision: string, call: CallOptions = {}) =>
      send<Success<null>>(environmentPath(name), { ...call, method: 'DELETE', query: { revision } }),
    schema: (call: CallOptions = {}) => send<Success<ServedSchema>>('/v1/schema', call),
  };
}

function callableCalls(send: Send) {
  return {
    query: (body: DispatchRequest, call: PageOptions = {}) =>
      send<PageOf<JsonValue>>('/v1/dispatch/query', { ...paged(call), method: 'POST', body }),
    mutation: (body: DispatchRequest, { dryRun, effects, explain, ...call }: MutationOptions = {}) =>
      send<MutationSuccess>('/v1/dispatch/mutation', {
        ...call,
        method: 'POST',
        body,
        query: { dryRun, effects, explain },
      }),
    compute: (body: DispatchRequest, call: CallOptions = {}) =>
      send<Success<JsonValue>>('/v1/dispatch/compute', { ...call, method: 'POST', body }),
    /** A query or derive as text. */
    queryAdhoc: (body: AdhocRequest, call: PageOptions = {}) =>
      send<PageOf<JsonValue>>('/v1/query/adhoc', { ...paged(call), method: 'POST', body }),
    /** A mutation as text. */
    mutateAdhoc: (body: AdhocRequest, { dryRun, effects, explain, ...call }: MutationOptions = {}) =>
      send<MutationSuccess>('/v1/mutation/adhoc', {
        ...call,
        method: 'POST',
        body,
        query: { dryRun, effects, explain },
      }),
    batch: (body: BatchRequest, { dryRun, effects, explain, ...call }: MutationOptions = {}) =>
      send<Success<BatchStepResult[]>>('/v1/batch', {
        ...call,
        method: 'POST',
        body,
        query: { dryRun, effects, explain },
      }),
    /** One mutation for many rows, as one transaction. */
    import: (body: ImportRequest, { dryRun, effects, explain, ...call }: MutationOptions = {}) =>
      send<ImportSuccess>('/v1/import', { ...call, method: 'POST', body, query: { dryRun, effects, explain } }),
  };
}

/** What holds, what fires, and what has happened. */
function factCalls(send: Send) {
  return {
    checks: ({ check, ...call }: PageOptions & { readonly check?: string } = {}) =>
      send<PageOf<Firing[]>>('/v1/checks', paged(call, { check })),
    checkStates: (call: PageOptions = {}) => send<PageOf<CheckState[]>>('/v1/checks/states', paged(call)),
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
    snapshot: ({ include, ...call }: PageOptions & { readonly include?: 'derived' } = {}) =>
      send<PageOf<Snapshot>>('/v1/snapshot', paged(call, { include })),
    events: (call: PageOptions = {}) => send<PageOf<WireEvent[]>>('/v1/events', paged(call)),
    /** Those that made a fork, the last first, each with its first events, `first` at most. */
    transactions: ({ first, individual, relation, ...call }: HistoryOptions = {}) =>
      send<PageOf<ListedTransaction[]>>('/v1/transactions', paged(call, { first, individual, relation })),
    /** What one of them changed all in all, under the rules that are loaded now. */
    transactionEffects: (txn: number, call: CallOptions = {}) =>
      send<Success<Effects>>(`/v1/transactions/${txn}/effects`, call),
    /** Writes back on the fork what one of them wrote. */
    undoTransaction: (txn: number, { dryRun, explain, ...call }: OverOptions = {}) =>
      send<UndoTransactionSuccess>(`/v1/transactions/${txn}/undo`, {
        ...call,
        method: 'POST',
        query: { dryRun, explain },
      }),
    transaction: (txn: number, call: PageOptions = {}) =>
      send<PageOf<WireEvent[]> & { readonly transaction: WireTransaction }>(`/v1/transactions/${txn}`, paged(call)),
  };
}

function explanationCalls(send: Send) {
  return {
    explain: (body: ExplainRequest, { proofs, suggest, ending, ...call }: ExplainOptions = {}) =>
      send<Success<Explanation>>('/v1/explain', { ...call, method: 'POST', body, query: { proofs, suggest, ending } }),
    /** A row of a query. */
    explainRow: (body: ExplainRowRequest, { proofs, ...call }: Omit<ExplainOptions, 'suggest' | 'ending'> = {}) =>
      send<Success<Explanation>>('/v1/dispatch/query/explain', { ...call, method: 'POST', body, query: { proofs } }),
    /** A row of a query or derive as text. */
    explainAdhoc: (body: ExplainAdhocRequest, { proofs, ...call }: Omit<ExplainOptions, 'suggest' | 'ending'> = {}) =>
      send<Success<Explanation>>('/v1/query/adhoc/explain', { ...call, method: 'POST', body, query: { proofs } }),
    /** What a query takes where nothing that it reads has been evaluated. */
    profile: (body: DispatchRequest, call: CallOptions = {}) =>
      send<Success<QueryProfile>>('/v1/dispatch/query/profile', { ...call, method: 'POST', body }),
    /** The same of a query or derive as text. */
    profileAdhoc: (body: AdhocRequest, call: CallOptions = {}) =>
      send<Success<QueryProfile>>('/v1/query/adhoc/profile', { ...call, method: 'POST', body }),
    explainFact: (factId: string, { proofs, suggest, ending, ...call }: ExplainOptions = {}) =>
      send<Success<Explanation>>(`/v1/derived/facts/${encodeURIComponent(factId)}/explain`, {
        ...call,
        query: { proofs, suggest, ending },
      }),
    /** The proofs of the derived facts that mention an individual. */
    explainDerivedOf: (id: string, call: PageOptions = {}) =>
      send<PageOf<Explanation[]>>(`/v1/derived/individuals/${encodeURIComponent(id)}/explain`, paged(call)),
  };
}

function forkCalls(send: Send) {
  return {
    forks: (call: PageOptions = {}) => send<PageOf<ForkInfo[]>>('/v1/forks', paged(call)),
    createFork: (body: CreateForkRequest, call: CallOptions = {}) =>
      send<Success<ForkInfo>>('/v1/forks', { ...call, method: 'POST', body }),
    fork: (fork: string, call: CallOptions = {}) => send<Success<ForkInfo>>(forkPath(fork), call),
    labelFork: (fork: string, body: LabelForkRequest, call: CallOptions = {}) =>
      send<Success<ForkInfo>>(forkPath(fork), { ...call, method: 'PATCH', body }),
    abortFork: (fork: string, call: CallOptions = {}) =>
      send<Success<ForkInfo>>(forkPath(fork), { ...call, method: 'DELETE' }),
    promoteFork: (fork: string, { dryRun, explain, keep, ...call }: OverOptions & Kept = {}) =>
      send<PromoteSuccess>(`${forkPath(fork)}/promote`, { ...call, method: 'POST', query: { dryRun, explain, keep } }),
    /** Makes a fork `id` of the parent as it is now, with the changes of this one. */
    updateFork: (
      fork: string,
      { id, dryRun, keep, ...call }: CallOptions & Kept & { readonly id?: string; readonly dryRun?: boolean } = {},
    ) =>
      send<PromoteSuccess>(`${forkPath(fork)}/update`, {
        ...call,
        method: 'POST',
        body: { id },
        query: { dryRun, keep },
      }),
    /** Writes onto this fork what a transaction of another one changed. */
    pickTransaction: (
      fork: string,
      body: PickRequest,
      { dryRun, effects, explain, keep, ...call }: MutationOptions & Kept = {},
    ) =>
      send<PickSuccess>(`${forkPath(fork)}/pick`, {
        ...call,
        method: 'POST',
        body,
        query: { dryRun, effects, explain, keep },
      }),
    /** Takes back from the parent what the promotion of this fork wrote. */
    undoPromotion: (fork: string, { dryRun, explain, ...call }: OverOptions = {}) =>
      send<UndoSuccess>(`${forkPath(fork)}/promote/undo`, { ...call, method: 'POST', query: { dryRun, explain } }),
    /**
     * What promoting would take from the parent (left) and give to it (right), whatever its guards say; or bringing up to date
     * from and to the fork itself.
     */
    preview: (
      of: 'promotion' | 'update',
      fork: string,
      { layer, relation, sides, keep, ...call }: DiffOptions & Kept = {},
    ) =>
      send<PageOf<ForkDiffRow[]>>(
        `${forkPath(fork)}/${of}`,
        paged(call, { layer, relation, sides: sides?.join(','), keep }),
      ),
    previewCounts: (
      of: 'promotion' | 'update',
      fork: string,
      { layer, keep, ...call }: CallOptions & Layered & Kept = {},
    ) => send<Success<ForkDiffCount[]>>(`${forkPath(fork)}/${of}/counts`, { ...call, query: { layer, keep } }),
    /** Facts and firings that only one of the two has, `fork` being the left one. */
    diffForks: (
      fork: string,
      other: string,
      { derived, layer, relation, sides, ...call }: DiffOptions & { readonly derived?: boolean } = {},
    ) =>
      send<PageOf<ForkDiffRow[]>>(
        diffPath(fork, other),
        paged(call, { derived, layer, relation, sides: sides?.join(',') }),
      ),
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
    /** Tests of texts that are not saved; nothing is written or loaded. */
    tryTests: (body: TryTestsRequest, call: CallOptions = {}) =>
      send<Success<TriedTests>>('/v1/tests/try', { ...call, method: 'POST', body }),
    /** What is known in the time of a request; `nextCursor` goes on, behind a page without rows too. */
    testCoverage: (call: PageOptions = {}) =>
      send<PageOf<CoverageRow[]> & { loadedAt: string; total: number }>('/v1/tests/coverage', paged(call)),
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

function environmentPath(name: string): string {
  return `/v1/module/environments/${encodeURIComponent(name)}`;
}

function forkPath(fork: string): string {
  return `/v1/forks/${encodeURIComponent(fork)}`;
}

function diffPath(fork: string, other: string): string {
  return `${forkPath(fork)}/diff/${encodeURIComponent(other)}`;
}
