/** Undoes one transaction of the history, on the fork that is asked: of its own, or of what it was made from. */

import { ApiError } from '../../api/errors.js';
import type { Deadline } from '../../base/ports.js';
import type { View } from '../../engine/index.js';
import type { Cause, StoredEvent, StoredTransaction } from '../../storage/event-store.js';
import type { OverOptions, UndoneTransaction } from '../contract/requests.js';
import { explanationSite } from '../explain/explanation-site.js';
import type { HistorySite } from '../read/events.js';
import { requireOpen } from '../state/forks.js';
import type { Branch } from '../state/scope.js';
import type { SessionParts } from '../state/session-parts.js';
import { partsOf, requireTransaction, wireTransaction } from './transactions.js';
import { type UndoOptions, undoStored } from './undo.js';

/** Throws VALIDATION_FAILED, FORK_CLOSED, CHECK_VIOLATION; nothing is kept then, nor of a dry run. */
export async function undoTransaction(
  parts: SessionParts,
  site: HistorySite,
  txn: number,
  options: OverOptions & Pick<UndoOptions, 'look'>,
  deadline: Deadline,
): Promise<UndoneTransaction> {
  requireOpen(parts.fork);
  const first = await requireTransaction(site, txn);
  let count = 0;
  const siteOf = (view: View, branch: Branch) => explanationSite(parts, view, branch, parts.fork);
  const written = await undoStored(
    parts,
    { written: `transaction ${txn} wrote`, details: { txn } },
    { cause: causeOf(parts, first), ...options, ...(options.explain === true && { siteOf }) },
    async () => {
      const whole = await wholeTransaction(site, first, deadline);
      count = whole.events.length;
      return whole;
    },
    deadline,
  );
  return { result: wireTransaction(first, count), txn: written.txn, events: written.events, ...written.value };
}

/** Reverting a promotion to this fork is recorded as that, because the record of the promoted fork shows it. */
function causeOf({ scope, fork }: SessionParts, { txn, cause, fork: writtenTo }: StoredTransaction): Cause {
  const promoted = cause.kind === 'promote' ? scope.forks.get(cause.fork) : undefined;
  const isPromotion = promoted?.status === 'promoted' && promoted.parent === fork && writtenTo === fork.id;
  return isPromotion ? { kind: 'undoPromotion', fork: promoted.id } : { kind: 'undo', txn };
}

/** Throws VALIDATION_FAILED where it has forgotten somebody, whom nothing brings back. */
async function wholeTransaction(
  site: HistorySite,
  first: StoredTransaction,
  deadline: Deadline,
): Promise<StoredTransaction> {
  const events: StoredEvent[] = [];
  for await (const part of partsOf(site, first.txn)) {
    for (const event of part.events) events.push(event);
    await deadline.checkpoint();
  }
  const forgotten = events.find(({ kind }) => kind === 'forgetIndividual');
  if (forgotten === undefined) return { ...first, events };
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `Transaction ${first.txn} has forgotten an individual, which nothing brings back. Undo the rest of it by hand.`,
    { txn: first.txn, seq: forgotten.seq },
  );
}
