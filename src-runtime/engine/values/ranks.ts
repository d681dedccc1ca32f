/** Codes to numbers that stand in the language's order, so that rows can be sorted as integers. */

import type { Type } from '../../artifact/types.js';
import { mapped, sorted } from '../blocks.js';
import { INT_INLINE_LIMIT, type Interner } from './codec.js';
import { comparison, type OrderSchema } from './compare.js';
import { bare } from './value.js';

/** Codes that are ranked between two yields. */
const BLOCK_CODES = 1 << 14;

/** Above every number of declared individuals, and every day and small whole number when it is made positive. */
const MANY = 0x40000000;

/** The rank of each code, from 0: smaller for a smaller value, equal for equal codes. No code is none's. */
export function* ranksOf(
  schema: OrderSchema,
  interner: Interner,
  type: Type,
  codes: Int32Array,
): Generator<void, Uint32Array> {
  const rank = directRank(bare(type), codes) ?? (yield* rankByValue(schema, interner, type, codes));
  const ranks = new Uint32Array(codes.length);
  for (let start = 0; start < codes.length; start += BLOCK_CODES) {
    const end = Math.min(codes.length, start + BLOCK_CODES);
    for (let index = start; index < end; index++) ranks[index] = rank(codes[index] as number);
    yield;
  }
  return ranks;
}

/** How the code itself says where its value stands; undefined where it is a mere number of an interned value. */
function directRank(type: Type, codes: Int32Array): ((code: number) => number) | undefined {
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

function* rankByValue(
  schema: OrderSchema,
  interner: Interner,
  type: Type,
  codes: Int32Array,
): Generator<void, (code: number) => number> {
  const distinct = new Set<number>();
  for (let start = 0; start < codes.length; start += BLOCK_CODES) {
    const end = Math.min(codes.length, start + BLOCK_CODES);
    for (let index = start; index < end; index++) distinct.add(codes[index] as number);
    yield;
  }
  const compare = comparison(schema, type);
  const values = yield* mapped(distinct, (code) => ({ code, value: interner.decode(type, code) }));
  const inOrder = yield* sorted(values, (left, right) => compare(left.value, right.value));
  const ranks = new Map<number, number>();
  for (const [rank, { code }] of inOrder.entries()) {
    ranks.set(code, rank);
    if (rank % BLOCK_CODES === BLOCK_CODES - 1) yield;
  }
  return (code) => ranks.get(code) ?? 0;
}
