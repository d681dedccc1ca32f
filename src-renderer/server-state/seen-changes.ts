/**
 * Remembers which transactions the lists on the page already show. The page learns of its own write twice: from the response and
 * from the event stream. The response refetches the lists at once, so the event must not refetch them again.
 */

import { throttled } from '../state/throttle.js';

/** By tenant, the last transaction after which the lists were fetched. Each scope numbers its own transactions. */
const seen = new Map<string, number>();

export function noteSeen(tenant: string, txn: number): void {
  seen.set(tenant, Math.max(txn, seen.get(tenant) ?? 0));
}

/** Throttles the events of a tenant: calls `show` once for many events in a row, `pauseMs` after the first. */
export function changesOf(tenant: string, show: () => void, pauseMs: number) {
  let latest = 0;
  const later = throttled(() => {
    const isNew = latest > (seen.get(tenant) ?? 0);
    latest = 0;
    if (isNew) show();
  }, pauseMs);
  return {
    /** The stream missed what happened before it opened, and another history may number its transactions from 1. */
    restarted(): void {
      seen.delete(tenant);
      latest = Number.POSITIVE_INFINITY;
      later.call();
    },
    happened(txn: number): void {
      latest = Math.max(latest, txn);
      later.call();
    },
    cancel: later.cancel,
  };
}
