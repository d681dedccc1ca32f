/**
 * Sorts distinct values of one type. Numbers are sorted by the bits of a double, texts by some characters at a time
 * from where they begin to differ. Small groups and remaining ties are compared.
 */

import type { Type } from '../../artifact/types.js';
import { type DecimalValue, decimalNumber } from '../../base/decimal.js';
import { sorted } from '../scheduling/blocks.js';
import { codePointRank, comparison, type OrderSchema } from './compare.js';
import { identity, sortByKey } from './radix-sort.js';
import type { Value } from './value.js';

/** Values that are looked at between two yields. */
const BLOCK_VALUES = 1 << 13;

/** Up to this many values, comparing is faster than radix sort. */
const COMPARED_MAX = 256;

/** The places of the values in ascending order. All values differ. */
export function* orderOfValues(
  schema: OrderSchema,
  type: Type,
  values: readonly Value[],
  comparedMax = COMPARED_MAX,
): Generator<void, Uint32Array> {
  const compare = comparison(schema, type);
  const compareAt: CompareAt = (left, right) => compare(values[left] as Value, values[right] as Value);
  if (type.kind !== 'scalar') return Uint32Array.from(yield* sorted([...identity(values.length)], compareAt));
  return type.name === 'Text'
    ? yield* orderOfTexts(values as readonly string[], compareAt, comparedMax)
    : yield* orderOfNumbers(values, compareAt);
}

type CompareAt = (left: number, right: number) => number;

/** Sort keys of 64 bits, in two halves. */
interface Keys {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** Decimals that round to the same double are compared. */
function* orderOfNumbers(values: readonly Value[], compareAt: CompareAt): Generator<void, Uint32Array> {
  const keys = yield* numberKeys(values);
  const order = yield* sortedByKeys(identity(values.length), keys);
  for (const [start, end] of yield* runsOf(order, keys)) yield* compareRun(order, start, end, compareAt);
  return order;
}

/** The bits of a number, such that a greater number has greater bits. */
function* numberKeys(values: readonly Value[]): Generator<void, Keys> {
  const numbers = new Float64Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    // Minus zero equals zero but has other bits.
    numbers[at] = (typeof value === 'number' ? value : decimalNumber(value as DecimalValue)) + 0;
    if (at % BLOCK_VALUES === BLOCK_VALUES - 1) yield;
  }
  const bits = new DataView(numbers.buffer);
  const [high, low] = [new Uint32Array(values.length), new Uint32Array(values.length)];
  for (let at = 0; at < values.length; at++) {
    const [first, second] = [
      bits.getUint32(at * 8 + HIGH_HALF, IS_LITTLE),
      bits.getUint32(at * 8 + LOW_HALF, IS_LITTLE),
    ];
    const isNegative = first >>> 31 === 1;
    high[at] = isNegative ? ~first : first | 0x80000000;
    low[at] = isNegative ? ~second : second;
    if (at % BLOCK_VALUES === BLOCK_VALUES - 1) yield;
  }
  return { high, low };
}

const IS_LITTLE = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
const [HIGH_HALF, LOW_HALF] = IS_LITTLE ? [4, 0] : [0, 4];

function* orderOfTexts(
  texts: readonly string[],
  compareAt: CompareAt,
  comparedMax: number,
): Generator<void, Uint32Array> {
  const order = identity(texts.length);
  // Ranges of the order whose texts are equal up to `from`.
  const ranges = [{ start: 0, end: texts.length, from: 0 }];
  let compared = 0;
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const { start, end } = range;
    const places = order.slice(start, end);
    const { shared, longest } =
      places.length > comparedMax ? yield* sharedStart(texts, places, range.from) : { shared: 0, longest: 0 };
    // Past their ends texts differ in length only, which no character shows.
    if (places.length <= comparedMax || shared >= longest) {
      yield* compareRun(order, start, end, compareAt);
      compared += places.length;
      if (compared % BLOCK_VALUES < places.length) yield;
      continue;
    }
    const { keys, units } = yield* textKeys(texts, places, shared);
    const inOrder = yield* sortedByKeys(identity(places.length), keys);
    for (let index = 0; index < inOrder.length; index++)
      order[start + index] = places[inOrder[index] as number] as number;
    yield;
    for (const [first, behind] of yield* runsOf(inOrder, keys)) {
      ranges.push({ start: start + first, end: start + behind, from: shared + units });
    }
    yield;
  }
  return order;
}

/** The length of the common prefix in code units, and of the longest text. */
function* sharedStart(
  texts: readonly string[],
  places: Uint32Array,
  from: number,
): Generator<void, { readonly shared: number; readonly longest: number }> {
  const first = texts[places[0] as number] as string;
  let [shared, longest] = [first.length, 0];
  for (let index = 0; index < places.length; index++) {
    const text = texts[places[index] as number] as string;
    if (text.length > longest) longest = text.length;
    let at = from;
    while (at < shared && text.charCodeAt(at) === first.charCodeAt(at)) at++;
    if (at < shared) shared = Math.max(at, from);
    if (index % BLOCK_VALUES === BLOCK_VALUES - 1) yield;
  }
  // A text that ends before `from` differs from others in length only.
  return { shared: Math.max(shared, from), longest };
}

/** Eight characters in a key if each fits in a byte, else four. Shorter texts are padded with zeros. */
function* textKeys(
  texts: readonly string[],
  places: Uint32Array,
  from: number,
): Generator<void, { readonly keys: Keys; readonly units: number }> {
  const narrow = yield* packed(texts, places, from, 8);
  if (narrow !== undefined) return { keys: narrow, units: 8 };
  return { keys: (yield* packed(texts, places, from, 16)) as Keys, units: 4 };
}

/** Undefined if a character has more bits. */
function* packed(
  texts: readonly string[],
  places: Uint32Array,
  from: number,
  bits: 8 | 16,
): Generator<void, Keys | undefined> {
  const [high, low] = [new Uint32Array(places.length), new Uint32Array(places.length)];
  const half = 32 / bits;
  for (let index = 0; index < places.length; index++) {
    const text = texts[places[index] as number] as string;
    for (let unit = 0; unit < 2 * half; unit++) {
      const at = from + unit;
      const rank = at < text.length ? codePointRank(text.charCodeAt(at)) : 0;
      if (rank >>> bits > 0) return undefined;
      const keys = unit < half ? high : low;
      keys[index] = ((keys[index] as number) << bits) | rank;
    }
    if (index % BLOCK_VALUES === BLOCK_VALUES - 1) yield;
  }
  return { high, low };
}

function* sortedByKeys(order: Uint32Array, { high, low }: Keys): Generator<void, Uint32Array> {
  return yield* sortByKey(yield* sortByKey(order, low), high);
}

/** Runs of two or more equal keys, as start and end. */
function* runsOf(order: Uint32Array, { high, low }: Keys): Generator<void, (readonly [number, number])[]> {
  const runs: (readonly [number, number])[] = [];
  let start = 0;
  for (let end = 1; end <= order.length; end++) {
    const [one, other] = [order[start] as number, order[end] as number];
    if (end % BLOCK_VALUES === 0) yield;
    if (end < order.length && high[one] === high[other] && low[one] === low[other]) continue;
    if (end - start > 1) runs.push([start, end]);
    start = end;
  }
  return runs;
}

function* compareRun(order: Uint32Array, start: number, end: number, compareAt: CompareAt): Generator<void, void> {
  if (end - start === 2) {
    const [one, other] = [order[start] as number, order[start + 1] as number];
    if (compareAt(one, other) > 0) order.set([other, one], start);
  } else {
    order.set(yield* sorted([...order.subarray(start, end)], compareAt), start);
  }
}
