/** Options of a server: addresses, access, limits, module and data. */

import type { FastifyBaseLogger } from 'fastify';
import type { ReproBundle } from '../api/repro-bundle.js';
import type { Capability, Limits } from '../api/schemas/health-schemas.js';
import type { ProjectFile } from '../project/write-project.js';
import type { TokenGrant } from './http/access.js';
import type { Draining } from './http/draining.js';
import type { ModuleLoadError } from './modules/loader.js';

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 4 * 1024 * 1024,
  rows: 10_000,
  timeoutMs: 10_000,
  batchSteps: 1_000,
  explainNodes: 10_000,
  factsPerRule: 20_000_000,
};

export const DEFAULT_GRANT: readonly Capability[] = ['fork', 'reload'];

export const DEFAULT_SCOPE_ID_BITS = 128;

export const DEFAULT_LOG_REQUESTS = 500;

export type DataLocation =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'memory' }
  /** A database that several servers share. */
  | { readonly kind: 'postgres'; readonly url: string; readonly poolSize?: number };

/** pino, or a logger with its interface. */
export type Log = FastifyBaseLogger;

/** What a host serves next. Without paths and texts, nothing is open. */
export interface NextProject {
  /** Files, or one folder. */
  readonly paths?: readonly string[];
  /** Sources that are kept in memory. */
  readonly texts?: readonly ProjectFile[];
  readonly name?: string;
  /** A folder for the facts, or `memory`; the folder beside the files by default. */
  readonly facts?: string | undefined;
}

/** How the host of a server opens projects. */
export interface ProjectHost {
  readonly current: NextProject;
  /** The folder of new projects; undefined keeps them in memory. */
  readonly home: string | undefined;
  /** Requests may name paths of this machine, and responses may contain them. */
  readonly opensPaths: boolean;
  /** Why the project that was requested last is not open. */
  readonly failure?: string | undefined;
  /** Closes this server and starts one with the project. */
  open(next: NextProject): void;
}

export interface StartOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** A random one by default. */
  readonly token?: string;
  readonly grant?: readonly Capability[];
  /** More tokens, each with the same capabilities or fewer. */
  readonly furtherTokens?: readonly TokenGrant[];
  readonly data: DataLocation;
  /** Module sources, or one artifact. Without any, the server starts without a module. */
  readonly files?: readonly string[];
  /** Sources in memory, instead of files. */
  readonly texts?: readonly ProjectFile[];
  /** Undefined if the server can open no other project. */
  readonly projects?: ProjectHost | undefined;
  /** Serves a repro bundle in memory, and ignores `files` and `data`. */
  readonly bundle?: ReproBundle;
  /** `refuse` (the default) makes a module that does not load fail the start, unless it has errors and is watched; `serve` starts without it. */
  readonly onLoadFailure?: 'refuse' | 'serve';
  /** With a database: replaces the module that its servers serve, instead of refusing to start with another one. */
  readonly deploy?: boolean;
  /** With a database: `bounded` reads may lag behind what other servers have written. */
  readonly readConsistency?: 'latest' | 'bounded';
  /**
   * Bytes of memory that the process may take; by default a share of the machine's. An evaluation that needs more ends.
   * Scopes that are not in use are closed before.
   */
  readonly memoryLimit?: number;
  /** Reload when a file changes. */
  readonly watch?: boolean;
  /** Called when a changed file has errors and was not loaded. */
  readonly onRefused?: (error: ModuleLoadError) => void;
  readonly limits?: Partial<Limits>;
  readonly adhoc?: boolean;
  readonly scopeIdBits?: number;
  /** Serves this archived scope instead of the tenant's own. */
  readonly scopeId?: string;
  /** How many requests the log keeps; 0 turns it off. */
  readonly logRequests?: number;
  readonly acceptSchemaChange?: boolean;
  /** Folder of the built workbench page. */
  readonly page?: string;
  readonly version: string;
  readonly log: Log;
}

export interface ServedProject extends ProjectHost {
  readonly id: string;
  /** The folder of the facts; undefined in memory. */
  readonly facts: string | undefined;
  /** Copies all facts into an empty folder. */
  copyFacts(folder: string): Promise<void>;
}

/** The options of the HTTP layer. */
export interface ServerSettings {
  readonly host: string;
  readonly token: string;
  /** The capabilities that the server grants, and that its first token carries. */
  readonly grant: readonly Capability[];
  readonly furtherTokens: readonly TokenGrant[];
  readonly limits: Limits;
  readonly adhoc: boolean;
  readonly page: string | undefined;
  readonly logRequests: number;
  readonly projects?: ServedProject | undefined;
  /** The history of all scopes as the lines of a backup, compacted before a time in ms. */
  readonly backup: (compactBefore?: number) => AsyncGenerator<string, void, undefined>;
  /** Undefined if the server stops without notice. */
  readonly draining?: Draining;
  readonly version: string;
  /** How long a probe waits for the storage; by default five seconds. */
  readonly storageWaitMs?: number;
  /** How long a request may take to arrive; two minutes by default. */
  readonly arrivalMs?: number;
  readonly log: Log;
}
