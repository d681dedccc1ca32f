/** The history of a scope as the API shows it. */

import type { JsonValue, WireEvent } from '../api/schemas.js';
import type { View } from '../engine/index.js';
import { type EventStore, MAIN_FORK, type StoredEvent, type StoredTransaction } from '../storage/event-store.js';
import type { Scope } from './scope.js';

/** An event with what its transaction says of it. */
export function wireEvent({ txn, at }: StoredTransaction, event: StoredEvent): WireEvent {
  const { seq, kind } = event;
  switch (event.kind) {
    case 'insertIndividual':
    case 'deleteIndividual':
    case 'forgetIndividual':
      return { seq, txn, at, kind, id: event.id, concept: event.concept };
    case 'redacted':
      return { seq, txn, at, kind, id: event.id };
    case 'setField':
      return { seq, txn, at, kind, id: event.id, field: event.field, value: event.value as JsonValue };
    case 'insertFact':
    case 'deleteFact':
      return { seq, txn, at, kind, relation: event.relation, tuple: event.tuple as JsonValue[] };
  }
}

/**
 * The event that put a stored fact there, undefined for ground truth. Costs one transaction's read: a row's version of
 * birth says which transaction inserted it.
 */
export async function findEvent(
  store: EventStore,
  scope: Scope,
  view: View,
  relation: string,
  tuple: readonly JsonValue[],
  codes: readonly number[],
): Promise<WireEvent | undefined> {
  const version = view.stored(relation).bornAt(codes);
  if (version === undefined || version <= scope.groundVersion) return undefined;
  const txn = version - scope.groundVersion;
  for await (const transaction of store.read(scope.scopeId, MAIN_FORK, txn - 1)) {
    if (transaction.txn !== txn) return undefined;
    const event = [...transaction.events].reverse().find((candidate) => puts(view, candidate, relation, tuple));
    return event && wireEvent(transaction, event);
  }
  return undefined;
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
