/** Rows put in another order than the language's: by columns, whichever, upward or downward. */

import type { Type } from '../../artifact/types.js';
import { NONE } from '../values/codec.js';
import { identity, sortByKey } from '../values/radix-sort.js';
import { sortKeysOf } from '../values/sort-keys.js';
import type { OrderContext } from './row-order.js';

/** Places that are moved between two yields. */
const BLOCK_PLACES = 1 << 16;

export interface PlacedColumn {
  readonly type: Type;
  /** The code of each place, NONE where it has none. */
  readonly codes: Int32Array;
  readonly descending: boolean;
}

/**
 * The places from 0 on in the order of the columns, the first of which counts most. Equal places keep their order, and none
 * stands last whichever the direction.
 */
export function* placesByColumns(
  { program, interner }: OrderContext,
  size: number,
  columns: readonly PlacedColumn[],
): Generator<void, Uint32Array> {
  let places = identity(size);
  // The last column first: each pass keeps the order of the passes before it where its own column is equal.
  for (const { type, codes, descending } of [...columns].reverse()) {
    const some = codes.find((code) => code !== NONE);
    if (some === undefined) continue;
    const sortKeys = yield* sortKeysOf(program, interner, type, withoutNone(codes, some));
    yield* settle(sortKeys, codes, descending);
    places = yield* sortByKey(places, sortKeys);
  }
  return places;
}

/** Sort keys are asked of values only; whatever stands in for none gets another sortKey afterwards. */
function withoutNone(codes: Int32Array, some: number): Int32Array {
  return codes.includes(NONE) ? codes.map((code) => (code === NONE ? some : code)) : codes;
}

/** Turns the sortKeys round where that is wanted, and puts none behind all of them. */
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
