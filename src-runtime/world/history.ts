/** The history of a scope as the API shows it. */

import type { JsonValue, WireEvent } from '../api/schemas.js';
import type { Pacer } from '../base/ports.js';
import { BLOCK_ITEMS, mapped, type View } from '../engine/index.js';
import type { EventStore, StoredEvent, StoredTransaction } from '../storage/event-store.js';
import { type Branch, type Fork, type Scope, transactionAt } from './scope.js';

/** An event with what its transaction says of it. */
export function wireEvent({ txn, at }: StoredTransaction, event: StoredEvent): WireEvent {
  const { seq, kind } = event;
  switch (event.kind) {
    case 'insertIndividual':
    case 'deleteIndividual':
    case 'forgetIndividual':
      return { seq, txn, at, kind, id: event.id, concept: event.concept };
    case 'redacted':
      return { seq, txn, at, kind, id: event.id, ...(event.clears && { clears: event.clears }) };
    case 'setField':
      return { seq, txn, at, kind, id: event.id, field: event.field, value: event.value as JsonValue };
    case 'insertFact':
    case 'deleteFact':
      return { seq, txn, at, kind, relation: event.relation, tuple: event.tuple as JsonValue[] };
  }
}

/** All events of a transaction. */
export function wireEvents(transaction: StoredTransaction): Generator<void, WireEvent[]> {
  return mapped(transaction.events, (event) => wireEvent(transaction, event));
}

/**
 * The event that put a stored fact there, undefined for ground truth. Costs one transaction's read: a row's version of
 * birth says which transaction inserted it.
 */
export async function findEvent(
  store: EventStore,
  { scope, fork, branch }: { readonly scope: Scope; readonly fork: Fork; readonly branch: Branch },
  view: View,
  fact: { readonly relation: string; readonly tuple: readonly JsonValue[]; readonly codes: readonly number[] },
  pacer: Pacer,
): Promise<WireEvent | undefined> {
  const { relation, tuple, codes } = fact;
  const version = view.stored(relation).bornAt(codes);
  if (version === undefined || version <= scope.groundVersion) return undefined;
  const txn = transactionAt(branch.lineage, version - scope.groundVersion - 1);
  if (txn === undefined) return undefined;
  let last: WireEvent | undefined;
  for await (const part of store.read(scope.scopeId, writerOf(fork, txn), txn - 1)) {
    if (part.txn !== txn) return undefined;
    last = (await lastPutting(view, part, relation, tuple, pacer)) ?? last;
    if (part.isLast) break;
  }
  return last;
}

async function lastPutting(
  view: View,
  transaction: StoredTransaction,
  relation: string,
  tuple: readonly JsonValue[],
  pacer: Pacer,
): Promise<WireEvent | undefined> {
  const { events } = transaction;
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index] as StoredEvent;
    if (puts(view, event, relation, tuple)) return wireEvent(transaction, event);
    if (index % BLOCK_ITEMS === 0) await pacer.poll();
  }
  return undefined;
}

/** The fork, among this one and its ancestors, that a transaction which it sees belongs to. */
function writerOf(fork: Fork, txn: number): string {
  let at = fork;
  while (at.parent !== null && txn <= at.txn) at = at.parent;
  return at.id;
}

function puts(view: View, event: StoredEvent, relation: string, tuple: readonly JsonValue[]): boolean {
  switch (event.kind) {
    case 'insertIndividual':
      return event.id === tuple[0] && view.program.isSubclass(event.concept, relation);
    case 'setField':
      return event.field === relation && event.id === tuple[0];
    case 'insertFact':
      return event.relation === relation && JSON.stringify(event.tuple) === JSON.stringify(tuple);
    default:
      return false;
  }
}
