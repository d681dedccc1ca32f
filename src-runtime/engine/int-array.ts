/** Sizes and copies of the arrays of integers that hold rows. */

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
