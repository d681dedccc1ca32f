/**
 * Cherry-picks a transaction of a fork's history (`pick` in the API): merges what it changed onto another fork, as one transaction
 * under that fork's blocking checks. Its states before and after are replayed under the loaded module.
 */

import { ApiError } from '../../api/errors.js';
import type { Deadline } from '../../base/ports.js';
import type { TransactionPart, WrittenTransaction } from '../../storage/event-store.js';
import type { CherryPickOptions, CherryPickResponse } from '../contract/requests.js';
import type { HistorySite } from '../read/events.js';
import { requireFork, requireOpen, writingAlone } from '../state/forks.js';
import { replayAlone } from '../state/open-scope.js';
import { replayTransaction } from '../state/replay.js';
import type { Scope } from '../state/scope.js';
import { countWrite } from '../state/scope.js';
import type { Session } from '../state/session.js';
import { effectsOf } from '../write/effects.js';
import { beginTransaction } from '../write/open-transaction.js';
import { append } from '../write/transact.js';
import { netChanges } from './changes.js';
import { type ForwardDelta, guardedMerge, inMerge, type Merged } from './merge-transaction.js';
import { partsOf, requireTransaction, wireTransaction } from './transactions.js';

/** Throws FORK_NOT_FOUND for the source, VALIDATION_FAILED, FORK_CLOSED, CHECK_VIOLATION; then, and on a dry run, nothing is kept. */
export function cherryPick(
  parts: Session,
  options: CherryPickOptions,
  deadline: Deadline,
): Promise<CherryPickResponse> {
  const { limits, fork } = parts;
  return cherryPicking(parts, options, deadline, async ({ merged, first, count }, commit) => {
    const { before, writing } = merged;
    const told = { cause: { kind: 'pick', txn: first.txn, fork: first.fork }, explain: options.explain } as const;
    const { stored, ...answer } = await guardedMerge(parts, fork, merged, told, deadline);
    const effects =
      options.effects === true
        ? await effectsOf(before, writing.overlay.view, writing.changed, limits.rows, deadline)
        : undefined;
    const picked = { result: wireTransaction(first, count), ...answer, ...(effects !== undefined && { effects }) };
    if (options.dryRun || stored.events.length === 0) return { ...picked, txn: null };
    await deadline.checkpoint();
    await append(parts, [stored]);
    commit(stored);
    countWrite(parts.scope);
    parts.writes.announce(parts.scope.scopeId);
    return { ...picked, txn: stored.txn };
  });
}

interface Picked {
  readonly merged: Merged;
  /** The first part of the transaction, and the number of its events. */
  readonly first: TransactionPart;
  readonly count: number;
}

/**
 * Hands the merge with the session's fork to `work`, before any check, and rolls it back afterwards unless `work` commits it. Throws
 * what `cherryPick` does, except for the checks.
 */
export function cherryPicking<T>(
  { scope, store, fork }: Session,
  { from, txn, keep }: Pick<CherryPickOptions, 'from' | 'txn' | 'keep'>,
  deadline: Deadline,
  work: (picked: Picked, commit: (stored: WrittenTransaction) => void) => Promise<T>,
): Promise<T> {
  requireOpen(fork);
  return writingAlone(scope, deadline, async () => {
    const branch = requireOpen(fork);
    const site = { store, scopeId: scope.scopeId, fork: requireFork(scope, from), firstSeq: scope.firstSeq };
    const first = await requireTransaction(site, txn);
    const { count, ...delta } = await deltaOf(site, scope, txn, deadline);
    const onto = {
      ...{ fork, branch, begin: () => beginTransaction(scope, branch), keep },
      // A newcomer may be from before the loaded module required a field.
      completion: 'required',
      wayOut: 'Add what it refers to on the target first, then cherry-pick again.',
    } as const;
    return inMerge({ of: first.fork, ...delta }, onto, deadline, (merged, commit) =>
      work({ merged, first, count }, (stored) => commit(fork, stored)),
    );
  });
}

/** What the transaction changed, and the number of its events. To be called before a transaction of the scope begins. */
async function deltaOf(
  site: HistorySite,
  scope: Scope,
  txn: number,
  deadline: Deadline,
): Promise<Omit<ForwardDelta, 'of'> & { readonly count: number }> {
  const net = await netChanges(partsOf(site, txn), deadline);
  const { facts } = await replayAlone(scope, site.store, site.fork, deadline, txn - 1);
  const base = facts.view();
  const transaction = facts.begin();
  let count = 0;
  let isWhole = false;
  try {
    for await (const part of partsOf(site, txn)) {
      const [misfit] = await replayTransaction(transaction, part, deadline);
      if (misfit !== undefined) throw noPlaceFor(misfit, txn);
      count += part.events.length;
    }
    transaction.commit();
    isWhole = true;
  } finally {
    if (!isWhole) transaction.rollback();
  }
  return { net, base, source: facts.view(), count };
}

function noPlaceFor(misfit: string, txn: number): ApiError {
  return new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `Transaction ${txn} wrote what the loaded module no longer declares: ${misfit}. Load a module that declares it, or write the rest by hand.`,
    { txn },
  );
}
