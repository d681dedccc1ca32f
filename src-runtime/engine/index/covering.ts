/**
 * A covering index: the rows of each key side by side with their other columns and ranks, none of which ever changes. A
 * chain jumps from row to row, and reading a row jumps again. In a relation larger than the processor's caches each
 * step therefore waits for memory several times. Newer rows are in the chains only, which continue to the newest row
 * here.
 *
 * Benchmark: W5a of `npm run bench:engine`, where change after change reads the same index of 2.6 million facts.
 * Building it takes 0.65 to 0.75 of deriving the closure, so it is built after some changes only.
 */

import { NO_INTS } from '../values/int-array.js';
import type { HashIndex } from './hash-index.js';

export interface Covering {
  /** By slot of the index: the place in `cells` of the first covered row of its chain. */
  readonly starts: Int32Array;
  /** The rows of each key in chain order, then −1. A row has its number, its rank, and the columns outside the key. */
  readonly cells: Int32Array;
  /** One past the last covered row. */
  readonly end: number;
}

export const NO_COVERING: Covering = { starts: NO_INTS, cells: NO_INTS, end: 0 };

/** Offsets of a row's parts from its number. */
export const COVERED_RANK = 1;
const FIRST_COLUMN = 2;

/** Cells of a row. */
export function coveredWidth(arity: number, columns: readonly number[]): number {
  return FIRST_COLUMN + arity - columns.length;
}

/** The offset of a column outside the key. */
export function coveredColumn(arity: number, columns: readonly number[], column: number): number {
  return FIRST_COLUMN + besideKey(arity, columns).indexOf(column);
}

function besideKey(arity: number, columns: readonly number[]): number[] {
  return [...Array(arity).keys()].filter((column) => !columns.includes(column));
}

/** When an index gets a covering. */
export interface CoveringPolicy {
  /** Rows of the relation. Smaller relations fit in caches. */
  readonly rowsMin: number;
  /** Mean rows of a key. Locality matters for long chains only. */
  readonly chainMin: number;
  /** Maintained changes, after which many more are likely. */
  readonly changesMin: number;
}

export const COVERING_POLICY: CoveringPolicy = { rowsMin: 65_536, chainMin: 16, changesMin: 4 };

/** Rows between two yields. */
const BLOCK_ROWS = 16_384;

/** A relation's own rows. */
export interface CoveredRows {
  readonly arity: number;
  readonly rows: Int32Array;
  /** Empty if the relation has no ranks. */
  readonly ranks: Int32Array;
  /** Rows from this one on may still get another rank. */
  readonly settledRows: number;
}

/** Covers the settled rows of an index. False if that is not worth it or is done already. */
export function* cover(
  index: HashIndex,
  source: CoveredRows,
  { rowsMin, chainMin }: CoveringPolicy,
): Generator<void, boolean> {
  const { indexed, keys, covering } = index;
  const end = Math.min(indexed, source.settledRows);
  const isWorthIt = end >= rowsMin && end >= keys * chainMin && end > covering.end + (covering.end >> 2);
  if (isWorthIt) index.covering = yield* coveringOf(index, source, end);
  return isWorthIt;
}

/** Covers the rows before `end`. Others may add rows meanwhile, or move the rows to another array. */
function* coveringOf(index: HashIndex, source: CoveredRows, end: number): Generator<void, Covering> {
  const { numbers, lengths } = yield* numberKeys(index, end);
  const width = coveredWidth(source.arity, index.columns);
  const places = new Int32Array(lengths.length);
  let length = 0;
  for (const [key, count] of lengths.entries()) {
    places[key] = length;
    length += count * width + 1;
  }
  const cells = new Int32Array(length);
  const filled = places.slice();
  const beside = besideKey(source.arity, index.columns);
  // If the rows move to other arrays meanwhile, these stay unchanged.
  const { rows, ranks, arity } = source;
  for (let row = end - 1; row >= 0; row--) {
    const key = numbers[row] as number;
    let at = filled[key] as number;
    filled[key] = at + width;
    cells[at++] = row;
    cells[at++] = ranks[row] ?? 0;
    for (let each = 0; each < beside.length; each++)
      cells[at++] = rows[row * arity + (beside[each] as number)] as number;
    if (row % BLOCK_ROWS === 0) yield;
  }
  for (const at of filled) cells[at] = -1;
  const placeOf = (row: number): number => {
    let at = places[numbers[row] as number] as number;
    // Rows that a vacuum took out of the chain come first.
    while (cells[at] !== row) at += width;
    return at;
  };
  return { starts: startsOf(index, end, placeOf), cells, end };
}

/**
 * Numbers the keys of the rows before `end`, and counts the rows of each key. A deleted row outside all chains may get
 * a number of its own, so there may be more numbers than keys.
 */
function* numberKeys(
  index: HashIndex,
  end: number,
): Generator<void, { readonly numbers: Int32Array; readonly lengths: Int32Array }> {
  const numbers = new Int32Array(end);
  const lengths = new Int32Array(end);
  const { next } = index;
  let keys = 0;
  for (let row = 0; row < end; row++) {
    const older = next[row] as number;
    const key = older < 0 ? keys++ : (numbers[older] as number);
    numbers[row] = key;
    lengths[key] = (lengths[key] as number) + 1;
    if (row % BLOCK_ROWS === 0) yield;
  }
  return { numbers, lengths: lengths.subarray(0, keys) };
}

/** By slot, the place of the first row before `end` in its chain. */
function startsOf({ slots, next }: HashIndex, end: number, placeOf: (row: number) => number): Int32Array {
  const starts = new Int32Array(slots.length);
  for (let slot = 0; slot < slots.length; slot++) {
    let row = slots[slot] as number;
    while (row >= end) row = next[row] as number;
    if (row >= 0) starts[slot] = placeOf(row);
  }
  return starts;
}
