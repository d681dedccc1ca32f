/**
 * The world's face: what a host (the HTTP server, the command line's `test`) may ask of a loaded module and its facts.
 * Failures that a caller can switch on are thrown as ApiError; nothing here knows HTTP.
 */

import type { ErrorCode } from '../../api/errors.js';
import type { BatchStep, BatchStepResult } from '../../api/schemas/batch-schemas.js';
import type { Explanation } from '../../api/schemas/explanation-schemas.js';
import type {
  CreateForkRequest,
  DerivedProjection,
  DeriveTraceEntry,
  ForkDiffCount,
  ForkDiffRow,
  ForkInfo,
  Snapshot,
} from '../../api/schemas/fork-schemas.js';
import type { Limits } from '../../api/schemas/health-schemas.js';
import type { LoadedModule, ModuleChange, Rename, ServedSchema } from '../../api/schemas/module-schemas.js';
import type { QueryProfile } from '../../api/schemas/profile-schemas.js';
import type {
  CheckState,
  Effects,
  Entity,
  Firing,
  JsonValue,
  ListedFact,
  ListedTransaction,
  RelationCount,
  WireEvent,
  WireTransaction,
} from '../../api/schemas/schemas.js';
import type {
  CoverageRow,
  ModuleTestInfo,
  RunTestsRequest,
  TestResult,
  TriedTests,
} from '../../api/schemas/test-schemas.js';
import type { Artifact } from '../../artifact/types.js';
import type { Diagnostic } from '../../base/diagnostic.js';
import type { Clock, Deadline, MaybePromise, Stopwatch } from '../../base/ports.js';
import type { ModuleTest } from '../../compiler/index.js';
import type { EventStore } from '../../storage/event-store.js';
import type {
  AdhocText,
  AskedRow,
  DiffFilter,
  EventFeed,
  ExplainWish,
  HistoryWish,
  ImportAnswer,
  ListPage,
  ListWish,
  MutateOptions,
  MutationAnswer,
  OverOptions,
  Page,
  Paging,
  PickAnswer,
  PickOptions,
  PromoteAnswer,
  PromoteOptions,
  PromotionFilter,
  RequestFrame,
  UndoAnswer,
  UndoneTransaction,
  UpdateAnswer,
  UpdateOptions,
} from './requests.js';

/** What can be done with forks. Writes of all forks of a scope wait for each other. */
export interface ForkOperations {
  /** All forks of the scope, `main` first, then in the order in which they were created. */
  forks(paging: Paging, deadline: Deadline): Promise<Page<ForkInfo[]>>;
  /** Without a deadline this, `abort` and `label` take as long as they need. */
  createFork(
    request: Pick<CreateForkRequest, 'id' | 'label' | 'from' | 'asOf'>,
    deadline?: Deadline,
  ): Promise<ForkInfo>;
  /** The session's own fork; all that follows is about it too. */
  forkInfo(): Promise<ForkInfo>;
  abort(deadline?: Deadline): Promise<ForkInfo>;
  /** Of at most one line; null and an empty one take it away. */
  label(label: string | null, deadline?: Deadline): Promise<ForkInfo>;
  promote(options: PromoteOptions, deadline: Deadline): Promise<PromoteAnswer>;
  /** Writes what a transaction of another fork's history changed, all in all, onto this fork. */
  pick(options: PickOptions, deadline: Deadline): Promise<PickAnswer>;
  /** Takes the promotion back from the parent, as far as the history goes. */
  undoPromotion(options: OverOptions, deadline: Deadline): Promise<UndoAnswer>;
  /** What the promotion would take from the parent (left) and give to it (right), whatever its guards say. */
  promotion(filter: PromotionFilter, paging: Paging, deadline: Deadline): Promise<Page<ForkDiffRow[]>>;
  promotionCounts(filter: PromotionFilter, deadline: Deadline): Promise<ForkDiffCount[]>;
  /** Makes a fork of the parent as it is now, with the changes of this one, which stays as it is. */
  update(options: UpdateOptions, deadline: Deadline): Promise<UpdateAnswer>;
  /** What that would take from this fork (left) and give to it (right). */
  incoming(filter: PromotionFilter, paging: Paging, deadline: Deadline): Promise<Page<ForkDiffRow[]>>;
  incomingCounts(filter: PromotionFilter, deadline: Deadline): Promise<ForkDiffCount[]>;
  /** Facts and firings that only this fork (left) or only the other (right) has, by relation and tuple. */
  diff(other: string, filter: DiffFilter, paging: Paging, deadline: Deadline): Promise<Page<ForkDiffRow[]>>;
  /** How many of them, by relation. */
  diffCounts(other: string, filter: DiffFilter, deadline: Deadline): Promise<ForkDiffCount[]>;
}

/** What there is, in lists. */
export interface ListOperations {
  individuals(
    classPath: string | undefined,
    paging: Paging,
    deadline: Deadline,
    wish?: ListWish,
  ): Promise<ListPage<Entity[]>>;
  individual(id: string, deadline: Deadline): Promise<Entity>;
  /** The tuples of any relation, class, field or check, in the language's order unless another is wished. */
  relation(path: string, paging: Paging, deadline: Deadline, wish?: ListWish): Promise<ListPage<ListedFact[]>>;
  checks(check: string | undefined, paging: Paging, deadline: Deadline): Promise<Page<Firing[]>>;
  /** How often each check fires, each under a budget of its own. */
  checkStates(paging: Paging, createDeadline: () => Deadline): Promise<Page<CheckState[]>>;
  /** How many facts each relation, class, field and check has, without evaluating any. */
  counts(): Promise<RelationCount[]>;
  /** The derived facts that mention an individual. */
  mentions(id: string, paging: Paging, deadline: Deadline): Promise<Page<ListedFact[]>>;
  /** The stored ones, which say whether the module declares them. */
  storedMentions(id: string, paging: Paging, deadline: Deadline): Promise<Page<ListedFact[]>>;
}

/** A scope and fork that a request has entered: its context is complete and checked. */
export interface Session extends ForkOperations, ListOperations {
  readonly scopeId: string;
  readonly fork: string;
  query(
    path: string,
    args: Record<string, JsonValue>,
    paging: Paging,
    deadline: Deadline,
  ): MaybePromise<Page<JsonValue>>;
  mutate(
    path: string,
    args: Record<string, JsonValue>,
    options: MutateOptions,
    deadline: Deadline,
  ): Promise<MutationAnswer>;
  /** The query or derive that the text is. Throws what `prepareAdhoc` does, and what `query` does of a declared one. */
  queryAdhoc(
    text: AdhocText,
    args: Record<string, JsonValue>,
    paging: Paging,
    deadline: Deadline,
  ): Promise<Page<JsonValue>>;
  /** What the query takes where nothing that it reads has been evaluated. Throws what `query` does. */
  profile(path: string, args: Record<string, JsonValue>, deadline: Deadline): Promise<QueryProfile>;
  /** The same of a text. Throws what `queryAdhoc` does. */
  profileAdhoc(text: AdhocText, args: Record<string, JsonValue>, deadline: Deadline): Promise<QueryProfile>;
  mutateAdhoc(
    text: AdhocText,
    args: Record<string, JsonValue>,
    options: MutateOptions,
    deadline: Deadline,
  ): Promise<MutationAnswer>;
  /** All steps as one transaction, or none. Throws what the failing step does, with `details.batchStep`. */
  batch(steps: readonly BatchStep[], options: MutateOptions, deadline: Deadline): Promise<BatchStepResult[]>;
  /**
   * One mutation for many rows of arguments, as one transaction. Throws what the first failing row does, with
   * `details.row`. `keys` says by parameter which field's values the rows name individuals by.
   */
  import(
    path: string,
    rows: readonly Readonly<Record<string, JsonValue>>[],
    options: MutateOptions & { readonly keys: Readonly<Record<string, string>> },
    deadline: Deadline,
  ): Promise<ImportAnswer>;
  compute(path: string, args: Record<string, JsonValue>, deadline: Deadline): Promise<JsonValue>;
  /** With `before` in the wish it throws what `transaction` does, too. */
  explain(relation: string, tuple: readonly unknown[], deadline: Deadline, wish?: ExplainWish): Promise<Explanation>;
  /** A row of the derive that the text is. Throws what `prepareAdhoc` does, also for a text that is no derive. */
  explainAdhoc(
    text: AdhocText,
    tuple: readonly unknown[],
    deadline: Deadline,
    wish?: ExplainWish,
  ): Promise<Explanation>;
  /** A row of a query, as that answers it. Throws what `query` and `explain` do. */
  explainRow(path: string, asked: AskedRow, deadline: Deadline, wish?: ExplainWish): Promise<Explanation>;
  /** A row of the query or derive that the text is. Throws what `queryAdhoc` and `explain` do. */
  explainAdhocRow(text: AdhocText, asked: AskedRow, deadline: Deadline, wish?: ExplainWish): Promise<Explanation>;
  explainFact(factId: string, deadline: Deadline, wish?: ExplainWish): Promise<Explanation>;
  /** The schema and all stored facts, with `derived` also what follows from them. */
  snapshot(options: { readonly derived: boolean }, paging: Paging, deadline: Deadline): Promise<Page<Snapshot>>;
  /** The proofs of the derived facts that mention an individual. */
  explainMentions(
    id: string,
    paging: Paging,
    deadline: Deadline,
    wish?: Pick<ExplainWish, 'proofs'>,
  ): Promise<Page<Explanation[]>>;
  /** The history, in order of `seq`. */
  events(paging: Paging, deadline: Deadline): Promise<Page<WireEvent[]>>;
  /** The transactions that made it, the last first, each with its first events, `first` at most; of what is wished where that is given. */
  transactions(
    first: number,
    paging: Paging,
    deadline: Deadline,
    wish?: HistoryWish,
  ): Promise<Page<ListedTransaction[]>>;
  /** What one of them came to, under the rules that are loaded now. Throws like `transaction`. */
  transactionEffects(txn: number, deadline: Deadline): Promise<Effects>;
  /** Writes back on this fork what one of them wrote. */
  undoTransaction(txn: number, options: OverOptions, deadline: Deadline): Promise<UndoneTransaction>;
  /** The events of one transaction, with what is known of it. Throws VALIDATION_FAILED for one that is not in the history. */
  transaction(
    txn: number,
    paging: Paging,
    deadline: Deadline,
  ): Promise<Page<WireEvent[]> & { readonly transaction: WireTransaction }>;
  /** Follows the history from behind an event on, or from now. Throws VALIDATION_FAILED for an event that is still to come. */
  follow(afterSeq: number | undefined): Promise<EventFeed>;
  /** Evaluates every rule, and keeps what that found until the next write. */
  derive(deadline: Deadline): Promise<DerivedProjection>;
  /** What the last derive found. Throws FORK_NOT_DERIVED before one, or after a write. */
  derived(): Promise<DerivedProjection>;
  /** Every run of every clause in the last derive, round by round; `cut` where only the first were kept. Throws like `derived`. */
  deriveTrace(paging: Paging, deadline: Deadline): Promise<Page<DeriveTraceEntry[]> & { readonly cut: boolean }>;
}

export interface LoadHow {
  /** A scope whose facts do not fit the module is kept under another id, and begins empty, instead of a refusal. */
  readonly setAside?: boolean;
  /** What stored facts use that the module calls otherwise. They come along, with all their history. */
  readonly renames?: readonly Rename[];
  /** A number by which `lastAdoption` tells whether the schema came into force. */
  readonly adoption?: number;
  /** Nothing is held to the stored facts, as for the first module. Only while nobody is served yet. */
  readonly isUnchecked?: boolean;
  /** Those of the sources; an artifact may carry its own. */
  readonly tests?: readonly ModuleTest[];
  /** What it was built from; an artifact may carry its own. */
  readonly sources?: LoadedModule['sources'];
}

interface ModuleTests extends Page<ModuleTestInfo[]> {
  readonly available: boolean;
  readonly loadedAt: string;
}

/** What sources were compiled to. */
interface CompiledTests {
  readonly artifact: Artifact;
  readonly tests: readonly ModuleTest[];
}

interface TestCoverage extends Page<CoverageRow[]> {
  readonly loadedAt: string;
  readonly total: number;
}

/** One loaded module (or none) over one event store. */
export interface Runtime {
  readonly moduleHash: string;
  module(): LoadedModule;
  /** Throws MODULE_NOT_LOADED while nothing is loaded. */
  schema(): ServedSchema;
  /** The loaded artifact whole. Throws MODULE_NOT_LOADED while nothing is loaded. */
  artifact(): Artifact;
  /**
   * Replaces the module by this artifact; the prior one stays where that throws. Bytes are checked first, what the compiler
   * made is taken as it is. Answers the ids of scopes set aside.
   */
  loadArtifact(
    artifact: Artifact | Uint8Array,
    origin: 'artifact' | 'sources' | 'upload',
    how?: LoadHow,
  ): Promise<readonly string[]>;
  /**
   * What loading this artifact would change in the scope of the request. Throws what `loadArtifact` does; keeps nothing. With
   * `base`, it is compared with that module, under whose schema the facts are recorded, instead of the one that runs.
   */
  previewArtifact(
    artifact: Artifact | Uint8Array,
    frame: RequestFrame,
    renames?: readonly Rename[],
    base?: Artifact,
  ): Promise<ModuleChange>;
  /** The hashes of the schemas that stored scopes are recorded under; those set aside are not among them. */
  recordedSchemas(): Promise<ReadonlySet<string>>;
  /** The `adoption` of the last load that had one and changed what is stored; 0 before the first. */
  lastAdoption(): Promise<number>;
  /** What the last load changed in the scope of the request; null for the first module, and for a scope that came later. */
  moduleChange(frame: RequestFrame): Promise<ModuleChange | null>;
  /** Throws MODULE_NOT_LOADED. `available` is false where the sources are not known. */
  tests(paging: Paging): ModuleTests;
  /** All tests, or those that are named. Throws MODULE_NOT_LOADED, and VALIDATION_FAILED for a test that there is not. */
  runTests(tests: RunTestsRequest['tests'], paging: Paging, run: TestRun): Promise<Page<TestResult[]>>;
  /** The same of a module that is not loaded, as far as there is time. */
  tryTests(
    compiled: CompiledTests,
    wanted: RunTestsRequest['tests'],
    run: TestRun,
  ): Promise<Pick<TriedTests, 'tests' | 'isCut'>>;
  /** Throws MODULE_NOT_LOADED, and VALIDATION_FAILED where the sources are not known. */
  testCoverage(paging: Paging, run: TestRun): Promise<TestCoverage>;
  /** Calls back once an individual has been forgotten, whoever did it, until the returned function is called. */
  onErasure(callback: () => void): () => void;
  /** Notes a failed load for `module()`; the prior module stays. The code is MODULE_NOT_LOADED unless given. */
  noteLoadFailure(message: string, diagnostics: readonly Diagnostic[], code?: ErrorCode): void;
  /**
   * Compiles an ad-hoc text, which a session runs, and tells what is wrong with it: MODULE_NOT_LOADED, ADHOC_DISABLED,
   * ADHOC_MULTI_MODULE_UNSUPPORTED, VALIDATION_FAILED for an unknown module, ADHOC_PREPARATION_FAILED, ADHOC_TYPE_ERROR. All of these precede the failures of `enter`.
   */
  prepareAdhoc(kind: 'query' | 'mutation', text: AdhocText): void;
  /** Checks module, context, scope and fork in the order of precedence of the API. */
  enter(frame: RequestFrame): MaybePromise<Session>;
  /** Rejects with an unreachable StorageError where the next write could not be kept. */
  probeStorage(): Promise<void>;
  /**
   * Opens the scopes that requests will come to, up to 16 of those with the longest histories. Resolves at once where they are
   * open, and where no module is loaded. Rejects where none of them can be opened, with what their requests are refused for.
   */
  openScopes(): Promise<void>;
  readonly storageKind: string;
  /** What an operator should look at. */
  readonly storageWarnings: readonly string[];
  /** Finishes what runs. */
  close(): Promise<void>;
}

/** What running tests within one request needs of whoever keeps its time. */
export interface TestRun {
  readonly clock: Clock;
  /** Asked before each test but the first of a page. */
  mayBegin(): boolean;
  /** The budget of the test that is about to begin. */
  createDeadline(): Deadline;
}

/** Where the world writes what only an operator should read. */
export interface WorldLog {
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
}

export interface RuntimeOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  /** Makes the deadline of work for several requests: opening a scope, loading a module. */
  readonly createDeadline: () => Deadline;
  readonly log: WorldLog;
  readonly limits: Limits;
  /** How many bits of a tenant's hash make a scope id: 4 to 256, a multiple of 4. */
  readonly scopeIdBits: number;
  /** The scope to serve instead of the one that the tenant's id is a hash of: one that was set aside. */
  readonly scopeId?: string;
  /** Open scopes that were recorded under another schema, and record the new one. */
  readonly acceptSchemaChange: boolean;
  /** Take queries and mutations as text; else only declared ones run. */
  readonly adhoc: boolean;
  /** Secret under which cursors are authenticated; random, at least 32 bytes. */
  readonly cursorKey: Uint8Array;
}
