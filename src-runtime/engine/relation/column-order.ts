/** Sorts rows by any columns, each ascending or descending. */

import type { Type } from '../../artifact/types.js';
import { NONE } from '../values/codec.js';
import { identity, sortByKey } from '../values/radix-sort.js';
import { sortKeysOf } from '../values/sort-keys.js';
import type { OrderContext } from './row-order.js';

/** Places that are moved between two yields. */
const BLOCK_PLACES = 1 << 16;

export interface PlacedColumn {
  readonly type: Type;
  /** The code at each place; NONE if missing. */
  readonly codes: Int32Array;
  readonly descending: boolean;
}

/**
 * The places from 0 on, sorted by the columns from first to last. The sort is stable. Missing values come last in both
 * directions.
 */
export function* placesByColumns(
  { program, interner }: OrderContext,
  size: number,
  columns: readonly PlacedColumn[],
): Generator<void, Uint32Array> {
  let places = identity(size);
  // From the last column to the first: each pass keeps the order of the passes before for equal keys.
  for (const { type, codes, descending } of [...columns].reverse()) {
    const some = codes.find((code) => code !== NONE);
    if (some === undefined) continue;
    const sortKeys = yield* sortKeysOf(program, interner, type, withoutNone(codes, some));
    yield* settle(sortKeys, codes, descending);
    places = yield* sortByKey(places, sortKeys);
  }
  return places;
}

/** Only values have sort keys, so missing ones get a placeholder, and their own key afterwards. */
function withoutNone(codes: Int32Array, some: number): Int32Array {
  return codes.includes(NONE) ? codes.map((code) => (code === NONE ? some : code)) : codes;
}

/** Reverses the keys of a descending column, and gives missing values the greatest one. */
function* settle(sortKeys: Uint32Array, codes: Int32Array, descending: boolean): Generator<void, void> {
  let [lowest, highest] = [0xffffffff, 0];
  for (let at = 0; at < sortKeys.length; at++) {
    const sortKey = sortKeys[at] as number;
    if (sortKey < lowest) lowest = sortKey;
    if (sortKey > highest) highest = sortKey;
    if (at % BLOCK_PLACES === BLOCK_PLACES - 1) yield;
  }
  for (let at = 0; at < sortKeys.length; at++) {
    if (codes[at] === NONE) sortKeys[at] = highest + 1;
    else if (descending) sortKeys[at] = highest - (sortKeys[at] as number) + lowest;
    if (at % BLOCK_PLACES === BLOCK_PLACES - 1) yield;
  }
}
