/** Codes to numbers that stand in the language's order, so that rows can be sorted as integers. */

import type { Type } from '../../artifact/types.js';
import { mapped, sorted } from '../blocks.js';
import { INT_INLINE_LIMIT, type Interner } from './codec.js';
import { comparison, type OrderSchema } from './compare.js';
import { bare, type Value } from './value.js';

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
  const values = yield* mapped(distinct, (code) => ({ code, value: interner.decode(type, code) }));
  const shortCut = shortCutOf(bare(type), values);
  const keyed = yield* mapped(values, ({ code, value }) => ({ code, value, key: shortCut(value) }));
  const compare = comparison(schema, type);
  const inOrder = yield* sorted(keyed, (left, right) => {
    if (left.key < right.key) return -1;
    return left.key > right.key ? 1 : compare(left.value, right.value);
  });
  const ranks = new Map<number, number>();
  for (const [rank, { code }] of inOrder.entries()) {
    ranks.set(code, rank);
    if (rank % BLOCK_CODES === BLOCK_CODES - 1) yield;
  }
  return (code) => ranks.get(code) ?? 0;
}

/** What the machine compares fast in place of a value: never in another order, though sometimes equal where values are not. */
function shortCutOf(type: Type, values: readonly { readonly value: Value }[]): (value: Value) => number | string {
  if (type.kind !== 'scalar') return () => 0;
  switch (type.name) {
    case 'Decimal':
      return (value) => Number(value);
    case 'Text':
      // The machine's order of units is that of code points where no surrogate meets a unit above it.
      return values.some(({ value }) => HIGH_UNIT.test(value as string)) ? () => 0 : (value) => value as string;
    default:
      return (value) => value as number;
  }
}

const HIGH_UNIT = /[\ud800-\uffff]/;
