/** The history of a fork by transaction: the list, newest first; the events of one; and its effects. */

import { ApiError } from '../../api/errors.js';
import type { Effects, ListedTransaction, WireEvent, WireTransaction } from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import type { Program } from '../../engine/index.js';
import type { StoredEvent, TransactionPart } from '../../storage/event-store.js';
import type { Page } from '../contract/requests.js';
import { EARLIER_EVENTS, type HistorySite, historyAfter, lineageOf, positionOf } from '../read/events.js';
import type { PageRequest } from '../state/cursor.js';
import { wireEvent } from '../state/history.js';
import { replayAlone } from '../state/open-scope.js';
import { replayTransaction } from '../state/replay.js';
import type { Session } from '../state/session.js';
import { enforceRowCap } from '../wire/pages.js';
import { effectsOf } from '../write/effects.js';

/** How many matching events to list of each transaction. Transactions without a match are left out. */
interface EventChoice {
  readonly first: number;
  readonly isWanted: ((event: StoredEvent) => boolean) | undefined;
}

/** The transactions of the fork and its ancestors, newest first. */
export async function listTransactions(
  site: HistorySite,
  choice: EventChoice,
  request: PageRequest,
  deadline: Deadline,
): Promise<Page<ListedTransaction[]>> {
  const { paging, cursors, rowsMax } = request;
  const before =
    paging.page === undefined ? Number.POSITIVE_INFINITY : positionOf(cursors.read(request.request, paging.page)).txn;
  const limit = paging.limit ?? (paging.page === undefined ? Number.POSITIVE_INFINITY : rowsMax);
  const result: ListedTransaction[] = [];
  for await (const stored of historyBefore(site, before)) {
    await deadline.checkpoint();
    const told = await firstOf(site, stored, choice, deadline);
    if (told === undefined) continue;
    const last = result.at(-1);
    if (last !== undefined && result.length >= limit) {
      return { result, nextCursor: cursors.issue(request.request, [last.txn, 0]) };
    }
    enforceRowCap(result.length + 1, request);
    const first = told.map((event) => wireEvent(stored, event));
    const count = stored.isLast ? stored.events.length : await countOfEvents(site, stored.txn, deadline);
    result.push({ ...wireTransaction(stored, count), ...(choice.first > 0 && { first }) });
  }
  return { result };
}

/** Undefined if no event matches. */
async function firstOf(
  site: HistorySite,
  stored: TransactionPart,
  { first, isWanted }: EventChoice,
  deadline: Deadline,
): Promise<readonly StoredEvent[] | undefined> {
  if (isWanted === undefined) return stored.events.slice(0, first);
  const most = Math.max(first, 1);
  const found = stored.events.filter(isWanted);
  if (found.length < most && !stored.isLast) {
    found.length = 0;
    for await (const { events } of partsOf(site, stored.txn)) {
      for (const event of events) if (found.length < most && isWanted(event)) found.push(event);
      if (found.length >= most) break;
      await deadline.checkpoint();
    }
  }
  return found.length === 0 ? undefined : found.slice(0, first);
}

/** The events of one transaction, with its record. Throws VALIDATION_FAILED if the history does not have it. */
export async function listTransaction(
  site: HistorySite,
  txn: number,
  request: PageRequest,
  deadline: Deadline,
): Promise<Page<WireEvent[]> & { readonly transaction: WireTransaction }> {
  const { paging, cursors, rowsMax } = request;
  const after = paging.page === undefined ? 0 : positionOf(cursors.read(request.request, paging.page)).seq;
  const limit = paging.limit ?? rowsMax;
  const result: WireEvent[] = [];
  const first = await requireTransaction(site, txn);
  let [events, left] = [0, 0];
  for await (const part of partsOf(site, txn)) {
    events += part.events.length;
    for (const event of part.events) {
      if (event.seq <= after) continue;
      left += 1;
      if (result.length < limit) result.push(wireEvent(part, event));
    }
    await deadline.checkpoint();
  }
  enforceRowCap(left, request);
  const last = result.at(-1);
  const more = last !== undefined && result.length < left;
  return {
    result,
    transaction: wireTransaction(first, events),
    ...(more && { nextCursor: cursors.issue(request.request, [txn, last.seq]) }),
  };
}

/**
 * The effects of one transaction, conclusions included. The history up to it is replayed in a separate store, under the loaded
 * rules. Throws like `listTransaction`.
 */
export async function transactionEffects(
  parts: Session,
  site: HistorySite,
  txn: number,
  deadline: Deadline,
): Promise<Effects> {
  const { scope, fork, store, limits } = parts;
  await requireTransaction(site, txn);
  const { facts } = await replayAlone(scope, store, fork, deadline, txn - 1);
  const before = facts.latest();
  const transaction = facts.begin();
  try {
    const changed = new Set<string>();
    for await (const part of partsOf(site, txn)) {
      await replayTransaction(transaction, part, deadline);
      for (const event of part.events) touch(changed, scope.program, event);
    }
    return await effectsOf(before, transaction.view, changed, limits.rows, deadline);
  } finally {
    transaction.rollback();
    before.release();
  }
}

/** The first part of the transaction. Throws VALIDATION_FAILED if the history does not have it, or no longer has it. */
export async function requireTransaction(site: HistorySite, txn: number): Promise<TransactionPart> {
  for await (const first of partsOf(site, txn)) return first;
  const { fork, firstSeq } = site;
  const aside = firstSeq === 0 ? '' : ` It begins after event ${firstSeq}. ${EARLIER_EVENTS}`;
  throw new ApiError(
    'SVC_RUNTIME_VALIDATION_FAILED',
    `The history of fork "${fork.id}" has no transaction ${txn}; GET /v1/transactions lists them.${aside}`,
    { txn },
  );
}

export async function* partsOf(site: HistorySite, txn: number): AsyncGenerator<TransactionPart> {
  for await (const part of historyAfter(site, { txn, seq: 0 })) {
    if (part.txn !== txn) return;
    yield part;
    if (part.isLast) return;
  }
}

async function countOfEvents(site: HistorySite, txn: number, deadline: Deadline): Promise<number> {
  let count = 0;
  for await (const { events } of partsOf(site, txn)) {
    count += events.length;
    await deadline.checkpoint();
  }
  return count;
}

export function wireTransaction({ txn, at, fork, cause, principal }: TransactionPart, events: number): WireTransaction {
  return { txn, at, fork, cause, principal, events };
}

/** The first parts of the transactions, newest first. */
async function* historyBefore(
  { store, scopeId, fork: own }: HistorySite,
  txn: number,
): AsyncGenerator<TransactionPart> {
  for (const { fork, lastTxn } of lineageOf(own, Number.POSITIVE_INFINITY).reverse()) {
    for await (const stored of store.readBack(scopeId, fork.id, Math.min(txn, lastTxn + 1))) {
      if (stored.txn <= fork.txn) break;
      yield stored;
    }
  }
}

/** Adds the stored relations that the event changes. A deleted individual takes its fields with it. */
export function touch(touched: Set<string>, program: Program, event: StoredEvent): void {
  switch (event.kind) {
    case 'insertFact':
    case 'deleteFact':
      touched.add(event.relation);
      break;
    case 'setField':
      touched.add(event.field);
      break;
    case 'redacted':
      if (event.clears !== undefined) touched.add(event.clears.field);
      break;
    default:
      if (!program.concepts.has(event.concept)) break;
      for (const path of program.classPathsOf(event.concept)) touched.add(path);
      if (event.kind === 'insertIndividual') break;
      for (const { path, navigation } of program.classes.get(event.concept)?.fields ?? []) {
        if (!navigation) touched.add(path);
      }
  }
}
