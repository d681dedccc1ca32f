/**
 * Which transactions the lists on the page already show. The page hears twice of a write of its own: from the response, and from the
 * stream of events. The response asks for the lists at once, so the stream has nothing to add.
 */

import { throttled } from '../state/throttle.js';

/** By tenant, the last transaction after which the lists were asked for: transactions are numbered by scope. */
const seen = new Map<string, number>();

export function noteSeen(tenant: string, txn: number): void {
  seen.set(tenant, Math.max(txn, seen.get(tenant) ?? 0));
}

/** What follows the events of a tenant tells here what it hears. Many events in a row are shown once, `pauseMs` after the first. */
export function changesOf(tenant: string, show: () => void, pauseMs: number) {
  let latest = 0;
  const later = throttled(() => {
    const isNew = latest > (seen.get(tenant) ?? 0);
    latest = 0;
    if (isNew) show();
  }, pauseMs);
  return {
    /** What happened before is told by nobody, and another history may count its transactions anew. */
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
