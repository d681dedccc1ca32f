/**
 * The facts of a scope after each of its transactions, replayed from its history. Keeps all versions of each fact, so that the checker
 * can compare a response with any moment.
 *
 * A key is an individual (`#i1`), a field of one (`#i1.ledger::Account.balance`) or a tuple (`ledger::paid["#i1","#i2"]`). An absent fact
 * has the value undefined.
 */

import type { Json } from '../../src-runtime/artifact/types.js';
import type { ForkRecord, StoredEvent, StoredTransaction } from '../../src-runtime/storage/event-store.js';
import type { Recorded } from './record.js';

export interface ScopeHistory {
  readonly tenant: string;
  readonly forks: readonly ForkRecord[];
  /** Of all forks, in order of their numbers. */
  readonly transactions: readonly StoredTransaction[];
}

/** The history with what was erased of guests, whose notes are in the records. */
export function withErased({ transactions, ...history }: ScopeHistory, records: readonly Recorded[]): ScopeHistory {
  const notes = new Map(
    records.flatMap(({ id, operation }) => (operation.kind === 'welcome' ? [[id, operation.note]] : [])),
  );
  return {
    ...history,
    transactions: transactions.map((transaction) => {
      const note = notes.get(transaction.principal ?? '');
      if (note === undefined) return transaction;
      const events = transaction.events.map((event, index): StoredEvent => {
        if (event.kind !== 'redacted') return event;
        const { seq, id } = event;
        if (index === 0) return { seq, kind: 'insertIndividual', id, concept: 'ledger::Guest' };
        return { seq, kind: 'setField', id, field: 'ledger::Guest.note', value: note };
      });
      return { ...transaction, events };
    }),
  };
}

/** The history with other names of declarations. */
export function withNames(history: ScopeHistory, nameOf: (path: string, txn: number) => string): ScopeHistory {
  const transactions = history.transactions.map((transaction) => ({
    ...transaction,
    events: transaction.events.map((event): StoredEvent => {
      if ('concept' in event) return { ...event, concept: nameOf(event.concept, transaction.txn) };
      if ('field' in event) return { ...event, field: nameOf(event.field, transaction.txn) };
      return 'relation' in event ? { ...event, relation: nameOf(event.relation, transaction.txn) } : event;
    }),
  }));
  return { ...history, transactions };
}

export type Value = Json | undefined;

export interface Change {
  readonly key: string;
  readonly before: Value;
  readonly after: Value;
}

/** The facts of a fork at one moment. */
export interface Facts {
  get(key: string): Value;
  /** The individuals of the concept. */
  individuals(concept: string): readonly string[];
  /** The individuals whose field has the value. */
  withValue(field: string, value: Json): readonly string[];
  /** The tuples of the relation that start with `first`, or all. */
  tuples(relation: string, first?: Json): readonly (readonly Json[])[];
}

/** The facts of all forks of a scope at one moment. */
export interface Moment {
  /** The number of the last transaction that is seen. */
  readonly txn: number;
  facts(fork: string): Facts;
  /** Changes of the fork since its creation. */
  netChanges(fork: string): readonly Change[];
  /** Net changes of one transaction; undefined if there is none with this number. */
  changesOf(txn: number): readonly Change[] | undefined;
  /** The transaction that promoted the fork; undefined if it has not been, or had no changes. */
  promotionOf(fork: string): number | undefined;
}

interface Versions {
  readonly txns: number[];
  readonly values: Value[];
}

export class Timeline {
  private readonly forks = new Map<string, { readonly record: ForkRecord | undefined; keys: Map<string, Versions> }>();
  private readonly promotions = new Map<string, number>();
  private readonly changes = new Map<number, readonly Change[]>();
  /** Everything that ever existed in any fork. Readers skip what is absent at their moment. */
  private readonly ofConcept = new Map<string, Set<string>>();
  private readonly ofValue = new Map<string, Set<string>>();
  private readonly ofRelation = new Map<string, Map<string, readonly Json[]>>();
  private readonly fieldsOf = new Map<string, Set<string>>();

  constructor({ forks, transactions }: Pick<ScopeHistory, 'forks' | 'transactions'>) {
    this.forks.set('main', { record: undefined, keys: new Map() });
    for (const record of forks) this.forks.set(record.fork, { record, keys: new Map() });
    for (const transaction of transactions) this.apply(transaction);
  }

  at(txn: number): Moment {
    return {
      txn,
      facts: (fork) => this.factsOf(fork, txn),
      netChanges: (fork) => this.netChanges(fork, txn),
      changesOf: (number) => (number <= txn ? this.changes.get(number) : undefined),
      promotionOf: (fork) => {
        const promotion = this.promotions.get(fork) ?? Number.POSITIVE_INFINITY;
        return promotion <= txn ? promotion : undefined;
      },
    };
  }

  private apply({ fork, txn, cause, events }: StoredTransaction): void {
    if (cause.kind === 'promote') this.promotions.set(cause.fork, txn);
    const before = new Map<string, Value>();
    const written = this.forks.get(fork)?.keys;
    if (written === undefined) throw new Error(`Transaction ${txn} is of the fork "${fork}", which has no record.`);
    for (const event of events) {
      for (const [key, value] of this.writesOf(event)) {
        if (!before.has(key)) before.set(key, this.get(fork, key, txn));
        const versions = written.get(key) ?? { txns: [], values: [] };
        written.set(key, versions);
        versions.txns.push(txn);
        versions.values.push(value);
      }
    }
    const changes = Array.from(before, ([key, value]) => ({ key, before: value, after: this.get(fork, key, txn) }));
    this.changes.set(
      txn,
      changes.filter((change) => change.before !== change.after),
    );
  }

  private writesOf(event: StoredEvent): readonly (readonly [string, Value])[] {
    switch (event.kind) {
      case 'insertIndividual':
        addTo(this.ofConcept, event.concept, event.id);
        return [[event.id, event.concept]];
      case 'setField': {
        const key = fieldKey(event.id, event.field);
        addTo(this.fieldsOf, event.id, key);
        addTo(this.ofValue, valueKey(event.field, event.value), event.id);
        return [[key, event.value ?? undefined]];
      }
      case 'deleteIndividual':
      case 'forgetIndividual':
        return [event.id, ...(this.fieldsOf.get(event.id) ?? [])].map((key) => [key, undefined] as const);
      case 'insertFact':
      case 'deleteFact': {
        const { relation, tuple } = event;
        const key = tupleKey(relation, tuple);
        for (const index of [relation, valueKey(relation, tuple[0] ?? null)]) {
          const tuples = this.ofRelation.get(index) ?? new Map<string, readonly Json[]>();
          this.ofRelation.set(index, tuples.set(key, tuple));
        }
        return [[key, event.kind === 'insertFact' ? true : undefined]];
      }
      // What was erased with a guest, unless `withErased` has put it back.
      case 'redacted':
        return [];
    }
  }

  private factsOf(fork: string, txn: number): Facts {
    const get = (key: string) => this.get(fork, key, txn);
    return {
      get,
      individuals: (concept) => [...(this.ofConcept.get(concept) ?? [])].filter((id) => get(id) !== undefined),
      withValue: (field, value) =>
        [...(this.ofValue.get(valueKey(field, value)) ?? [])].filter((id) => get(fieldKey(id, field)) === value),
      tuples: (relation, first) =>
        [...(this.ofRelation.get(first === undefined ? relation : valueKey(relation, first)) ?? [])]
          .filter(([key]) => get(key) !== undefined)
          .map(([, tuple]) => tuple),
    };
  }

  private netChanges(fork: string, txn: number): readonly Change[] {
    const { record, keys } = this.forks.get(fork) ?? {};
    if (record === undefined || keys === undefined) return [];
    return Array.from(keys.keys(), (key) => ({
      key,
      before: this.get(record.parent, key, record.txn),
      after: this.get(fork, key, txn),
    })).filter(({ before, after }) => before !== after);
  }

  private get(fork: string, key: string, txn: number): Value {
    const { record, keys } = this.forks.get(fork) ?? {};
    const versions = keys?.get(key);
    const at = versions === undefined ? -1 : lastUpTo(versions.txns, txn);
    if (versions !== undefined && at >= 0) return versions.values[at];
    return record === undefined ? undefined : this.get(record.parent, key, Math.min(txn, record.txn));
  }
}

/** A copy of facts that a model changes. */
export class Draft implements Facts {
  readonly changed = new Map<string, Value>();
  private readonly facts: Facts;

  constructor(facts: Facts) {
    this.facts = facts;
  }

  get(key: string): Value {
    return this.changed.has(key) ? this.changed.get(key) : this.facts.get(key);
  }

  set(key: string, value: Value): void {
    this.changed.set(key, value);
  }

  individuals(concept: string): readonly string[] {
    const added = [...this.changed].filter(([, value]) => value === concept).map(([key]) => key);
    return [...new Set([...this.facts.individuals(concept), ...added])].filter((id) => this.get(id) !== undefined);
  }

  withValue(field: string, value: Json): readonly string[] {
    const added = [...this.changed.keys()]
      .filter((key) => key.endsWith(`.${field}`))
      .map((key) => key.split('.')[0] ?? '');
    const all = new Set([...this.facts.withValue(field, value), ...added]);
    return [...all].filter((id) => this.get(fieldKey(id, field)) === value);
  }

  tuples(relation: string, first?: Json): readonly (readonly Json[])[] {
    const added = [...this.changed.keys()]
      .filter((key) => key.startsWith(`${relation}[`))
      .map((key) => JSON.parse(key.slice(relation.length)) as readonly Json[])
      .filter((tuple) => first === undefined || tuple[0] === first);
    const all = new Map(
      [...this.facts.tuples(relation, first), ...added].map((tuple) => [tupleKey(relation, tuple), tuple]),
    );
    return [...all].filter(([key]) => this.get(key) !== undefined).map(([, tuple]) => tuple);
  }

  /** What differs from the facts that were copied. */
  changes(): readonly Change[] {
    return Array.from(this.changed, ([key, after]) => ({ key, before: this.facts.get(key), after })).filter(
      ({ before, after }) => before !== after,
    );
  }
}

export function fieldKey(id: string, field: string): string {
  return `${id}.${field}`;
}

export function tupleKey(relation: string, tuple: readonly Json[]): string {
  return `${relation}${JSON.stringify(tuple)}`;
}

function valueKey(path: string, value: Json): string {
  return `${path}=${JSON.stringify(value)}`;
}

function addTo(map: Map<string, Set<string>>, key: string, member: string): void {
  const members = map.get(key);
  if (members === undefined) map.set(key, new Set([member]));
  else members.add(member);
}

/** The index of the last number that is not above `most`, or -1. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
