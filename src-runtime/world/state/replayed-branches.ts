/** The facts of closed forks and of past states: replayed on demand, and cached. */

import type { Deadline } from '../../base/ports.js';
import type { ScopeHistory } from '../../storage/event-store.js';
import { replayAfter, replayAlone } from './open-scope.js';
import type { Branch, Fork, ReplayedBranch, Scope } from './scope.js';

/** The facts of a fork that is closed or past. Not cached if the replay fails. */
export function replayedBranch(
  scope: Scope,
  store: ScopeHistory,
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

function replay(scope: Scope, store: ScopeHistory, fork: Fork, deadline: Deadline): ReplayedBranch {
  const earlier = earlierMoment(scope, fork);
  if (earlier !== undefined) touch(scope, keyOf(earlier.fork), earlier);
  const branch =
    earlier === undefined
      ? replayAlone(scope, store, fork, deadline)
      : earlier.branch.then((base) => replayAfter(base, earlier.fork.until, scope, store, fork, deadline));
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
