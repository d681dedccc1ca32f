/**
 * Runs: many events of an import in one JSON object. A million facts of four values take 50 MB in place of 110, and a million individuals
 * with four fields 60 MB in place of 450. Writers hand runs to the store as text; readers of a history get single events.
 */

import type { Json } from '../artifact/types.js';
import type { StoredEvent, WrittenEvent } from './event-store.js';

/** Consecutive events, serialized. */
export interface EventRun {
  readonly kind: 'run';
  readonly seq: number;
  readonly lastSeq: number;
  readonly text: string;
}

type StoredRun =
  /** An insertFact event for each row. */
  | {
      readonly kind: 'facts';
      readonly seq: number;
      readonly relation: string;
      readonly rows: readonly (readonly Json[])[];
    }
  /** For each row an insertIndividual event, with ids from `id` on, and a setField event for each value but null. */
  | {
      readonly kind: 'individuals';
      readonly seq: number;
      readonly id: number;
      readonly concept: string;
      readonly fields: readonly string[];
      readonly rows: readonly (readonly Json[])[];
    };

/** Text of event rows that may hold the id of any individual, without spelling it. */
export const IMPLICIT_IDS = '"kind":"individuals"';

/** `rows` is a JSON array of `count` tuples. */
export function runOfFacts(seq: number, relation: string, rows: string, count: number): EventRun {
  const text = `{"kind":"facts","seq":${seq},"relation":${JSON.stringify(relation)},"rows":${rows}}`;
  return { kind: 'run', seq, lastSeq: seq + count - 1, text };
}

/** `rows` is a JSON array of `count` rows of field values, `values` of them not null. Ids are `#i<id>` and those after it. */
export function runOfIndividuals(
  seq: number,
  { id, concept, fields }: { readonly id: number; readonly concept: string; readonly fields: readonly string[] },
  rows: string,
  { count, values }: { readonly count: number; readonly values: number },
): EventRun {
  const names = `"concept":${JSON.stringify(concept)},"fields":${JSON.stringify(fields)}`;
  const text = `{${IMPLICIT_IDS},"seq":${seq},"id":${id},${names},"rows":${rows}}`;
  return { kind: 'run', seq, lastSeq: seq + count + values - 1, text };
}

/** The single events in the text of an event row. A store wrote the text, and a checksum covers it. */
export function readEvents(text: string): readonly StoredEvent[] {
  return singleEvents(JSON.parse(text) as readonly (StoredEvent | StoredRun)[]);
}

/** The single events of a transaction that was handed to the store. */
export function eventsIn(written: readonly WrittenEvent[]): readonly StoredEvent[] {
  if (!written.some(isRun)) return written as readonly StoredEvent[];
  return written.flatMap((event) => (isRun(event) ? readEvents(`[${event.text}]`) : event));
}

/** The single events of parsed JSON, in which runs are objects. */
export function singleEvents(items: readonly (StoredEvent | StoredRun)[]): readonly StoredEvent[] {
  const isStoredRun = (item: StoredEvent | StoredRun): item is StoredRun =>
    item.kind === 'facts' || item.kind === 'individuals';
  return items.some(isStoredRun)
    ? items.flatMap((item) => (isStoredRun(item) ? expanded(item) : item))
    : (items as readonly StoredEvent[]);
}

function expanded(run: StoredRun): StoredEvent[] {
  let { seq } = run;
  if (run.kind === 'facts') {
    const { relation } = run;
    return run.rows.map((tuple) => ({ kind: 'insertFact', relation, tuple, seq: seq++ }));
  }
  const events: StoredEvent[] = [];
  for (const [at, row] of run.rows.entries()) {
    const id = `#i${run.id + at}`;
    events.push({ kind: 'insertIndividual', id, concept: run.concept, seq: seq++ });
    for (const [index, field] of run.fields.entries()) {
      const value = row[index] ?? null;
      if (value !== null) events.push({ kind: 'setField', id, field, value, seq: seq++ });
    }
  }
  return events;
}

export function countEvents(written: readonly WrittenEvent[]): number {
  return written.reduce((sum, event) => sum + lastSeqOf(event) - event.seq + 1, 0);
}

export function lastSeqOf(event: WrittenEvent): number {
  return isRun(event) ? event.lastSeq : event.seq;
}

export function isRun(event: WrittenEvent): event is EventRun {
  return event.kind === 'run';
}
