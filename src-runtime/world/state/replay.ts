/** Applies events of the history to facts. Does not check them: that was done before they were stored. */

import type { Json } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import { BLOCK_ITEMS, NONE, type RelationReader, type Transaction, type WireEnvironment } from '../../engine/index.js';
import type { EventBody, StoredTransaction } from '../../storage/event-store.js';
import { conceptOf, historyEnvironment } from './individuals.js';
import { isStoredKind } from './scope.js';
import { codesOf, encodeValue } from './stored-tuples.js';

/**
 * Applies a stored transaction. Returns descriptions of events that the program cannot represent. Nothing may derive from the facts
 * meanwhile.
 */
export async function replayTransaction(
  transaction: Transaction,
  stored: StoredTransaction,
  deadline: Deadline,
): Promise<string[]> {
  const misfits: string[] = [];
  const replay = new Replay(transaction);
  for (const [index, event] of stored.events.entries()) {
    if (index % BLOCK_ITEMS === 0) await deadline.checkpoint();
    if (!replay.apply(event)) misfits.push(describeEvent(event));
  }
  return misfits;
}

/** Caches lookups between events, because a history has millions of them. */
class Replay {
  private readonly transaction: Transaction;
  private readonly readers = new Map<string, RelationReader>();
  /** Resolves individuals that exist. */
  private readonly existing: WireEnvironment;
  /** The last individual and its concept. The next event is often about the same one. */
  private lastCode = NONE;
  private lastConcept: string | undefined;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
    this.existing = historyEnvironment(transaction.view, (code) => this.conceptOf(code));
  }

  /** False if the program cannot represent the event. */
  apply(event: EventBody): boolean {
    switch (event.kind) {
      case 'insertIndividual':
      case 'deleteIndividual':
      case 'forgetIndividual':
        return this.applyIndividual(event);
      case 'redacted': {
        if (event.clears) this.clearField(event.clears.field, event.clears.id);
        return true;
      }
      case 'setField':
        return this.setField(event.field, event.id, event.value);
      case 'insertFact':
      case 'deleteFact': {
        const { relation, tuple } = event;
        const info = this.transaction.view.program.relations.get(relation);
        if (!info || !isStoredKind(info.kind)) return false;
        const codes = codesOf(info, tuple, this.existing, this.transaction.view.interner);
        if (codes === undefined) return false;
        if (event.kind === 'insertFact') this.transaction.insert(relation, codes);
        else this.transaction.delete(relation, codes);
        return true;
      }
    }
  }

  private applyIndividual({
    kind,
    id,
    concept,
  }: EventBody & { readonly kind: 'insertIndividual' | 'deleteIndividual' | 'forgetIndividual' }): boolean {
    const { transaction } = this;
    const { program, interner } = transaction.view;
    if (
      !program.concepts.has(concept) ||
      !('id' in historyEnvironment(transaction.view).resolveIndividual(id, concept))
    )
      return false;
    const code = interner.encodeIndividual(id);
    this.lastCode = code;
    this.lastConcept = kind === 'insertIndividual' ? concept : undefined;
    for (const path of program.classPathsOf(concept)) {
      if (kind === 'insertIndividual') transaction.insert(path, [code]);
      else transaction.delete(path, [code]);
    }
    // Deleting an individual also deletes its fields, for which there are no events.
    if (kind !== 'insertIndividual') {
      for (const field of program.classes.get(concept)?.fields ?? []) {
        if (!field.navigation) transaction.deleteMatching(field.path, [code, null]);
      }
    }
    return true;
  }

  private setField(path: string, id: string, value: Json): boolean {
    const { view } = this.transaction;
    const holder = this.clearField(path, id);
    if (holder === undefined) return false;
    if (value === null) return true;
    const type = view.program.relations.get(path)?.endpoints[1]?.type;
    const code = type && encodeValue(type, value, this.existing, view.interner);
    if (code === undefined) return false;
    this.transaction.insert(path, [holder, code]);
    return true;
  }

  /** The code of the individual that has the field; undefined if it does not exist. */
  private clearField(path: string, id: string): number | undefined {
    const { program, interner } = this.transaction.view;
    const info = program.fields.get(path);
    if (!info || info.navigation || !('id' in this.existing.resolveIndividual(id, info.concept))) return undefined;
    const holder = interner.encodeIndividual(id);
    if (this.reader(path).codeOf(holder) !== NONE) this.transaction.deleteMatching(path, [holder, null]);
    return holder;
  }

  private conceptOf(code: number): string | undefined {
    if (code === this.lastCode) return this.lastConcept;
    const { program } = this.transaction.view;
    this.lastConcept = conceptOf({ program, stored: (path) => this.reader(path) }, code);
    this.lastCode = code;
    return this.lastConcept;
  }

  private reader(path: string): RelationReader {
    const known = this.readers.get(path) ?? this.transaction.view.stored(path);
    this.readers.set(path, known);
    return known;
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
