/** Modules that several servers serve: put in force by one, and followed by the others. */

import { ApiError } from '../../api/errors.js';
import { encodeArtifact } from '../../artifact/index.js';
import type { Artifact } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import {
  type Deployment,
  type EventStore,
  type LockedScopes,
  type SchemaAdoption,
  ScopeBehind,
  type ScopeHistory,
  type SharedStore,
  StorageError,
} from '../../storage/event-store.js';
import type { RuntimeOptions } from '../contract/runtime.js';
import { carryScope } from '../state/carry-scope.js';
import { broughtUp } from '../state/catch-up.js';
import { openScope } from '../state/open-scope.js';
import type { Scope } from '../state/scope.js';
import { isArchiveId } from '../state/scope-id.js';
import { keepsShape, storedShape } from '../state/stored-shape.js';
import { decodeOrRefuse, programOf } from '../wire/artifact-program.js';
import { servedSchema } from '../wire/served-schema.js';
import { affectedRules } from './affected-rules.js';
import { type Loaded, lockWriters } from './loaded.js';

/** Returns the id of the deployment. Throws ScopeBehind if another server has written or deployed since, unless scopes are `locked`. */
export async function putInForce(
  store: EventStore,
  artifact: Artifact,
  adoption: SchemaAdoption,
  { deployment }: Loaded,
  scopes: readonly Scope[],
  locked: LockedScopes | undefined,
): Promise<number> {
  const { shared } = store;
  if (shared === undefined) {
    await store.adoptSchema(adoption);
    return 0;
  }
  if (locked !== undefined) return await locked.deploy(deployed(artifact), adoption);
  const positions = new Map(scopes.map(({ scopeId, position }) => [scopeId, position]));
  return await shared.deploy(deployed(artifact), adoption, { deployment, scopes: positions });
}

/**
 * Locks the scopes of all servers and brings these up to them, while no writer of this server runs. Throws ScopeBehind if there are other
 * scopes, a rewritten history or another module.
 */
export async function lockUpToDate(
  shared: SharedStore,
  { deployment }: Loaded,
  scopes: readonly Scope[],
  deadline: Deadline,
): Promise<LockedScopes> {
  const locked = await shared.lockScopes();
  try {
    if (locked.deployment > deployment) throw new ScopeBehind('there is a newer module');
    if (locked.scopes.size !== scopes.length) throw new ScopeBehind('there are other scopes');
    for (const scope of scopes) {
      const target = locked.scopes.get(scope.scopeId);
      if (target === undefined) throw new ScopeBehind('there are other scopes');
      await broughtUp(scope, target, { shared, open: refuseRewritten, deadline });
    }
    return locked;
  } catch (error) {
    await locked.release();
    throw error;
  }
}

/**
 * Hands over the stored history of a scope once the facts in memory are up to it. To be called while no writer of this server runs. Throws
 * ScopeBehind if the history was rewritten, and for another module.
 */
export async function openingUpToDate<T>(
  store: EventStore,
  { deployment }: Loaded,
  scope: Scope,
  use: (history: ScopeHistory) => Promise<T>,
  deadline: Deadline,
): Promise<T> {
  const { shared } = store;
  if (shared === undefined) return await use(store);
  for (;;) {
    const found = await store.opening(scope.scopeId, async (history, at) => {
      if (at.deployment > deployment) throw new ScopeBehind('there is a newer module');
      const { version, epoch } = scope.position;
      return at.version === version && at.epoch === epoch ? { opened: await use(history) } : { at };
    });
    if ('opened' in found) return found.opened;
    await broughtUp(scope, found.at, { shared, open: refuseRewritten, deadline });
  }
}

const refuseRewritten = () => Promise.reject(new ScopeBehind('the history of a scope was rewritten'));

function deployed(artifact: Artifact): Pick<Deployment, 'moduleHash' | 'artifact'> {
  return { moduleHash: artifact.integrity, artifact: encodeArtifact(artifact) };
}

/** The first module of this server: the one that others serve, or the first of all. Throws MODULE_INCOMPATIBLE for another one. */
export async function firstDeployment({ store }: RuntimeOptions, artifact: Artifact): Promise<number> {
  const { shared } = store;
  if (shared === undefined) return 0;
  const id = await shared.lastDeployment();
  if (id === 0) {
    const scopeIds = (await store.scopes()).map(({ scopeId }) => scopeId).filter((scopeId) => !isArchiveId(scopeId));
    const scopes = await shared.positions(scopeIds);
    const adoption = { schemaHash: artifact.schemaHash, scopeIds: [] };
    return await shared.deploy(deployed(artifact), adoption, { deployment: 0, scopes });
  }
  const { moduleHash } = await shared.deployment(id);
  if (moduleHash === artifact.integrity) return id;
  throw new ApiError(
    'SVC_RUNTIME_MODULE_INCOMPATIBLE',
    `The servers of this database serve another module (${moduleHash}); start without files to serve it too, or replace it with --deploy.`,
    { deployed: moduleHash, loaded: artifact.integrity },
  );
}

/** Serves a module that another server has deployed, which checked the facts. */
export async function followDeployment(
  options: RuntimeOptions,
  current: Loaded | undefined,
  { id, artifact: bytes }: Deployment,
  from: (artifact: Artifact) => Pick<Loaded, 'origin' | 'tests' | 'sources'>,
): Promise<Loaded> {
  const artifact = decodeOrRefuse(bytes);
  const program = programOf(artifact);
  const next: Loaded = {
    program,
    schema: servedSchema(artifact),
    deployment: id,
    loadedAt: new Date(options.clock.now()).toISOString(),
    ...from(artifact),
    scopes: new Map(),
  };
  if (current === undefined) return next;
  const { scopes, release } = await lockOpen(current);
  try {
    const opened = await broughtUnder(options, current, next, scopes);
    for (const [index, scope] of opened.entries()) {
      const old = scopes[index] as Scope;
      old.successor = scope;
      next.scopes.set(scope.scopeId, scope);
    }
    return next;
  } finally {
    release();
  }
}

/** Becomes the writer of all open scopes. One may have been opened again meanwhile, because its history was rewritten. */
async function lockOpen(current: Loaded): Promise<{ readonly scopes: readonly Scope[]; readonly release: () => void }> {
  for (;;) {
    await Promise.allSettled(current.scopes.values());
    const scopes = await Promise.all(current.scopes.values());
    const release = await lockWriters(scopes);
    if (scopes.every(({ successor }) => successor === undefined)) return { scopes, release };
    release();
  }
}

/**
 * Open scopes under the next module, without writers. If it has the same stored declarations, their facts stay in memory, and what they
 * lack is read with the next request.
 */
async function broughtUnder(
  options: RuntimeOptions,
  current: Loaded,
  next: Loaded,
  scopes: readonly Scope[],
): Promise<Scope[]> {
  const { program, deployment } = next;
  const deadline = options.createDeadline();
  const isSameShape = keepsShape(storedShape(current.program), storedShape(program));
  const affected = isSameShape ? affectedRules(current.program, program) : undefined;
  const positions = await options.store.shared?.positions(scopes.map(({ scopeId }) => scopeId));
  const all: Scope[] = [];
  for (const scope of scopes) {
    const isRewritten = positions?.get(scope.scopeId)?.epoch !== scope.position.epoch;
    if (affected === undefined || isRewritten || scope.hides) {
      all.push((await openUnder(options, next, scope, deadline)).scope);
    } else {
      const carried = carryScope(scope, program, affected);
      carried.position = { ...scope.position, deployment };
      all.push(carried);
    }
    await deadline.checkpoint();
  }
  return all;
}

/** Throws ScopeBehind if the scope is written to under a newer module. */
export async function openUnder(
  { store, limits }: Pick<RuntimeOptions, 'store' | 'limits'>,
  { program, deployment }: Loaded,
  { scopeId, tenant }: Pick<Scope, 'scopeId' | 'tenant'>,
  deadline: Deadline,
): ReturnType<typeof openScope> {
  return await store.opening(scopeId, (history, position) => {
    if (position.deployment > deployment) throw new ScopeBehind('the scope is written to under a newer module');
    return openScope(program, history, { scopeId, tenant, position }, limits, deadline);
  });
}

/** Throws ScopeBehind if the servers of a shared store serve a newer module. */
export async function requireLastDeployment({ shared }: EventStore, { deployment }: Loaded): Promise<void> {
  if (shared !== undefined && (await shared.lastDeployment()) > deployment)
    throw new ScopeBehind('there is a newer module');
}

/** The scope with what other servers have written to it. */
export async function upToDate(
  shared: SharedStore,
  current: Loaded,
  scope: Scope,
  open: () => Promise<Scope>,
  deadline: Deadline,
): Promise<Scope> {
  const { scopeId } = scope;
  const target = (await shared.positions([scopeId])).get(scopeId) ?? scope.position;
  const found = await scope.writers.alone(async () => {
    // A request may have opened it again meanwhile. A second successor would leave the followers of the first behind.
    if (scope.successor !== undefined) throw new ScopeBehind('the scope was opened again');
    return await broughtUp(scope, target, { shared, open, deadline });
  });
  if (found !== scope) current.scopes.set(scopeId, found);
  return found;
}

/** How often a module is checked again because other servers wrote during the check. */
const ATTEMPTS_MAX = 10;

/** Further attempts lock the scopes of all servers during the check, so that it ends although they are always written to. */
const UNLOCKED_ATTEMPTS = 2;

/** Checks a module against the facts of all servers, again if others write or deploy during the check. */
export async function onLatest<T>(
  shared: SharedStore | undefined,
  follow: (shared: SharedStore) => Promise<void>,
  check: (isLocking: boolean) => Promise<T>,
): Promise<T> {
  if (shared === undefined) return await check(false);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    try {
      return await check(attempt > UNLOCKED_ATTEMPTS);
    } catch (error) {
      unlessBehind(error);
      await follow(shared);
    }
  }
  const why = 'other servers wrote to the facts each time that the module was checked; try again when they write less';
  throw new StorageError(`The module was not checked: ${why}`, 'failed', { why });
}

/** Throws any other error than ScopeBehind. */
export function unlessBehind(error: unknown): undefined {
  if (error instanceof ScopeBehind) return undefined;
  throw error;
}
