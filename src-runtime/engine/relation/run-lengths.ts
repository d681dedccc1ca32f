/** Ascending numbers of rows, such as creation versions or rounds, run-length encoded. */

import { countUpTo, NO_INTS, resized } from '../values/int-array.js';

export class RunLengths {
  /** The first row of each run, ascending, and its number. Rows before the first run have 0. */
  private rows = NO_INTS;
  private numbers = NO_INTS;
  private runs = 0;
  private last = 0;

  /** Gives a number to this row and all rows after it until the next call. Numbers ascend. */
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

  /** One past the last of `count` rows whose number is at most this one. */
  upTo(number: number, count: number): number {
    if (number >= this.last) return count;
    return this.rows[countUpTo(this.numbers, this.runs, number)] ?? count;
  }

  /** Writes the number of each of `count` rows. */
  writeTo(count: number, into: Int32Array): void {
    for (let run = 0; run < this.runs; run++) {
      const end = run + 1 < this.runs ? this.rows[run + 1] : count;
      into.fill(this.numbers[run] ?? 0, this.rows[run], end);
    }
  }

  /** Drops the runs with greater numbers. */
  undoTo(number: number): void {
    this.runs = countUpTo(this.numbers, this.runs, number);
    this.last = this.numbers[this.runs - 1] ?? 0;
  }
}
