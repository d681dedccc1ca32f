/**
 * Rows of codes with hash indexes. A stored relation keeps every row with the version it was born at and the version it died
 * at, so that a view of one version is never disturbed by the writer of the next. A derived relation carries no versions
 * until it is maintained for the first time; then it carries them in the same way.
 */

import { hashSource, MIX_SOURCE } from './hash.js';
import { HashIndex } from './hash-index.js';

/** Behind every version. */
export const NEVER = 0x7fffffff;

const CAPACITY_MIN = 16;

/** Rows that are looked at to judge how many share a value. */
const SAMPLE_SIZE = 500;

export class Relation {
  readonly arity: number;
  rows: Int32Array;
  /** Rows so far, dead ones included. */
  count = 0;
  capacity = CAPACITY_MIN;
  /** Over all columns; finds duplicates. Always covers every row. */
  readonly identity: HashIndex;
  versioned = false;
  /** Ascending by row. Zeros, which cost no memory until they are written, mean always. */
  birth = new Int32Array(0);
  /** Zero for a row that lives, else the version of its death less NEVER. */
  death = new Int32Array(0);
  /** Of a derived relation: the height of each row's lowest known proof within its component, from 1. */
  height = new Int32Array(0);
  /** True once a row is not seen by every view from its birth on. */
  hasHoles = false;
  /** What died up to this version may have been forgotten. */
  compactedAt = 0;
  /** Rows in the order in which they died, and when; one that was revived may be among them. */
  private deadRows: number[] = [];
  private deathVersions: number[] = [];
  /** Of lookups; holds nothing between them. */
  private readonly key: number[];
  private readonly indexes = new Map<string, HashIndex>();
  private readonly insertCode: InsertRow;

  private constructor(arity: number) {
    this.arity = arity;
    this.rows = new Int32Array(CAPACITY_MIN * arity);
    const columns = Array.from({ length: arity }, (_, index) => index);
    this.identity = new HashIndex(arity, columns);
    this.indexes.set(columns.join(','), this.identity);
    this.insertCode = insertRow(arity);
    this.key = columns.map(() => 0);
  }

  static stored(arity: number): Relation {
    const relation = new Relation(arity);
    relation.makeVersioned();
    return relation;
  }

  static derived(arity: number): Relation {
    const relation = new Relation(arity);
    relation.height = new Int32Array(CAPACITY_MIN);
    return relation;
  }

  /** A set of rows without more. */
  static plain(arity: number): Relation {
    return new Relation(arity);
  }

  makeVersioned(): void {
    if (this.versioned) return;
    this.versioned = true;
    this.birth = new Int32Array(this.capacity);
    this.death = new Int32Array(this.capacity);
    this.identity.chain(this.capacity);
  }

  /** The index over these ascending columns, up to date with every row that there is now. */
  index(columns: readonly number[]): HashIndex {
    const name = columns.join(',');
    let index = this.indexes.get(name);
    if (index === undefined) {
      index = new HashIndex(this.arity, columns).chain(this.capacity);
      this.indexes.set(name, index);
    }
    index.extend(this.rows, this.count);
    return index;
  }

  /** Adds a row to a relation without versions; false where it is there. */
  add(codes: readonly number[]): boolean {
    return this.insertCode(this, ...codes);
  }

  /** Appends a row without asking whether it is there. */
  append(codes: readonly number[], version: number): number {
    if (this.count === this.capacity) this.grow();
    const row = this.count;
    for (let column = 0; column < this.arity; column++) this.rows[row * this.arity + column] = codes[column] ?? 0;
    this.count = row + 1;
    this.birth[row] = version;
    this.death[row] = 0;
    this.identity.extend(this.rows, this.count);
    return row;
  }

  kill(row: number, version: number): void {
    this.death[row] = version - NEVER;
    this.deadRows.push(row);
    this.deathVersions.push(version);
    this.hasHoles = true;
  }

  revive(row: number): void {
    this.death[row] = 0;
  }

  rowAt(row: number): number[] {
    return Array.from(this.rows.subarray(row * this.arity, (row + 1) * this.arity));
  }

  /** True where a view of this version sees the row. */
  isVisible(row: number, version: number): boolean {
    return !this.versioned || ((this.birth[row] ?? 0) <= version && (this.death[row] ?? 0) > version - NEVER);
  }

  diedAt(row: number, version: number): boolean {
    return this.death[row] === version - NEVER;
  }

  /** The row of this tuple that the version sees; −1 where there is none. */
  find(codes: readonly number[], version: number): number {
    let row = this.identity.find(this.rows, codes);
    while (row >= 0 && !this.isVisible(row, version)) row = this.identity.next[row] ?? -1;
    return row;
  }

  /** The row of the tuple that stands first in another relation's row; −1 where the version sees none. */
  findRow(other: Relation, row: number, version: number): number {
    const { key } = this;
    const start = row * other.arity;
    for (let column = 0; column < this.arity; column++) key[column] = other.rows[start + column] ?? 0;
    return this.find(key, version);
  }

  /** These rows of a derived relation, no tuple twice, with their heights. */
  copyOf(rows: readonly number[]): Relation {
    const copy = Relation.derived(this.arity);
    for (const row of rows) {
      copy.add(this.rowAt(row));
      copy.height[copy.count - 1] = this.height[row] ?? 0;
    }
    return copy;
  }

  /** Rows to expect for one value of these ascending columns: measured where there is an index, else judged by a sample. */
  expectedRows(columns: readonly number[]): number {
    if (columns.length === 0) return this.count;
    const index = this.indexes.get(columns.join(','));
    if (index !== undefined && index.covered > 0) return index.covered / index.keys;
    const step = Math.max(1, Math.floor(this.count / SAMPLE_SIZE));
    const seen = new Set<string>();
    let taken = 0;
    for (let row = 0; row < this.count; row += step) {
      seen.add(columns.map((column) => this.rows[row * this.arity + column]).join());
      taken += 1;
    }
    // Of n rows drawn from D values, n² / 2D or so repeat one (the birthday problem).
    const values = taken === this.count ? seen.size : (taken * taken) / (2 * Math.max(1, taken - seen.size));
    return this.count / Math.max(1, Math.min(values, this.count));
  }

  /** How many rows, counted from the first, were born by this version. */
  bornBy(version: number): number {
    if (!this.versioned) return this.count;
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.birth[middle] ?? 0) <= version) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The tuples that version `after` sees and `before` does not, and the other way round. */
  changes(before: number, after: number): { readonly added: Relation; readonly removed: Relation } {
    const [added, removed] = [Relation.plain(this.arity), Relation.plain(this.arity)];
    if (!this.versioned) return { added, removed };
    const key: number[] = new Array(this.arity).fill(0);
    const collect = (row: number, into: Relation, seen: number, unseen: number): void => {
      if (!this.isVisible(row, seen)) return;
      for (let column = 0; column < this.arity; column++) key[column] = this.rows[row * this.arity + column] ?? 0;
      if (this.find(key, unseen) < 0) into.add(key);
    };
    const end = this.bornBy(after);
    for (let row = this.bornBy(before); row < end; row++) collect(row, added, after, before);
    for (let at = this.deathsBy(before); at < this.deadRows.length; at++) {
      collect(this.deadRows[at] ?? 0, removed, before, after);
    }
    return { added, removed };
  }

  /** How many more rows version `after` sees than `before`. */
  balance(before: number, after: number): number {
    if (!this.versioned) return 0;
    let balance = 0;
    const [start, end] = [this.bornBy(before), this.bornBy(after)];
    for (let row = start; row < end; row++) if (this.isVisible(row, after)) balance += 1;
    for (let at = this.deathsBy(before); at < this.deadRows.length; at++) {
      const row = this.deadRows[at] ?? 0;
      if (row < start && !this.isVisible(row, after)) balance -= 1;
    }
    return balance;
  }

  /** Undoes what happened after this version. */
  undoTo(version: number): void {
    const first = this.deathsBy(version);
    this.deathVersions.length = Math.min(this.deathVersions.length, first);
    for (const row of this.deadRows.splice(first)) this.revive(row);
    // A row that dies as it is born is seen by nobody. Births stay ascending, as later ones may be of this version.
    const kept = this.bornBy(version);
    if (kept === this.count) return;
    this.birth.fill(version, kept, this.count);
    this.death.fill(version - NEVER, kept, this.count);
    this.hasHoles = true;
  }

  /** How many deaths, counted from the first, had happened by this version. */
  private deathsBy(version: number): number {
    let [low, high] = [0, this.deathVersions.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.deathVersions[middle] ?? 0) <= version) low = middle + 1;
      else high = middle;
    }
    return low;
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
    if (this.height.length > 0) this.height = enlarged(this.height, this.capacity);
    for (const index of this.indexes.values()) index.grow(this.capacity);
  }

  /** Drops the rows that no view can see any more. Only while nobody reads. */
  compact(version: number): void {
    let kept = 0;
    const { arity } = this;
    const lastDeath = this.deathVersions.at(-1);
    for (let row = 0; row < this.count; row++) {
      if (!this.isVisible(row, version)) continue;
      this.rows.copyWithin(kept * arity, row * arity, (row + 1) * arity);
      this.birth[kept] = this.birth[row] ?? 0;
      if (this.height.length > 0) this.height[kept] = this.height[row] ?? 0;
      kept += 1;
    }
    this.death.fill(0);
    this.deadRows = [];
    this.deathVersions = [];
    this.hasHoles = false;
    this.compactedAt = lastDeath ?? this.compactedAt;
    this.count = kept;
    for (const [name, index] of this.indexes) {
      index.clear();
      if (index !== this.identity) this.indexes.delete(name);
    }
    this.identity.extend(this.rows, kept);
  }
}

function enlarged(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}

/** Adds a row given one argument a column to a relation without versions; false where it is there. */
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
