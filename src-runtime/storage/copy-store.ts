/** Copies the whole history of a store, with its numbers, in bounded memory: to another store, or as entries for a backup. */

import { compacted } from './compaction.js';
import {
  type EventStore,
  type ForkRecord,
  type LastNumbers,
  MAIN_FORK,
  type ScopeRecord,
  StorageError,
  type StoredEvent,
  type StoredTransaction,
  type TransactionPart,
} from './event-store.js';

/**
 * One entry of a history: a scope, then its forks and transactions in order of their numbers, then the numbers it has used. A long
 * transaction has several parts.
 */
export type HistoryEntry =
  | { readonly kind: 'scope'; readonly record: ScopeRecord }
  | { readonly kind: 'fork'; readonly record: ForkRecord }
  | { readonly kind: 'transaction'; readonly part: TransactionPart }
  | { readonly kind: 'scopeEnd'; readonly last: LastNumbers };

/** `to` is empty. */
export function copyStore(from: EventStore, to: EventStore): Promise<void> {
  return appendEntries(entriesOf(from), to);
}

/**
 * The entries of all scopes, in order of their ids; compacted before a time in ms. Later transactions are left out. Throws if the
 * history is rewritten meanwhile: by an erasure, a rename or an archived scope.
 */
export async function* entriesOf(
  store: EventStore,
  compactBefore?: number,
): AsyncGenerator<HistoryEntry, void, undefined> {
  const { rewrites, scopes } = await store.overview();
  const checkUnchanged = async (): Promise<void> => {
    if ((await store.overview()).rewrites === rewrites) return;
    throw new StorageError(
      'The history was rewritten while it was copied (an erasure, a rename or an archived scope). Copy it again',
      'failed',
    );
  };
  for (const { record, last, forks } of scopes.toSorted((a, b) => compared(a.record.scopeId, b.record.scopeId))) {
    yield { kind: 'scope', record };
    const entries = inOrder(store, record.scopeId, last, forks);
    yield* compactBefore === undefined ? entries : compacted(entries, forks, compactBefore);
    await checkUnchanged();
    yield { kind: 'scopeEnd', last };
  }
}

function compared(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

/** Merges the transactions of all forks by number. Each fork is read from its creation on. */
async function* inOrder(
  store: EventStore,
  scopeId: string,
  last: LastNumbers,
  forks: readonly ForkRecord[],
): AsyncGenerator<HistoryEntry, void, undefined> {
  const readers: Reader[] = [await startedReader(store, scopeId, MAIN_FORK, last.txn)];
  const names = new Set<string>();
  const waiting = forks.toSorted((a, b) => a.txn - b.txn);
  for (;;) {
    const next = readers.reduce<Reader | undefined>(
      (best, reader) => (reader.txn < (best?.txn ?? Number.POSITIVE_INFINITY) ? reader : best),
      undefined,
    );
    const fork = waiting[0];
    if (fork !== undefined && fork.txn < (next?.txn ?? Number.POSITIVE_INFINITY)) {
      waiting.shift();
      yield { kind: 'fork', record: fork };
      // A later fork with the name of a closed one continues the same list of transactions.
      if (!names.has(fork.fork)) readers.push(await startedReader(store, scopeId, fork.fork, last.txn));
      names.add(fork.fork);
      continue;
    }
    if (next === undefined) return;
    const { txn } = next;
    for (let isLast = false; !isLast; ) {
      const part = next.part as TransactionPart;
      await next.advance();
      // A damaged store may lack the last parts.
      isLast = part.isLast || next.txn !== txn;
      yield { kind: 'transaction', part: { ...part, isLast } };
    }
    if (next.part === undefined) readers.splice(readers.indexOf(next), 1);
  }
}

interface Reader {
  /** The next part; undefined at the end. */
  readonly part: TransactionPart | undefined;
  /** Its number; infinite at the end. */
  readonly txn: number;
  advance(): Promise<void>;
}

async function startedReader(store: EventStore, scopeId: string, fork: string, lastTxn: number): Promise<Reader> {
  const parts = store.read(scopeId, fork, 0)[Symbol.asyncIterator]();
  let part: TransactionPart | undefined;
  const reader = {
    get part() {
      return part;
    },
    get txn() {
      return part?.txn ?? Number.POSITIVE_INFINITY;
    },
    async advance() {
      const { value, done } = await parts.next();
      part = done === true || value.txn > lastTxn ? undefined : value;
      if (part === undefined) await parts.return?.(undefined);
    },
  };
  await reader.advance();
  return reader;
}

/** Transactions that are appended at once share a sync. */
const APPENDED_TRANSACTIONS = 256;
const APPENDED_EVENTS = 20_000;

/** Appends the entries to an empty store. Holds at most one transaction, or a few small ones, in memory. */
export async function appendEntries(entries: AsyncIterable<HistoryEntry>, to: EventStore): Promise<void> {
  let scopeId = '';
  let group: StoredTransaction[] = [];
  let groupEvents = 0;
  let events: StoredEvent[] = [];
  const flush = async (): Promise<void> => {
    const transactions = group;
    [group, groupEvents] = [[], 0];
    await to.appendCopy(scopeId, transactions);
  };
  for await (const entry of entries) {
    if (entry.kind === 'transaction') {
      const { isLast, ...transaction } = entry.part;
      for (const event of transaction.events) events.push(event);
      if (!isLast) continue;
      group.push({ ...transaction, events });
      groupEvents += events.length;
      events = [];
      if (group.length >= APPENDED_TRANSACTIONS || groupEvents >= APPENDED_EVENTS) await flush();
      continue;
    }
    await flush();
    if (entry.kind === 'scope') {
      scopeId = entry.record.scopeId;
      await to.createScope(entry.record);
    } else if (entry.kind === 'fork') await to.copyFork(scopeId, entry.record);
    else await to.copyNumbers(scopeId, entry.last);
  }
}
