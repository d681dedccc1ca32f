/** Copies the whole history of a store, with its numbers. */

import {
  type EventStore,
  type ForkRecord,
  MAIN_FORK,
  type StoredEvent,
  type StoredTransaction,
} from './event-store.js';

/** `to` is empty. What is written to `from` meanwhile may be missing. */
export async function copyStore(from: EventStore, to: EventStore): Promise<void> {
  for (const scope of await from.scopes()) {
    const { scopeId } = scope;
    await to.createScope(scope);
    const { txn: last } = await from.lastNumbers(scopeId);
    const forks = (await from.forks(scopeId)).filter(({ txn }) => txn <= last);
    const transactions = await Promise.all(
      [MAIN_FORK, ...new Set(forks.map(({ fork }) => fork))].map((fork) => transactionsOf(from, scopeId, fork, last)),
    );
    for (const step of inOrder(forks, transactions.flat())) {
      await ('events' in step ? to.appendCopy(scopeId, [step]) : to.copyFork(scopeId, step));
    }
  }
}

async function transactionsOf(store: EventStore, scopeId: string, fork: string, last: number) {
  const transactions: StoredTransaction[] = [];
  let events: StoredEvent[] = [];
  for await (const { isLast, ...part } of store.read(scopeId, fork, 0)) {
    if (part.txn > last) break;
    events.push(...part.events);
    if (!isLast) continue;
    transactions.push({ ...part, events });
    events = [];
  }
  return transactions;
}

function inOrder(forks: readonly ForkRecord[], transactions: readonly StoredTransaction[]) {
  return [...forks, ...transactions].sort((a, b) => a.txn - b.txn);
}
