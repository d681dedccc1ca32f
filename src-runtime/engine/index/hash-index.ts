/**
 * A hash index over some columns of a relation's rows. Each slot of its table holds the newest row of a key; a chain
 * leads to the older ones. The table is open-addressed, or has a slot for every possible key (`layout.ts`). A chain
 * holds one key only, so that a frequent key slows no other.
 *
 * A reader may keep `slots`, `layout` and `next` across a pause. They are replaced when rows move to other arrays,
 * never rewritten, so they stay consistent with the rows that the reader has.
 */

import { NO_INTS, resized, slotsFor } from '../values/int-array.js';
import { type IndexCode, type IndexKind, kindOver, kindOverAll } from './index-code.js';
import { bitsAt, bitsOf } from './key-bits.js';
import { direct, hashed, type Layout, slotsOfBits } from './layout.js';
import { isPartitioned, placeByParts } from './radix-partition.js';

const SLOTS_MIN = 16;

/** Above every row number. */
const NO_ROW = 0x7fffffff;

/** Of an index without rows. It has no room, so nothing is ever written to it. */
const NO_SLOTS = Int32Array.of(-1);

/** Rows or slots between two yields. */
const BLOCK_ROWS = 16_384;

export class HashIndex {
  readonly columns: readonly number[];
  slots = NO_SLOTS;
  /** How keys map to slots. */
  layout: Layout;
  /** No row before this one shares its key with an older one. */
  chainedFrom = NO_ROW;
  /** The next older row with the same key, for each row from `chainedFrom` on, or −1 if none exists. */
  next = NO_INTS;
  /** Distinct keys of the indexed rows. */
  keys = 0;
  /** One past the last indexed row. */
  indexed = 0;
  private readonly arity: number;
  /** Rows before this one fit into the layout. */
  private surveyed = 0;
  /** Rows that fit into the current arrays. */
  private capacity: number;
  private readonly code: IndexCode;

  private constructor(arity: number, { columns, code }: IndexKind, capacity: number) {
    this.arity = arity;
    this.columns = columns;
    this.capacity = capacity;
    this.layout = hashed(columns.length);
    this.code = code;
  }

  /** An index over all columns, whose rows should share no keys. */
  static overAll(arity: number, capacity: number): HashIndex {
    return new HashIndex(arity, kindOverAll(arity), capacity);
  }

  /** An index whose rows should share keys. */
  static chained(arity: number, columns: readonly number[], capacity: number): HashIndex {
    const index = new HashIndex(arity, kindOver(arity, columns), capacity);
    index.chainFrom(0, capacity);
    return index;
  }

  isOver(columns: readonly number[]): boolean {
    const own = this.columns;
    return own.length === columns.length && own.every((column, at) => column === columns[at]);
  }

  /** Of an index without rows: from this row on, rows may share keys. */
  chainFrom(row: number, capacity: number): void {
    this.chainedFrom = row;
    this.next = new Int32Array(capacity - row);
  }

  /** The next older row with the same key, or −1 if none exists. */
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

  /** One past the last row up to `count` that fits into the table. */
  private fittingEnd(rows: Int32Array, count: number): number {
    const { bits } = this.layout;
    if (bits !== null) {
      const from = Math.max(this.indexed, this.surveyed);
      return from >= count ? count : this.code.firstOutside(rows, bits, from, count);
    }
    // A chunk fills the table at most by half, so that probing within it needs no check.
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
   * Adds the present rows in blocks. Rows that are added meanwhile may be left out. Others may extend the index between
   * two blocks.
   */
  *extendInBlocks(source: IndexedRows, areDistinct: boolean): Generator<void, void> {
    const { count } = source;
    if (this.indexed === 0) yield* this.beginInBlocks(source, areDistinct);
    while (this.indexed < count) {
      const blockEnd = Math.min(count, this.indexed + BLOCK_ROWS);
      // Rows that share keys take less room than their number: they are added in pieces that surely fit.
      while (this.indexed < blockEnd) {
        const end = this.fittingEnd(source.rows, blockEnd);
        if (end === this.indexed) yield* this.enlargeInBlocks(source);
        else if (areDistinct) this.placeAll(source.rows, end);
        else this.link(source.rows, end);
      }
      yield;
    }
  }

  /** Lays out an empty table, and fills it at once if it is large. */
  private *beginInBlocks({ rows, count, codeBits }: IndexedRows, areDistinct: boolean): Generator<void, void> {
    const bits = codeBits === null ? bitsOf(rows, this.arity, this.columns, count) : bitsAt(codeBits, this.columns);
    const { layout, length } = this.layoutOf(bits, count, areDistinct ? slotsFor(count) : SLOTS_MIN);
    const slots = new Int32Array(length).fill(-1);
    const isFilled = areDistinct && layout.bits === null && count <= this.chainedFrom && isPartitioned(length);
    const { slots: old } = this;
    if (isFilled) yield* placeByParts(this.code, rows, count, slots, layout);
    // The filled table is useless if someone else has added rows meanwhile.
    if (this.slots !== old || this.indexed > 0) return;
    this.replace(slots, layout, count);
    if (isFilled) this.keys = this.indexed = count;
  }

  /** Makes room for more keys in a large hash table in blocks, because moving all of them at once takes long. */
  *makeRoomInBlocks(source: IndexedRows, more: number): Generator<void, void> {
    const isFull = () => this.layout.bits === null && (this.keys + more) * 2 > this.slots.length;
    while (this.slots.length > BLOCK_ROWS && isFull()) yield* this.enlargeInBlocks(source);
  }

  private *enlargeInBlocks(source: Pick<IndexedRows, 'rows' | 'count'>): Generator<void, void> {
    const { slots: old, indexed } = this;
    if (old.length <= BLOCK_ROWS) {
      this.enlarge(source.rows, source.count);
      return;
    }
    const { count } = source;
    const { layout, length } = this.layoutFor(source.rows, count, Math.max(this.slotsWanted, old.length * 2));
    const slots = new Int32Array(length).fill(-1);
    for (let from = 0; from < old.length; from += BLOCK_ROWS) {
      this.code.rehash(source.rows, old, slots, layout, from, Math.min(old.length, from + BLOCK_ROWS));
      yield;
      // The moved table is useless if someone else has added rows meanwhile.
      if (this.slots !== old || this.indexed !== indexed) return;
    }
    this.replace(slots, layout, count);
  }

  /** Adds rows that share a key neither with each other nor with indexed rows. */
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

  /** The newest row with this key, or −1 if none exists. */
  find(rows: Int32Array, key: readonly number[]): number {
    return this.code.find(rows, this.slots, this.layout, key);
  }

  /** Makes room for one more key in a hash table. */
  makeRoom(rows: Int32Array): void {
    if (this.layout.bits === null && this.keys * 2 + 2 > this.slots.length) this.enlarge(rows, this.indexed);
  }

  /** Becomes a hash table, because the next key has no slot. */
  leaveDirect(rows: Int32Array): void {
    this.rehash(rows, { layout: hashed(this.columns.length), length: this.slotsWanted }, this.indexed);
  }

  /** Unlinks these rows from the chains, except the newest row of each key. */
  skip(isLeftOut: (row: number) => boolean): void {
    // Older rows come first, so that their chains are in order already.
    for (let row = this.chainedFrom; row < this.indexed; row++) {
      const behind = this.older(row);
      if (behind >= 0 && isLeftOut(behind)) this.next[row - this.chainedFrom] = this.older(behind);
    }
  }

  /** Removes all rows and chains. Keeps a hash table unless clearing it would take longer than filling it did. */
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

  /** From now on rows share keys. Whoever holds the slots finds rows without chains only. */
  private chain(): void {
    this.chainFrom(this.indexed, this.capacity);
    this.slots = this.slots.slice();
  }

  /** Slots of a hash table for one more key, with as much again to spare. */
  private get slotsWanted(): number {
    return Math.max(SLOTS_MIN, slotsFor(this.keys + 1));
  }

  private enlarge(rows: Int32Array, count: number): void {
    this.rehash(rows, this.layoutFor(rows, count, this.slotsWanted), count);
  }

  /** A table for the rows up to `count`, with this many slots if it is a hash table. */
  private layoutFor(rows: Int32Array, count: number, wanted: number): Table {
    return this.layoutOf(bitsOf(rows, this.arity, this.columns, count), count, wanted);
  }

  /** The same for keys of this many bits. */
  private layoutOf(bits: readonly number[], count: number, wanted: number): Table {
    // A chain of all rows takes as much memory as the rows, so as many slots are affordable.
    const affordable = this.chainedFrom === 0 ? Math.max(wanted, count) : wanted;
    const length = slotsOfBits(bits);
    // Without rows nothing is known about the keys.
    return count > 0 && length <= affordable
      ? { layout: direct(bits), length }
      : { layout: hashed(bits.length), length: wanted };
  }

  /** Moves to a table for the rows up to `count`. */
  private rehash(rows: Int32Array, { layout, length }: Table, count: number): void {
    const slots = new Int32Array(length).fill(-1);
    // If each row is one key, reading in row order is faster than in slot order.
    if (this.chainedFrom < this.indexed) this.code.rehash(rows, this.slots, slots, layout, 0, this.slots.length);
    else this.place(rows, slots, layout, 0, this.indexed);
    this.replace(slots, layout, count);
  }

  /** Adds rows that share no key. */
  private place(rows: Int32Array, slots: Int32Array, layout: Layout, from: number, to: number): void {
    if (layout.bits === null) this.code.place(rows, slots, layout, from, to);
    else this.code.placeDirect(rows, slots, layout, from, to);
  }

  private replace(slots: Int32Array<ArrayBuffer>, layout: Layout, surveyed: number): void {
    this.slots = slots;
    this.layout = layout;
    this.surveyed = surveyed;
  }
}

export interface IndexedRows {
  readonly rows: Int32Array;
  readonly count: number;
  /** Bits of each column that all codes fit into, if known. */
  readonly codeBits: readonly number[] | null;
}

interface Table {
  readonly layout: Layout;
  /** Slots of the table. */
  readonly length: number;
}
