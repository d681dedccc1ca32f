/** Sorts the rows of a relation in the language's order, for random access by place. */

import type { Type } from '../../artifact/types.js';
import { BLOCK_ITEMS, mapped, sorted } from '../scheduling/blocks.js';
import type { RowChanges } from '../types.js';
import type { Interner } from '../values/codec.js';
import { comparison, type OrderSchema } from '../values/compare.js';
import { identity, sortByKey } from '../values/radix-sort.js';
import { sortKeysOf } from '../values/sort-keys.js';
import type { Value } from '../values/value.js';

/** Rows that are moved between two yields. */
const BLOCK_ROWS = 1 << 16;

export interface RowOrder {
  readonly size: number;
  /** The codes of all rows side by side. Read only. */
  readonly codes: Int32Array;
  /** The codes of the row at a place, counted from 0. */
  at(index: number): number[];
  /** How many rows are less than or equal to a tuple with these values. */
  countUpTo(values: readonly Value[]): number;
}

/** What the codes mean. */
export interface OrderContext {
  readonly program: OrderSchema;
  readonly interner: Interner;
}

/** Sorts by columns from left to right; no two rows are equal. The input codes are not changed. */
export function* orderRows(
  { program, interner }: OrderContext,
  types: readonly Type[],
  { codes, size }: { readonly codes: Int32Array; readonly size: number },
): Generator<void, RowOrder> {
  const arity = types.length;
  let order = identity(size);
  // From the last column to the first: each pass keeps the order of the passes before for equal keys.
  for (const [column, type] of [...types.entries()].reverse()) {
    const sortKeys = yield* sortKeysOf(program, interner, type, columnOf(codes, arity, column, size));
    order = yield* sortByKey(order, sortKeys);
  }
  return rowOrder({ program, interner }, types, { codes: yield* permuted(codes, arity, order), size });
}

/**
 * The order after these changes, at the cost of a copy and one search each. Undefined if the changes do not match the
 * rows.
 */
export function* changedOrder(
  context: OrderContext,
  types: readonly Type[],
  before: RowOrder,
  { added, removed }: RowChanges,
): Generator<void, RowOrder | undefined> {
  const arity = types.length;
  const valuesOf = (row: readonly number[]) =>
    types.map((type, column) => context.interner.decode(type, row[column] as number));
  const isAt = (place: number, row: readonly number[]) =>
    place >= 0 && row.every((code, column) => before.codes[place * arity + column] === code);
  const gone = yield* mapped(removed, (row) => ({ place: before.countUpTo(valuesOf(row)) - 1, row }));
  if (!gone.every(({ place, row }) => isAt(place, row))) return undefined;
  const coming = yield* orderRows(context, types, { codes: Int32Array.from(added.flat()), size: added.length });
  const size = before.size + added.length - removed.length;
  const codes = new Int32Array(size * arity);
  let [read, written] = [0, 0];
  const copyTo = (place: number): void => {
    codes.set(before.codes.subarray(read * arity, place * arity), written * arity);
    written += place - read;
    read = place;
  };
  const places = yield* sorted(
    gone.map(({ place }) => place),
    (left, right) => left - right,
  );
  let next = 0;
  for (let index = 0; index <= added.length; index++) {
    const row = index < added.length ? coming.at(index) : undefined;
    const end = row === undefined ? before.size : before.countUpTo(valuesOf(row));
    if (row !== undefined && isAt(end - 1, row)) return undefined;
    for (; next < places.length && (places[next] as number) < end; next++) {
      copyTo(places[next] as number);
      read += 1;
    }
    copyTo(end);
    if (row !== undefined) codes.set(row, arity * written++);
    if (index % BLOCK_ITEMS === 0) yield;
  }
  return rowOrder(context, types, { codes, size });
}

function rowOrder(
  { program, interner }: OrderContext,
  types: readonly Type[],
  { codes, size }: { readonly codes: Int32Array; readonly size: number },
): RowOrder {
  const arity = types.length;
  const compares = types.map((type) => comparison(program, type));
  const isAfter = (row: number, values: readonly Value[]): boolean => {
    for (const [column, type] of types.entries()) {
      const value = interner.decode(type, codes[row * arity + column] as number);
      const difference = compares[column]?.(value, values[column] ?? null) ?? 0;
      if (difference !== 0) return difference > 0;
    }
    return false;
  };
  return {
    size,
    codes,
    at(index) {
      const row: number[] = [];
      for (let at = index * arity; at < (index + 1) * arity; at++) row.push(codes[at] as number);
      return row;
    },
    countUpTo(values) {
      let [low, high] = [0, size];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (isAfter(middle, values)) high = middle;
        else low = middle + 1;
      }
      return low;
    },
  };
}

function columnOf(codes: Int32Array, arity: number, column: number, size: number): Int32Array {
  const found = new Int32Array(size);
  for (let row = 0, at = column; row < size; row++, at += arity) found[row] = codes[at] as number;
  return found;
}

function* permuted(codes: Int32Array, arity: number, order: Uint32Array): Generator<void, Int32Array> {
  const moved = new Int32Array(codes.length);
  for (let start = 0; start < order.length; start += BLOCK_ROWS) {
    const end = Math.min(order.length, start + BLOCK_ROWS);
    for (let index = start; index < end; index++) {
      const row = order[index] as number;
      for (let column = 0; column < arity; column++) {
        moved[index * arity + column] = codes[row * arity + column] as number;
      }
    }
    yield;
  }
  return moved;
}
