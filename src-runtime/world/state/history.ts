/** The history of a scope as the API shows it. */

import type { JsonValue, WireEvent } from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import { BLOCK_ITEMS, mapped, type View } from '../../engine/index.js';
import { type EventStore, eventsIn, type StoredEvent, type WrittenTransaction } from '../../storage/event-store.js';
import { type Branch, type Fork, type Scope, transactionAt } from './scope.js';

/** An event with the number and time of its transaction. */
export function wireEvent({ txn, at }: Pick<WrittenTransaction, 'txn' | 'at'>, event: StoredEvent): WireEvent {
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
export function wireEvents(transaction: WrittenTransaction): Generator<void, WireEvent[]> {
  return mapped(eventsIn(transaction.events), (event) => wireEvent(transaction, event));
}

/** A stored fact whose inserting event is wanted. */
export interface StoredFact {
  readonly relation: string;
  readonly tuple: readonly JsonValue[];
  readonly codes: readonly number[];
}

/**
 * The event that inserted each fact; declared facts have none. Reads each transaction once: the version at which a row was born tells its
 * transaction.
 */
export async function findInsertingEvents<F extends StoredFact>(
  store: EventStore,
  { scope, fork, branch }: { readonly scope: Scope; readonly fork: Fork; readonly branch: Branch },
  view: View,
  facts: readonly F[],
  deadline: Deadline,
): Promise<ReadonlyMap<F, WireEvent>> {
  const wanted = new Map<number, Map<string, F[]>>();
  for (const fact of facts) {
    await deadline.checkpoint();
    const version = view.stored(fact.relation).createdAt(fact.codes);
    if (version === undefined || version <= scope.groundVersion) continue;
    const txn = transactionAt(branch.lineage, version - scope.groundVersion - 1);
    if (txn === undefined) continue;
    const ofTransaction = wanted.get(txn) ?? new Map<string, F[]>();
    wanted.set(txn, ofTransaction);
    const key = keyOfFact(view, fact);
    ofTransaction.set(key, [...(ofTransaction.get(key) ?? []), fact]);
  }
  const found = new Map<F, WireEvent>();
  for (const [txn, ofTransaction] of wanted) {
    for await (const part of store.read(scope.scopeId, writerOf(fork, txn), txn - 1)) {
      if (part.txn !== txn) break;
      for (const [index, event] of part.events.entries()) {
        // The last matching event wins.
        for (const key of keysOfEvent(view, event)) {
          for (const fact of ofTransaction.get(key) ?? []) found.set(fact, wireEvent(part, event));
        }
        if (index % BLOCK_ITEMS === 0) await deadline.checkpoint();
      }
      if (part.isLast) break;
    }
  }
  return found;
}

/** A setField event sets any value of a field, and an insertIndividual event adds the individual to all classes of its concept. */
function keyOfFact(view: View, { relation, tuple }: StoredFact): string {
  const isOfIndividual = view.program.relations.get(relation)?.kind !== 'stored';
  return keyOf(relation, isOfIndividual ? tuple.slice(0, 1) : tuple);
}

function keysOfEvent(view: View, event: StoredEvent): string[] {
  switch (event.kind) {
    case 'insertIndividual':
      return view.program.classPathsOf(event.concept).map((path) => keyOf(path, [event.id]));
    case 'setField':
      return [keyOf(event.field, [event.id])];
    case 'insertFact':
      return [keyOf(event.relation, event.tuple)];
    default:
      return [];
  }
}

function keyOf(relation: string, tuple: readonly unknown[]): string {
  return `${relation} ${JSON.stringify(tuple)}`;
}

/** The fork, this one or an ancestor, that a visible transaction was written to. */
function writerOf(fork: Fork, txn: number): string {
  let at = fork;
  while (at.parent !== null && txn <= at.txn) at = at.parent;
  return at.id;
}
