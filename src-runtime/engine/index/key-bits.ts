/** Bits of codes, for packing the columns of a key side by side. */

/**
 * Generated code reads these arrays, and would be recompiled for another kind of array. They are filled by push,
 * because the result of `map` changes its kind once V8 has compiled the call.
 */

/** Bits that each of these columns needs for its codes in the first `count` rows; 32 if one is negative. */
export function bitsOf(rows: Int32Array, arity: number, columns: readonly number[], count: number): number[] {
  const end = count * arity;
  const bits: number[] = [];
  for (const column of columns) {
    // The union of all codes, whose length is that of the longest.
    let set = 0;
    for (let at = column; at < end; at += arity) set |= rows[at] ?? 0;
    bits.push(bitsOfCode(set));
  }
  return bits;
}

/** The bits of these columns. */
export function bitsAt(bits: readonly number[], columns: readonly number[]): number[] {
  const at: number[] = [];
  for (const column of columns) at.push(bits[column] ?? 0);
  return at;
}

export function bitsOfCode(code: number): number {
  return 32 - Math.clz32(code);
}

export function totalBits(bits: readonly number[]): number {
  return bits.reduce((sum, each) => sum + each, 0);
}

/**
 * The shift of each column. The last column has the lowest bits, so that keys that share the first columns are
 * neighbours.
 */
export function shiftsOf(bits: readonly number[]): number[] {
  let below = totalBits(bits);
  const shifts: number[] = [];
  for (const each of bits) {
    below -= each;
    shifts.push(below);
  }
  return shifts;
}
