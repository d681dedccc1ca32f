/**
 * The rows that a covering index has of one key, by the code in the only other column. For consecutive tuples that
 * differ in this column, lookups in the index over all columns would wait for memory each time; here they are close
 * together. It is the build side of a hash join (Kitsuregawa, Tanaka, Moto-oka 1983), for one key at a time.
 *
 * Benchmark: W5a of `npm run bench:engine`, where one edge leads to some thousand such lookups.
 */

import { NO_INTS } from '../values/int-array.js';
import { COVERED_RANK } from './covering.js';
import type { HashIndex } from './hash-index.js';
import type { Layout } from './layout.js';

/** Above every place: no key is open. */
export const UNOPENED = 0x7fffffff;

/**
 * Lookups of a key in the index over all columns before its rows are laid out; after four times as many it happens
 * again.
 */
export const LOOKUPS_BEFORE_OPENING = 16;
export const LOOKUPS_FACTOR = 4;

/** Rows laid out for each lookup: as expensive as one lookup by the index over all columns. */
const ROWS_PER_LOOKUP = 16;

/** Rows skipped between two ticks. */
const SKIPPED_AT_ONCE = 1024;

/** Above this many codes no table is made. */
const CODES_MAX = 1 << 20;

/** Cells of a covered row with one column outside the key: number, rank, code. */
const WIDTH = 3;
const CODE = 2;

/** The relation of the rows. */
interface Keyed {
  readonly rows: Int32Array;
  /** The index over all columns. */
  readonly identity: { readonly layout: Layout };
  knownIndex(columns: readonly number[]): HashIndex | undefined;
}

export class RowsOfKey {
  /** By code, the place of its row in `cells` plus the number that `open` returned; less if the code has no row. */
  places = NO_INTS;
  cells: Int32Array = NO_INTS;
  private readonly columns: readonly number[];
  private readonly beside: number;
  private free = 1;

  /** Of keys over all columns but this one. */
  constructor(arity: number, beside: number) {
    this.columns = [...Array(arity).keys()].filter((column) => column !== beside);
    this.beside = beside;
  }

  /**
   * Lays out rows of a key, newest first, as many as so many lookups justify. Returns the start of their places, or
   * UNOPENED if no index covers them.
   */
  open(relation: Keyed, key: readonly number[], asked: number): number {
    const bits = relation.identity.layout.bits?.[this.beside] ?? 32;
    const index = relation.knownIndex(this.columns);
    const start = index?.coveredStart(relation.rows, key) ?? -1;
    if (index === undefined || start < 0 || 2 ** bits > CODES_MAX) return UNOPENED;
    const { cells } = index.covering;
    this.makeRoom(2 ** bits, cells.length);
    const { places, free: from } = this;
    this.cells = cells;
    this.free += cells.length;
    for (let at = start, left = asked * ROWS_PER_LOOKUP; left > 0 && (cells[at] ?? -1) >= 0; at += WIDTH, left--) {
      const code = cells[at + CODE] ?? 0;
      if ((places[code] ?? UNOPENED) < from) places[code] = from + at;
    }
    return from;
  }

  /**
   * Skips consecutive covered rows from `place` on, each `width` cells wide with a code in cell `code`, while the tuple
   * with that code is among the rows opened at `from` and needs no action. That is so if its rank is below the least
   * rank that follows, which is one more than `givenRank` and than the rank of the skipped row; if it equals that and
   * `passesEqual`; or if it is greater, for rows before `greaterEnd`. Rows from `seenEnd` and `knownSeenEnd` on are
   * never skipped. Returns the place of the first row to look at, or where one call ends.
   */
  passOver(
    run: Int32Array,
    place: number,
    width: number,
    code: number,
    seenEnd: number,
    givenRank: number,
    from: number,
    knownSeenEnd: number,
    passesEqual: boolean,
    greaterEnd: number,
  ): number {
    const { places, cells } = this;
    const end = Math.min(run.length, place + SKIPPED_AT_ONCE * width);
    let at = place;
    for (; at < end; at += width) {
      const row = run[at] ?? -1;
      if (row < 0 || row >= seenEnd) break;
      const known = (places[run[at + code] ?? 0] ?? 0) - from;
      if (known < 0) break;
      const knownRow = cells[known] ?? 0;
      if (knownRow >= knownSeenEnd) break;
      const least = 1 + Math.max(givenRank, run[at + COVERED_RANK] ?? 0);
      const rank = cells[known + COVERED_RANK] ?? 0;
      if (rank >= least && !(rank === least ? passesEqual : knownRow < greaterEnd)) break;
    }
    return at;
  }

  private makeRoom(codes: number, cells: number): void {
    if (this.places.length >= codes && this.free < UNOPENED - cells) return;
    this.places = new Int32Array(codes);
    this.free = 1;
  }
}
