/**
 * How keys map to slots: by hash, or by the key itself if a slot for every possible key takes no more memory than a
 * hash table. Codes count up from 0, so large relations have most of the possible keys. Such a table is smaller, is
 * filled in key order, and needs one read to find that a key is missing.
 *
 * Benchmark: in W5a of `npm run bench:engine` the first change builds such an index over whole tuples in a tenth of the
 * time of deriving the closure. In W5c, whose codes need a hash table, it takes half.
 */

import { shiftsOf, totalBits } from './key-bits.js';

export interface Layout {
  /** Multipliers of the columns. */
  readonly factors: Int32Array;
  /** The shift by which the sum is folded. */
  readonly shift: number;
  /** Bits of each column if every key has its own slot; null for a hash table. */
  readonly bits: Int32Array | null;
}

/** Odd factors that spread multiples well, from xxHash by Y. Collet. */
const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1];

const HASHED = new Map<number, Layout>();

/** A hash table for keys of this many columns. */
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

/** A table with `2 ** total(bits)` slots. */
export function direct(bits: readonly number[]): Layout {
  const factors = Int32Array.from(shiftsOf(bits), (shift) => 1 << shift);
  return { factors, shift: 31, bits: Int32Array.from(bits) };
}

/** Slots for every possible key of this many bits; infinite if that is too large. */
export function slotsOfBits(bits: readonly number[]): number {
  const total = totalBits(bits);
  return total <= 30 ? 2 ** total : Number.POSITIVE_INFINITY;
}
