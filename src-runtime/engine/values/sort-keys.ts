/** Codes to numbers that stand in the language's order, so that rows can be sorted as integers. */

import type { Type } from '../../artifact/types.js';
import { mapped } from '../scheduling/blocks.js';
import { INT_INLINE_LIMIT, type Interner } from './codec.js';
import type { OrderSchema } from './compare.js';
import { identity, sortByKey } from './radix-sort.js';
import { bare } from './value.js';
import { orderOfValues } from './value-order.js';

/** Codes that are looked up between two yields. */
const BLOCK_CODES = 1 << 14;

/** Above every number of declared individuals, and every day and small whole number when it is made positive. */
const MANY = 0x40000000;

/** The sortKey of each code, from 0: smaller for a smaller value, equal for equal codes. No code is none's. */
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

/** How the code itself says where its value stands; undefined where it is a mere number of an interned value. */
function directSortKey(type: Type, codes: Int32Array): ((code: number) => number) | undefined {
  switch (type.kind) {
    case 'enum':
      return (code) => code;
    case 'class':
      // Declared individuals have the codes −1, −2, … in the order of their paths, and come first.
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

/** Each value is looked at once, however many rows have it. */
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

/** The codes that occur, each once, and for each place of `codes` which of them stands there. */
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
