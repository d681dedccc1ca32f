/** Puts a schema in force, alone or with the deployment of a module: for all scopes or none. */

import { randomUUID } from 'node:crypto';
import {
  type Deployment,
  type LockedScopes,
  type Position,
  type SchemaAdoption,
  ScopeBehind,
  StorageError,
} from '../event-store.js';
import { renamer } from '../renaming.js';
import { rewriteEach } from '../rewriting.js';
import { type Connections, LostRace, type Session } from './connections.js';
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

type Module = Pick<Deployment, 'moduleHash' | 'artifact'>;

/** Within a transaction, whose lock on the deployment no new scope passes. Returns the id of the deployment. */
export async function deploy(
  session: Session,
  module: Module,
  adoption: SchemaAdoption,
  at: Pick<LockedScopes, 'deployment' | 'scopes'>,
): Promise<number> {
  const { deployment, scopes } = await lockAll(session);
  if (deployment !== at.deployment) throw new ScopeBehind('Another module was deployed');
  const isSame = [...scopes].every(([scopeId, { version, epoch, deployment }]) => {
    const checked = at.scopes.get(scopeId);
    return checked?.version === version && checked.epoch === epoch && checked.deployment === deployment;
  });
  if (!isSame || scopes.size !== at.scopes.size) throw new ScopeBehind('Another server has written to a scope');
  return await putInForce(session, module, adoption, deployment);
}

/** See `SharedStore.lockScopes`. */
export async function lockScopes(connections: Connections): Promise<LockedScopes> {
  let end: (deployed?: { readonly module: Module; readonly adoption: SchemaAdoption }) => void = () => undefined;
  const ending = new Promise<Parameters<typeof end>[0]>((resolve) => {
    end = resolve;
  });
  let ended: Promise<number | undefined> | undefined;
  const locked = await new Promise<Pick<LockedScopes, 'deployment' | 'scopes'>>((resolve, reject) => {
    ended = connections.transaction('lock', async (session) => {
      const all = await lockAll(session);
      resolve(all);
      const deployed = await ending;
      return deployed && (await putInForce(session, deployed.module, deployed.adoption, all.deployment));
    });
    ended.catch((error) => reject(asBehind(error, connections)));
  });
  return {
    ...locked,
    deploy: async (module, adoption) => {
      end({ module, adoption });
      try {
        return (await ended) ?? 0;
      } catch (error) {
        throw asBehind(error, connections);
      }
    },
    release: async () => {
      end();
      await ended?.catch(() => undefined);
    },
  };
}

function asBehind(error: unknown, connections: Connections): unknown {
  if (error instanceof LostRace) return new ScopeBehind('Other servers write to the scopes');
  return connections.failure(error, true);
}

async function lockAll(session: Session): Promise<Pick<LockedScopes, 'deployment' | 'scopes'>> {
  const [last] = await session.rows<{ value: string }>('lockDeployment');
  const rows = await session.rows<Position & { scope_id: string }>('lockLiveScopes');
  return {
    deployment: Number(last?.value),
    scopes: new Map(rows.map(({ scope_id, ...position }) => [scope_id, position])),
  };
}

async function putInForce(
  session: Session,
  { moduleHash, artifact }: Module,
  adoption: SchemaAdoption,
  deployment: number,
): Promise<number> {
  const id = deployment + 1;
  await session.run('addDeployment', [id, moduleHash, artifact]);
  await session.run('setMeta', ['deployment', String(id)]);
  await adopt(session, adoption);
  await session.run('setDeployment', [id]);
  return id;
}
