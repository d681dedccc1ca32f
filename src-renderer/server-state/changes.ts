/**
 * Tracks the changes of transactions, and which of them the lists already show. A write of this page is reported twice: by its
 * response and by the event stream. The first report refreshes the lists; the second is ignored.
 */

import type { WireEvent } from '../../src-runtime/api/schemas/schemas.js';
import { throttled } from '../state/throttle.js';

/** The stored relations that changed, by path; `everything` if individuals changed whose names any list may show. */
export type Changed = ReadonlySet<string> | 'everything';

/** The part of an event that says what it changed. */
type ChangeEvent = Pick<WireEvent, 'kind' | 'txn' | 'id' | 'relation'>;

/** What the lists show, by tenant and transaction: each scope numbers its own transactions. */
const shown = new Map<string, Changed>();
const SHOWN_MAX = 200;

/** Records that the lists are about to show the change. Returns the change, or undefined if they already show it. */
export function noteShown(tenant: string, txn: number, changed: Changed): Changed | undefined {
  const key = `${txn} ${tenant}`;
  const before = shown.get(key);
  if (covers(before, changed)) return undefined;
  shown.set(key, union(before, changed));
  for (const oldest of shown.keys()) if (shown.size > SHOWN_MAX) shown.delete(oldest);
  return changed;
}

/** Forgets all transactions: another history may number its own from 1. */
export function forgetShown(): void {
  shown.clear();
}

export function changedBy(events: readonly ChangeEvent[]): Changed {
  const collected = new CollectedChange();
  for (const event of events) collected.add(event);
  return collected.changed;
}

export function union(left: Changed | undefined, right: Changed): Changed {
  if (left === undefined || right === 'everything') return right;
  return left === 'everything' ? left : new Set([...left, ...right]);
}

/** Collects the events of a tenant, and calls `show` with the new changes, at most once in `pauseMs`. */
export function collectChanges(tenant: string, show: (changed: Changed) => void, pauseMs: number) {
  let pending = new Map<number, CollectedChange>();
  let isRestarted = false;
  const later = throttled(() => {
    let news: Changed | undefined = isRestarted ? 'everything' : undefined;
    for (const [txn, { changed }] of pending) {
      const unseen = noteShown(tenant, txn, changed);
      if (unseen !== undefined) news = union(news, unseen);
    }
    pending = new Map();
    isRestarted = false;
    if (news !== undefined) show(news);
  }, pauseMs);
  return {
    /** Events may have been missed, so everything is refreshed. */
    restarted(): void {
      isRestarted = true;
      later.call();
    },
    happened(event: ChangeEvent): void {
      const collected = pending.get(event.txn) ?? new CollectedChange();
      collected.add(event);
      pending.set(event.txn, collected);
      later.call();
    },
    cancel: later.cancel,
  };
}

/**
 * Counts events, and says when too many have arrived within a second: those of a large import. Reading millions of them would keep the
 * page busy for minutes, and it needs to know only what changed.
 */
export function createBurst(now: () => number) {
  let count = 0;
  let since = now();
  return {
    /** Whether this event is one too many. */
    isReached(): boolean {
      const at = now();
      if (at - since > BURST_MS) [count, since] = [0, at];
      count += 1;
      return count > EVENTS_MAX;
    },
  };
}

const BURST_MS = 1_000;
const EVENTS_MAX = 5_000;

class CollectedChange {
  private readonly relations = new Set<string>();
  private readonly added = new Set<string>();
  private isEverything = false;

  add({ kind, id = '', relation = '' }: ChangeEvent): void {
    if (kind === 'insertFact' || kind === 'deleteFact') this.relations.add(relation);
    else if (kind === 'insertIndividual') this.added.add(id);
    // A new individual is in no other list before a fact about it is inserted, and that fact has an event.
    else if (kind !== 'setField' || !this.added.has(id)) this.isEverything = true;
  }

  get changed(): Changed {
    return this.isEverything ? 'everything' : this.relations;
  }
}

function covers(whole: Changed | undefined, part: Changed): boolean {
  if (whole === undefined || whole === 'everything') return whole !== undefined;
  return part !== 'everything' && [...part].every((relation) => whole.has(relation));
}
