/** Arrays of integers that hold rows: their sizes, copies, and a look through them. */

/** Of those that hold nothing yet. */
export const NO_INTS = new Int32Array(0);

/** A copy of the first `count` with room for so many; behind them it has zeros, which take no memory until they are written. */
export function resized(array: Int32Array, count: number, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(array.subarray(0, count));
  return copy;
}

/** A power of two, the slots of a hash table that so many keys fill to a half at most. */
export function slotsFor(keys: number): number {
  let slots = 1;
  while (slots < keys * 2) slots *= 2;
  return slots;
}

/** How many of the first `count` numbers, which ascend, are this or less. */
export function countUpTo(ascending: ArrayLike<number>, count: number, most: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first of the rows [from, to) with this code in the column; `to` where there is none. */
export function nextRowWith(
  rows: Int32Array,
  arity: number,
  column: number,
  code: number,
  from: number,
  to: number,
): number {
  const end = to * arity;
  for (let at = from * arity + column; at < end; at += arity) if (rows[at] === code) return (at - column) / arity;
  return to;
}
