/**
 * The rows that a covering index has of one key, by the code in the one column beside it. Who asks for tuple after tuple that
 * differ in this column only would wait for memory each time, as the index over all columns has them far apart; here they
 * are found side by side. It is the build side of a hash join (Kitsuregawa, Tanaka, Moto-oka 1983), for one key at a time.
 */

import { NO_INTS } from '../values/int-array.js';
import { COVERED_RANK } from './covering.js';
import type { HashIndex } from './hash-index.js';
import type { Layout } from './layout.js';

/** Behind every place: where no key has been opened. */
export const UNOPENED = 0x7fffffff;

/** Tuples of a key that are looked for in the index over all columns before it is opened; after four times as many it is again. */
export const ASKED_BEFORE = 16;
export const ASKED_FACTOR = 4;

/** Rows that are laid out for each tuple that has been asked for: it takes as long as to ask for one that lies elsewhere. */
const ROWS_PER_ASKED = 16;

/** Rows that are passed over between two ticks. */
const PASSED_AT_ONCE = 1024;

/** Codes that there is room for, at most. */
const CODES_MAX = 1 << 20;

/** Cells of a covered row with one column beside the key: its number, its rank, the code. */
const WIDTH = 3;
const CODE = 2;

/** What the rows are of. */
interface Keyed {
  readonly rows: Int32Array;
  /** The index over all columns. */
  readonly identity: { readonly layout: Layout };
  knownIndex(columns: readonly number[]): HashIndex | undefined;
}

export class RowsOfKey {
  /** Where each code's row stands among the cells, counted from what `open` has given; less where it has none. */
  places = NO_INTS;
  cells: Int32Array = NO_INTS;
  private readonly columns: readonly number[];
  private readonly beside: number;
  private free = 1;

  /** Of keys over all columns of so many but this one. */
  constructor(arity: number, beside: number) {
    this.columns = [...Array(arity).keys()].filter((column) => column !== beside);
    this.beside = beside;
  }

  /**
   * Lays out rows of a key, the newest first, as many as are worth it where so many tuples have been asked for. Gives where
   * their places begin; UNOPENED where nothing covers them.
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
    for (let at = start, left = asked * ROWS_PER_ASKED; left > 0 && (cells[at] ?? -1) >= 0; at += WIDTH, left--) {
      const code = cells[at + CODE] ?? 0;
      if ((places[code] ?? UNOPENED) < from) places[code] = from + at;
    }
    return from;
  }

  /**
   * Passes over rows that stand side by side from `place` on in a covering index, each of `width` cells with the code in question
   * in its cell `code`, for as long as tuples with these codes are among the rows opened `from` and nothing is to be done about
   * them: at a known rank below the least that follows, which is one more than `givenRank` and than that of the row passed over; or
   * at the least where `passesEqual`, or above it in rows before `greaterEnd`. All rows from `seenEnd` and `knownSeenEnd` on are
   * left to be looked at. Gives the place of the first that is, or that is one too many for one call.
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
    const end = Math.min(run.length, place + PASSED_AT_ONCE * width);
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
