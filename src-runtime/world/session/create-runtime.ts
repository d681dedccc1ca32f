/** The runtime: a slot for the module, the scopes opened under it, and `enter`, which finds the scope of a request. */

import { ApiError } from '../../api/errors.js';
import { andThen, type Deadline, type MaybePromise } from '../../base/ports.js';
import type { Program } from '../../engine/index.js';
import { MAIN_FORK } from '../../storage/event-store.js';
import type { AdhocText, RequestFrame } from '../contract/requests.js';
import type { Runtime, RuntimeOptions } from '../contract/runtime.js';
import { createModuleSlot } from '../module/module-slot.js';
import { createOpener } from '../module/open-ahead.js';
import { type Loaded, recordedSchemas, registerOpening } from '../module/reload.js';
import { prepareMutation, prepareQuery, requireAdhoc } from '../read/adhoc.js';
import { type RequestContext, resolveContext } from '../state/context.js';
import { createCursors } from '../state/cursor.js';
import { requireFork } from '../state/forks.js';
import { declaredEnvironment } from '../state/individuals.js';
import { openScope } from '../state/open-scope.js';
import { type Scope, ScopeRetired } from '../state/scope.js';
import { DEFAULT_TENANT, rememberScopeIds } from '../state/scope-id.js';
import type { Session } from '../state/session.js';
import { createStateSaver, type StateSaver } from '../state/state-saver.js';
import { declaresTenant } from '../state/tenancy.js';
import { createWrites } from '../state/writes.js';
import { createTestOperations } from '../tests/test-runs.js';
import { forkAt } from './moments.js';

export function createRuntime(options: RuntimeOptions): Runtime<Session> {
  const { store, clock, stopwatch, createDeadline, limits } = options;
  const writes = createWrites();
  const cursors = createCursors(options.cursorKey);
  const scopeIdOf = rememberScopeIds(options.scopeIdBits);
  const slot = createModuleSlot(options, writes);
  let isClosing = false;
  const saver = createStateSaver({ ...options, writes, scopeOf: slot.openedScope });
  const opening = { ...options, saver, createDeadline: () => untilClosing(createDeadline(), () => isClosing) };
  const openScopes = createOpener({
    store,
    current: () => (isClosing || slot.hash === '' ? undefined : slot.current()),
    replaced: async () => void (await slot.replacing),
    onlyScopeId: (loaded) => onlyScopeId(options, loaded, scopeIdOf),
    open: ({ program }, { scopeId, tenant }) => openRecorded(opening, program, scopeId, tenant),
  });

  const contextOf = ({ program }: Loaded, frame: RequestFrame): RequestContext =>
    resolveContext(program.artifact.schema.context, frame, declaredEnvironment(program), clock.now());

  /** Opens the scope if it is recorded under the running module. */
  async function scopeIdOfFrame(frame: RequestFrame, isOpened: boolean): Promise<string> {
    if (isOpened) return (await inScope(frame, (_current, scope) => scope)).scopeId;
    return options.scopeId ?? scopeIdOf(contextOf(slot.current(), frame).tenant ?? DEFAULT_TENANT);
  }

  function enter(frame: RequestFrame): MaybePromise<Session> {
    return inScope(frame, ({ predecessor }, scope, context) => {
      const fork = requireFork(scope, forkOf(frame));
      const site = { scope, fork, store, writes, cursors, clock, stopwatch, createDeadline };
      const session = { ...site, context, limits, predecessor, onPhase: frame.onPhase };
      if (frame.asOf === undefined) return session;
      return andThen(forkAt(session, frame.asOf), (past) => ({ ...session, fork: past }));
    });
  }

  /** A scope that is not open waits for a module that is being loaded: the load carries over what is stored now. */
  function inScope<T>(
    frame: RequestFrame,
    use: (current: Loaded, scope: Scope, context: RequestContext) => MaybePromise<T>,
  ): MaybePromise<T> {
    const current = slot.current();
    const context = contextOf(current, frame);
    const tenant = context.tenant ?? DEFAULT_TENANT;
    const scopeId = options.scopeId ?? scopeIdOf(tenant);
    const known = current.scopes.get(scopeId);
    if (known === undefined && slot.replacing !== undefined) return slot.replacing.then(() => inScope(frame, use));
    const scope = known ?? registerOpening(current, scopeId, openRecorded(opening, current.program, scopeId, tenant));
    return andThen(scope, (opened) => {
      if (opened.tenant !== tenant) throw collision(opened.scopeId);
      return use(current, opened, context);
    });
  }

  return {
    get moduleHash() {
      return slot.hash;
    },
    storageKind: store.kind,
    get storageWarnings() {
      return store.warnings;
    },
    probeStorage: () => store.probe(),
    openScopes,
    module: () => slot.info(),
    schema: () => slot.current().schema,
    artifact: () => slot.current().program.artifact,
    noteLoadFailure: slot.noteFailure,
    loadArtifact: (artifact, origin, how) => slot.load(artifact, origin, how),
    previewArtifact: (artifact, frame, renames = [], base) =>
      slot.preview(artifact, () => scopeIdOfFrame(frame, base === undefined), renames, base),
    recordedSchemas: () => recordedSchemas(options),
    lastAdoption: () => store.lastAdoption(),
    async moduleChange(frame) {
      const current = slot.current();
      const scopeId = await scopeIdOfFrame(frame, true);
      return (await current.changes?.get(scopeId)) ?? current.changeElsewhere ?? null;
    },
    ...createTestOperations(() => ({ ...slot.current(), cursors, limits: options.limits }), options.limits),
    prepareAdhoc: (kind, text) => prepareAdhoc(slot.current().program, options, kind, text),
    onErasure: writes.onErasure,
    enter,
    async close() {
      isClosing = true;
      await slot.idle();
      await saver.finish();
      await store.close();
    },
  };
}

/**
 * Runs a write in the scope and on the fork of its request. If a reload replaced the module while the write waited for its turn,
 * nothing was written, and it runs again under the new module.
 */
export async function runWrite<T>(
  { enter }: Pick<Runtime<Session>, 'enter'>,
  frame: RequestFrame,
  write: (session: Session) => MaybePromise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await write(await enter(frame));
    } catch (error) {
      if (!(error instanceof ScopeRetired)) throw error;
    }
  }
}

function prepareAdhoc(
  program: Program,
  { adhoc }: Pick<RuntimeOptions, 'adhoc'>,
  kind: 'query' | 'mutation',
  text: AdhocText,
): void {
  requireAdhoc(adhoc);
  if (kind === 'query') prepareQuery(program, text);
  else prepareMutation(program, text);
}

/** The one scope of all requests; undefined if each tenant has its own. */
function onlyScopeId(
  { scopeId }: Pick<RuntimeOptions, 'scopeId'>,
  { program }: Loaded,
  scopeIdOf: (tenant: string) => string,
): string | undefined {
  return scopeId ?? (declaresTenant(program.artifact) ? undefined : scopeIdOf(DEFAULT_TENANT));
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

async function openRecorded(
  options: RuntimeOptions & { readonly saver: StateSaver },
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
  const { scope, hidden } = await store.opening(scopeId, (history, position) =>
    openScope(program, history, { scopeId, tenant, position }, options.limits, options.createDeadline()),
  );
  if (hidden.count > 0) {
    log.warn('stored facts that no longer fit the module are hidden', {
      scopeId,
      count: hidden.count,
      example: hidden.example,
    });
  }
  return options.saver.follow(scope);
}

/** Stops reading histories when the runtime closes. */
function untilClosing(deadline: Deadline, isClosing: () => boolean): Deadline {
  return {
    checkpoint() {
      if (isClosing()) throw new Error('the runtime closes before the history of the scope is read');
      return deadline.checkpoint();
    },
  };
}

/** The message names neither tenant, because one must not learn about the other. */
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
    'The scope was recorded under another schema; save or reload the module to hold the stored facts to it, load the module it was recorded under, or start with SVC_ACCEPT_SCHEMA_CHANGE=1, which hides facts that do not fit.',
    { recorded, loaded },
  );
}
