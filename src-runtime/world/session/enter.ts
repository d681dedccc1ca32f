/** `enter` finds the scope and fork of a request, and opens the scope if needed. */

import { ApiError } from '../../api/errors.js';
import { andThen, type MaybePromise } from '../../base/ports.js';
import { MAIN_FORK, ScopeBehind } from '../../storage/event-store.js';
import type { RequestFrame } from '../contract/requests.js';
import type { RuntimeOptions } from '../contract/runtime.js';
import { openUnder, requireLastDeployment } from '../module/deployments.js';
import { type Loaded, registerOpening } from '../module/loaded.js';
import type { ModuleSlot } from '../module/module-slot.js';
import type { OtherServers } from '../module/other-servers.js';
import { type RequestContext, resolveContext } from '../state/context.js';
import type { Cursors } from '../state/cursor.js';
import { requireFork } from '../state/forks.js';
import { declaredEnvironment } from '../state/individuals.js';
import type { Scope } from '../state/scope.js';
import { DEFAULT_TENANT } from '../state/scope-id.js';
import type { Session } from '../state/session.js';
import type { StateSaver } from '../state/state-saver.js';
import type { Writes } from '../state/writes.js';
import { forkAt } from './moments.js';

interface EntranceSite extends RuntimeOptions {
  readonly slot: ModuleSlot;
  readonly saver: StateSaver;
  readonly writes: Writes;
  readonly cursors: Cursors;
  readonly scopeIdOf: (tenant: string) => string;
  /** Undefined if this server is alone on its store. */
  readonly others: OtherServers | undefined;
}

export interface Entrance {
  enter(frame: RequestFrame): MaybePromise<Session>;
  /** Opens the scope if it is recorded under the running module. */
  scopeIdOfFrame(frame: RequestFrame, isOpened: boolean): Promise<string>;
}

export function createEntrance(options: EntranceSite): Entrance {
  const { slot, others, scopeIdOf, store, writes, cursors, clock, stopwatch, createDeadline, limits } = options;
  let uses = 0;
  const isBounded = options.readConsistency === 'bounded';

  const contextOf = ({ program }: Loaded, frame: RequestFrame): RequestContext =>
    resolveContext(program.artifact.schema.context, frame, declaredEnvironment(program), clock.now());

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
    const scope = known ?? registerOpening(current, scopeId, openRecorded(options, current, scopeId, tenant));
    if (others !== undefined) return inSharedScope(others, scope, frame, use, current);
    return andThen(scope, (opened) => {
      if (opened.tenant !== tenant) throw collision(opened.scopeId);
      opened.lastUse = ++uses;
      return use(current, opened, context);
    });
  }

  /** Brings the scope up first, and enters again if another module or a scope that was opened again serves the request by then. */
  async function inSharedScope<T>(
    servers: OtherServers,
    scope: MaybePromise<Scope>,
    frame: RequestFrame,
    use: (current: Loaded, scope: Scope, context: RequestContext) => MaybePromise<T>,
    current: Loaded,
  ): Promise<T> {
    try {
      const opened = await scope;
      const context = contextOf(current, frame);
      if (opened.tenant !== (context.tenant ?? DEFAULT_TENANT)) throw collision(opened.scopeId);
      opened.lastUse = ++uses;
      const seenVersion = isBounded ? (frame.seenVersion ?? 0) : Number.POSITIVE_INFINITY;
      if (opened.position.version >= seenVersion || (await servers.catchUp(opened)))
        return await use(current, opened, context);
    } catch (error) {
      if (!(error instanceof ScopeBehind)) throw error;
      await slot.follow();
    }
    return await inScope(frame, use);
  }

  return { enter, scopeIdOfFrame };
}

export async function openRecorded(
  options: RuntimeOptions & { readonly saver: StateSaver },
  loaded: Loaded,
  scopeId: string,
  tenant: string,
): Promise<Scope> {
  const { store, log } = options;
  const { schemaHash } = loaded.program.artifact;
  const record = await store.scope(scopeId);
  if (!record) await store.createScope({ scopeId, tenant, schemaHash }, loaded.deployment);
  else if (record.tenant !== tenant) throw collision(scopeId);
  else if (record.schemaHash !== schemaHash) {
    await requireLastDeployment(store, loaded);
    if (!options.acceptSchemaChange) throw schemaMismatch(record.schemaHash, schemaHash);
    await store.recordSchema(scopeId, schemaHash);
  }
  const { scope, hidden } = await openUnder(options, loaded, { scopeId, tenant }, options.createDeadline());
  if (hidden.count > 0) {
    log.warn('stored facts that no longer fit the module are hidden', {
      scopeId,
      count: hidden.count,
      example: hidden.example,
    });
  }
  return options.saver.follow(scope);
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
