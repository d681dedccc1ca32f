/** How many bits the codes of a key take, side by side. */

/*
 * Generated code reads these arrays, and would be compiled anew for another kind of array: they are filled by push, as what
 * "map" returns changes its kind once V8 has compiled the call.
 */

/** How many bits each of these columns needs for its codes in the first rows; 32 where one is negative. */
export function bitsOf(rows: Int32Array, arity: number, columns: readonly number[], count: number): number[] {
  const end = count * arity;
  const bits: number[] = [];
  for (const column of columns) {
    // What any of the codes has set, so that its length is that of the longest.
    let set = 0;
    for (let at = column; at < end; at += arity) set |= rows[at] ?? 0;
    bits.push(bitsOfCode(set));
  }
  return bits;
}

/** Those of these columns, of the bits of all. */
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

/** How far each column is shifted; the last one has the lowest bits, so that keys that share the first ones are neighbours. */
export function shiftsOf(bits: readonly number[]): number[] {
  let below = totalBits(bits);
  const shifts: number[] = [];
  for (const each of bits) {
    below -= each;
    shifts.push(below);
  }
  return shifts;
}
