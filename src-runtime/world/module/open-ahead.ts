/**
 * Opens scopes before their first request, so that it need not wait until the history is read. Each open scope takes memory, so only those
 * with the longest histories are opened.
 */

import type { EventStore, ScopeRecord } from '../../storage/event-store.js';
import type { Scope } from '../state/scope.js';
import { isArchiveId } from '../state/scope-id.js';
import { type Loaded, registerOpening } from './loaded.js';

/** Shorter histories open quickly with the first request of their tenant. */
export const OPENED_AHEAD_MAX = 16;

export interface OpenerSite {
  readonly store: Pick<EventStore, 'scopes' | 'lastNumbers'>;
  /** The module that serves requests; undefined without one, and when the runtime closes. */
  readonly current: () => Loaded | undefined;
  /** Resolves once no module is being replaced. */
  readonly replaced: () => Promise<void>;
  /** The one scope of all requests under this module; undefined if each tenant has its own. */
  readonly onlyScopeId: (loaded: Loaded) => string | undefined;
  readonly open: (loaded: Loaded, record: ScopeRecord) => Promise<Scope>;
}

/** Returns `openScopes` of the runtime. It opens scopes once for each module, and again after a failure. */
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

/** Throws why scopes cannot be opened if all of them fail. Scopes of a module that was replaced meanwhile count as open. */
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

/** Scopes that requests may enter, the longest histories first. */
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
