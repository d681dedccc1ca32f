/** What events come to, such as those of a fork: each individual, field and fact that they touched, once. */

import type { Json } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import { BLOCK_ITEMS, drive, sorted } from '../../engine/index.js';
import type { StoredEvent, TransactionPart } from '../../storage/event-store.js';

/** `seq` is the event after which it stands as it does; of an individual that came and stayed, the one that brought it. */
export type NetChange = EventPlace &
  (
    | { readonly kind: 'individual'; readonly id: string; readonly concept: string }
    | { readonly kind: 'field'; readonly id: string; readonly field: string }
    | { readonly kind: 'fact'; readonly relation: string; readonly tuple: readonly Json[] }
  );

/** The event that made the change last, and its transaction. */
interface EventPlace {
  readonly seq: number;
  readonly txn: number;
}

/** In an order in which they can be applied: what an event refers to has come before it. */
export async function netChanges(
  transactions: AsyncIterable<TransactionPart>,
  deadline: Deadline,
): Promise<readonly NetChange[]> {
  const last = new Map<string, NetChange>();
  for await (const { txn, events } of transactions) {
    for (const [index, event] of events.entries()) {
      if (index % BLOCK_ITEMS === 0) await deadline.checkpoint();
      const change = changeOf(event, txn);
      if (change !== undefined) last.set(change.key, change.net);
    }
  }
  return await drive(
    sorted([...last.values()], (left, right) => left.seq - right.seq),
    deadline,
  );
}

/** What is left of a forgotten individual changes nothing, as its facts went from the parent too, but for references to it. */
function changeOf(event: StoredEvent, txn: number): { readonly key: string; readonly net: NetChange } | undefined {
  const place = { seq: event.seq, txn };
  switch (event.kind) {
    case 'insertIndividual':
    case 'deleteIndividual':
    case 'forgetIndividual': {
      const { id, concept } = event;
      return { key: id, net: { ...place, kind: 'individual', id, concept } };
    }
    case 'setField': {
      const { id, field } = event;
      return { key: `${id} ${field}`, net: { ...place, kind: 'field', id, field } };
    }
    case 'insertFact':
    case 'deleteFact': {
      const { relation, tuple } = event;
      return { key: `${relation}${JSON.stringify(tuple)}`, net: { ...place, kind: 'fact', relation, tuple } };
    }
    case 'redacted': {
      if (event.clears === undefined) return undefined;
      const { id, field } = event.clears;
      return { key: `${id} ${field}`, net: { ...place, kind: 'field', id, field } };
    }
  }
}
