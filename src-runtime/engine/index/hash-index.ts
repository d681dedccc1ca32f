/**
 * A hash index over some columns of a relation's rows: a table of keys, open-addressed or with a slot for every possible
 * key (`layout.ts`), each slot the newest row of its key, and a chain from there to the older ones. Chains hold one key only, so that a popular key slows no other.
 *
 * A reader may hold `slots`, `layout` and `next` across a pause: they are replaced, never rewritten, when the rows are moved to other
 * arrays, so that what a reader holds stays consistent with the rows it holds.
 */

import { NO_INTS, resized, slotsFor } from '../values/int-array.js';
import { type Covering, NO_COVERING } from './covering.js';
import { type IndexCode, type IndexKind, kindOver, kindOverAll } from './index-code.js';
import { bitsAt, bitsOf } from './key-bits.js';
import { direct, hashed, type Layout, slotsOfBits } from './layout.js';
import { isPartitioned, placeByParts } from './radix-partition.js';

const SLOTS_MIN = 16;

/** Behind every row. */
const NO_ROW = 0x7fffffff;

/** Of an index without rows. Has room for none, so that nothing is ever written to it. */
const NO_SLOTS = Int32Array.of(-1);

/** Rows or slots between two yields. */
const BLOCK_ROWS = 16_384;

export class HashIndex {
  readonly columns: readonly number[];
  slots = NO_SLOTS;
  /** How keys find their slots. */
  layout: Layout;
  /** No row before this one shares its key with an older one. */
  chainedFrom = NO_ROW;
  /** Of each row from there on the next older one with its key; −1 where there is none. */
  next = NO_INTS;
  /** Distinct keys among the rows that are in it. */
  keys = 0;
  /** Rows below this are in the index. */
  indexed = 0;
  /** Of the slots as they are. */
  covering: Covering = NO_COVERING;
  private readonly arity: number;
  /** Rows below this fit into the layout. */
  private surveyed = 0;
  /** Rows that there is room for where they are. */
  private capacity: number;
  private readonly code: IndexCode;

  private constructor(arity: number, { columns, code }: IndexKind, capacity: number) {
    this.arity = arity;
    this.columns = columns;
    this.capacity = capacity;
    this.layout = hashed(columns.length);
    this.code = code;
  }

  /** One over all columns, whose rows are expected to share no keys. */
  static overAll(arity: number, capacity: number): HashIndex {
    return new HashIndex(arity, kindOverAll(arity), capacity);
  }

  /** One whose rows are expected to share keys. */
  static chained(arity: number, columns: readonly number[], capacity: number): HashIndex {
    const index = new HashIndex(arity, kindOver(arity, columns), capacity);
    index.chainFrom(0, capacity);
    return index;
  }

  isOver(columns: readonly number[]): boolean {
    const own = this.columns;
    return own.length === columns.length && own.every((column, at) => column === columns[at]);
  }

  /** Of an index without rows: those from this one on may share keys, up to which there is room. */
  chainFrom(row: number, capacity: number): void {
    this.chainedFrom = row;
    this.next = new Int32Array(capacity - row);
  }

  /** The next older row with the key of this one; −1 where there is none. */
  older(row: number): number {
    return row < this.chainedFrom ? -1 : (this.next[row - this.chainedFrom] ?? -1);
  }

  private get isChained(): boolean {
    return this.chainedFrom < NO_ROW;
  }

  /** Adds the rows up to `count`. */
  extend(rows: Int32Array, count: number): void {
    while (this.indexed < count) {
      const end = this.fittingEnd(rows, count);
      if (end === this.indexed) this.enlarge(rows, count);
      else this.link(rows, end);
    }
  }

  /** Behind those of the rows up to `count` that surely fit: that need no slot that the table has not. */
  private fittingEnd(rows: Int32Array, count: number): number {
    const { bits } = this.layout;
    if (bits !== null) {
      const from = Math.max(this.indexed, this.surveyed);
      return from >= count ? count : this.code.firstOutside(rows, bits, from, count);
    }
    // A chunk never fills the table beyond a half, so that probing inside of it needs no check.
    return Math.min(count, this.indexed + (this.slots.length >> 1) - this.keys);
  }

  /** Adds rows that fit. */
  private link(rows: Int32Array, end: number): void {
    const { slots, layout, indexed: from } = this;
    const distinctEnd = Math.min(end, this.chainedFrom);
    if (from < distinctEnd) {
      this.indexed = this.code.extendDistinct(rows, slots, layout, from, distinctEnd);
      this.keys += this.indexed - from;
      if (this.indexed < distinctEnd) this.chain();
    } else {
      const { extend, extendDirect } = this.code;
      const add = layout.bits === null ? extend : extendDirect;
      this.keys += add(rows, slots, layout, this.next, this.chainedFrom, from, end);
      this.indexed = end;
    }
  }

  /**
   * Adds the rows that there are now, in blocks; the relation may grow meanwhile, so that some may be left over. Whoever
   * else extends the index between two blocks helps.
   */
  *extendInBlocks(source: IndexedRows, areDistinct: boolean): Generator<void, void> {
    const { count } = source;
    if (this.indexed === 0) yield* this.beginInBlocks(source, areDistinct);
    while (this.indexed < count) {
      const blockEnd = Math.min(count, this.indexed + BLOCK_ROWS);
      // Where rows share keys, a block takes much less room than it has rows: it is added in pieces that surely fit.
      while (this.indexed < blockEnd) {
        const end = this.fittingEnd(source.rows, blockEnd);
        if (end === this.indexed) yield* this.enlargeInBlocks(source);
        else if (areDistinct) this.placeAll(source.rows, end);
        else this.link(source.rows, end);
      }
      yield;
    }
  }

  /** Lays an empty table out for these rows, and puts them there at once where it is a large one. */
  private *beginInBlocks({ rows, count, codeBits }: IndexedRows, areDistinct: boolean): Generator<void, void> {
    const bits = codeBits === null ? bitsOf(rows, this.arity, this.columns, count) : bitsAt(codeBits, this.columns);
    const { layout, length } = this.layoutOf(bits, count, areDistinct ? slotsFor(count) : SLOTS_MIN);
    const slots = new Int32Array(length).fill(-1);
    const isFilled = areDistinct && layout.bits === null && count <= this.chainedFrom && isPartitioned(length);
    const { slots: old } = this;
    if (isFilled) yield* placeByParts(this.code, rows, count, slots, layout);
    // What was placed is of no use where another one has put something into the table meanwhile.
    if (this.slots !== old || this.indexed > 0) return;
    this.replace(slots, layout, count);
    if (isFilled) this.keys = this.indexed = count;
  }

  private *enlargeInBlocks(source: { readonly rows: Int32Array; readonly count: number }): Generator<void, void> {
    const { slots: old, indexed } = this;
    if (old.length <= BLOCK_ROWS) {
      this.enlarge(source.rows, source.count);
      return;
    }
    const { count } = source;
    const { layout, length } = this.layoutFor(source.rows, count, this.slotsWanted);
    const slots = new Int32Array(length).fill(-1);
    for (let from = 0; from < old.length; from += BLOCK_ROWS) {
      this.code.rehash(source.rows, old, slots, layout, from, Math.min(old.length, from + BLOCK_ROWS));
      yield;
      // What was moved is of no use where another one has put something into the table meanwhile.
      if (this.slots !== old || this.indexed !== indexed) return;
    }
    this.replace(slots, layout, count);
  }

  /** The same for rows that are known to share a key neither with each other nor with those that are in it. */
  extendByDistinct(rows: Int32Array, count: number): void {
    if (this.chainedFrom <= this.indexed) {
      this.extend(rows, count);
      return;
    }
    if (count === this.indexed) return;
    if (this.fittingEnd(rows, count) < count) {
      const wanted = Math.max(SLOTS_MIN, slotsFor(this.keys + count - this.indexed));
      this.rehash(rows, this.layoutFor(rows, count, wanted), count);
    }
    this.placeAll(rows, count);
  }

  /** Adds rows that fit and share no key. */
  private placeAll(rows: Int32Array, end: number): void {
    const placedEnd = Math.min(end, this.chainedFrom);
    if (this.indexed < placedEnd) {
      this.place(rows, this.slots, this.layout, this.indexed, placedEnd);
      this.keys += placedEnd - this.indexed;
      this.indexed = placedEnd;
    }
    if (this.indexed < end) this.link(rows, end);
  }

  /** Follows the rows to arrays of another size. */
  move(capacity: number): void {
    this.capacity = capacity;
    if (this.isChained) {
      const chained = Math.max(0, this.indexed - this.chainedFrom);
      this.next = resized(this.next, chained, capacity - this.chainedFrom);
    }
    if (this.slots !== NO_SLOTS) this.slots = this.slots.slice();
  }

  /** The newest row with this key; −1 where there is none. */
  find(rows: Int32Array, key: readonly number[]): number {
    return this.code.find(rows, this.slots, this.layout, key);
  }

  /** Where the newest covered row of this key stands among the covering's cells; −1 where there is none. */
  coveredStart(rows: Int32Array, key: readonly number[]): number {
    const { covering, slots } = this;
    const slot = covering.end === 0 ? -1 : this.code.slotOf(rows, slots, this.layout, key);
    if (slot < 0) return -1;
    let row = slots[slot] ?? -1;
    while (row >= covering.end) row = this.older(row);
    return row < 0 ? -1 : (covering.starts[slot] ?? -1);
  }

  /** Makes room for one more key in a table by hash. */
  makeRoom(rows: Int32Array): void {
    if (this.layout.bits === null && this.keys * 2 + 2 > this.slots.length) this.enlarge(rows, this.indexed);
  }

  /** Becomes a table by hash, because a key is coming that has no slot. */
  leaveDirect(rows: Int32Array): void {
    this.rehash(rows, { layout: hashed(this.columns.length), length: this.slotsWanted }, this.indexed);
  }

  /** Leaves these rows out of the chains behind the newest row of each key. */
  skip(isLeftOut: (row: number) => boolean): void {
    this.covering = NO_COVERING;
    // What is behind a row is older, so that its own chain is in order by then.
    for (let row = this.chainedFrom; row < this.indexed; row++) {
      const behind = this.older(row);
      if (behind >= 0 && isLeftOut(behind)) this.next[row - this.chainedFrom] = this.older(behind);
    }
  }

  /** Forgets every row, and that they shared keys. A table by hash stays, unless it is so large that emptying it takes longer than filling it did. */
  clear(): void {
    const { slots, layout } = this;
    if (slots !== NO_SLOTS && layout.bits === null && slots.length <= Math.max(SLOTS_MIN, this.keys * 16)) {
      this.replace(slots.fill(-1), layout, 0);
    } else {
      this.replace(NO_SLOTS, hashed(this.columns.length), 0);
    }
    this.chainedFrom = NO_ROW;
    this.next = NO_INTS;
    this.keys = 0;
    this.indexed = 0;
  }

  /** From now on rows share keys. Who holds the slots finds in them only what has no chain. */
  private chain(): void {
    this.chainFrom(this.indexed, this.capacity);
    this.slots = this.slots.slice();
  }

  /** Of a table by hash for one key more and as much again. */
  private get slotsWanted(): number {
    return Math.max(SLOTS_MIN, slotsFor(this.keys + 1));
  }

  private enlarge(rows: Int32Array, count: number): void {
    this.rehash(rows, this.layoutFor(rows, count, this.slotsWanted), count);
  }

  /** Of a table for the rows up to `count` that would have so many slots by hash. */
  private layoutFor(rows: Int32Array, count: number, wanted: number): Table {
    return this.layoutOf(bitsOf(rows, this.arity, this.columns, count), count, wanted);
  }

  /** The same for keys of so many bits. */
  private layoutOf(bits: readonly number[], count: number, wanted: number): Table {
    // A chain of all rows takes as much memory as they do, beside which the slots may be as many.
    const affordable = this.chainedFrom === 0 ? Math.max(wanted, count) : wanted;
    const length = slotsOfBits(bits);
    // No row tells nothing of the keys to come.
    return count > 0 && length <= affordable
      ? { layout: direct(bits), length }
      : { layout: hashed(bits.length), length: wanted };
  }

  /** To a table for the rows up to `count`. */
  private rehash(rows: Int32Array, { layout, length }: Table, count: number): void {
    const slots = new Int32Array(length).fill(-1);
    // Where each row is one key, they are read in their order rather than in that of their slots.
    if (this.chainedFrom < this.indexed) this.code.rehash(rows, this.slots, slots, layout, 0, this.slots.length);
    else this.place(rows, slots, layout, 0, this.indexed);
    this.replace(slots, layout, count);
  }

  /** Puts rows that share no key where they belong. */
  private place(rows: Int32Array, slots: Int32Array, layout: Layout, from: number, to: number): void {
    if (layout.bits === null) this.code.place(rows, slots, layout, from, to);
    else this.code.placeDirect(rows, slots, layout, from, to);
  }

  private replace(slots: Int32Array<ArrayBuffer>, layout: Layout, surveyed: number): void {
    this.slots = slots;
    this.covering = NO_COVERING;
    this.layout = layout;
    this.surveyed = surveyed;
  }
}

export interface IndexedRows {
  readonly rows: Int32Array;
  readonly count: number;
  /** Of each column, where it is known what all rows fit into. */
  readonly codeBits: readonly number[] | null;
}

interface Table {
  readonly layout: Layout;
  /** Of its slots. */
  readonly length: number;
}
