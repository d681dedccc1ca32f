/** The runtime: a module slot, the scopes opened under it, and the way into them. */

import { ApiError } from '../api/errors.js';
import type { Limits } from '../api/health-schemas.js';
import { andThen, type Clock, type Pacer, type Soon, type Stopwatch } from '../base/ports.js';
import type { Program } from '../engine/index.js';
import { type EventStore, MAIN_FORK } from '../storage/event-store.js';
import { type AdhocText, prepareMutation, prepareQuery } from './adhoc.js';
import { type RequestContext, resolveContext } from './context.js';
import { createCursors } from './cursor.js';
import { requireFork } from './forks.js';
import { declaredEnvironment } from './individuals.js';
import { LastingSession } from './lasting-session.js';
import { createModuleSlot } from './module-slot.js';
import { openScope } from './open-scope.js';
import type { Loaded } from './reload.js';
import type { RequestFrame, Runtime, Session } from './runtime.js';
import type { Scope } from './scope.js';
import { DEFAULT_TENANT, rememberScopeIds } from './scope-id.js';
import { createTestOperations } from './test-runs.js';
import { announceWrites } from './writes.js';

/** Where the world writes what only an operator should read. */
export interface WorldLog {
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
}

export interface RuntimeOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  /** Makes the pacer of work that belongs to no request alone: opening a scope, and loading a module. */
  readonly createPacer: () => Pacer;
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

export function createRuntime(options: RuntimeOptions): Runtime {
  const { clock, stopwatch, createPacer, limits } = options;
  const { store, writes } = announceWrites(options.store);
  const cursors = createCursors(options.cursorKey);
  const scopeIdOf = rememberScopeIds(options.scopeIdBits);
  const slot = createModuleSlot(options, writes);

  function contextOf(current: Loaded, frame: RequestFrame): RequestContext {
    const { program } = current;
    return resolveContext(program.artifact.schema.context, frame, declaredEnvironment(program), clock.now());
  }

  async function scopeIdOfFrame(current: Loaded, frame: RequestFrame): Promise<string> {
    return (await scopeOf(options, current, scopeIdOf, contextOf(current, frame))).scopeId;
  }

  function enter(frame: RequestFrame): Soon<Session> {
    const current = slot.current();
    const context = contextOf(current, frame);
    const scope = scopeOf(options, current, scopeIdOf, context);
    return andThen(scope, (opened) => sessionIn(current, opened, context, frame));
  }

  function sessionIn({ predecessor }: Loaded, scope: Scope, context: RequestContext, frame: RequestFrame): Session {
    const fork = requireFork(scope, forkOf(frame));
    const site = { scope, fork, store, writes, cursors, clock, stopwatch, createPacer };
    const parts = { ...site, context, limits, predecessor };
    return new LastingSession(parts, frame, enter);
  }

  return {
    get moduleHash() {
      return slot.hash;
    },
    storageKind: store.kind,
    probeStorage: () => store.probe(),
    module: () => slot.info(),
    schema: () => slot.current().schema,
    artifact: () => slot.current().program.artifact,
    noteLoadFailure: (message, diagnostics) => slot.noteFailure(message, diagnostics),
    loadArtifact: (artifact, origin, how) => slot.load(artifact, origin, how),
    previewArtifact: (artifact, frame, renames = []) =>
      slot.preview(artifact, (current) => scopeIdOfFrame(current, frame), renames),
    async moduleChange(frame) {
      const current = slot.current();
      const scopeId = await scopeIdOfFrame(current, frame);
      return (await current.changes?.get(scopeId)) ?? current.changeElsewhere ?? null;
    },
    ...createTestOperations(() => ({ ...slot.current(), cursors, limits: options.limits }), options.limits),
    prepareAdhoc: (kind, text) => prepareAdhoc(slot.current().program, options, kind, text),
    onErasure: writes.onErasure,
    enter,
    async close() {
      await slot.idle();
      await store.close();
    },
  };
}

function prepareAdhoc(
  program: Program,
  { adhoc }: Pick<RuntimeOptions, 'adhoc'>,
  kind: 'query' | 'mutation',
  text: AdhocText,
): void {
  if (!adhoc) {
    throw new ApiError(
      'SVC_RUNTIME_ADHOC_DISABLED',
      'Ad-hoc queries and mutations are disabled on this server; dispatch a declared one, or start the server without --no-adhoc.',
    );
  }
  if (kind === 'query') prepareQuery(program, text);
  else prepareMutation(program, text);
}

/** `main` unless the request names another fork; places that disagree are a conflict. */
function forkOf({ forks }: RequestFrame): string {
  const [first] = forks;
  const other = forks.find(({ fork }) => fork !== first?.fork);
  if (first && other) {
    throw new ApiError(
      'SVC_RUNTIME_FORK_CONFLICT',
      `The ${first.from} names the fork "${first.fork}", but the ${other.from} names "${other.fork}"; name one fork.`,
      { [first.from]: first.fork, [other.from]: other.fork },
    );
  }
  return first?.fork ?? MAIN_FORK;
}

/** Opens the tenant's scope once; a failed opening may be tried again. */
function scopeOf(
  options: RuntimeOptions,
  current: Loaded,
  scopeIdOf: (tenant: string) => string,
  context: RequestContext,
): Soon<Scope> {
  const tenant = context.tenant ?? DEFAULT_TENANT;
  const scopeId = options.scopeId ?? scopeIdOf(tenant);
  const scope = current.scopes.get(scopeId) ?? opening(options, current, scopeId, tenant);
  return scope instanceof Promise
    ? scope.then((opened) => requireTenant(opened, tenant))
    : requireTenant(scope, tenant);
}

function opening(
  options: RuntimeOptions,
  { program, scopes }: Loaded,
  scopeId: string,
  tenant: string,
): Promise<Scope> {
  const scope = openRecorded(options, program, scopeId, tenant);
  scopes.set(scopeId, scope);
  // Who waits for it is told.
  scope.then(
    (opened) => scopes.set(scopeId, opened),
    () => scopes.delete(scopeId),
  );
  return scope;
}

function requireTenant(scope: Scope, tenant: string): Scope {
  if (scope.tenant !== tenant) throw collision(scope.scopeId);
  return scope;
}

async function openRecorded(
  options: RuntimeOptions,
  program: Program,
  scopeId: string,
  tenant: string,
): Promise<Scope> {
  const { store, log } = options;
  const { schemaHash } = program.artifact;
  const record = await store.scope(scopeId);
  if (!record) await store.createScope({ scopeId, tenant, schemaHash });
  else if (record.tenant !== tenant) throw collision(scopeId);
  else if (record.schemaHash !== schemaHash) {
    if (!options.acceptSchemaChange) throw schemaMismatch(record.schemaHash, schemaHash);
    await store.recordSchema(scopeId, schemaHash);
  }
  const { scope, hidden } = await openScope(program, store, { scopeId, tenant }, options.limits, options.createPacer());
  if (hidden.count > 0) {
    log.warn('stored facts that no longer fit the module are hidden', {
      scopeId,
      count: hidden.count,
      example: hidden.example,
    });
  }
  return scope;
}

/** Neither tenant is named: one must not learn of the other. */
function collision(scopeId: string): ApiError {
  return new ApiError(
    'SVC_RUNTIME_SCOPE_ID_COLLISION',
    'Another tenant has the same scope id; start the server with more scope id bits, or use another tenant id.',
    { scopeId },
  );
}

function schemaMismatch(recorded: string, loaded: string): ApiError {
  return new ApiError(
    'SVC_RUNTIME_SCHEMA_MISMATCH',
    'The scope was recorded under another schema; load the module it was recorded under, or start with SVC_ACCEPT_SCHEMA_CHANGE=1 to accept the new one.',
    { recorded, loaded },
  );
}
