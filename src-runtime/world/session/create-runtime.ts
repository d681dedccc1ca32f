/** The runtime: a slot for the module, the scopes opened under it, and what saves them and follows other servers. */

import { ApiError } from '../../api/errors.js';
import { andThen, type Deadline, type MaybePromise } from '../../base/ports.js';
import type { Program } from '../../engine/index.js';
import { ScopeBehind } from '../../storage/event-store.js';
import type { AdhocText, RequestFrame } from '../contract/requests.js';
import type { Runtime, RuntimeOptions, Usage } from '../contract/runtime.js';
import { openUnder } from '../module/deployments.js';
import { createIdleScopes } from '../module/idle-scopes.js';
import type { Loaded } from '../module/loaded.js';
import { createModuleSlot } from '../module/module-slot.js';
import { createOpener } from '../module/open-ahead.js';
import { followOtherServers } from '../module/other-servers.js';
import { recordedSchemas } from '../module/reload.js';
import { prepareMutation, prepareQuery, requireAdhoc } from '../read/adhoc.js';
import { createCursors } from '../state/cursor.js';
import { isRewritten } from '../state/replayed-branches.js';
import { type Scope, ScopeRetired, storedFacts } from '../state/scope.js';
import { DEFAULT_TENANT, rememberScopeIds } from '../state/scope-id.js';
import type { Session } from '../state/session.js';
import { createStateSaver, type StateSaver } from '../state/state-saver.js';
import { declaresTenant } from '../state/tenancy.js';
import { createWrites } from '../state/writes.js';
import { createTestOperations } from '../tests/test-runs.js';
import { createEntrance, openRecorded } from './enter.js';

export function createRuntime(options: RuntimeOptions): Runtime<Session> {
  const { store, clock, createDeadline } = options;
  const writes = createWrites();
  const cursors = createCursors(options.cursorKey);
  const scopeIdOf = rememberScopeIds(options.scopeIdBits);
  const slot = createModuleSlot(options, writes);
  let isClosing = false;
  const saver = createStateSaver({ ...options, writes, scopeOf: slot.openedScope });
  const opening = { ...options, saver, createDeadline: () => untilClosing(createDeadline(), () => isClosing) };
  const served = () => (isClosing || slot.hash === '' ? undefined : slot.current());
  const openScopes = createOpener({
    store,
    current: served,
    replaced: async () => void (await slot.replacing),
    onlyScopeId: (loaded) => onlyScopeId(options, loaded, scopeIdOf),
    open: (loaded, { scopeId, tenant }) => openRecorded(opening, loaded, scopeId, tenant),
  });
  const { shared } = store;
  const isBounded = options.readConsistency === 'bounded';
  const others =
    shared &&
    followOtherServers({
      shared,
      slot,
      writes,
      clock,
      createDeadline: opening.createDeadline,
      open: async (loaded, scope) => (await openUnder(options, loaded, scope, opening.createDeadline())).scope,
    });
  const { enter, scopeIdOfFrame } = createEntrance({ ...opening, slot, writes, cursors, scopeIdOf, others });

  return {
    get moduleHash() {
      return slot.hash;
    },
    storageKind: store.kind,
    get storageWarnings() {
      return store.warnings;
    },
    async usage() {
      const scopes = slot.hash === '' ? [] : [...slot.current().scopes.values()];
      return { ...(await countScopes(scopes, createDeadline())), connections: store.connections };
    },
    probeStorage: () => store.probe(),
    openScopes,
    closeIdleScopes: createIdleScopes({ current: served, writes, saver }),
    module: () => slot.info(),
    schema: () => slot.current().schema,
    artifact: () => slot.current().program.artifact,
    noteLoadFailure: slot.noteFailure,
    followOthers: async () => others?.poll(isBounded ? 'open' : 'followed'),
    loadArtifact: (artifact, origin, how) => followAll(slot.load(artifact, origin, how), slot, saver),
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

/** A reload opens every scope of the module before, whose states are to be saved too. */
async function followAll<T>(
  loading: Promise<T>,
  { current }: Pick<ReturnType<typeof createModuleSlot>, 'current'>,
  saver: StateSaver,
): Promise<T> {
  const loaded = await loading;
  for (const scope of current().scopes.values()) if (!(scope instanceof Promise)) saver.follow(scope);
  return loaded;
}

/** Scopes that are being opened are left out. */
async function countScopes(
  scopes: readonly MaybePromise<Scope>[],
  deadline: Deadline,
): Promise<Pick<Usage, 'scopes' | 'facts'>> {
  const usage = { scopes: 0, facts: 0 };
  for (const scope of scopes) {
    if (scope instanceof Promise) continue;
    usage.scopes += 1;
    usage.facts += storedFacts(scope);
    await deadline.checkpoint();
  }
  return usage;
}

/**
 * Runs a write in the scope and on the fork of its request. If a reload replaced the module while the write waited for its turn, or
 * another server was first, nothing was written, and it runs again. So does a write that was refused after the history was rewritten.
 */
export async function runWrite<T>(
  { enter }: Pick<Runtime<Session>, 'enter'>,
  frame: RequestFrame,
  write: (session: Session) => MaybePromise<T>,
): Promise<T> {
  const { headerContext, bodyContext, forks, asOf, onPhase } = frame;
  // A spread with another value takes several µs, because each of them gets a new hidden class.
  const latest = { headerContext, bodyContext, forks, asOf, onPhase, seenVersion: Number.POSITIVE_INFINITY };
  for (;;) {
    let session: Session | undefined;
    try {
      const entered = enter(latest);
      session = entered instanceof Promise ? await entered : entered;
      return await write(session);
    } catch (error) {
      if (error instanceof ScopeRetired || error instanceof ScopeBehind) continue;
      if (session === undefined || !isRefusal(error)) throw error;
      const rewritten = isRewritten(session.store, session.scope);
      if (!(rewritten instanceof Promise ? await rewritten : rewritten)) throw error;
    }
  }
}

/** Runs a read in the scope and on the fork of its request. It runs again if the history was rewritten before a replay had read it. */
export function runRead<T>(
  { enter }: Pick<Runtime<Session>, 'enter'>,
  frame: RequestFrame,
  read: (session: Session) => MaybePromise<T>,
): MaybePromise<T> {
  const found = andThen(enter(frame), read);
  if (!(found instanceof Promise)) return found;
  return found.catch((error: unknown) => {
    if (error instanceof ScopeRetired) return runRead({ enter }, frame, read);
    throw error;
  });
}

/** Nothing was kept, and the history may be the reason. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof ApiError && ['SVC_RUNTIME_VALIDATION_FAILED', 'SVC_RUNTIME_CHECK_VIOLATION'].includes(error.code)
  );
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

/** Stops reading histories when the runtime closes. */
function untilClosing(deadline: Deadline, isClosing: () => boolean): Deadline {
  return {
    checkpoint() {
      if (isClosing()) throw new Error('the runtime closes before the history of the scope is read');
      return deadline.checkpoint();
    },
    memoryLeft: () => deadline.memoryLeft?.() ?? Number.POSITIVE_INFINITY,
  };
}
