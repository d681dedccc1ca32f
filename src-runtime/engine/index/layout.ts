/**
 * How the keys of a table find their slots: by hash, or, where every possible key can have a slot of its own for the memory
 * that a hash table takes, by the key itself. Codes are given out from 0 on, so that large relations have most of the
 * possible keys: such a table is smaller, is filled in the order of the keys, and tells what is not there by one look.
 */

import { shiftsOf, totalBits } from './key-bits.js';

export interface Layout {
  /** What each column of a key is multiplied by. */
  readonly factors: Int32Array;
  /** How far the sum is shifted to be folded. */
  readonly shift: number;
  /** Bits of each column, of a table in which every key has its own slot; null for a hash table. */
  readonly bits: Int32Array | null;
}

/** Odd numbers whose multiples are spread well: those of xxHash, by Y. Collet. */
const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1];

const HASHED = new Map<number, Layout>();

/** For keys of so many columns. */
export function hashed(columns: number): Layout {
  const known = HASHED.get(columns);
  if (known !== undefined) return known;
  const factors = Int32Array.from(
    { length: columns },
    (_, column) => (PRIMES[column % 5] ?? 1) + 2 * Math.floor(column / 5),
  );
  const made: Layout = { factors, shift: 15, bits: null };
  HASHED.set(columns, made);
  return made;
}

/** With `2 ** total(bits)` slots. */
export function direct(bits: readonly number[]): Layout {
  const factors = Int32Array.from(shiftsOf(bits), (shift) => 1 << shift);
  return { factors, shift: 31, bits: Int32Array.from(bits) };
}

/** Slots that a table needs for every possible key of so many bits; infinite where it would be too large. */
export function slotsOfBits(bits: readonly number[]): number {
  const total = totalBits(bits);
  return total <= 30 ? 2 ** total : Number.POSITIVE_INFINITY;
}
