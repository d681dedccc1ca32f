/** The history of a session's fork: events, transactions, and what the last derive found. */

import { ApiError } from '../../api/errors.js';
import type { DerivedProjection, DeriveTraceEntry } from '../../api/schemas/fork-schemas.js';
import type {
  Effects,
  ListedTransaction,
  ViolationOrigins,
  WireEvent,
  WireTransaction,
} from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import type { DryRunOptions, EventFeed, HistoryFilter, Page, Paging, UndoneTransaction } from '../contract/requests.js';
import { revertTransaction } from '../merge/revert.js';
import {
  transactionEffects as effectsOfTransaction,
  listTransaction,
  listTransactions,
} from '../merge/transactions.js';
import { violationOrigins as originsOfViolations } from '../merge/violation-origins.js';
import { currentProjection, currentTrace } from '../read/derivations.js';
import { followEvents, type HistorySite, historyOf, listEvents } from '../read/events.js';
import { historyFilter } from '../read/history-filter.js';
import type { ForkSite } from '../state/forks.js';
import type { Fork, Scope } from '../state/scope.js';
import { pageRequest, type Session } from '../state/session.js';

/** In order of `seq`. */
export function events(session: Session, paging: Paging, deadline: Deadline): Promise<Page<WireEvent[]>> {
  const request = pageRequest(session, paging, () => ['events']);
  return listEvents(historyOf(session), request, deadline);
}

/** Follows the history from behind an event on, or from now. Throws VALIDATION_FAILED for an event that is still to come. */
export function follow(session: Session, afterSeq: number | undefined): Promise<EventFeed> {
  const { scope, writes } = session;
  const now = { txn: scope.lastTransaction, seq: scope.lastSeq };
  return followEvents(followedSite(session), writes, now, afterSeq);
}

/** The events of one transaction, with what is known of it. Throws VALIDATION_FAILED for one that is not in the history. */
export function transaction(
  session: Session,
  txn: number,
  paging: Paging,
  deadline: Deadline,
): Promise<Page<WireEvent[]> & { readonly transaction: WireTransaction }> {
  const request = pageRequest(session, paging, () => ['transaction', txn]);
  return listTransaction(historyOf(session), txn, request, deadline);
}

/** The last one first, each with its first events, `first` at most; only those that `wish` selects. */
export async function transactions(
  session: Session,
  first: number,
  paging: Paging,
  deadline: Deadline,
  filter: HistoryFilter = {},
): Promise<Page<ListedTransaction[]>> {
  const isWanted = historyFilter(session.scope.program, filter);
  const { individual = null, relation = null } = filter;
  const request = pageRequest(session, paging, () => ['transactions', individual, relation]);
  return listTransactions(historyOf(session), { first, isWanted }, request, deadline);
}

/** The changes and conclusions of one of them, under the rules that are loaded now. Throws like `transaction`. */
export function transactionEffects(session: Session, txn: number, deadline: Deadline): Promise<Effects> {
  return effectsOfTransaction(session, historyOf(session), txn, deadline);
}

/** The transaction since which each violation exists, under the rules that are loaded now. */
export function violationOrigins(session: Session, deadline: Deadline): Promise<ViolationOrigins> {
  return originsOfViolations(session, historyOf(session), deadline);
}

/** Writes back on this fork what one of them wrote. */
export function undoTransaction(
  session: Session,
  txn: number,
  options: DryRunOptions,
  deadline: Deadline,
): Promise<UndoneTransaction> {
  return revertTransaction(session, historyOf(session), txn, options, deadline);
}

/** What the last derive found. Throws FORK_NOT_DERIVED before one, or after a write. */
export async function derived({ fork }: Session): Promise<DerivedProjection> {
  return currentProjection(fork);
}

/** Every run of every clause in the last derive, round by round; `cut` if only the first were kept. Throws like `derived`. */
export function deriveTrace(
  session: Session,
  paging: Paging,
  deadline: Deadline,
): Promise<Page<DeriveTraceEntry[]> & { readonly cut: boolean }> {
  const { scope, fork } = session;
  return currentTrace(scope, fork, (txn) => pageRequest(session, paging, () => ['derive/trace', txn]), deadline);
}

/**
 * Finds the site again at each call, so that nothing is kept of what a reload has replaced. Throws once the history has ended:
 * MODULE_INCOMPATIBLE if its facts were archived, FORK_CLOSED if another fork has taken the id.
 */
function followedSite({ store, ...site }: Pick<ForkSite, 'store' | 'scope' | 'fork'>): () => HistorySite {
  let { scope, fork } = site;
  return () => {
    scope = successorOf(scope);
    fork = sameFork(scope, fork);
    return historyOf({ store, scope, fork });
  };
}

function successorOf(scope: Scope): Scope {
  let at = scope;
  while (at.successor) at = at.successor;
  if (at.successor === undefined) return at;
  throw new ApiError(
    'SVC_RUNTIME_MODULE_INCOMPATIBLE',
    'The facts of this scope did not fit the loaded module and were archived; read the scope again and follow it from there.',
    { seq: at.lastSeq },
  );
}

function sameFork(scope: Scope, fork: Fork): Fork {
  const found = scope.forks.get(fork.id);
  if (found?.txn === fork.txn) return found;
  throw new ApiError(
    'SVC_RUNTIME_FORK_CLOSED',
    `The fork "${fork.id}" was aborted, and another has taken its id; read that fork again and follow it from there.`,
    { fork: fork.id, status: 'aborted' },
  );
}
