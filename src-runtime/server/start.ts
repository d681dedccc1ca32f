/** Starts and stops a runtime with storage, world, module and HTTP. Every host calls this. */

import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { factsFolderOf, projectId, realPath } from '../project/facts-folder.js';
import { findProject } from '../project/find-project.js';
import { backupLines } from '../storage/backup.js';
import { copyStore } from '../storage/copy-store.js';
import { type EventStore, StorageError } from '../storage/event-store.js';
import { openMemoryStore, openSqlJsStore } from '../storage/index.js';
import type { Runtime } from '../world/index.js';
import { createRuntime } from '../world/index.js';
import { buildServer } from './build-server.js';
import { isLoopback } from './http/access.js';
import { createDeadline } from './http/deadline.js';
import { createDraining } from './http/draining.js';
import { defaultMemoryLimit, processMemory } from './http/process-memory.js';
import { createLastModule } from './modules/last-module.js';
import { createModuleLoader, ModuleLoadError, type ModuleLoader } from './modules/loader.js';
import { createMemorySource } from './modules/memory-source.js';
import { openModuleSource, SourceFileError } from './modules/module-source.js';
import { artifactBytes, openReproBundle, restoreBundle } from './modules/repro.js';
import { loggedFailure, watchSource } from './modules/watch.js';
import type { App } from './operations/call.js';
import {
  type DataLocation,
  DEFAULT_GRANT,
  DEFAULT_LIMITS,
  DEFAULT_LOG_REQUESTS,
  DEFAULT_SCOPE_ID_BITS,
  type NextProject,
  type ServerSettings,
  type StartOptions,
} from './options.js';

export interface RunningRuntime {
  /** The bare origin, e.g. `http://127.0.0.1:4711`. */
  readonly url: string;
  readonly token: string;
  /** Empty while no module is loaded. */
  readonly moduleHash: string;
  readonly pid: number;
  /** The folder of the facts; undefined in memory. */
  readonly facts: string | undefined;
  /** Refuses new requests, finishes the running ones, then releases the data directory. */
  close(): Promise<void>;
  /** Reports in `/readyz` that it stops, and closes once a load balancer had this time to notice. */
  drain(graceMs: number): Promise<void>;
}

/** The server cannot listen on its address. The message is one line that says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * Throws ModuleLoadError or SourceFileError for the module, StorageError for the data, ListenError for the address. Closes what was
 * opened before.
 */
export async function startRuntime(options: StartOptions): Promise<RunningRuntime> {
  const { bundle, texts = [] } = options;
  const hasFiles = (options.files?.length ?? 0) > 0;
  const source =
    bundle !== undefined ? undefined : hasFiles ? openModuleSource(options.files ?? []) : createMemorySource(texts);
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const release of opened.splice(0).reverse()) await release();
  };
  try {
    processMemory.limit = options.memoryLimit ?? defaultMemoryLimit();
    const store = await openStore(options);
    const draining = createDraining();
    const settings = { ...settingsOf(options, store), draining };
    const runtime = await openRuntime(options, settings, store);
    opened.push(() => runtime.close());
    // Without files, the server serves what others do.
    if (!hasFiles && texts.length === 0) await runtime.followOthers();
    const { data, log } = options;
    const loader = createModuleLoader(
      runtime,
      source,
      data.kind === 'directory'
        ? createLastModule(data.path, log, source?.folder && realPath(source.folder))
        : undefined,
    );
    if (bundle !== undefined) await runtime.loadArtifact(artifactBytes(bundle), 'artifact');
    if ((hasFiles || texts.length > 0) && source !== undefined) await loadFirst(loader, options);
    const app = await buildServer(runtime, loader, settings);
    opened.push(() => app.close());
    await listen(app, options);
    const stopFollowing = followOthers(runtime, store, options.log);
    opened.push(async () => stopFollowing());
    const stopClosing = closeIdleScopes(runtime, options);
    opened.push(async () => stopClosing());
    // /readyz reports a failure, and tries again.
    runtime.openScopes().catch(() => undefined);
    if (options.watch === true && hasFiles && source !== undefined) {
      const watcher = await watchSource(loader, options.log, options.onRefused);
      opened.push(async () => watcher.close());
    }
    return {
      url: originOf(app, options.host),
      token: settings.token,
      get moduleHash() {
        return runtime.moduleHash;
      },
      pid: process.pid,
      facts: bundle === undefined && options.data.kind === 'directory' ? options.data.path : undefined,
      close,
      async drain(graceMs) {
        await draining.begin(graceMs);
        await close();
      },
    };
  } catch (error) {
    await close().catch((closing: unknown) =>
      options.log.warn({ err: closing }, 'the failed start was not cleaned up'),
    );
    throw error;
  }
}

/** Serves what other servers deploy, and tells the followers of streams what they write. Returns a function that ends it. */
function followOthers(runtime: Runtime, { shared }: EventStore, log: StartOptions['log']): () => void {
  if (shared === undefined) return () => undefined;
  let isRunning = false;
  let isWanted = false;
  let isEnded = false;
  const follow = async (): Promise<void> => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted && !isEnded) {
      isWanted = false;
      try {
        await runtime.followOthers();
      } catch (err) {
        log.debug({ err }, 'could not follow other servers');
        // Nobody tells of the same change again.
        isWanted = true;
        await pause(FOLLOW_AGAIN_MS, undefined, { ref: false });
      }
    }
    isRunning = false;
  };
  const stop = shared.onChange(() => void follow());
  return () => {
    isEnded = true;
    stop();
  };
}

/** After the database could not be read. */
const FOLLOW_AGAIN_MS = 500;

const MEMORY_CHECK_MS = 1_000;

/** The part of the memory that facts may have. The rest is for code, and for garbage. */
const FACTS_SHARE = 0.75;

/** Closes scopes that are not in use while facts have too much of the memory. Returns a function that ends it. */
function closeIdleScopes(runtime: Runtime, { log }: StartOptions): () => void {
  let isClosing = false;
  const check = async (): Promise<void> => {
    const { heapUsed, external } = process.memoryUsage();
    if (isClosing || heapUsed + external < processMemory.limit * FACTS_SHARE) return;
    isClosing = true;
    try {
      const scopes = await runtime.closeIdleScopes();
      if (scopes > 0) log.info({ scopes }, 'closed scopes that were not in use');
    } catch (err) {
      log.warn({ err }, 'could not close scopes that are not in use');
    }
    isClosing = false;
  };
  const timer = setInterval(() => void check(), MEMORY_CHECK_MS);
  return () => clearInterval(timer);
}

function settingsOf(options: StartOptions, store: EventStore): ServerSettings {
  const { projects, bundle, data, log } = options;
  const facts = bundle === undefined && data.kind === 'directory' ? data.path : undefined;
  return {
    host: options.host,
    token: options.token ?? randomBytes(24).toString('base64url'),
    grant: options.grant ?? DEFAULT_GRANT,
    furtherTokens: options.furtherTokens ?? [],
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    adhoc: options.adhoc ?? true,
    page: options.page,
    logRequests: options.logRequests ?? DEFAULT_LOG_REQUESTS,
    backup: (compactBefore) => backupLines(store, compactBefore),
    version: options.version,
    ...(projects !== undefined && {
      projects: {
        ...projects,
        id: projectId(facts, projects.current.name),
        facts,
        copyFacts: async (directory: string) => {
          const copy = await openSqlJsStore({ directory, log });
          try {
            await copyStore(store, copy);
          } finally {
            await copy.close();
          }
        },
      },
    }),
    log,
  };
}

async function openRuntime(options: StartOptions, settings: ServerSettings, store: EventStore): Promise<Runtime> {
  const { log } = options;
  if (options.scopeId !== undefined) await requireScope(store, options.scopeId);
  return createRuntime({
    store,
    clock: { now: () => Date.now() },
    stopwatch: { now: () => performance.now() },
    createDeadline: () => createDeadline(Number.POSITIVE_INFINITY),
    // The world passes the message first, pino takes it last.
    log: { warn: (message, details = {}) => log.warn(details, message) },
    limits: settings.limits,
    scopeIdBits: options.scopeIdBits ?? DEFAULT_SCOPE_ID_BITS,
    ...(options.scopeId !== undefined && { scopeId: options.scopeId }),
    acceptSchemaChange: options.acceptSchemaChange ?? false,
    adhoc: settings.adhoc,
    ...(options.readConsistency !== undefined && { readConsistency: options.readConsistency }),
    // Any server continues the pages of another.
    cursorKey: (await store.shared?.secret()) ?? randomBytes(32),
  });
}

async function requireScope(store: EventStore, scopeId: string): Promise<void> {
  const ids = (await store.scopes()).map((scope) => scope.scopeId);
  if (ids.includes(scopeId)) return;
  await store.close();
  const known = ids.length === 0 ? 'nothing is stored here yet' : `stored are ${ids.join(', ')}`;
  throw new StorageError(`There is no scope ${scopeId}; ${known}.`, 'failed');
}

async function openStore({ data, bundle, log, scopeIdBits }: StartOptions): Promise<EventStore> {
  if (bundle !== undefined) {
    const store = await openMemoryStore();
    await restoreBundle(store, bundle, scopeIdBits ?? DEFAULT_SCOPE_ID_BITS);
    return store;
  }
  switch (data.kind) {
    case 'memory':
      return await openMemoryStore();
    case 'directory':
      return await openSqlJsStore({ directory: data.path, log });
    case 'postgres': {
      const { openPostgresStore } = await import('../storage/postgres/postgres-store.js');
      return await openPostgresStore({ ...data, log });
    }
  }
}

/**
 * Starts despite errors in watched sources, which will be fixed, and despite a deleted file, which the page can save again. If no
 * module was loaded before, a missing file is more likely a mistyped path, and refuses the start.
 */
async function loadFirst(loader: ModuleLoader, options: StartOptions): Promise<void> {
  const { onLoadFailure, watch, log, onRefused, acceptSchemaChange = false, deploy = false } = options;
  try {
    const refused = await loader.start({
      isHeldToFacts: onLoadFailure === 'serve',
      acceptsSchemaChange: acceptSchemaChange,
      replacesDeployed: deploy,
    });
    if (refused === undefined) return;
    log.warn(loggedFailure(refused), 'the files do not fit the stored facts; serving the module that was loaded last');
  } catch (error) {
    const isMended = watch === true && error instanceof ModuleLoadError && error.diagnostics.length > 0;
    const isDeleted = watch === true && error instanceof SourceFileError && error.isMissing;
    if (onLoadFailure !== 'serve' && !isMended && !isDeleted) throw error;
    const goesOn = await loader.loadLast().catch(() => false);
    if (onLoadFailure !== 'serve' && isDeleted && !goesOn) throw error;
    // Loading the last module clears the failure. Load again, so that the page shows it.
    if (goesOn) await loader.load().catch(() => undefined);
    const served = goesOn ? 'serving the one that was loaded last' : 'serving without it';
    log.warn(loggedFailure(error), `the module was not loaded; ${served}`);
    if (isMended) onRefused?.(error);
  }
}

async function listen(app: App, { host, port }: StartOptions): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw new ListenError(`Cannot listen on ${host} port ${port}: ${LISTEN_REASONS[code] ?? `${String(cause)}.`}`, {
      cause,
    });
  }
}

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; choose another with --port, or --port 0 for any free one.',
  EACCES: 'permission denied; choose a port above 1023.',
  EADDRNOTAVAIL: 'this machine has no such address; use --host 127.0.0.1.',
  ENOTFOUND: 'there is no such host; use --host 127.0.0.1.',
  EAI_AGAIN: 'the host name cannot be resolved; use --host 127.0.0.1.',
};

/** A wildcard address cannot be called, so this returns the loopback address for it. */
function originOf(app: App, host: string): string {
  const { port } = app.server.address() as AddressInfo;
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  if (isLoopback(host) && host !== '::1') return `http://${host}:${port}`;
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

/** The options for a project: its files or texts, and the folder of its facts. Throws ProjectError, or SourceFileError for a damaged bundle. */
export async function projectOptions({
  paths = [],
  texts = [],
  facts,
}: NextProject): Promise<Pick<StartOptions, 'files' | 'texts' | 'bundle' | 'data'>> {
  if (paths.length === 0) return { texts, data: factsAt(facts ?? 'memory') };
  const found = await findProject(paths);
  if (found.isBundle) return { bundle: await openReproBundle(found.files[0] ?? ''), data: { kind: 'memory' } };
  return { files: found.files, data: factsAt(facts ?? (await factsFolderOf(found))) };
}

function factsAt(facts: string): DataLocation {
  return facts === 'memory' ? { kind: 'memory' } : { kind: 'directory', path: facts };
}
