/** The indexes over a relation's own rows: one over all columns, and those that plans have requested. */

import { HashIndex } from './hash-index.js';

const NONE: readonly HashIndex[] = [];

export class Indexes {
  readonly overAll: HashIndex;
  /** Those over fewer columns. */
  others: readonly HashIndex[] = NONE;
  private readonly arity: number;

  constructor(arity: number, capacity: number) {
    this.arity = arity;
    this.overAll = HashIndex.overAll(arity, capacity);
  }

  /** The index over these ascending columns. If it does not exist, a new one with room for this many rows. */
  over(columns: readonly number[], capacity: number): HashIndex {
    const known = this.known(columns);
    if (known !== undefined) return known;
    const index = HashIndex.chained(this.arity, columns, capacity);
    this.others = [...this.others, index];
    return index;
  }

  known(columns: readonly number[]): HashIndex | undefined {
    if (columns.length === this.arity) return this.overAll;
    return this.others.find((index) => index.isOver(columns));
  }

  /** Follows the rows to arrays of this size. */
  move(capacity: number): void {
    this.overAll.move(capacity);
    for (const index of this.others) index.move(capacity);
  }

  /** Unlinks these rows, except the newest of each key. */
  skip(isLeftOut: (row: number) => boolean): void {
    this.overAll.skip(isLeftOut);
    for (const index of this.others) index.skip(isLeftOut);
  }

  /** Removes all rows. */
  clear(): void {
    this.others = NONE;
    this.overAll.clear();
  }
}
