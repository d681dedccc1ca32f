/** Puts a schema in force, alone or with the deployment of a module: for all scopes or none. */

import { randomUUID } from 'node:crypto';
import { type Position, type SchemaAdoption, ScopeBehind, StorageError } from '../event-store.js';
import { renamer } from '../renaming.js';
import { rewriteEach } from '../rewriting.js';
import type { Session } from './connections.js';
import { changeBodies } from './rewrites.js';

/** Within a transaction. */
export async function adopt(
  session: Session,
  { schemaHash, scopeIds, renaming, setAside = [], id }: SchemaAdoption,
): Promise<void> {
  const wanted = [...scopeIds, ...setAside.map(({ scopeId }) => scopeId)];
  if (wanted.length === 0) return;
  const locked = await session.rows<{ scope_id: string; key: string }>('lockScopes', [wanted]);
  const keys = new Map(locked.map(({ scope_id, key }) => [scope_id, key]));
  const missing = wanted.find((scopeId) => !keys.has(scopeId));
  if (missing !== undefined) throw new StorageError(`There is no scope ${missing}; create it first`, 'failed');
  const archives = setAside.map(({ asideId }) => asideId);
  const [taken] = await session.rows<{ scope_id: string }>('lockScopes', [archives]);
  if (taken !== undefined) throw new StorageError(`Scope ${taken.scope_id} exists already`, 'failed');
  if (renaming !== undefined) {
    const rewrite = rewriteEach(renamer(renaming));
    for (const scopeId of scopeIds) await changeBodies(session, keys.get(scopeId) ?? '', rewrite);
  }
  await session.run('recordSchema', [scopeIds, schemaHash]);
  for (const { scopeId, asideId } of setAside) {
    await session.run('setAside', [scopeId, asideId]);
    await session.run('succeed', [randomUUID(), scopeId, schemaHash, asideId]);
  }
  if (id !== undefined) await session.run('setMeta', ['adoption', String(id)]);
}

/** Within a transaction, whose lock on the deployment no new scope passes. Returns the id of the deployment. */
export async function deploy(
  session: Session,
  { moduleHash, artifact }: { readonly moduleHash: string; readonly artifact: Uint8Array },
  adoption: SchemaAdoption,
  at: { readonly deployment: number; readonly scopes: ReadonlyMap<string, Position> },
): Promise<number> {
  const [last] = await session.rows<{ value: string }>('lockDeployment');
  if (Number(last?.value) !== at.deployment) throw new ScopeBehind('Another module was deployed');
  const scopes = await session.rows<Position & { scope_id: string }>('lockLiveScopes');
  const isSame = scopes.every((scope) => {
    const checked = at.scopes.get(scope.scope_id);
    return (
      checked?.version === scope.version && checked.epoch === scope.epoch && checked.deployment === scope.deployment
    );
  });
  if (!isSame || scopes.length !== at.scopes.size) throw new ScopeBehind('Another server has written to a scope');
  const id = at.deployment + 1;
  await session.run('addDeployment', [id, moduleHash, artifact]);
  await session.run('setMeta', ['deployment', String(id)]);
  await adopt(session, adoption);
  await session.run('setDeployment', [id]);
  return id;
}
