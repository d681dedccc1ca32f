/** Sorting by whole numbers in typed arrays: no comparisons, nothing for the garbage collector, and a yield between blocks. */

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

/** The rows of `order` by their ranks; those of one rank stay as they stand. The work grows with the rows and not faster. */
export function* sortByRank(order: Uint32Array, ranks: Uint32Array): Generator<void, Uint32Array> {
  const { lowest, highest } = extremes(ranks);
  let from = order;
  let into: Uint32Array = new Uint32Array(order.length);
  for (let shift = 0; shift < 32 && (highest - lowest) >>> shift > 0; shift += DIGIT_BITS) {
    const places = placesOf(ranks, lowest, shift);
    yield;
    for (let start = 0; start < from.length; start += BLOCK_ROWS) {
      const end = Math.min(from.length, start + BLOCK_ROWS);
      for (let index = start; index < end; index++) {
        const row = from[index] as number;
        const digit = (((ranks[row] as number) - lowest) >>> shift) & (DIGITS - 1);
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

function extremes(ranks: Uint32Array): { readonly lowest: number; readonly highest: number } {
  let lowest = ranks[0] ?? 0;
  let highest = lowest;
  for (let row = 1; row < ranks.length; row++) {
    const rank = ranks[row] as number;
    if (rank < lowest) lowest = rank;
    else if (rank > highest) highest = rank;
  }
  return { lowest, highest };
}

/** Where the first row of each digit goes. */
function placesOf(ranks: Uint32Array, lowest: number, shift: number): Uint32Array {
  const places = new Uint32Array(DIGITS + 1);
  for (let row = 0; row < ranks.length; row++) {
    const next = ((((ranks[row] as number) - lowest) >>> shift) & (DIGITS - 1)) + 1;
    places[next] = (places[next] as number) + 1;
  }
  for (let digit = 1; digit < DIGITS; digit++) {
    places[digit] = (places[digit] as number) + (places[digit - 1] as number);
  }
  return places;
}
