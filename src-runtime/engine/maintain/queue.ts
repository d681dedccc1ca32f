/** The facts that maintenance still has to look at, lowest rank first, in batches. */

import type { Relation } from '../relation/relation.js';
import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import { NO_INTS, resized } from '../values/int-array.js';

/** Facts that justify running a plan. Ranks with fewer facts share a batch, which may ask for a fact twice. */
const BATCH_SIZE = 256;

/** Rows that wait, by path and rank. */
export class Queue {
  private readonly paths: readonly string[];
  /** In the order of the paths. */
  private readonly levels: readonly Levels[];

  constructor(paths: readonly string[]) {
    this.paths = paths;
    this.levels = paths.map(() => new Levels());
  }

  add(path: string, rank: number, row: number): void {
    this.of(path).add(rank, row);
  }

  /** True if no row of the path waits. */
  isDoneWith(path: string): boolean {
    return this.of(path).isEmpty;
  }

  /**
   * The next batch: rows of the lowest ranks by path. Within a rank they ascend without duplicates. Undefined if no row
   * waits.
   */
  next(): ReadonlyMap<string, readonly number[]> | undefined {
    if (this.lowest === NOTHING) return undefined;
    const taken = this.levels.map((): number[] => []);
    let size = 0;
    for (let rank = this.lowest; rank !== NOTHING && size < BATCH_SIZE; rank = this.lowest) {
      for (const [index, rows] of taken.entries()) {
        const level = this.levels[index]?.take(rank) ?? [];
        for (const row of level) rows.push(row);
        size += level.length;
      }
    }
    const rows = new Map<string, readonly number[]>();
    for (const [index, path] of this.paths.entries()) {
      const found = taken[index] ?? [];
      if (found.length > 0) rows.set(path, found);
    }
    return rows;
  }

  private get lowest(): number {
    let lowest = NOTHING;
    for (const levels of this.levels) if (levels.lowest < lowest) lowest = levels.lowest;
    return lowest;
  }

  private of(path: string): Levels {
    return this.levels[this.paths.indexOf(path)] as Levels;
  }
}

/** Above every rank. */
const NOTHING = 2 ** 30;

/** Lists of rows by rank, linked through one array so that a row costs no object. */
class Levels {
  lowest = NOTHING;
  /** By rank: one more than the place of the last added row, or 0 if none exists. */
  private last = NO_INTS;
  /** By place: a row, and the place of the row added before it. */
  private rows = NO_INTS;
  private before = NO_INTS;
  private count = 0;
  /** Used places since the queue was last empty. */
  private end = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  add(rank: number, row: number): void {
    if (rank >= this.last.length) this.last = resized(this.last, this.last.length, 2 * Math.max(32, rank));
    if (this.end === this.rows.length) {
      const room = 2 * Math.max(32, this.end);
      this.rows = resized(this.rows, this.end, room);
      this.before = resized(this.before, this.end, room);
    }
    this.rows[this.end] = row;
    this.before[this.end] = this.last[rank] ?? 0;
    this.end += 1;
    this.last[rank] = this.end;
    this.count += 1;
    if (rank < this.lowest) this.lowest = rank;
  }

  /** Takes the rows of this rank if it is the lowest, ascending, without duplicates. */
  take(rank: number): readonly number[] {
    if (rank !== this.lowest) return [];
    const { rows, before, last } = this;
    const found: number[] = [];
    for (let place = last[rank] ?? 0; place > 0; place = before[place - 1] ?? 0) found.push(rows[place - 1] ?? 0);
    last[rank] = 0;
    this.count -= found.length;
    if (this.count === 0) {
      this.lowest = NOTHING;
      this.end = 0;
    } else {
      do this.lowest += 1;
      while (last[this.lowest] === 0);
    }
    return ascendingOnce(found);
  }
}

function ascendingOnce(rows: readonly number[]): readonly number[] {
  if (rows.length < 2) return rows;
  const sorted = Int32Array.from(rows).sort();
  const once: number[] = [];
  for (const row of sorted) if (row !== once.at(-1)) once.push(row);
  return once;
}

/**
 * Queues visible facts of a batch again if the batch deleted a fact of lower rank, which may have been their support.
 * Facts that followed from the deleted one before the change are suspects anyway; facts that would follow from it in a
 * new way are not.
 */
export function* suspectAgain(
  suspects: Queue,
  asked: ReadonlyMap<string, readonly number[]>,
  relations: ReadonlyMap<string, Relation>,
  version: number,
): Generator<void, void> {
  let lowestDead = Number.POSITIVE_INFINITY;
  const living: { readonly path: string; readonly row: number; readonly rank: number }[] = [];
  for (const [path, rows] of asked) {
    const relation = relations.get(path) as Relation;
    for (const [index, row] of rows.entries()) {
      if (index % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
      const rank = relation.rankOf(row);
      if (relation.isVisible(row, version)) living.push({ path, row, rank });
      else lowestDead = Math.min(lowestDead, rank);
    }
  }
  for (const [index, { path, row, rank }] of living.entries()) {
    if (index % BLOCK_ITEMS === BLOCK_ITEMS - 1) yield;
    if (rank > lowestDead) suspects.add(path, rank, row);
  }
}
