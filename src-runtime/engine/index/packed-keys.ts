/**
 * The tuples of a relation as a set of 31-bit keys, if their codes are small enough to be packed side by side. One
 * memory access finds a duplicate; the index by row needs two. If a code needs more bits than its column has, the bits
 * are divided among the columns again.
 *
 * The keys are in a hash table. Once a bit for every possible key takes no more memory, the set becomes a bitmap. Codes
 * count up from 0, so a relation with many facts has most of the possible keys, and a bitmap of millions fits in a
 * cache.
 *
 * Benchmark: W1a of `npm run bench:engine` takes 168 ms, and 698 ms without packed keys.
 */

import { slotsFor } from '../values/int-array.js';
import { bitsOf, bitsOfCode, shiftsOf, totalBits } from './key-bits.js';

/** Most sets of rows are small and short-lived, so a small array is cheap. */
const SLOTS_MIN = 16;
const KEY_BITS = 31;

/** Shared by sets without rows, many of which stay empty. It is replaced before the first write. */
const NO_KEYS = noKeys();

function noKeys(): Int32Array<ArrayBuffer> {
  return new Int32Array(SLOTS_MIN).fill(-1);
}

/** A set that expects this many times its rows may become as large as expected at once. */
const SAMPLE_PART = 64;

export class PackedKeys {
  /** A bit for each key; null while the keys are in `slots`. */
  words: Int32Array | null = null;
  /** Keys by hash with linear probing; −1 if free. At most half full. */
  slots: Int32Array;
  /** The shift from a product to a slot. */
  hashShift: number;
  /** Of each column. */
  bits: readonly number[];
  /** Of each column. */
  shifts: readonly number[];

  /** Slots for the expected number of keys. */
  private readonly slotsExpected: number;

  constructor(arity: number, expected: number) {
    this.slotsExpected = slotsFor(expected);
    this.slots = expected === 0 ? NO_KEYS : noKeys();
    this.hashShift = 32 - Math.log2(SLOTS_MIN);
    const { bits, shifts } = EQUAL[arity] as Layout;
    this.bits = bits;
    this.shifts = shifts;
  }

  /** Removes all keys, `count` of them. A table much too large for them is replaced, because clearing it takes long. */
  clear(count: number): void {
    if (this.words === null && this.slots.length <= Math.max(SLOTS_MIN, count * 16)) {
      this.slots.fill(-1);
      return;
    }
    if (this.words !== null && this.words.length <= Math.max(SLOTS_MIN, count * 16)) {
      this.words.fill(0);
      return;
    }
    this.words = null;
    this.slots = noKeys();
    this.hashShift = 32 - Math.log2(SLOTS_MIN);
  }

  /** Makes room for one more key than there are rows. */
  makeRoom(rows: Int32Array, count: number): void {
    if (this.slots === NO_KEYS) this.slots = noKeys();
    if (this.words !== null || count * 2 < this.slots.length) return;
    const needed = this.bitsNeeded(rows, count);
    const old = this.slots;
    // A sample has shown how sparse the keys are, so the table may grow to its expected size.
    const isSample = old.length * SAMPLE_PART >= this.slotsExpected;
    const wanted = isSample ? Math.max(old.length * 2, this.slotsExpected) : old.length * 2;
    if (this.spread(needed, wanted)) {
      this.addAll(rows, count);
      return;
    }
    this.slots = new Int32Array(wanted).fill(-1);
    this.hashShift = 32 - Math.log2(this.slots.length);
    place(this.slots, this.hashShift, old);
  }

  /** Distributes the bits so that these codes and those of the rows fit. False if they do not. */
  refit(rows: Int32Array, count: number, codes: readonly number[]): boolean {
    const needed = this.bitsNeeded(rows, count);
    for (const [column, code] of codes.entries()) needed[column] = Math.max(needed[column] ?? 0, bitsOfCode(code));
    let spare = KEY_BITS - totalBits(needed);
    if (spare < 0) return false;
    if (!this.spread(needed, this.slotsFor(count))) {
      const bits = [...needed];
      for (let column = 0; spare > 0; column = (column + 1) % bits.length, spare--)
        bits[column] = (bits[column] ?? 0) + 1;
      this.bits = bits;
      this.shifts = shiftsOf(bits);
      this.words = null;
      this.slots = new Int32Array(this.slotsFor(count)).fill(-1);
      this.hashShift = 32 - Math.log2(this.slots.length);
    }
    this.addAll(rows, count);
    return true;
  }

  /** Becomes an empty bitmap if that takes no more memory than this many slots. */
  private spread(bits: readonly number[], slots: number): boolean {
    const words = 2 ** Math.max(0, totalBits(bits) - 5);
    if (words > slots) return false;
    this.words = new Int32Array(words);
    this.slots = new Int32Array(0);
    this.bits = bits;
    this.shifts = shiftsOf(bits);
    return true;
  }

  private bitsNeeded(rows: Int32Array, count: number): number[] {
    const columns = [...this.bits.keys()];
    return bitsOf(rows, columns.length, columns, count);
  }

  private slotsFor(count: number): number {
    let slots = Math.max(SLOTS_MIN, this.slots.length);
    while (count * 2 >= slots) slots *= 2;
    return slots;
  }

  private addAll(rows: Int32Array, count: number): void {
    const { words, shifts } = this;
    const arity = shifts.length;
    const keys = new Int32Array(words === null ? count : 0);
    for (let row = 0; row < count; row++) {
      let key = 0;
      for (let column = 0; column < arity; column++) key |= (rows[row * arity + column] ?? 0) << (shifts[column] ?? 0);
      if (words === null) keys[row] = key;
      else words[key >>> 5] = (words[key >>> 5] ?? 0) | (1 << key);
    }
    if (words === null) place(this.slots, this.hashShift, keys);
  }
}

/** Inserts all keys except −1. */
function place(slots: Int32Array, hashShift: number, keys: Int32Array): void {
  const mask = slots.length - 1;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? -1;
    if (key < 0) continue;
    let slot = Math.imul(key, 0x9e3779b1) >>> hashShift;
    while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
    slots[slot] = key;
  }
}

interface Layout {
  readonly bits: readonly number[];
  readonly shifts: readonly number[];
}

/** By arity: the same bits for each column. */
const EQUAL: readonly Layout[] = Array.from({ length: 5 }, (_, arity) => {
  const bits = Array.from(
    { length: arity },
    (_column, column) => Math.floor(KEY_BITS / arity) + (column < KEY_BITS % arity ? 1 : 0),
  );
  return { bits, shifts: shiftsOf(bits) };
});

/** Arities whose tuples can be packed. */
export function isPackable(arity: number): boolean {
  return arity >= 1 && arity <= 4;
}
