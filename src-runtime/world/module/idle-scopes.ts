/** Closes scopes that nobody uses, for a server of many tenants with less memory than all of them need. They open with their next request. */

import type { MaybePromise } from '../../base/ports.js';
import type { Scope } from '../state/scope.js';
import type { StateSaver } from '../state/state-saver.js';
import type { Writes } from '../state/writes.js';
import type { Loaded } from './loaded.js';

/** The part of the idle scopes that is closed at once. Memory is free only after a garbage collection, so more might be too many. */
const CLOSED_PART = 0.25;

interface Site {
  readonly current: () => Loaded | undefined;
  readonly writes: Writes;
  readonly saver: StateSaver;
}

/**
 * Returns a function that closes scopes not used since its last call, least recently used first. Scopes whose events someone follows
 * stay open. Resolves to how many it has closed.
 */
export function createIdleScopes({ current, writes, saver }: Site): () => Promise<number> {
  let usesBefore = 0;
  return async () => {
    const loaded = current();
    if (loaded === undefined) return 0;
    const followed = new Set(writes.followedScopes());
    const open = [...loaded.scopes.values()].filter(isOpen);
    const idle = open.filter(({ scopeId, lastUse }) => lastUse <= usesBefore && !followed.has(scopeId));
    usesBefore = open.reduce((most, { lastUse }) => Math.max(most, lastUse), usesBefore);
    const closed = idle
      .sort((left, right) => left.lastUse - right.lastUse)
      .slice(0, Math.ceil(idle.length * CLOSED_PART));
    for (const scope of closed) await close(loaded, scope, saver);
    return closed.length;
  };
}

function isOpen(scope: MaybePromise<Scope>): scope is Scope {
  return !(scope instanceof Promise);
}

async function close({ scopes }: Loaded, scope: Scope, saver: StateSaver): Promise<void> {
  await saver.beforeClosing(scope);
  await scope.writers.alone(async () => {
    // Requests that are under way go on reading. Their writes enter the scope again.
    scope.isClosed = true;
    if (scopes.get(scope.scopeId) === scope) scopes.delete(scope.scopeId);
  });
}
