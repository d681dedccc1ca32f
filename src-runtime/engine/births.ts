/** When the rows of a relation were born. Versions ascend with rows, so that it is enough to keep with which row each begins. */

import { countUpTo, NO_INTS, resized } from './int-array.js';

export class Births {
  /** The first row of each version that has one, ascending, and the version. Rows before the first were always there. */
  private rows = NO_INTS;
  private versions = NO_INTS;
  private runs = 0;
  private lastVersion = 0;

  /** Notes that this row and those behind it, until the next note, were born at the version. */
  add(row: number, version: number): void {
    if (version === this.lastVersion) return;
    if (this.runs === this.rows.length) {
      const room = Math.max(4, 2 * this.runs);
      this.rows = resized(this.rows, this.runs, room);
      this.versions = resized(this.versions, this.runs, room);
    }
    this.rows[this.runs] = row;
    this.versions[this.runs] = version;
    this.runs += 1;
    this.lastVersion = version;
  }

  /** Zero for a row that was always there. */
  of(row: number): number {
    return this.versions[countUpTo(this.rows, this.runs, row) - 1] ?? 0;
  }

  /** Behind the last of `count` rows that was born by this version. */
  bornBy(version: number, count: number): number {
    if (version >= this.lastVersion) return count;
    return this.rows[countUpTo(this.versions, this.runs, version)] ?? count;
  }

  /** Forgets what begins after this version. */
  undoTo(version: number): void {
    this.runs = countUpTo(this.versions, this.runs, version);
    this.lastVersion = this.versions[this.runs - 1] ?? 0;
  }
}
