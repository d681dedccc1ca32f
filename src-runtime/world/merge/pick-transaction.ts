/**
 * Picks one transaction of a fork's history: what it changed, all in all, is written onto the fork that is asked, as one
 * transaction under the guards of that. It is merged as the changes of a fork are, from what was there before it to what was
 * there after it, under the rules that are loaded now.
 */

import { ApiError } from '../../api/errors.js';
import type { Deadline } from '../../base/ports.js';
import type { StoredTransaction, TransactionPart } from '../../storage/event-store.js';
import type { PickAnswer, PickOptions } from '../contract/requests.js';
import type { HistorySite } from '../read/events.js';
import { requireFork, requireOpen, writingAlone } from '../state/forks.js';
import { netChanges } from '../state/net-changes.js';
import { replayAlone } from '../state/open-scope.js';
import { replayTransaction } from '../state/replay.js';
import type { Scope } from '../state/scope.js';
import type { SessionParts } from '../state/session-parts.js';
import { effectsOf } from '../write/effects.js';
import { append, commitStored } from '../write/transact.js';
import { beginWriting, fillRequired, type Writing } from '../write/writing.js';
import { type Changes, type Merge, merging } from './merge.js';
import { guardedMerge } from './promote.js';
import { partsOf, requireTransaction, wireTransaction } from './transactions.js';

const PICKING = { wayOut: 'Bring there first what it refers to, then pick it again.' };

/** Throws FORK_NOT_FOUND for where it is from, VALIDATION_FAILED, FORK_CLOSED, CHECK_VIOLATION; nothing is kept then, nor of a dry run. */
export function pickTransaction(parts: SessionParts, options: PickOptions, deadline: Deadline): Promise<PickAnswer> {
  const { limits } = parts;
  return picked(parts, options, deadline, async ({ merge, first, count }, commit) => {
    const { before, writing } = merge;
    const { stored, ...told } = await guardedMerge(
      parts,
      merge,
      { kind: 'pick', txn: first.txn, fork: first.fork },
      options,
      deadline,
    );
    const effects =
      options.effects === true
        ? await effectsOf(before, writing.transaction.view, writing.changed, limits.rows, deadline)
        : undefined;
    const answer = { result: wireTransaction(first, count), ...told, ...(effects !== undefined && { effects }) };
    if (options.dryRun || stored.events.length === 0) return { ...answer, txn: null };
    await deadline.checkpoint();
    await append(parts, [stored]);
    commit(stored);
    return { ...answer, txn: stored.txn };
  });
}

interface Picked {
  readonly merge: Merge;
  /** How the transaction begins, and how many events it has. */
  readonly first: TransactionPart;
  readonly count: number;
}

/**
 * Writes what the transaction changed onto the session's fork and hands that to `work`, before any guard. It is undone
 * afterwards, unless `work` commits it. Throws what `pickTransaction` does but for the guards.
 */
export function picked<T>(
  { scope, store, fork }: SessionParts,
  { from, txn, keep }: Pick<PickOptions, 'from' | 'txn' | 'keep'>,
  deadline: Deadline,
  work: (picked: Picked, commit: (stored: StoredTransaction) => void) => Promise<T>,
): Promise<T> {
  requireOpen(fork);
  return writingAlone(scope, deadline, async () => {
    const branch = requireOpen(fork);
    const site = { store, scopeId: scope.scopeId, fork: requireFork(scope, from), firstSeq: scope.firstSeq };
    const first = await requireTransaction(site, txn);
    const { events: count, ...changes } = await changesOf(site, scope, txn, deadline);
    const target = { parent: fork, branch, begin: () => beginWriting(scope, branch), keep, words: PICKING };
    return merging({ of: first.fork, ...changes }, target, deadline, async (merge, committed) => {
      completeNewcomers(merge.writing);
      return work({ merge, first, count }, (stored) => {
        committed();
        commitStored(merge.writing, fork, branch, stored);
      });
    });
  });
}

/** What the transaction changed, and how many events it has. Before a writer begins. */
async function changesOf(
  site: HistorySite,
  scope: Scope,
  txn: number,
  deadline: Deadline,
): Promise<Omit<Changes, 'of'> & { readonly events: number }> {
  const net = await netChanges(partsOf(site, txn), deadline);
  const { facts } = await replayAlone(scope, site.store, site.fork, deadline, txn - 1);
  const base = facts.view();
  const transaction = facts.begin();
  let events = 0;
  let isWhole = false;
  try {
    for await (const part of partsOf(site, txn)) {
      const [misfit] = await replayTransaction(transaction, part, deadline);
      if (misfit !== undefined) throw noPlaceFor(misfit, txn);
      events += part.events.length;
    }
    transaction.commit();
    isWhole = true;
  } finally {
    if (!isWhole) transaction.rollback();
  }
  return { net, base, mine: facts.view(), events };
}

function noPlaceFor(misfit: string, txn: number): ApiError {
  return new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `Transaction ${txn} wrote what the loaded module has no place for any more: ${misfit}. Load a module that has, or write the rest of it by hand.`,
    { txn },
  );
}

/** Whoever comes from a fork that is closed may have been made before the module required what it does now. */
function completeNewcomers(writing: Writing): void {
  const { events } = writing;
  for (const event of [...events])
    if (event.kind === 'insertIndividual') fillRequired(writing, event.id, event.concept);
}
