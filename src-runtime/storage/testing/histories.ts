/** Small histories for the tests of storage, and reading one back whole. */

import type { StorageLog } from '../errors.js';
import {
  type EventStore,
  type ForkClosing,
  type ForkRecord,
  MAIN_FORK,
  type StoredTransaction,
} from '../event-store.js';

export const SCOPE = 'scope-1';

export const scopeRecord = { scopeId: SCOPE, tenant: 'acme', schemaHash: 'h1' } as const;

/** Transaction `txn` with two events, the second of which fills `padding` characters. */
export function transaction(txn: number, fork = MAIN_FORK, padding = 0): StoredTransaction {
  return {
    fork,
    txn,
    at: '2026-01-02T03:04:05.678Z',
    cause: { kind: 'mutation', path: 'lease::sign' },
    principal: txn % 2 === 0 ? 'ada' : null,
    events: [
      { kind: 'insertIndividual', seq: txn * 2 - 1, id: `#i${txn}`, concept: 'lease::Person' },
      { kind: 'setField', seq: txn * 2, id: `#i${txn}`, field: 'name', value: `Zoë ${txn}. ${'x'.repeat(padding)}` },
    ],
  };
}

/** Transaction `txn` with so many events, from event `firstSeq` on; each names `id` and fills some fifty characters. */
export function longTransaction(txn: number, events: number, firstSeq: number, id = '#i1'): StoredTransaction {
  return {
    ...transaction(txn),
    events: Array.from({ length: events }, (_, index) => ({
      kind: 'insertFact',
      seq: firstSeq + index,
      relation: 'lease::noted',
      tuple: [index % 100 === 0 ? id : '#i2', `Note ${index}`],
    })),
  };
}

/** Transaction `txn`, which forgets the individual that `transaction(individual)` made. */
export function forgetting(txn: number, individual: number): StoredTransaction {
  const id = `#i${individual}`;
  return {
    ...transaction(txn),
    events: [{ kind: 'forgetIndividual', seq: txn * 2 - 1, id, concept: 'lease::Person' }],
  };
}

/** What `transaction(txn)` is after `forgetting` its individual. */
export function redacted(txn: number): StoredTransaction {
  const { events, ...rest } = transaction(txn);
  return { ...rest, events: events.map(({ seq }) => ({ kind: 'redacted', seq, id: `#i${txn}` })) };
}

/** The fork that transaction number `txn` creates. */
export function forkRecord(txn: number, fork = 'what-if'): ForkRecord {
  return {
    fork,
    txn,
    parent: MAIN_FORK,
    baseSeq: (txn - 1) * 2,
    status: 'open',
    createdAt: '2026-01-02T03:04:05.678Z',
  };
}

/** The end of `forkRecord(txn)`. */
export function closing(txn: number, status: ForkClosing['status'], fork = 'what-if'): ForkClosing {
  return { fork, txn, status, closedAt: '2026-01-03T00:00:00.000Z' };
}

export async function history(
  store: EventStore,
  fork = MAIN_FORK,
  afterTxn = 0,
  scopeId = SCOPE,
): Promise<StoredTransaction[]> {
  const transactions: StoredTransaction[] = [];
  let before: StoredTransaction['events'] = [];
  for await (const { isLast, ...part } of store.read(scopeId, fork, afterTxn)) {
    before = [...before, ...part.events];
    if (!isLast) continue;
    transactions.push({ ...part, events: before });
    before = [];
  }
  return transactions;
}

/** A log that remembers its messages. */
export function rememberingLog(): StorageLog & {
  readonly lines: { level: string; fields: object; message: string }[];
} {
  const lines: { level: string; fields: object; message: string }[] = [];
  return {
    lines,
    info: (fields, message) => void lines.push({ level: 'info', fields, message }),
    warn: (fields, message) => void lines.push({ level: 'warn', fields, message }),
  };
}
