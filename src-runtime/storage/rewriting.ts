/** Copies a history into new databases: with other events after an erasure or a renaming, or divided into parts of a size. */

import type { Database, HistoryRow, Segment, SegmentRange } from './database.js';
import { IMPLICIT_IDS, readEvents } from './event-runs.js';
import { type Erasure, redactor, type StoredEvent } from './event-store.js';
import { renamer } from './renaming.js';
import { nextTurn } from './time-slices.js';
import type { WrittenChange } from './written-changes.js';

/** Returns the text of events after a change, or the same text. */
export type Rewrite = (events: string) => string;

/** By key of a scope. */
export type Rewrites = ReadonlyMap<number, Rewrite>;

/** A part of a copied history. */
export interface CopiedPart {
  readonly database: Database;
  readonly contents: readonly SegmentRange[];
}

/** Text that is copied between two yields: a few milliseconds of work. */
const COPIED_CHARACTERS = 1 << 18;

/** Estimated bytes of a row beside its events. */
const ROW_BYTES = 120;

/** Whether the change alters stored events. It commits alone, because what is appended later must not be altered. */
export function isRewrite({ change }: WrittenChange): boolean {
  return change.kind === 'rename' || isErasure({ change });
}

export function isErasure({ change }: Pick<WrittenChange, 'change'>): boolean {
  return change.kind === 'append' && change.erasure !== undefined;
}

/** What the changes do to stored events. */
export function rewritesOf(
  changes: readonly WrittenChange[],
  scopeKey: (scopeId: string) => number | undefined,
): Rewrites {
  const rewrites = new Map<number, Rewrite>();
  for (const { change } of changes) {
    const rewrite = rewriteOf(change);
    const key = rewrite && scopeKey((change as { readonly scopeId: string }).scopeId);
    if (rewrite === undefined || key === undefined) continue;
    const before = rewrites.get(key);
    rewrites.set(key, before === undefined ? rewrite : (events) => rewrite(before(events)));
  }
  return rewrites;
}

function rewriteOf(change: WrittenChange['change']): Rewrite | undefined {
  if (change.kind === 'rename') return rewriteEach(renamer(change.renaming));
  if (change.kind !== 'append' || change.erasure === undefined) return undefined;
  const rewrite = rewriteEach(redactor(change.erasure));
  const words = mentionsOf(change.erasure);
  return words === undefined
    ? rewrite
    : (events) => (words.some((word) => events.includes(word)) ? rewrite(events) : events);
}

/** Texts of which events that an erasure changes have one. Undefined for many, because searching for them costs more than parsing. */
export function mentionsOf({ individuals }: Erasure): readonly string[] | undefined {
  return individuals.length > SEARCHED_MAX ? undefined : [IMPLICIT_IDS, ...individuals.map((id) => `"${id}"`)];
}

const SEARCHED_MAX = 8;

export function rewriteEach(rewrite: (event: StoredEvent) => StoredEvent): Rewrite {
  return (events) => {
    const before = readEvents(events);
    const after = JSON.stringify(before.map(rewrite));
    return after === JSON.stringify(before) ? events : after;
  };
}

/** Whether a segment may hold something that is rewritten. */
export function isTouched({ contents }: Segment, rewrites: Rewrites): boolean {
  return contents.some(({ scope }) => rewrites.has(scope));
}

/** Whether the rewrites alter anything in the database. */
export function* isAltered(database: Database, rewrites: Rewrites): Generator<void, boolean> {
  for (const row of yieldingRows(database)) {
    const rewrite = row && rewrites.get(row.scope);
    if (row === undefined) yield;
    else if (rewrite !== undefined && rewrite(eventsOf(row)) !== eventsOf(row)) return true;
  }
  return false;
}

/**
 * Copies the history row by row, which leaves nothing of replaced events behind. A part ends once it has `bytesMax`; a long transaction
 * may go on in the next part.
 */
export function* copyHistory(
  source: Database,
  rewrites: Rewrites,
  bytesMax = Number.POSITIVE_INFINITY,
): Generator<CopiedPart | undefined, void> {
  let part: PartBeingCopied | undefined;
  try {
    for (const row of yieldingRows(source)) {
      if (row === undefined) {
        yield undefined;
        continue;
      }
      part ??= beginPart(source);
      const events = eventsOf(row);
      const rewritten = rewrites.get(row.scope)?.(events) ?? events;
      part.database.addRow(row.statement, row.values, rewritten);
      noteRow(part, row, rewritten);
      if (part.bytes < bytesMax) continue;
      const full = finished(part);
      part = undefined;
      yield full;
    }
    const last = part && finished(part);
    part = undefined;
    if (last !== undefined) yield last;
  } finally {
    part?.database.close();
  }
}

/** The whole history in one database, rewritten. */
export async function rewritten(source: Database, rewrites: Rewrites): Promise<Database> {
  for (const part of copyHistory(source, rewrites)) {
    if (part !== undefined) return part.database;
    await nextTurn();
  }
  return source.successor();
}

interface PartBeingCopied {
  readonly database: Database;
  readonly ranges: Map<string, SegmentRange>;
  bytes: number;
}

function beginPart(source: Database): PartBeingCopied {
  const database = source.successor();
  database.begin();
  return { database, ranges: new Map(), bytes: 0 };
}

function noteRow(part: PartBeingCopied, { scope, fork, txn }: HistoryRow, events: string): void {
  part.bytes += events.length + ROW_BYTES;
  if (fork === undefined) return;
  const key = `${scope}/${fork}`;
  const firstTxn = part.ranges.get(key)?.firstTxn ?? txn;
  part.ranges.set(key, { scope, fork, firstTxn, lastTxn: txn });
}

function finished({ database, ranges }: PartBeingCopied): CopiedPart {
  database.commit();
  return { database, contents: [...ranges.values()] };
}

/** Undefined where the event loop may run. */
function* yieldingRows(database: Database): Generator<HistoryRow | undefined, void> {
  let characters = 0;
  for (const row of database.historyRows()) {
    characters += eventsOf(row).length + ROW_BYTES;
    yield row;
    if (characters < COPIED_CHARACTERS) continue;
    characters = 0;
    yield undefined;
  }
}

function eventsOf({ values }: HistoryRow): string {
  return values.at(-1) as string;
}
