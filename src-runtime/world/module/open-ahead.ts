/**
 * Opens scopes before their first request comes, so that it does not wait until their history is read. Many tenants can be
 * recorded, and each open scope takes memory: only those with the longest histories are opened ahead.
 */

import type { EventStore, ScopeRecord } from '../../storage/event-store.js';
import type { Scope } from '../state/scope.js';
import { isArchiveId } from '../state/scope-id.js';
import { type Loaded, registerOpening } from './reload.js';

/** Shorter histories are read in a moment, by the first request of their tenant. */
export const OPENED_AHEAD_MAX = 16;

export interface OpenerSite {
  readonly store: Pick<EventStore, 'scopes' | 'lastNumbers'>;
  /** The module that serves; undefined where none does, or the runtime closes. */
  readonly current: () => Loaded | undefined;
  /** Resolves once no module is being replaced. */
  readonly replaced: () => Promise<void>;
  /** The one scope that every request comes to under this module; undefined if each tenant has its own scope. */
  readonly onlyScopeId: (loaded: Loaded) => string | undefined;
  readonly open: (loaded: Loaded, record: ScopeRecord) => Promise<Scope>;
}

/** What comes back is `openScopes` of a runtime. Scopes are opened once for each module; where that fails, the next call tries again. */
export function createOpener(site: OpenerSite): () => Promise<void> {
  const openings = new WeakMap<Loaded, Promise<void>>();
  return async () => {
    const loaded = site.current();
    if (loaded === undefined) return;
    const opening = openings.get(loaded) ?? openAhead(site, loaded);
    openings.set(loaded, opening);
    opening.catch(() => openings.delete(loaded));
    await opening;
  };
}

/** Throws why the scopes cannot be opened, where not a single one can. Those of a module that was replaced meanwhile count as open. */
async function openAhead(site: OpenerSite, loaded: Loaded): Promise<void> {
  const { scopes } = loaded;
  let isAnyOpen = false;
  let failure: { readonly error: unknown } | undefined;
  for (const record of await recordedFor(site, loaded)) {
    await site.replaced();
    if (site.current() !== loaded) return;
    try {
      await (scopes.get(record.scopeId) ?? registerOpening(loaded, record.scopeId, site.open(loaded, record)));
      isAnyOpen = true;
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure !== undefined && !isAnyOpen) throw failure.error;
}

/** Scopes that requests come to, the longest histories first. */
async function recordedFor({ store, onlyScopeId }: OpenerSite, loaded: Loaded): Promise<readonly ScopeRecord[]> {
  const only = onlyScopeId(loaded);
  const reached = (await store.scopes()).filter(({ scopeId }) =>
    only === undefined ? !isArchiveId(scopeId) : scopeId === only,
  );
  const sized = await Promise.all(
    reached.map(async (record) => ({ record, seq: (await store.lastNumbers(record.scopeId)).seq })),
  );
  return sized
    .sort((left, right) => right.seq - left.seq)
    .slice(0, OPENED_AHEAD_MAX)
    .map(({ record }) => record);
}
