/** Applies events of the history to facts, without asking whether they may be: that was asked when they were stored. */

import type { Json } from '../artifact/types.js';
import type { Pacer } from '../base/ports.js';
import { BLOCK_ITEMS, fromWire, type Transaction, type View } from '../engine/index.js';
import type { EventBody, StoredTransaction } from '../storage/event-store.js';
import { historyEnvironment } from './individuals.js';
import { isStoredKind } from './scope.js';

/** Applies one stored transaction; returns what the program has no place for, in words. */
export async function replayTransaction(
  transaction: Transaction,
  stored: StoredTransaction,
  pacer: Pacer,
): Promise<string[]> {
  const misfits: string[] = [];
  for (const [index, event] of stored.events.entries()) {
    if (index % BLOCK_ITEMS === 0) await pacer.poll();
    if (!applyEvent(transaction, event)) misfits.push(describeEvent(event));
  }
  return misfits;
}

/** False where the program has no place for it. */
function applyEvent(transaction: Transaction, event: EventBody): boolean {
  const { view } = transaction;
  const { program } = view;
  switch (event.kind) {
    case 'insertIndividual':
    case 'deleteIndividual':
    case 'forgetIndividual': {
      if (!program.concepts.has(event.concept)) return false;
      for (const path of program.classPathsOf(event.concept)) {
        const codes = encodeTuple(view, path, [event.id], false);
        if (codes === undefined) return false;
        if (event.kind === 'insertIndividual') transaction.insert(path, codes);
        else transaction.delete(path, codes);
      }
      if (event.kind !== 'insertIndividual') deleteFields(transaction, event.id, event.concept);
      return true;
    }
    case 'redacted': {
      if (!event.clears) return true;
      const holder = encodeHolder(view, event.clears.field, event.clears.id);
      if (holder !== undefined) transaction.deleteMatching(event.clears.field, [holder, null]);
      return true;
    }
    case 'setField': {
      const holder = encodeHolder(view, event.field, event.id);
      if (holder === undefined) return false;
      transaction.deleteMatching(event.field, [holder, null]);
      if (event.value === null) return true;
      const codes = encodeTuple(view, event.field, [event.id, event.value], true);
      if (codes === undefined) return false;
      transaction.insert(event.field, codes);
      return true;
    }
    case 'insertFact':
    case 'deleteFact': {
      const codes = encodeTuple(view, event.relation, event.tuple, true);
      if (codes === undefined) return false;
      if (event.kind === 'insertFact') transaction.insert(event.relation, codes);
      else transaction.delete(event.relation, codes);
      return true;
    }
  }
}

/** An individual goes with its fields, for which there are no events. */
function deleteFields(transaction: Transaction, id: string, concept: string): void {
  const { program, interner } = transaction.view;
  for (const field of program.classes.get(concept)?.fields ?? []) {
    if (!field.navigation) transaction.deleteMatching(field.path, [interner.encodeIndividual(id), null]);
  }
}

function describeEvent(event: EventBody): string {
  switch (event.kind) {
    case 'insertIndividual':
    case 'deleteIndividual':
    case 'forgetIndividual':
      return `${event.id}: ${event.concept}`;
    case 'redacted':
      return `what is left of ${event.id}`;
    case 'setField':
      return `${event.field}(${event.id}, ${JSON.stringify(event.value)})`;
    case 'insertFact':
    case 'deleteFact':
      return `${event.relation}${JSON.stringify(event.tuple)}`;
  }
}

function encodeHolder(view: View, field: string, id: string): number | undefined {
  const info = view.program.fields.get(field);
  if (!info || info.navigation) return undefined;
  return encodeTuple(view, info.concept, [id], true)?.[0];
}

/** The codes of a wire tuple, or undefined where the relation is not stored here or a value does not fit. */
export function encodeTuple(
  view: View,
  path: string,
  tuple: readonly Json[],
  mustExist: boolean,
): number[] | undefined {
  const info = view.program.relations.get(path);
  if (!info || !isStoredKind(info.kind) || info.endpoints.length !== tuple.length) return undefined;
  const environment = historyEnvironment(view, mustExist);
  const codes: number[] = [];
  for (const [index, endpoint] of info.endpoints.entries()) {
    const read = fromWire(endpoint.type, tuple[index] ?? null, environment);
    if (!read.ok) return undefined;
    codes.push(view.interner.encode(endpoint.type, read.value));
  }
  return codes;
}
