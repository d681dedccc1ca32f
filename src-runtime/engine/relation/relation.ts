/**
 * Rows of codes with hash indexes. A stored relation keeps each row with the versions that created and deleted it, so a
 * writer never disturbs views of earlier versions. A derived relation has no versions until it is maintained for the
 * first time. A relation of a fork is an overlay: it continues the rows of its base as one version saw them, and has
 * tombstones for those that it deleted.
 */

import { invariant } from '../../base/invariant.js';
import type { HashIndex } from '../index/hash-index.js';
import { Indexes } from '../index/indexes.js';
import { isPackable, PackedKeys } from '../index/packed-keys.js';
import { NONE } from '../values/codec.js';
import { NO_INTS, resized } from '../values/int-array.js';
import { type InsertRow, insertRow } from './insert-row.js';
import { Tombstones } from './overlays.js';
import { NO_RANKS, Ranks } from './ranks.js';
import { NO_LIFETIMES, RowLifetimes } from './row-lifetimes.js';
import { RunLengths } from './run-lengths.js';

/** Many sets hold one or two rows and are dropped at once, so a small array is cheap. */
const CAPACITY_MIN = 8;

/** Of a relation without a base. */
const NO_TOMBSTONES = new Tombstones();

/** Rows that an index takes in without a pause. */
const INDEXED_AT_ONCE = 16_384;

const FIRST_COLUMN = [0];

/** The relation that an overlay extends, at a version. */
export interface Base {
  readonly relation: Relation;
  /** At least the version of the base's own overlay and rows. */
  readonly version: number;
}

/** A version has deleted a row. */
export interface RowDeletion {
  readonly row: number;
  readonly version: number;
}

interface Kind {
  readonly base?: Base | null;
  /** Rows to make room for. */
  readonly expected?: number;
  readonly ranks?: Ranks;
  /** True if rows are appended without looking for duplicates. */
  readonly isAppended?: boolean;
}

export class Relation {
  readonly arity: number;
  readonly base: Base | null;
  /** Number of the first own row. Rows of the base come before. */
  readonly offset: number;
  rows: Int32Array;
  /** Own rows, deleted ones included. */
  count = 0;
  capacity: number;
  /** Over all columns; finds tuples. Filled on first use if packed keys find the duplicates. */
  readonly identity: HashIndex;
  /** Finds duplicates while a relation without versions grows, if its codes are small enough. */
  packed: PackedKeys | null;
  /** What a bitmap of packed keys showed about the codes of this many rows. */
  private surveyed: { readonly bits: readonly number[]; readonly count: number } | null = null;
  versioned = false;
  /** Of own rows, counted from the first own row. */
  lifetimes = NO_LIFETIMES;
  /** Rows of the base that this overlay deleted. */
  readonly tombstones: Tombstones;
  /** Of own rows. */
  readonly ownRanks: Ranks;
  /** Scratch space of lookups. */
  private readonly key: number[];
  private readonly indexes: Indexes;
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

  /** A stored relation with these rows, the version that created each, and the deleted ones in the order of their deletion. */
  static *restored(
    arity: number,
    rows: Int32Array,
    count: number,
    creations: RunLengths,
    deletions: readonly RowDeletion[],
  ): Generator<void, Relation> {
    const relation = new Relation(arity, { expected: count, isAppended: true });
    relation.rows.set(rows);
    relation.count = count;
    // A deleted tuple may come again.
    if (deletions.length > 0) yield* relation.identity.extendInBlocks(relation, false);
    else yield* relation.extendIdentityInBlocks();
    relation.makeVersioned();
    relation.lifetimes.restart(creations);
    for (const { row, version } of deletions) relation.remove(row, version);
    return relation;
  }

  /** For an evaluation, which adds rows in rounds. Makes room for the expected number. */
  static evaluated(arity: number, expected = 0): Relation {
    return new Relation(arity, { expected, ranks: Ranks.ofRounds() });
  }

  /** A set of rows with ranks. Makes room for the expected number. */
  static withRanks(arity: number, expected = 0): Relation {
    return new Relation(arity, { expected, ranks: Ranks.written(capacityFor(expected)), isAppended: true });
  }

  /** Continues the base as a version sees it. Costs nothing until it changes. */
  static overlay(base: Base): Relation {
    const below = base.relation.ownRanks;
    const ranks = below.areKnown ? Ranks.written(0) : NO_RANKS;
    const relation = new Relation(base.relation.arity, { base, ranks });
    base.relation.makeVersioned();
    relation.makeVersioned();
    relation.lifetimes.hasHoles = true;
    if (below.areKnown) {
      ranks.areLowest = below.areLowest;
      ranks.history = below.history;
    }
    return relation;
  }

  /** A set of rows without versions and ranks. */
  static plain(arity: number): Relation {
    return new Relation(arity);
  }

  /** One past the last row. */
  get end(): number {
    return this.offset + this.count;
  }

  /** The ranks of own rows. */
  get ranks(): Int32Array<ArrayBuffer> {
    return this.ownRanks.toArray(this.count, this.capacity);
  }

  /** Notes that all present rows keep their ranks. Others may read them from now on. */
  settleRanks(): void {
    this.ownRanks.settledEnd = this.end;
  }

  /** For a row that is not settled. */
  lower(row: number, rank: number): void {
    this.ownRanks.set(row - this.offset, rank);
  }

  /** Notes that the rows from this one on were found in this round. */
  beginRound(round: number, row: number): void {
    this.ownRanks.beginRound(round, row);
  }

  makeVersioned(): void {
    if (this.versioned) return;
    this.seal();
    // Most of the room from doubling is not needed any more. The arrays stay: untouched memory is not allocated.
    this.capacity = Math.min(this.capacity, withRoom(this.count));
    this.expectReturns();
    this.extendIdentity();
    this.versioned = true;
    this.lifetimes = RowLifetimes.of(this.capacity);
    this.ownRanks.toArray(this.count, this.capacity);
  }

  /** Removes all rows. */
  clear(): void {
    invariant(!this.versioned, 'rows with versions are not forgotten');
    this.packed?.clear(this.count);
    if (this.identity.indexed > 0) this.identity.clear();
    this.count = 0;
  }

  /** No more rows are going to be added, so the keys that find duplicates are useless. */
  seal(): void {
    const { packed, count } = this;
    if (packed !== null && packed.words !== null) this.surveyed = { bits: packed.bits, count };
    this.packed = null;
  }

  /** Bits of each column that all codes fit into, if known. */
  get codeBits(): readonly number[] | null {
    return this.surveyed?.count === this.count ? this.surveyed.bits : null;
  }

  /** Distributes the bits of the packed keys so that these codes fit, or gives the keys up. */
  refit(codes: readonly number[]): void {
    if (this.packed?.refit(this.rows, this.count, codes) === false) this.packed = null;
  }

  /** The index over these ascending columns, up to date. */
  index(columns: readonly number[]): HashIndex {
    const index = this.indexes.over(columns, this.capacity);
    if (index === this.identity) this.extendIdentity();
    else index.extend(this.rows, this.count);
    return index;
  }

  /** True if bringing the index up to date takes long, here or in the bases. */
  isFarAheadOf(columns: readonly number[]): boolean {
    const indexed = this.knownIndex(columns)?.indexed ?? 0;
    return this.count - indexed > INDEXED_AT_ONCE || this.base?.relation.isFarAheadOf(columns) === true;
  }

  /** Brings the index up to date in blocks, in the bases too, so that little is left for its next reader. */
  *indexInBlocks(columns: readonly number[]): Generator<void, void> {
    if (this.base !== null) yield* this.base.relation.indexInBlocks(columns);
    if (!this.isFarAheadOf(columns)) return;
    const index = this.indexes.over(columns, this.capacity);
    yield* index.extendInBlocks(this, index === this.identity && !this.versioned);
  }

  /** Makes room for more rows in the index that finds them. */
  makeRoomInBlocks(more: number): Generator<void, void> {
    return this.identity.makeRoomInBlocks(this, more);
  }

  /** The columns of the indexes over fewer columns, by which plans are chosen. */
  get indexedColumns(): string {
    return this.indexes.others.map(({ columns }) => columns.join()).join(';');
  }

  /** Brings the index over all columns up to date before a maintenance. */
  *extendIdentityInBlocks(): Generator<void, void> {
    this.expectReturns();
    yield* this.indexInBlocks(this.identity.columns);
  }

  /**
   * Prepares for tuples that are deleted and inserted again. An index with rows keeps its slots, because others may
   * read them.
   */
  private expectReturns(): void {
    const { identity, count, capacity } = this;
    if (!this.versioned && count > 0 && identity.indexed === 0) identity.chainFrom(count, capacity);
  }

  /** The existing index over these ascending columns of own rows. */
  knownIndex(columns: readonly number[]): HashIndex | undefined {
    return this.indexes.known(columns);
  }

  /** Adds a row to a relation without versions. False if it exists. */
  add(codes: readonly number[]): boolean {
    return this.insertCode(this, ...codes);
  }

  /** Appends a row without looking for duplicates, and returns its number. */
  append(codes: readonly number[], version: number): number {
    if (this.count === this.capacity) this.grow();
    const own = this.count;
    for (let column = 0; column < this.arity; column++) this.rows[own * this.arity + column] = codes[column] ?? 0;
    return this.finishAppend(version);
  }

  /** Appends the tuples of a flat array. They must differ from each other and from all rows. */
  appendAll(tuples: Int32Array, version: number): void {
    const count = this.count + tuples.length / this.arity;
    while (this.capacity < count) this.grow();
    this.rows.set(tuples, this.count * this.arity);
    this.lifetimes.createAll(this.count, count, version);
    this.count = count;
    this.identity.extend(this.rows, count);
  }

  /** Appends the tuple at the start of another relation's own row. Without a version for a set of rows. */
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

  /** Notes that a lower derivation than the one that gave the row its rank keeps the row. */
  loosen(row: number): void {
    this.ownRanks.loosen(row);
  }

  /** False if a derivation surely gives the row its rank. */
  isLoose(row: number): boolean {
    return this.ownRanks.isLoose(row) || (row < this.offset && this.ground.relation.isLoose(row));
  }

  createdAt(row: number): number {
    return row < this.offset ? this.ground.relation.createdAt(row) : this.lifetimes.createdAt(row - this.offset);
  }

  /** The version that deleted an own row; undefined for a live one. */
  deletionOf(row: number): number | undefined {
    return this.lifetimes.deletionOf(row - this.offset);
  }

  /** True if the version sees the row. */
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

  /** The row of this tuple that the version sees, or −1 if none exists. */
  find(codes: readonly number[], version: number): number {
    this.extendIdentity();
    let own = this.identity.find(this.rows, codes);
    while (own >= 0 && !this.isVisible(own + this.offset, version)) own = this.identity.older(own);
    if (own >= 0 || this.base === null) return own < 0 ? -1 : own + this.offset;
    const row = this.base.relation.find(codes, this.base.version);
    return row >= 0 && this.tombstones.has(row, version) ? -1 : row;
  }

  /** The row of this tuple that this version deleted, or −1 if none exists. */
  findDeleted(codes: readonly number[], version: number): number {
    let own = this.identity.find(this.rows, codes);
    while (own >= 0 && !this.lifetimes.wasDeletedAt(own, version)) own = this.identity.older(own);
    if (own >= 0 || this.base === null) return own < 0 ? -1 : own + this.offset;
    const row = this.base.relation.find(codes, this.base.version);
    return row >= 0 && this.tombstones.deletedAt(row) === version ? row : -1;
  }

  /** The row of the tuple at the start of another relation's own row; −1 if the version sees none. */
  findRow(other: Relation, own: number, version: number): number {
    const { key } = this;
    const start = own * other.arity;
    for (let column = 0; column < this.arity; column++) key[column] = other.rows[start + column] ?? 0;
    return this.find(key, version);
  }

  /** The rows with these codes in these ascending columns, in natural order. (A chain has them in reverse.) */
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

  /**
   * The second code of a row with this first code that the version sees, or NONE if none exists, any if there are
   * several.
   */
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

  /** These rows of a derived relation with their ranks. Read only. */
  copyOf(rows: readonly number[]): Relation {
    const copy = Relation.withRanks(this.arity, rows.length);
    for (const row of rows) {
      let holder: Relation = this;
      while (row < holder.offset) holder = holder.ground.relation;
      copy.appendFrom(holder, row - holder.offset, holder.rankOf(row));
    }
    return copy;
  }

  /** One past the last row that this version or an earlier one created. */
  createdEnd(version: number): number {
    return this.offset + this.lifetimes.createdEnd(version, this.count);
  }

  /** One past the last row that the version sees. Undone rows may count as created by it. */
  seenEnd(version: number): number {
    let end = this.createdEnd(version);
    while (end > this.offset && !this.isVisible(end - 1, version)) end -= 1;
    return end;
  }

  /** Undoes the changes after this version. */
  undoTo(version: number): void {
    if (!this.versioned) return;
    for (const row of this.lifetimes.deletions.undoTo(version)) this.restore(row);
    this.lifetimes.undoCreations(version, this.count);
  }

  private get ground(): Base {
    invariant(this.base !== null, 'a row below the offset belongs to a base');
    return this.base;
  }

  /** Makes room for one more row and tuple. */
  makeRoom(): void {
    if (this.count === this.capacity) this.grow();
    if (this.packed === null) this.identity.makeRoom(this.rows);
    else this.packed.makeRoom(this.rows, this.count);
  }

  /**
   * Makes room for more rows. A maintained relation grows by little at a time, so it never holds much more than it
   * needs.
   */
  grow(): void {
    const more = this.versioned ? this.capacity + (this.capacity >> 2) : this.capacity * 2;
    this.resize(Math.max(CAPACITY_MIN, more));
  }

  /** Moves the rows to arrays of this size. Readers keep the old arrays. */
  private resize(capacity: number): void {
    this.capacity = capacity;
    this.rows = resized(this.rows, this.count * this.arity, capacity * this.arity);
    if (this.versioned) this.lifetimes.resize(this.count, capacity);
    this.ownRanks.resize(this.count, capacity);
    this.indexes.move(this.capacity);
  }

  /** A copy of a stored relation with the rows that this version sees. */
  compacted(version: number): Relation {
    invariant(this.base === null, 'an overlay keeps its rows');
    const copy = Relation.stored(this.arity);
    for (let row = 0; row < this.count; row++) {
      if (this.isVisible(row, version)) copy.append(this.rowAt(row), this.lifetimes.createdAt(row));
    }
    return copy;
  }

  /**
   * Unlinks deleted rows that none of these versions sees, so that reading skips them. The rows stay where they are,
   * because forks may continue from them. Only while no reader but forks is open.
   */
  vacuum(versions: readonly number[]): void {
    const isUnseen = this.lifetimes.unseenBy(versions, this.count);
    if (isUnseen === null) return;
    this.indexes.skip(isUnseen);
    this.lifetimes.noteVacuum();
  }

  /** Drops the rows that no view can see. Only for a relation that is not an overlay, and while no reader is open. */
  compact(version: number): void {
    invariant(this.base === null, 'an overlay keeps its rows');
    let kept = 0;
    const { arity } = this;
    const creations = new RunLengths();
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

/** For something that grows by little at a time. Untouched room takes no memory. */
function withRoom(count: number): number {
  return count + (count >> 3) + CAPACITY_MIN;
}
