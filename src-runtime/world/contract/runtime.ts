/**
 * The runtime as its hosts see it: the HTTP server, and the command `test`. Operations of a request are the functions in `world/session`;
 * they take the session that `enter` returns. Expected failures are thrown as ApiError.
 */

import type { ErrorCode } from '../../api/errors.js';
import type { Limits } from '../../api/schemas/health-schemas.js';
import type { LoadedModule, ModuleChange, Rename, ServedSchema } from '../../api/schemas/module-schemas.js';
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
import type { ConnectionCounts, EventStore } from '../../storage/event-store.js';
import type { AdhocText, Page, Paging, RequestFrame } from './requests.js';

export interface LoadOptions {
  /** Archives a scope whose facts do not fit the module and starts an empty one, instead of refusing the module. */
  readonly setAside?: boolean;
  /** New names of stored declarations. Their facts and history move with them. */
  readonly renames?: readonly Rename[];
  /** The number that `lastAdoption` returns once this schema is in force. */
  readonly adoption?: number;
  /** Skips the check against stored facts, as for the first module. Only before the first request. */
  readonly isUnchecked?: boolean;
  /** Replaces the module that the servers of a shared store serve, also as the first module of this server. */
  readonly replacesDeployed?: boolean;
  /** The tests of the sources. By default, those in the artifact. */
  readonly tests?: readonly ModuleTest[];
  /** The sources of the artifact. By default, those in the artifact. */
  readonly sources?: LoadedModule['sources'];
}

interface ModuleTests extends Page<ModuleTestInfo[]> {
  readonly available: boolean;
  readonly loadedAt: string;
}

/** Compiled sources with their tests. */
interface CompiledTests {
  readonly artifact: Artifact;
  readonly tests: readonly ModuleTest[];
}

interface TestCoverage extends Page<CoverageRow[]> {
  readonly loadedAt: string;
  readonly total: number;
}

export interface Usage {
  /** Scopes in memory, and the stored facts of their forks `main`. */
  readonly scopes: number;
  readonly facts: number;
  readonly connections: ConnectionCounts | undefined;
}

/** One loaded module (or none) over one event store. */
export interface Runtime<Session = unknown> {
  readonly moduleHash: string;
  module(): LoadedModule;
  /** Throws MODULE_NOT_LOADED. */
  schema(): ServedSchema;
  /** The loaded artifact. Throws MODULE_NOT_LOADED. */
  artifact(): Artifact;
  /**
   * Replaces the module with this artifact. If that throws, the previous module stays. Bytes are validated; an object from the compiler is
   * trusted. Returns the ids of the archives.
   */
  loadArtifact(
    artifact: Artifact | Uint8Array,
    origin: 'artifact' | 'sources' | 'upload',
    options?: LoadOptions,
  ): Promise<readonly string[]>;
  /**
   * What loading this artifact would change in the scope of the request. Changes nothing, and throws what `loadArtifact` throws. With
   * `base`, compares with that module, under whose schema the facts are recorded, instead of the loaded one.
   */
  previewArtifact(
    artifact: Artifact | Uint8Array,
    frame: RequestFrame,
    renames?: readonly Rename[],
    base?: Artifact,
  ): Promise<ModuleChange>;
  /** Serves what other servers have deployed, and tells followers what they have written. Nothing to do unless the store is shared. */
  followOthers(): Promise<void>;
  /** The schema hashes of all stored scopes, without archives. */
  recordedSchemas(): Promise<ReadonlySet<string>>;
  /** The `adoption` of the last load that had one and changed what is stored; 0 before the first. */
  lastAdoption(): Promise<number>;
  /** What the last load changed in the scope of the request; null for the first module and for a newer scope. */
  moduleChange(frame: RequestFrame): Promise<ModuleChange | null>;
  /** Throws MODULE_NOT_LOADED. `available` is false if the sources are unknown. */
  tests(paging: Paging): ModuleTests;
  /** Runs the named tests, or all. Throws MODULE_NOT_LOADED, and VALIDATION_FAILED for an unknown test. */
  runTests(tests: RunTestsRequest['tests'], paging: Paging, run: TestRun): Promise<Page<TestResult[]>>;
  /** Runs the tests of a module that is not loaded, until the time is up. */
  tryTests(
    compiled: CompiledTests,
    wanted: RunTestsRequest['tests'],
    run: TestRun,
  ): Promise<Pick<TriedTests, 'tests' | 'isCut'>>;
  /** Throws MODULE_NOT_LOADED, and VALIDATION_FAILED if the sources are unknown. */
  testCoverage(paging: Paging, run: TestRun): Promise<TestCoverage>;
  /** Calls back after an individual has been forgotten, until the returned function is called. */
  onErasure(callback: () => void): () => void;
  /** Records a failed load for `module()`. The previous module stays. The default code is MODULE_NOT_LOADED. */
  noteLoadFailure(message: string, diagnostics: readonly Diagnostic[], code?: ErrorCode): void;
  /**
   * Compiles an ad-hoc text, so that its errors come before those of `enter`. Throws MODULE_NOT_LOADED, ADHOC_DISABLED,
   * ADHOC_MULTI_MODULE_UNSUPPORTED, VALIDATION_FAILED for an unknown module, ADHOC_PREPARATION_FAILED and ADHOC_TYPE_ERROR.
   */
  prepareAdhoc(kind: 'query' | 'mutation', text: AdhocText): void;
  /** Opens the scope and finds the fork of a request. Checks module, context, scope and fork, in the API's order of precedence. */
  enter(frame: RequestFrame): MaybePromise<Session>;
  /** Rejects with an unreachable StorageError if the next write would fail. */
  probeStorage(): Promise<void>;
  /**
   * Opens the scopes with the longest histories, up to 16. Resolves at once if they are open or no module is loaded. If none can be opened,
   * rejects with the error that requests would get.
   */
  openScopes(): Promise<void>;
  /** Closes some of the scopes that were not used since the last call, to free memory. Resolves to how many. */
  closeIdleScopes(): Promise<number>;
  usage(): Promise<Usage>;
  readonly storageKind: string;
  /** Conditions that an operator should look into. */
  readonly storageWarnings: readonly string[];
  /** Waits for running work, then closes. */
  close(): Promise<void>;
}

/** The time limits of a request that runs tests. */
export interface TestRun {
  readonly clock: Clock;
  /** Whether time is left for the next test. Not called before the first test of a page. */
  mayBegin(): boolean;
  /** A new deadline for the next test. */
  createDeadline(): Deadline;
}

/** The log for operators. */
export interface WorldLog {
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
}

export interface RuntimeOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  /** Makes the deadline of work that several requests share: opening a scope, loading a module. */
  readonly createDeadline: () => Deadline;
  readonly log: WorldLog;
  readonly limits: Limits;
  /** The length of scope ids in bits: 4 to 256, a multiple of 4. */
  readonly scopeIdBits: number;
  /** Serves this scope, an archive, instead of the scope of the request's tenant. */
  readonly scopeId?: string;
  /** Opens scopes that were recorded under another schema, and records the new one. */
  readonly acceptSchemaChange: boolean;
  /** Accepts queries and mutations as text. Otherwise only declared ones run. */
  readonly adhoc: boolean;
  /** Whether reads see all that any server of a shared store has written (`latest`, the default), or may lag behind. */
  readonly readConsistency?: 'latest' | 'bounded';
  /** The secret that authenticates cursors: random, at least 32 bytes. */
  readonly cursorKey: Uint8Array;
}
