/** What a host may decide about a server: addresses, access, limits, and where module and data are. */

import type { FastifyBaseLogger } from 'fastify';
import type { ReproBundle } from '../api/repro-bundle.js';
import type { Capability, Limits } from '../api/schemas/health-schemas.js';
import type { TokenGrant } from './http/access.js';
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

export type DataLocation = { readonly kind: 'directory'; readonly path: string } | { readonly kind: 'memory' };

/** Where log lines go: pino, or anything with its face. */
export type Log = FastifyBaseLogger;

export interface StartOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Made afresh where it is left out. */
  readonly token?: string;
  readonly grant?: readonly Capability[];
  /** Tokens beside the first one, each with the same capabilities or fewer. */
  readonly furtherTokens?: readonly TokenGrant[];
  readonly data: DataLocation;
  /** Module sources, or one artifact; none starts without a module. */
  readonly files?: readonly string[];
  /** Serves what a repro bundle holds, in memory; `files` and `data` are left aside then. */
  readonly bundle?: ReproBundle;
  /** `refuse` (the default) makes a module that does not load fail the start, unless it has errors and is watched; `serve` starts without it. */
  readonly onLoadFailure?: 'refuse' | 'serve';
  /** Reload when a file changes. */
  readonly watch?: boolean;
  /** Told of what a file changed to, where that has errors and was not loaded. */
  readonly onRefused?: (error: ModuleLoadError) => void;
  readonly limits?: Partial<Limits>;
  readonly adhoc?: boolean;
  readonly scopeIdBits?: number;
  /** Serve this scope, one that was set aside, instead of the one that the tenant's id is a hash of. */
  readonly scopeId?: string;
  /** How many requests the log keeps; 0 turns it off. */
  readonly logRequests?: number;
  readonly acceptSchemaChange?: boolean;
  /** Folder of the built workbench page. */
  readonly page?: string;
  readonly version: string;
  readonly log: Log;
}

/** What the HTTP layer itself needs to know; the rest is the runtime's. */
export interface ServerSettings {
  readonly host: string;
  readonly token: string;
  /** What the server grants, and its first token carries. */
  readonly grant: readonly Capability[];
  readonly furtherTokens: readonly TokenGrant[];
  readonly limits: Limits;
  readonly adhoc: boolean;
  readonly page: string | undefined;
  readonly logRequests: number;
  readonly version: string;
  /** How long a request may take to arrive whole; two minutes unless given. */
  readonly arrivalMs?: number;
  readonly log: Log;
}
