/** Finds the state of a fork at a moment that a request names: after a transaction, or at a time. */

import { ApiError } from '../../api/errors.js';
import type { Moment } from '../../api/schemas/moment.js';
import type { Clock, MaybePromise } from '../../base/ports.js';
import { EARLIER_EVENTS, type HistorySite, historyAfter, historyOf } from '../read/events.js';
import { type ForkSite, forkAsOf, isoNow } from '../state/forks.js';
import type { Fork } from '../state/scope.js';

/** Throws VALIDATION_FAILED for a moment that the scope has not reached, or whose history is archived. */
export function forkAt(site: Pick<ForkSite, 'store' | 'scope' | 'fork' | 'clock'>, moment: Moment): MaybePromise<Fork> {
  const { scope, fork } = site;
  const history = historyOf(site);
  if (moment.kind === 'time') {
    requireReached(moment.ms, site.clock);
    return lastTransactionAt(history, moment.ms, scope.lastTransaction).then((txn) => keptAt(history, fork, txn));
  }
  const { txn } = moment;
  if (txn > scope.lastTransaction) {
    const message = `The last transaction of this scope is ${scope.lastTransaction}, and "asOf" names ${txn}; GET /v1/transactions lists them.`;
    throw new ApiError('SVC_RUNTIME_VALIDATION_FAILED', message, { asOf: txn, last: scope.lastTransaction });
  }
  return txn === scope.lastTransaction ? forkAsOf(fork, txn) : keptAt(history, fork, txn);
}

function requireReached(ms: number, clock: Clock): void {
  if (ms <= clock.now()) return;
  const asOf = new Date(ms).toISOString();
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `"asOf" names ${asOf}, which is in the future; name a time up to now.`,
    { asOf, now: isoNow(clock) },
  );
}

/** Archived and compacted facts are not in the history, so an earlier moment would look empty. */
function keptAt(history: HistorySite, fork: Fork, txn: number): MaybePromise<Fork> {
  if (history.firstSeq === 0) return forkAsOf(fork, txn);
  return firstFrom(history, 0).then((first) => {
    if (first !== undefined && first.txn <= txn) return forkAsOf(fork, txn);
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `The history of this scope begins after event ${history.firstSeq}, so it cannot be read as of transaction ${txn}. ${EARLIER_EVENTS}`,
      { asOf: txn, firstSeq: history.firstSeq },
    );
  });
}

/** The last transaction that the fork sees at this time, or 0. Transactions are taken to be in order of time. */
async function lastTransactionAt(history: HistorySite, ms: number, last: number): Promise<number> {
  let seen = 0;
  for (let unseen = last + 1; seen + 1 < unseen; ) {
    const middle = (seen + unseen) >> 1;
    const next = await firstFrom(history, middle);
    if (next === undefined || Date.parse(next.at) > ms) unseen = middle;
    else seen = next.txn;
  }
  return seen;
}

/** The first transaction of the history from this number on. */
async function firstFrom(history: HistorySite, txn: number) {
  for await (const first of historyAfter(history, { txn, seq: 0 })) return first;
  return undefined;
}
