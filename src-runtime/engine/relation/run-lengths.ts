/** Numbers that ascend with the rows that they are of, as versions of births and rounds do: kept by the row at which each begins. */

import { countUpTo, NO_INTS, resized } from '../values/int-array.js';

export class RowRuns {
  /** The first row of each number that has one, ascending, and the number. Rows before the first have zero. */
  private rows = NO_INTS;
  private numbers = NO_INTS;
  private runs = 0;
  private last = 0;

  /** Notes that this row and those behind it, until the next note, have the number, which is never less than the last. */
  add(row: number, number: number): void {
    if (number === this.last) return;
    if (this.runs === this.rows.length) {
      const room = Math.max(4, 2 * this.runs);
      this.rows = resized(this.rows, this.runs, room);
      this.numbers = resized(this.numbers, this.runs, room);
    }
    this.rows[this.runs] = row;
    this.numbers[this.runs] = number;
    this.runs += 1;
    this.last = number;
  }

  of(row: number): number {
    return this.numbers[countUpTo(this.rows, this.runs, row) - 1] ?? 0;
  }

  /** Behind the last of `count` rows with no more than this number. */
  upTo(number: number, count: number): number {
    if (number >= this.last) return count;
    return this.rows[countUpTo(this.numbers, this.runs, number)] ?? count;
  }

  /** Writes out the number of each of `count` rows. */
  spell(count: number, into: Int32Array): void {
    for (let run = 0; run < this.runs; run++) {
      const end = run + 1 < this.runs ? this.rows[run + 1] : count;
      into.fill(this.numbers[run] ?? 0, this.rows[run], end);
    }
  }

  /** Forgets what is more than this number. */
  undoTo(number: number): void {
    this.runs = countUpTo(this.numbers, this.runs, number);
    this.last = this.numbers[this.runs - 1] ?? 0;
  }
}
