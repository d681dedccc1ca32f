/** Maps codes to numbers in the language's order, so that rows can be sorted as integers. */

import type { Type } from '../../artifact/types.js';
import { mapped } from '../scheduling/blocks.js';
import { INT_INLINE_LIMIT, type Interner } from './codec.js';
import type { OrderSchema } from './compare.js';
import { identity, sortByKey } from './radix-sort.js';
import { bare } from './value.js';
import { orderOfValues } from './value-order.js';

/** Codes that are mapped between two yields. */
const BLOCK_CODES = 1 << 14;

/** Above all numbers of declared individuals; makes days and small ints positive. */
const MANY = 0x40000000;

/**
 * The sort key of each code, from 0: smaller for a smaller value, equal for equal codes. Missing values are not
 * allowed.
 */
export function* sortKeysOf(
  schema: OrderSchema,
  interner: Interner,
  type: Type,
  codes: Int32Array,
): Generator<void, Uint32Array> {
  const sortKey = directSortKey(bare(type), codes);
  if (sortKey === undefined) return yield* sortKeysByValue(schema, interner, type, codes);
  const sortKeys = new Uint32Array(codes.length);
  for (let start = 0; start < codes.length; start += BLOCK_CODES) {
    const end = Math.min(codes.length, start + BLOCK_CODES);
    for (let index = start; index < end; index++) sortKeys[index] = sortKey(codes[index] as number);
    yield;
  }
  return sortKeys;
}

/** Derives the key from the code itself; undefined for interned values, whose codes say nothing of their order. */
function directSortKey(type: Type, codes: Int32Array): ((code: number) => number) | undefined {
  switch (type.kind) {
    case 'enum':
      return (code) => code;
    case 'class':
      // Declared individuals have codes −1, −2, … in the order of their paths, and come first.
      return (code) => (code < 0 ? -code - 1 : code + MANY);
    case 'scalar':
      if (type.name === 'Bool') return (code) => code;
      if (type.name === 'Date') return (code) => code + MANY;
      if (type.name === 'Int' && codes.every((code) => code < INT_INLINE_LIMIT)) return (code) => code + MANY;
      return undefined;
    default:
      return undefined;
  }
}

/** Looks at each distinct value once. */
function* sortKeysByValue(
  schema: OrderSchema,
  interner: Interner,
  type: Type,
  codes: Int32Array,
): Generator<void, Uint32Array> {
  const { distinct, slots } = yield* distinctOf(codes);
  const values = yield* mapped(distinct, (code) => interner.decode(type, code));
  const order = yield* orderOfValues(schema, bare(type), values);
  const sortKeyOfSlot = new Uint32Array(order.length);
  for (let sortKey = 0; sortKey < order.length; sortKey++) sortKeyOfSlot[order[sortKey] as number] = sortKey;
  yield;
  for (let at = 0; at < slots.length; at++) slots[at] = sortKeyOfSlot[slots[at] as number] as number;
  return slots;
}

/** The distinct codes, and for each place of `codes` the index among them. */
function* distinctOf(
  codes: Int32Array,
): Generator<void, { readonly distinct: Int32Array; readonly slots: Uint32Array }> {
  const unsigned = new Uint32Array(codes.length);
  for (let at = 0; at < codes.length; at++) unsigned[at] = (codes[at] as number) ^ 0x80000000;
  yield;
  const inOrder = yield* sortByKey(identity(codes.length), unsigned);
  const distinct = new Int32Array(codes.length);
  const slots = new Uint32Array(codes.length);
  let count = 0;
  for (let index = 0; index < inOrder.length; index++) {
    const place = inOrder[index] as number;
    const code = codes[place] as number;
    if (index === 0 || code !== distinct[count - 1]) {
      distinct[count] = code;
      count += 1;
    }
    slots[place] = count - 1;
    if (index % BLOCK_CODES === BLOCK_CODES - 1) yield;
  }
  return { distinct: distinct.subarray(0, count), slots };
}
