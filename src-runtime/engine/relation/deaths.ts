/** The rows of a relation in the order in which they died, and the versions at which they did. */

import { countUpTo } from '../values/int-array.js';

/** A row that was revived may be among them. */
export class Deaths {
  private rows: number[] = [];
  private versions: number[] = [];

  get count(): number {
    return this.rows.length;
  }

  /** Versions never go down. */
  add(row: number, version: number): void {
    this.rows.push(row);
    this.versions.push(version);
  }

  /** The version of the last. */
  get last(): number | undefined {
    return this.versions.at(-1);
  }

  rowAt(index: number): number {
    return this.rows[index] ?? 0;
  }

  /** How many, counted from the first, had happened by this version. */
  countBy(version: number): number {
    return countUpTo(this.versions, this.versions.length, version);
  }

  /** Forgets those after this version and gives their rows. */
  undoTo(version: number): number[] {
    const first = this.countBy(version);
    this.versions.length = Math.min(this.versions.length, first);
    return this.rows.splice(first);
  }

  /** Forgets all of them and gives the version of the last. */
  clear(): number | undefined {
    const last = this.versions.at(-1);
    this.rows = [];
    this.versions = [];
    return last;
  }
}
