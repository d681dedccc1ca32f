/**
 * Rows of codes with hash indexes. A stored relation keeps every row with the version it was born at and the version it died
 * at, so that a view of one version is never disturbed by the writer of the next. A derived relation carries no versions
 * until it is maintained for the first time; then it carries them in the same way. A relation of a fork is an overlay: its
 * rows continue those of its base as one version saw them, and it says which of those have died in it.
 */

import { invariant } from '../../base/invariant.js';
import type { HashIndex } from '../index/hash-index.js';
import { Indexes } from '../index/indexes.js';
import { isPackable, PackedKeys } from '../index/packed-keys.js';
import { RowsOfKey } from '../index/rows-of-key.js';
import { NONE } from '../values/codec.js';
import { NO_INTS, resized } from '../values/int-array.js';
import { type InsertRow, insertRow } from './insert-row.js';
import { Tombstones } from './overlays.js';
import { NO_RANKS, Ranks } from './ranks.js';
import { NO_LIFETIMES, RowLifetimes } from './row-lifetimes.js';
import { RowRuns } from './run-lengths.js';

/** Arrays of so few rows lie among other objects: many a set of rows holds one or two, or none, and is dropped at once. */
const CAPACITY_MIN = 8;

/** Of a relation that has no base. */
const NO_TOMBSTONES = new Tombstones();

/** Rows that an index takes in without a pause. */
const INDEXED_AT_ONCE = 16_384;

const FIRST_COLUMN = [0];

/** What an overlay continues. */
export interface Base {
  readonly relation: Relation;
  /** At or above what the base's own overlay and rows are read at. */
  readonly version: number;
}

interface Kind {
  readonly base?: Base | null;
  /** Rows to have room for. */
  readonly expected?: number;
  readonly ranks?: Ranks;
  /** True of one whose rows are appended, whether they are there or not. */
  readonly isAppended?: boolean;
}

export class Relation {
  readonly arity: number;
  readonly base: Base | null;
  /** Number of the first row of its own; those of the base come before. */
  readonly offset: number;
  rows: Int32Array;
  /** Own rows so far, dead ones included. */
  count = 0;
  capacity: number;
  /** Over all columns; finds tuples. Made when it is first asked, of a relation that finds duplicates by packed keys. */
  readonly identity: HashIndex;
  /** Finds duplicates while a relation without versions grows, where its codes are small enough. */
  packed: PackedKeys | null;
  /** What the bitmap that found duplicates has told of the codes of so many rows. */
  private surveyed: { readonly bits: readonly number[]; readonly count: number } | null = null;
  versioned = false;
  /** When its rows are seen, counted from its own first. */
  lifetimes = NO_LIFETIMES;
  /** Rows of the base that have died in this overlay. */
  readonly tombstones: Tombstones;
  /** Of its own rows. */
  readonly ownRanks: Ranks;
  /** Of lookups; holds nothing between them. */
  private readonly key: number[];
  private readonly indexes: Indexes;
  /** By the column beside the key. */
  private readonly byKey: RowsOfKey[] = [];
  private readonly insertCode: InsertRow;

  private constructor(arity: number, { base = null, expected = 0, ranks = NO_RANKS, isAppended = false }: Kind = {}) {
    this.arity = arity;
    this.ownRanks = ranks;
    this.capacity = capacityFor(expected);
    this.base = base;
    this.tombstones = base === null ? NO_TOMBSTONES : new Tombstones();
    this.offset = base === null ? 0 : base.relation.end;
    this.rows = this.capacity === 0 ? NO_INTS : new Int32Array(this.capacity * arity);
    this.key = [];
    for (let column = 0; column < arity; column++) this.key.push(0);
    this.indexes = new Indexes(arity, this.capacity);
    this.identity = this.indexes.overAll;
    this.packed = isPackable(arity) && !isAppended ? new PackedKeys(arity, expected) : null;
    this.insertCode = insertRow(arity);
  }

  static stored(arity: number): Relation {
    const relation = new Relation(arity);
    relation.makeVersioned();
    return relation;
  }

  /** One that an evaluation fills, round by round, with room for as many rows as are expected. */
  static evaluated(arity: number, expected = 0): Relation {
    return new Relation(arity, { expected, ranks: Ranks.ofRounds() });
  }

  /** A set of rows with ranks, with room for as many as are expected. */
  static withRanks(arity: number, expected = 0): Relation {
    return new Relation(arity, { expected, ranks: Ranks.written(capacityFor(expected)), isAppended: true });
  }

  /** A relation that begins as its base is at a version, and goes on by itself. Costs nothing until it changes. */
  static overlay(base: Base): Relation {
    const below = base.relation.ownRanks;
    const ranks = below.areKnown ? Ranks.written(0) : NO_RANKS;
    const relation = new Relation(base.relation.arity, { base, ranks });
    base.relation.makeVersioned();
    relation.makeVersioned();
    relation.lifetimes.hasHoles = true;
    if (below.areKnown) ranks.areLowest = below.areLowest;
    return relation;
  }

  /** A set of rows without more. */
  static plain(arity: number): Relation {
    return new Relation(arity);
  }

  /** Behind the last row. */
  get end(): number {
    return this.offset + this.count;
  }

  /** The ranks of its own rows. */
  get ranks(): Int32Array<ArrayBuffer> {
    return this.ownRanks.spelled(this.count, this.capacity);
  }

  /** Notes that every row there keeps its rank: others may read it from now on. */
  settleRanks(): void {
    this.ownRanks.settledEnd = this.end;
  }

  /** Behind the last of its own rows that surely keeps its rank. */
  get settledRows(): number {
    const { areKnown, settledEnd } = this.ownRanks;
    return areKnown ? Math.max(0, settledEnd - this.offset) : this.count;
  }

  /** Of a row that is not settled. */
  lower(row: number, rank: number): void {
    this.ownRanks.set(row - this.offset, rank);
  }

  /** Notes that the rows from this one on are found in this round. */
  beginRound(round: number, row: number): void {
    this.ownRanks.beginRound(round, row);
  }

  makeVersioned(): void {
    if (this.versioned) return;
    this.seal();
    // Most of the room that doubling has left is not needed any more. The rows stay where they are, as that of theirs takes no memory.
    this.capacity = Math.min(this.capacity, withRoom(this.count));
    this.expectReturns();
    this.extendIdentity();
    this.versioned = true;
    this.lifetimes = RowLifetimes.of(this.capacity);
    this.ownRanks.spelled(this.count, this.capacity);
  }

  /** Empties a set of rows. */
  clear(): void {
    invariant(!this.versioned, 'rows with versions are not forgotten');
    this.packed?.clear(this.count);
    if (this.identity.indexed > 0) this.identity.clear();
    this.count = 0;
  }

  /** Nothing more is going to be added, so that the keys that find duplicates are of no use. */
  seal(): void {
    const { packed, count } = this;
    if (packed !== null && packed.words !== null) this.surveyed = { bits: packed.bits, count };
    this.packed = null;
  }

  /** Bits of each column that the codes of all rows fit into, where they are known. */
  get codeBits(): readonly number[] | null {
    return this.surveyed?.count === this.count ? this.surveyed.bits : null;
  }

  /** Deals out the bits of the packed keys so that these codes fit, or does without. */
  refit(codes: readonly number[]): void {
    if (this.packed?.refit(this.rows, this.count, codes) === false) this.packed = null;
  }

  /** The index over these ascending columns, up to date with every row that there is now. */
  index(columns: readonly number[]): HashIndex {
    const index = this.indexes.over(columns, this.capacity);
    if (index === this.identity) this.extendIdentity();
    else index.extend(this.rows, this.count);
    return index;
  }

  /** True where much has to be done to bring it up to date, here or in the bases. */
  isFarAheadOf(columns: readonly number[]): boolean {
    const indexed = this.knownIndex(columns)?.indexed ?? 0;
    return this.count - indexed > INDEXED_AT_ONCE || this.base?.relation.isFarAheadOf(columns) === true;
  }

  /** Brings it up to date in blocks, so that there is little left to do for who asks for it next; in the bases too. */
  *indexInBlocks(columns: readonly number[]): Generator<void, void> {
    if (this.base !== null) yield* this.base.relation.indexInBlocks(columns);
    if (!this.isFarAheadOf(columns)) return;
    const index = this.indexes.over(columns, this.capacity);
    yield* index.extendInBlocks(this, index === this.identity && !this.versioned);
  }

  /** The columns of the indexes over a part of them, for whoever chooses a plan by them. */
  get indexedColumns(): string {
    return this.indexes.others.map(({ columns }) => columns.join()).join(';');
  }

  /** Brings up to date what finds whole tuples, of a relation that is going to be maintained. */
  *extendIdentityInBlocks(): Generator<void, void> {
    this.expectReturns();
    yield* this.indexInBlocks(this.identity.columns);
  }

  /** Makes ready for tuples that die and come back. Where the index has rows, whoever reads it has to be left the slots for that. */
  private expectReturns(): void {
    const { identity, count, capacity } = this;
    if (!this.versioned && count > 0 && identity.indexed === 0) identity.chainFrom(count, capacity);
  }

  /** The index over these ascending columns of its own rows, as far as there is one. */
  knownIndex(columns: readonly number[]): HashIndex | undefined {
    return this.indexes.known(columns);
  }

  /** Finds covered rows by this column, of keys over all others. For one at a time. */
  rowsOfKey(beside: number): RowsOfKey {
    for (let column = this.byKey.length; column <= beside; column++) this.byKey.push(new RowsOfKey(this.arity, column));
    return this.byKey[beside] as RowsOfKey;
  }

  /** Adds a row to a relation without versions; false where it is there. */
  add(codes: readonly number[]): boolean {
    return this.insertCode(this, ...codes);
  }

  /** Appends a row without asking whether it is there, and returns it. */
  append(codes: readonly number[], version: number): number {
    if (this.count === this.capacity) this.grow();
    const own = this.count;
    for (let column = 0; column < this.arity; column++) this.rows[own * this.arity + column] = codes[column] ?? 0;
    return this.finishAppend(version);
  }

  /** The same for the tuple that stands first in another relation's own row; without a version in a set of rows. */
  appendFrom(other: Relation, own: number, rank: number, version?: number): number {
    if (this.count === this.capacity) this.grow();
    const start = own * other.arity;
    const to = this.count * this.arity;
    for (let column = 0; column < this.arity; column++) this.rows[to + column] = other.rows[start + column] ?? 0;
    this.ownRanks.set(this.count, rank);
    if (version !== undefined) return this.finishAppend(version);
    this.count += 1;
    return this.count - 1;
  }

  private finishAppend(version: number): number {
    const own = this.count;
    this.count = own + 1;
    this.lifetimes.create(own, version);
    this.identity.extend(this.rows, this.count);
    return this.offset + own;
  }

  remove(row: number, version: number): void {
    if (row >= this.offset) this.lifetimes.remove(row - this.offset, version);
    else this.tombstones.add(row, version);
    this.lifetimes.deletions.add(row, version);
    this.lifetimes.hasHoles = true;
  }

  restore(row: number): void {
    if (row >= this.offset) this.lifetimes.restore(row - this.offset);
    else this.tombstones.remove(row);
  }

  rowAt(row: number): number[] {
    if (row < this.offset) return this.ground.relation.rowAt(row);
    const start = (row - this.offset) * this.arity;
    const codes: number[] = [];
    for (let column = 0; column < this.arity; column++) codes.push(this.rows[start + column] ?? 0);
    return codes;
  }

  copyRow(row: number, into: Int32Array, at: number): void {
    if (row < this.offset) {
      this.ground.relation.copyRow(row, into, at);
      return;
    }
    const start = (row - this.offset) * this.arity;
    for (let column = 0; column < this.arity; column++) into[at + column] = this.rows[start + column] ?? 0;
  }

  rankOf(row: number): number {
    if (row < this.offset) return this.ground.relation.rankOf(row);
    return this.ownRanks.of(row - this.offset);
  }

  /** Notes that a row stays by what is lower than what gave it its rank. */
  loosen(row: number): void {
    this.ownRanks.loosen(row);
  }

  /** False where a derivation surely holds that gives the row its rank. */
  isLoose(row: number): boolean {
    return this.ownRanks.isLoose(row) || (row < this.offset && this.ground.relation.isLoose(row));
  }

  createdAt(row: number): number {
    return row < this.offset ? this.ground.relation.createdAt(row) : this.lifetimes.createdAt(row - this.offset);
  }

  /** True where a view of this version sees the row. */
  isVisible(row: number, version: number): boolean {
    if (row < this.offset) {
      const { relation, version: seen } = this.ground;
      return relation.isVisible(row, seen) && !this.tombstones.has(row, version);
    }
    return !this.versioned || this.lifetimes.isSeen(row - this.offset, version, this.count);
  }

  /** Brings the index over all columns up to date. */
  extendIdentity(): void {
    if (this.versioned) this.identity.extend(this.rows, this.count);
    else this.identity.extendByDistinct(this.rows, this.count);
  }

  /** The row of this tuple that the version sees; −1 where there is none. */
  find(codes: readonly number[], version: number): number {
    this.extendIdentity();
    let own = this.identity.find(this.rows, codes);
    while (own >= 0 && !this.isVisible(own + this.offset, version)) own = this.identity.older(own);
    if (own >= 0 || this.base === null) return own < 0 ? -1 : own + this.offset;
    const row = this.base.relation.find(codes, this.base.version);
    return row >= 0 && this.tombstones.has(row, version) ? -1 : row;
  }

  /** The row of this tuple that died at this version; −1 where there is none. */
  findDeleted(codes: readonly number[], version: number): number {
    let own = this.identity.find(this.rows, codes);
    while (own >= 0 && !this.lifetimes.wasDeletedAt(own, version)) own = this.identity.older(own);
    if (own >= 0 || this.base === null) return own < 0 ? -1 : own + this.offset;
    const row = this.base.relation.find(codes, this.base.version);
    return row >= 0 && this.tombstones.deletedAt(row) === version ? row : -1;
  }

  /** The row of the tuple that stands first in another relation's own row; −1 where the version sees none. */
  findRow(other: Relation, own: number, version: number): number {
    const { key } = this;
    const start = own * other.arity;
    for (let column = 0; column < this.arity; column++) key[column] = other.rows[start + column] ?? 0;
    return this.find(key, version);
  }

  /** The rows with these codes in these ascending columns, in natural order (an index chain runs the other way). */
  matching(columns: readonly number[], key: readonly number[], version: number): number[] {
    const below = this.base?.relation.matching(columns, key, this.base.version) ?? [];
    const found = below.filter((row) => !this.tombstones.has(row, version));
    const index = this.index(columns);
    const own: number[] = [];
    for (let row = index.find(this.rows, key); row >= 0; row = index.older(row)) {
      if (this.isVisible(row + this.offset, version)) own.push(row + this.offset);
    }
    return found.concat(own.reverse());
  }

  /** The second code of the row with this first one that the version sees; NONE where there is none. Where there are several, of any. */
  secondOf(first: number, version: number): number {
    const index = this.index(FIRST_COLUMN);
    this.key[0] = first;
    for (let own = index.find(this.rows, this.key); own >= 0; own = index.older(own)) {
      if (this.isVisible(own + this.offset, version)) return this.rows[own * this.arity + 1] ?? NONE;
    }
    if (this.base === null) return NONE;
    const { relation, version: seen } = this.base;
    for (const row of relation.matching(FIRST_COLUMN, [first], seen)) {
      if (!this.tombstones.has(row, version)) return relation.rowAt(row)[1] ?? NONE;
    }
    return NONE;
  }

  /** These rows of a derived relation with their ranks, to be read only. */
  copyOf(rows: readonly number[]): Relation {
    const copy = Relation.withRanks(this.arity, rows.length);
    for (const row of rows) {
      let holder: Relation = this;
      while (row < holder.offset) holder = holder.ground.relation;
      copy.appendFrom(holder, row - holder.offset, holder.rankOf(row));
    }
    return copy;
  }

  /** Behind the last row that was born by this version. */
  createdEnd(version: number): number {
    return this.offset + this.lifetimes.createdEnd(version, this.count);
  }

  /** Behind the last row that the version sees: rows that were undone may count as born by it. */
  seenEnd(version: number): number {
    let end = this.createdEnd(version);
    while (end > this.offset && !this.isVisible(end - 1, version)) end -= 1;
    return end;
  }

  /** Undoes what happened after this version. */
  undoTo(version: number): void {
    if (!this.versioned) return;
    for (const row of this.lifetimes.deletions.undoTo(version)) this.restore(row);
    this.lifetimes.undoCreations(version, this.count);
  }

  private get ground(): Base {
    invariant(this.base !== null, 'a row below the offset belongs to a base');
    return this.base;
  }

  /** Makes room for one more row and one more tuple. */
  makeRoom(): void {
    if (this.count === this.capacity) this.grow();
    if (this.packed === null) this.identity.makeRoom(this.rows);
    else this.packed.makeRoom(this.rows, this.count);
  }

  /** Makes room for more rows. What is maintained grows by little at a time, so that it never holds much more than it needs. */
  grow(): void {
    const more = this.versioned ? this.capacity + (this.capacity >> 2) : this.capacity * 2;
    this.resize(Math.max(CAPACITY_MIN, more));
  }

  /** Moves the rows to arrays of this size, and leaves those that they are in to whoever reads them. */
  private resize(capacity: number): void {
    this.capacity = capacity;
    this.rows = resized(this.rows, this.count * this.arity, capacity * this.arity);
    if (this.versioned) this.lifetimes.resize(this.count, capacity);
    this.ownRanks.resize(this.count, capacity);
    this.indexes.move(this.capacity);
  }

  /** A copy of a stored relation without the rows that this version does not see. */
  compacted(version: number): Relation {
    invariant(this.base === null, 'an overlay keeps its rows');
    const copy = Relation.stored(this.arity);
    for (let row = 0; row < this.count; row++) {
      if (this.isVisible(row, version)) copy.append(this.rowAt(row), this.lifetimes.createdAt(row));
    }
    return copy;
  }

  /**
   * Takes dead rows that none of these versions sees out of the way of reading, and leaves them where they are: forks may go on
   * from what is there. Only while nobody but they reads.
   */
  vacuum(versions: readonly number[]): void {
    const isUnseen = this.lifetimes.unseenBy(versions, this.count);
    if (isUnseen === null) return;
    this.indexes.skip(isUnseen);
    this.lifetimes.noteVacuum();
  }

  /** Drops the rows that no view can see any more, of a relation that is no overlay. Only while nobody reads. */
  compact(version: number): void {
    invariant(this.base === null, 'an overlay keeps its rows');
    let kept = 0;
    const { arity } = this;
    const creations = new RowRuns();
    for (let row = 0; row < this.count; row++) {
      if (!this.isVisible(row, version)) continue;
      this.rows.copyWithin(kept * arity, row * arity, (row + 1) * arity);
      creations.add(kept, this.lifetimes.createdAt(row));
      this.ownRanks.move(row, kept);
      kept += 1;
    }
    this.lifetimes.restart(creations);
    this.surveyed = null;
    this.count = kept;
    this.indexes.clear();
    this.identity.extendByDistinct(this.rows, kept);
  }
}

function capacityFor(expected: number): number {
  return expected === 0 ? 0 : withRoom(expected);
}

/** Of what changes by little at a time. Room that nothing is written to takes no memory. */
function withRoom(count: number): number {
  return count + (count >> 3) + CAPACITY_MIN;
}
