/**
 * Rows of codes with hash indexes. A derived relation only grows. A stored one keeps every row with the version it was born
 * at and the version it died at, so that a view of one version is never disturbed by the writer of the next; this is
 * also where overlays for forks and incremental maintenance will stand.
 */

import { hashSource, MIX_SOURCE } from './hash.js';
import { HashIndex } from './hash-index.js';

/** The death of a row that lives. */
export const ALIVE = 0x7fffffff;

const CAPACITY_MIN = 16;

export class Relation {
  readonly arity: number;
  rows: Int32Array;
  /** Rows so far, dead ones included. */
  count = 0;
  capacity = CAPACITY_MIN;
  /** Over all columns; finds duplicates. Always covers every row. */
  readonly identity: HashIndex;
  /** By version; empty arrays in a derived relation, whose rows hold in every view that has it. */
  birth = new Int32Array(0);
  death = new Int32Array(0);
  readonly versioned: boolean;
  /** Of a stored relation: rows that the last committed version sees, and the version since which it does. */
  committedSize = 0;
  committedAt = 0;
  /** Rows that the writer sees, and its version; 0 while no writer has touched the relation. */
  writtenSize = 0;
  writtenAt = 0;
  private readonly indexes = new Map<string, HashIndex>();
  private readonly insertCode: InsertRow;

  constructor(arity: number, versioned: boolean) {
    this.arity = arity;
    this.versioned = versioned;
    this.rows = new Int32Array(CAPACITY_MIN * arity);
    const columns = Array.from({ length: arity }, (_, index) => index);
    this.identity = new HashIndex(arity, columns, CAPACITY_MIN);
    this.indexes.set(columns.join(','), this.identity);
    this.insertCode = insertRow(arity);
    if (versioned) {
      this.birth = new Int32Array(CAPACITY_MIN);
      this.death = new Int32Array(CAPACITY_MIN);
    }
  }

  /** The index over these ascending columns, up to date with every row that there is now. */
  index(columns: readonly number[]): HashIndex {
    const name = columns.join(',');
    let index = this.indexes.get(name);
    if (index === undefined) {
      index = new HashIndex(this.arity, columns, this.capacity);
      this.indexes.set(name, index);
    }
    index.extend(this.rows, this.count);
    return index;
  }

  /** Adds a row to a derived relation; false where it is there. Generated plans call `insertSource` code instead. */
  add(codes: readonly number[]): boolean {
    return this.insertCode(this, ...codes);
  }

  /** Appends without asking whether the row is there. */
  append(codes: readonly number[]): number {
    if (this.count === this.capacity) this.grow();
    const row = this.count;
    for (let column = 0; column < this.arity; column++) this.rows[row * this.arity + column] = codes[column] ?? 0;
    this.count = row + 1;
    this.identity.extend(this.rows, this.count);
    return row;
  }

  rowAt(row: number): number[] {
    return Array.from(this.rows.subarray(row * this.arity, (row + 1) * this.arity));
  }

  /** True where a view of this version sees the row. */
  isVisible(row: number, version: number): boolean {
    return !this.versioned || ((this.birth[row] ?? 0) <= version && (this.death[row] ?? 0) > version);
  }

  /** The row of this tuple that the version sees; −1 where there is none. */
  find(codes: readonly number[], version: number): number {
    let row = this.identity.find(this.rows, codes);
    while (row >= 0 && !this.isVisible(row, version)) row = this.identity.next[row] ?? -1;
    return row;
  }

  /** Makes room for one more row and one more tuple. */
  makeRoom(): void {
    if (this.count === this.capacity) this.grow();
    this.identity.makeRoom(this.rows);
  }

  private grow(): void {
    this.capacity *= 2;
    this.rows = enlarged(this.rows, this.capacity * this.arity);
    if (this.versioned) {
      this.birth = enlarged(this.birth, this.capacity);
      this.death = enlarged(this.death, this.capacity);
    }
    for (const index of this.indexes.values()) index.grow(this.capacity);
  }

  /** Drops the rows that no view can see any more. Only while nobody reads. */
  compact(version: number): void {
    const kept: { readonly codes: number[]; readonly birth: number }[] = [];
    for (let row = 0; row < this.count; row++) {
      if (this.isVisible(row, version)) kept.push({ codes: this.rowAt(row), birth: this.birth[row] ?? 0 });
    }
    this.count = 0;
    for (const [name, index] of this.indexes) {
      index.clear();
      if (index !== this.identity) this.indexes.delete(name);
    }
    for (const { codes, birth } of kept) {
      const row = this.append(codes);
      this.birth[row] = birth;
      this.death[row] = ALIVE;
    }
  }
}

function enlarged(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}

/** Adds a row given one argument a column to a derived relation; false where it is there. */
export type InsertRow = (relation: Relation, ...codes: number[]) => boolean;

const INSERT_ROW = new Map<number, InsertRow>();

/** Made for each arity, so that a tuple goes from registers to the row without an array between. */
export function insertRow(arity: number): InsertRow {
  const known = INSERT_ROW.get(arity);
  if (known !== undefined) return known;
  const names = Array.from({ length: arity }, (_, column) => `a${column}`);
  const differs = names.map((name, column) => `rows[r * ${arity} + ${column}] !== ${name}`).join(' || ') || 'false';
  const source = `${MIX_SOURCE}
    return function insert(relation${names.map((name) => `, ${name}`).join('')}) {
      const index = relation.identity;
      const slots = index.slots;
      const rows = relation.rows;
      const mask = slots.length - 1;
      let s = ${hashSource(names)} & mask;
      let r;
      while ((r = slots[s]) >= 0 && (${differs})) s = (s + 1) & mask;
      if (r >= 0) return false;
      const i = relation.count;
      if (i === relation.capacity || index.keys * 2 >= slots.length) {
        relation.makeRoom();
        return insert(relation${names.map((name) => `, ${name}`).join('')});
      }
      ${names.map((name, column) => `rows[i * ${arity} + ${column}] = ${name};`).join(' ')}
      slots[s] = i;
      index.keys++;
      index.covered = i + 1;
      relation.count = i + 1;
      return true;
    };`;
  const made = new Function(source)() as InsertRow;
  INSERT_ROW.set(arity, made);
  return made;
}
