/** What a merge goes through: each individual, field and fact that some transactions changed, once. */

import type { Json } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import { BLOCK_ITEMS, drive, type Program, sorted } from '../../engine/index.js';
import type { StoredEvent, TransactionPart } from '../../storage/event-store.js';

/** `seq` and `txn` are those of the last event that changed it. */
export type NetChange = { readonly seq: number; readonly txn: number } & (
  | IndividualChange
  | FieldChange
  | { readonly kind: 'fact'; readonly relation: string; readonly tuple: readonly Json[] }
);

interface IndividualChange {
  readonly kind: 'individual';
  readonly id: string;
  readonly concept: string;
}

interface FieldChange {
  readonly kind: 'field';
  readonly id: string;
  readonly field: string;
  /** Counts only if the merge has restored the individual. */
  readonly ifRestored?: boolean;
}

/** In order of `seq`, so an individual comes before the changes that refer to it. */
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

/** Undefined for the rest of an erased event, unless that clears a reference of another individual. */
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
      return { key: fieldKey(id, field), net: { ...place, kind: 'field', id, field } };
    }
    case 'insertFact':
    case 'deleteFact': {
      const { relation, tuple } = event;
      return { key: `${relation}${JSON.stringify(tuple)}`, net: { ...place, kind: 'fact', relation, tuple } };
    }
    case 'redacted': {
      if (event.clears === undefined) return undefined;
      const { id, field } = event.clears;
      return { key: fieldKey(id, field), net: { ...place, kind: 'field', id, field } };
    }
  }
}

/** Which individuals the two sides of a merge have. */
interface Sides {
  readonly base: { exists(id: string): boolean };
  readonly source: { exists(id: string): boolean };
}

/**
 * The order to repeat changes in: that of their events. A deleted individual is preceded by its fields, because changes that the
 * target made to them are conflicts. Fields that went with an individual without an event of their own follow it when it is back.
 */
export function* inOrder(
  net: readonly NetChange[],
  { base, source }: Sides,
  program: Program,
): Generator<NetChange, void> {
  const touched = touchedFields(net);
  for (const change of net) {
    if (change.kind === 'field' && !source.exists(change.id)) continue;
    const wasThere = change.kind === 'individual' && base.exists(change.id);
    const isBack = wasThere && source.exists(change.id);
    if (wasThere && !isBack) yield* fieldsOf(change, program);
    yield change;
    if (isBack) yield* fieldsOf(change, program, touched);
  }
}

/** The order to reverse changes in: individuals are back before anything refers to them, and go last. */
export function* inReverse(
  net: readonly NetChange[],
  { base, source }: Sides,
  program: Program,
): Generator<NetChange, void> {
  const touched = touchedFields(net);
  const individuals = net.filter((change) => change.kind === 'individual');
  const returning = individuals.filter(({ id }) => source.exists(id));
  yield* returning;
  for (const change of returning) yield* fieldsOf(change, program, touched, !base.exists(change.id));
  for (const change of net) if (change.kind === 'field') yield change;
  for (const change of net) if (change.kind === 'fact') yield change;
  for (const change of individuals) if (!source.exists(change.id)) yield change;
}

function touchedFields(net: readonly NetChange[]): ReadonlySet<string> {
  return new Set(net.map((change) => (change.kind === 'field' ? fieldKey(change.id, change.field) : '')));
}

function* fieldsOf(
  { id, concept, seq, txn }: NetChange & IndividualChange,
  program: Program,
  except: ReadonlySet<string> = new Set(),
  ifRestored = false,
): Generator<NetChange, void> {
  for (const { path } of program.classes.get(concept)?.fields ?? []) {
    if (!except.has(fieldKey(id, path))) yield { kind: 'field', id, field: path, seq, txn, ifRestored };
  }
}

function fieldKey(id: string, field: string): string {
  return `${id} ${field}`;
}
