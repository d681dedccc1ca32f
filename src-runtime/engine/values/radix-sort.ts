/** Radix sort by whole numbers in typed arrays: no comparisons, no garbage, and a yield between blocks. */

/** Rows that are moved between two yields. */
const BLOCK_ROWS = 1 << 16;
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/** The numbers from 0 on. */
export function identity(size: number): Uint32Array {
  const order = new Uint32Array(size);
  for (let row = 0; row < size; row++) order[row] = row;
  return order;
}

/** Sorts the rows of `order` by their keys. Stable, in linear time. */
export function* sortByKey(order: Uint32Array, sortKeys: Uint32Array): Generator<void, Uint32Array> {
  const { lowest, highest } = extremes(sortKeys);
  let from = order;
  let into: Uint32Array = new Uint32Array(order.length);
  for (let shift = 0; shift < 32 && (highest - lowest) >>> shift > 0; shift += DIGIT_BITS) {
    const places = placesOf(sortKeys, lowest, shift);
    yield;
    for (let start = 0; start < from.length; start += BLOCK_ROWS) {
      const end = Math.min(from.length, start + BLOCK_ROWS);
      for (let index = start; index < end; index++) {
        const row = from[index] as number;
        const digit = (((sortKeys[row] as number) - lowest) >>> shift) & (DIGITS - 1);
        const place = places[digit] as number;
        into[place] = row;
        places[digit] = place + 1;
      }
      yield;
    }
    [from, into] = [into, from];
  }
  return from;
}

function extremes(sortKeys: Uint32Array): { readonly lowest: number; readonly highest: number } {
  let lowest = sortKeys[0] ?? 0;
  let highest = lowest;
  for (let row = 1; row < sortKeys.length; row++) {
    const sortKey = sortKeys[row] as number;
    if (sortKey < lowest) lowest = sortKey;
    else if (sortKey > highest) highest = sortKey;
  }
  return { lowest, highest };
}

/** The place of the first row of each digit. */
function placesOf(sortKeys: Uint32Array, lowest: number, shift: number): Uint32Array {
  const places = new Uint32Array(DIGITS + 1);
  for (let row = 0; row < sortKeys.length; row++) {
    const next = ((((sortKeys[row] as number) - lowest) >>> shift) & (DIGITS - 1)) + 1;
    places[next] = (places[next] as number) + 1;
  }
  for (let digit = 1; digit < DIGITS; digit++) {
    places[digit] = (places[digit] as number) + (places[digit - 1] as number);
  }
  return places;
}
