/** The indexes over the own rows of a relation: the one that finds tuples, and those that plans have asked for. */

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

  /** The index over these ascending columns; an empty one for so many rows where there is none yet. */
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

  /** Leaves these rows out, where they are not the newest of their key. */
  skip(isLeftOut: (row: number) => boolean): void {
    this.overAll.skip(isLeftOut);
    for (const index of this.others) index.skip(isLeftOut);
  }

  /** Forgets every row. */
  clear(): void {
    this.others = NONE;
    this.overAll.clear();
  }
}
