/**
 * The runtime as hosts see it: the HTTP server, and `test` of the command line. What a request does in a scope are the functions
 * of `world/session`, which take the session that `enter` returns. Expected failures are thrown as ApiError.
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
import type { EventStore } from '../../storage/event-store.js';
import type { AdhocText, Page, Paging, RequestFrame } from './requests.js';

export interface LoadOptions {
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
export interface Runtime<Session = unknown> {
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
    options?: LoadOptions,
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
  /**
   * Opens the scope and finds the fork of a request. Checks module, context, scope and fork in the order of precedence of the API.
   */
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
