/** Compacts a history: replaces everything before a time by one transaction that has the facts of then. */

import type { HistoryEntry } from './copy-store.js';
import { type ForkRecord, MAIN_FORK, type StoredEvent, type TransactionPart } from './event-store.js';

/**
 * The forks and transactions of a scope, in order of their numbers, without those before `time` (ms). Forks that were closed by then are
 * left out. A fork that is kept needs the history before it, so that only what comes before the first such fork is replaced. Holds the
 * facts of the scope in memory.
 */
export async function* compacted(
  entries: AsyncIterable<HistoryEntry>,
  forks: readonly ForkRecord[],
  time: number,
): AsyncGenerator<HistoryEntry, void, undefined> {
  const kept = keptForks(forks, time);
  /** The forks that have been created, by their names at this point of the history. */
  const isKept = new Map([[MAIN_FORK, true]]);
  let facts: LiveFacts | undefined = new LiveFacts();
  for await (const entry of entries) {
    if (entry.kind === 'fork') isKept.set(entry.record.fork, kept.has(entry.record));
    const name = entry.kind === 'fork' ? entry.record.fork : entry.kind === 'transaction' ? entry.part.fork : MAIN_FORK;
    const isDropped = isKept.get(name) === false;
    if (facts !== undefined && entry.kind === 'transaction' && (isDropped || isBefore(entry.part, time))) {
      if (isDropped) facts.noteIds(entry.part.events);
      else facts.apply(entry.part);
      continue;
    }
    if (isDropped) continue;
    if (facts !== undefined) yield* facts.asTransaction();
    facts = undefined;
    yield entry;
  }
  if (facts !== undefined) yield* facts.asTransaction();
}

function isBefore({ fork, at }: TransactionPart, time: number): boolean {
  return fork === MAIN_FORK && Date.parse(at) < time;
}

/** Those that were open at that time, and their ancestors. */
function keptForks(forks: readonly ForkRecord[], time: number): ReadonlySet<ForkRecord> {
  const kept = new Set<ForkRecord>();
  for (const fork of forks.toSorted((a, b) => b.txn - a.txn)) {
    const isOpen = fork.closedAt === undefined || Date.parse(fork.closedAt) >= time;
    if (!isOpen && !kept.has(fork)) continue;
    kept.add(fork);
    const parents = forks.filter(({ fork: name, txn }) => name === fork.parent && txn < fork.txn);
    const parent = parents.reduce<ForkRecord | undefined>(
      (last, each) => (last && last.txn > each.txn ? last : each),
      undefined,
    );
    if (parent !== undefined) kept.add(parent);
  }
  return kept;
}

const PART_EVENTS = 1_000;

/** What is left of the events so far: for each individual, field and fact the event that wrote it. */
class LiveFacts {
  private readonly individuals = new Map<
    string,
    { readonly written: StoredEvent; readonly fields: Map<string, StoredEvent> }
  >();
  private readonly tuples = new Map<string, StoredEvent>();
  private highestId = 0;
  private last: TransactionPart | undefined;
  private lastSeq = 0;

  apply(part: TransactionPart): void {
    this.last = part;
    this.noteIds(part.events);
    for (const event of part.events) {
      this.lastSeq = event.seq;
      this.applyEvent(event);
    }
  }

  /** Individual ids are never reused, so the highest one has to stay in the history. */
  noteIds(events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (event.kind === 'insertIndividual' || event.kind === 'redacted')
        this.highestId = Math.max(this.highestId, Number(event.id.slice(2)) || 0);
    }
  }

  private applyEvent(event: StoredEvent): void {
    switch (event.kind) {
      case 'insertIndividual':
        this.individuals.set(event.id, { written: event, fields: new Map() });
        return;
      case 'deleteIndividual':
      case 'forgetIndividual':
        this.individuals.delete(event.id);
        return;
      case 'redacted':
        if (event.clears !== undefined) this.individuals.get(event.clears.id)?.fields.delete(event.clears.field);
        return;
      case 'setField': {
        const fields = this.individuals.get(event.id)?.fields;
        if (event.value === null) fields?.delete(event.field);
        else fields?.set(event.field, event);
        return;
      }
      case 'insertFact':
        this.tuples.set(keyOf(event), event);
        return;
      case 'deleteFact':
        this.tuples.delete(keyOf(event));
    }
  }

  /** Numbered up to the last event, in the order in which they were written: a value may refer to an earlier individual. */
  *asTransaction(): Generator<HistoryEntry, void, undefined> {
    const { last } = this;
    if (last === undefined) return;
    const live = [...this.tuples.values()];
    for (const { written, fields } of this.individuals.values()) live.push(written, ...fields.values());
    const highest = `#i${this.highestId}`;
    if (this.highestId > 0 && !this.individuals.has(highest))
      live.push({ kind: 'redacted', seq: this.lastSeq + 1, id: highest });
    live.sort((a, b) => a.seq - b.seq);
    const first = this.lastSeq - live.length + 1;
    const events = live.map((event, index) => ({ ...event, seq: first + index }));
    const transaction = { ...last, principal: null, cause: { kind: 'compaction' } } as const;
    for (let from = 0; from === 0 || from < events.length; from += PART_EVENTS) {
      const part = events.slice(from, from + PART_EVENTS);
      yield {
        kind: 'transaction',
        part: { ...transaction, events: part, isLast: from + PART_EVENTS >= events.length },
      };
    }
  }
}

function keyOf({ relation, tuple }: { readonly relation: string; readonly tuple: readonly unknown[] }): string {
  return `${relation} ${JSON.stringify(tuple)}`;
}
