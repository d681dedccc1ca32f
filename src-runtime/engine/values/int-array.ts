/** Helpers for arrays of integers that hold rows: sizes, copies, binary search. */

/** Without content yet. */
export const NO_INTS = new Int32Array(0);

/** A copy of the first `count` with the given length. The rest is zero and takes no memory until it is written. */
export function resized(array: Int32Array, count: number, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(array.subarray(0, count));
  return copy;
}

/** Slots of a hash table that this many keys fill at most by half, a power of two. */
export function slotsFor(keys: number): number {
  let slots = 1;
  while (slots < keys * 2) slots *= 2;
  return slots;
}

/** How many of the first `count` ascending numbers are at most this one. */
export function countUpTo(ascending: ArrayLike<number>, count: number, most: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first of the rows [from, to) with this code in the column, or `to` if none exists. */
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
