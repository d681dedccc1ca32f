/**
 * The history of a fork for its readers, in pages or followed live. A follower reads from its own position when it asks, so nothing is
 * buffered for it.
 */

import { ApiError } from '../../api/errors.js';
import type { WireEvent } from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import type { EventStore, TransactionPart } from '../../storage/event-store.js';
import type { EventFeed, Page } from '../contract/requests.js';
import type { PageRequest } from '../state/cursor.js';
import type { ForkSite } from '../state/forks.js';
import { wireEvent } from '../state/history.js';
import type { Fork } from '../state/scope.js';
import type { Writes } from '../state/writes.js';
import { foreignCursor } from '../wire/orders.js';
import { enforceRowCap } from '../wire/pages.js';

/** The most events that a follower receives at once. */
const BATCH_SIZE = 256;

export interface HistorySite {
  readonly store: EventStore;
  readonly scopeId: string;
  readonly fork: Fork;
  /** Events up to this one were archived or compacted. */
  readonly firstSeq: number;
}

/** Where the events before the first one are, for errors. */
export const EARLIER_EVENTS =
  'Earlier events were archived (entail serve --scope ID serves them) or compacted (only an older backup has them).';

export function historyOf({ store, scope, fork }: Pick<ForkSite, 'store' | 'scope' | 'fork'>): HistorySite {
  return { store, scopeId: scope.scopeId, fork, firstSeq: scope.firstSeq };
}

/** After the event `seq`, which belongs to the transaction `txn` or an earlier one. */
interface HistoryPosition {
  readonly txn: number;
  readonly seq: number;
}

const START: HistoryPosition = { txn: 0, seq: 0 };

/** Sorted by `seq`. */
export async function listEvents(
  site: HistorySite,
  request: PageRequest,
  deadline: Deadline,
): Promise<Page<WireEvent[]>> {
  const { paging, cursors, rowsMax } = request;
  const after = paging.page === undefined ? START : positionOf(cursors.read(request.request, paging.page));
  const limit = paging.limit ?? (paging.page === undefined ? Number.POSITIVE_INFINITY : rowsMax);
  const result: WireEvent[] = [];
  for await (const transaction of historyAfter(site, after)) {
    for (const event of transaction.events) {
      const last = result.at(-1);
      if (last !== undefined && result.length >= limit) {
        return { result, nextCursor: cursors.issue(request.request, [last.txn, last.seq]) };
      }
      enforceRowCap(result.length + 1, request);
      result.push(wireEvent(transaction, event));
    }
    await deadline.checkpoint();
  }
  return { result };
}

export function positionOf(key: unknown): HistoryPosition {
  const [txn, seq] = Array.isArray(key) ? key : [];
  if (typeof txn !== 'number' || typeof seq !== 'number') throw foreignCursor();
  return { txn, seq };
}

/**
 * Follows the events after `afterSeq`, or after `head` if that is undefined. Throws VALIDATION_FAILED for a future event and for an
 * archived one. Calls `currentSite` before each read, because a reload replaces the site. It throws once the history has ended.
 */
export async function followEvents(
  currentSite: () => HistorySite,
  writes: Writes,
  head: HistoryPosition,
  afterSeq: number | undefined,
): Promise<EventFeed> {
  if (afterSeq !== undefined && afterSeq > head.seq) {
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `The history of this scope ends with event ${head.seq}, and Last-Event-ID says ${afterSeq}; read the scope again and omit it.`,
      { lastEventId: afterSeq, seq: head.seq },
    );
  }
  const { scopeId, firstSeq } = currentSite();
  // A client that starts from 0 has not seen the archived events.
  if (afterSeq !== undefined && afterSeq !== 0 && afterSeq < firstSeq) {
    throw new ApiError(
      'SVC_RUNTIME_VALIDATION_FAILED',
      `The history of this scope begins after event ${firstSeq}, and Last-Event-ID says ${afterSeq}; read the scope again and omit it. ${EARLIER_EVENTS}`,
      { lastEventId: afterSeq, firstSeq },
    );
  }
  let position = afterSeq === undefined ? head : await findPosition(currentSite(), afterSeq);
  return {
    get seq() {
      return position.seq;
    },
    onWrite: (callback) => writes.onWrite(scopeId, callback),
    onFork: (callback) => writes.onFork(scopeId, callback),
    async *unread() {
      for (let count = -1; count !== writes.countOf(scopeId); ) {
        count = writes.countOf(scopeId);
        for await (const batch of batchesAfter(currentSite(), position)) {
          position = { txn: batch.at(-1)?.txn ?? position.txn, seq: batch.at(-1)?.seq ?? position.seq };
          yield batch;
          // A write may have erased events that were read ahead.
          if (count !== writes.countOf(scopeId)) break;
        }
      }
    },
  };
}

async function* batchesAfter(site: HistorySite, position: HistoryPosition): AsyncGenerator<readonly WireEvent[]> {
  for await (const transaction of historyAfter(site, position)) {
    const { events } = transaction;
    for (let start = 0; start < events.length; start += BATCH_SIZE) {
      yield events.slice(start, start + BATCH_SIZE).map((event) => wireEvent(transaction, event));
    }
  }
}

/** The transactions of a fork and its ancestors, with the events after the position. */
export async function* historyAfter(site: HistorySite, { txn, seq }: HistoryPosition): AsyncGenerator<TransactionPart> {
  const { store, scopeId } = site;
  for (const { fork, lastTxn } of lineageOf(site.fork, Number.POSITIVE_INFINITY)) {
    if (lastTxn < txn) continue;
    for await (const transaction of store.read(scopeId, fork.id, Math.max(fork.txn, txn - 1), seq)) {
      if (transaction.txn > lastTxn) break;
      const events = transaction.events.filter((event) => event.seq > seq);
      if (events.length > 0) yield { ...transaction, events };
    }
  }
}

/** The forks whose transactions make up the history, oldest first, each with its last visible transaction: the last that is in memory. */
export function lineageOf(fork: Fork, lastTxn: number): { readonly fork: Fork; readonly lastTxn: number }[] {
  const above = fork.parent === null ? [] : lineageOf(fork.parent, fork.txn);
  return [...above, { fork, lastTxn: Math.min(lastTxn, fork.until, fork.lastTransaction) }];
}

/** Finds the position after an event by binary search: about twenty reads in a history of a million transactions. */
async function findPosition(site: HistorySite, seq: number): Promise<HistoryPosition> {
  let position: HistoryPosition = { txn: 0, seq };
  /** Whether the first transaction from `txn` on starts at or before the event. Records that transaction. */
  const startsAtOrBefore = async (txn: number): Promise<boolean> => {
    for await (const transaction of historyAfter(site, { txn, seq: 0 })) {
      if ((transaction.events[0]?.seq ?? 0) > seq) return false;
      position = { txn: transaction.txn, seq };
      return true;
    }
    return false;
  };
  let high = 1;
  while (await startsAtOrBefore(high)) high = Math.max(high * 2, position.txn + 1);
  for (let low = position.txn + 1; low < high; ) {
    const middle = (low + high) >> 1;
    if (await startsAtOrBefore(middle)) low = position.txn + 1;
    else high = middle;
  }
  return position;
}
