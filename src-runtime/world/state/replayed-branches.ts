/** The facts of closed forks and of past states: replayed on demand, and cached. */

import type { Deadline, MaybePromise } from '../../base/ports.js';
import type { EventStore } from '../../storage/event-store.js';
import { replayAfter, replayAlone } from './open-scope.js';
import { type Branch, type Fork, type ReplayedBranch, type Scope, ScopeRetired } from './scope.js';

/** The facts of a fork that is closed or past. Throws ScopeRetired if the history was rewritten. Not cached if the replay fails. */
export function replayedBranch(
  scope: Scope,
  store: EventStore,
  fork: Fork,
  createDeadline: () => Deadline,
): Promise<Branch> {
  const { replayedBranches } = scope;
  const key = keyOf(fork);
  const replayed = replayedBranches.get(key) ?? replay(scope, store, fork, createDeadline());
  touch(scope, key, replayed);
  for (const oldest of replayedBranches.keys()) {
    if (replayedBranches.size <= BRANCHES_MAX) break;
    replayedBranches.delete(oldest);
  }
  return replayed.branch;
}

/** Each may hold the facts of the whole scope. */
const BRANCHES_MAX = 3;

function replay(scope: Scope, store: EventStore, fork: Fork, deadline: Deadline): ReplayedBranch {
  const earlier = earlierMoment(scope, fork);
  if (earlier !== undefined) touch(scope, keyOf(earlier.fork), earlier);
  const replaying =
    earlier === undefined
      ? replayAlone(scope, store, fork, deadline)
      : earlier.branch.then((base) => replayAfter(base, earlier.fork.until, scope, store, fork, deadline));
  const branch = replaying.then(async (facts) => {
    // Facts under new names were left out.
    await scope.renaming?.catch(() => undefined);
    if (await isRewritten(store, scope)) throw new ScopeRetired();
    return facts;
  });
  const replayed = { fork, isOverlay: earlier !== undefined, branch };
  branch.catch(() => {
    const key = keyOf(fork);
    if (scope.replayedBranches.get(key) === replayed) scope.replayedBranches.delete(key);
  });
  return replayed;
}

/** The latest one that is no overlay itself: a pile of overlays would slow down every read. */
function earlierMoment({ replayedBranches }: Scope, { txn, until }: Fork): ReplayedBranch | undefined {
  let latest: ReplayedBranch | undefined;
  for (const replayed of replayedBranches.values()) {
    const { fork, isOverlay } = replayed;
    if (isOverlay || fork.txn !== txn || fork.until >= until) continue;
    if (latest === undefined || latest.fork.until < fork.until) latest = replayed;
  }
  return latest;
}

/** The least recently used ones come first. */
function touch({ replayedBranches }: Scope, key: string, replayed: ReplayedBranch): void {
  replayedBranches.delete(key);
  replayedBranches.set(key, replayed);
}

function keyOf({ txn, until }: Fork): string {
  return `${txn}/${until}`;
}

/**
 * Whether the stored history may no longer fit the facts in memory: this server has opened the scope again, or another server has renamed
 * or erased facts.
 */
export function isRewritten({ shared }: EventStore, { scopeId, position, successor }: Scope): MaybePromise<boolean> {
  if (successor !== undefined || shared === undefined) return successor !== undefined;
  return shared.positions([scopeId]).then((stored) => (stored.get(scopeId)?.epoch ?? 0) > position.epoch);
}
