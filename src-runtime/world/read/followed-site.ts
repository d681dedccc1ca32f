/** Where the history of a fork is read by somebody who follows it, while reloads replace the scope and forks come and go. */

import { ApiError } from '../../api/errors.js';
import type { ForkSite } from '../state/forks.js';
import type { Fork, Scope } from '../state/scope.js';
import type { HistorySite } from './events.js';

/**
 * Tells it anew each time it is called, and keeps nothing of what a reload has replaced. It throws once the history has
 * ended: MODULE_INCOMPATIBLE where its facts were set aside, FORK_CLOSED where another fork has taken the id. A fork that is
 * closed only has no more to tell.
 */
export function followedSite({ store, ...site }: Pick<ForkSite, 'store' | 'scope' | 'fork'>): () => HistorySite {
  let { scope, fork } = site;
  return () => {
    scope = successorOf(scope);
    fork = sameFork(scope, fork);
    return { store, scopeId: scope.scopeId, fork, firstSeq: scope.firstSeq };
  };
}

function successorOf(scope: Scope): Scope {
  let at = scope;
  while (at.successor) at = at.successor;
  if (at.successor === undefined) return at;
  throw new ApiError(
    'SVC_RUNTIME_MODULE_INCOMPATIBLE',
    'The facts of this scope did not fit the module that was loaded, and were set aside; read the scope anew, and follow it from there.',
    { seq: at.lastSeq },
  );
}

function sameFork(scope: Scope, fork: Fork): Fork {
  const found = scope.forks.get(fork.id);
  if (found?.txn === fork.txn) return found;
  throw new ApiError(
    'SVC_RUNTIME_FORK_CLOSED',
    `The fork "${fork.id}" was aborted, and another has taken its id; read that one anew, and follow it from there.`,
    { fork: fork.id, status: 'aborted' },
  );
}
