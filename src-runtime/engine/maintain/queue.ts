/** The facts that maintenance has still to look at, the lowest first and in batches. */

import type { Relation } from '../relation/relation.js';
import { BLOCK_ITEMS } from '../scheduling/blocks.js';
import { NO_INTS, resized } from '../values/int-array.js';

/** Facts that are worth a run of a plan. Levels of fewer are looked at together, which may ask for a fact twice. */
const BATCH_SIZE = 256;

/** Rows that wait to be looked at, by path and rank. */
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

  /** True where no row of the path waits. */
  isDoneWith(path: string): boolean {
    return this.of(path).isEmpty;
  }

  /**
   * The lowest rows by path, as many levels as make a batch: one level after the other, and of a level ascending and each once.
   * Undefined where nothing waits.
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

/** The rank of what is not there. */
const NOTHING = 2 ** 30;

/** Lists of rows, one a rank, that are linked through one array: a row more makes no object. */
class Levels {
  lowest = NOTHING;
  /** By rank: the place behind that of the row that was added last, zero where there is none. */
  private last = NO_INTS;
  /** By place: a row, and where the one stands that was added before it. */
  private rows = NO_INTS;
  private before = NO_INTS;
  private count = 0;
  /** Places that are taken: those of the rows that wait, and of those that have been since it was last empty. */
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

  /** Takes the rows of this rank where it is the lowest, ascending and each once. */
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
 * Puts those of a batch back that live though a lower one of it has died: that one may have been what held them up. What has
 * followed from a dead fact in the state before is suspect anyway, but not what would follow from it in a new way.
 */
export function* askAgain(
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
