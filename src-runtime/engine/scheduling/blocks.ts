/** Work over long lists, as generators that yield between blocks so that a driver can check a deadline. */

/** Items between two yields: a few milliseconds of the slowest work done on each. */
export const BLOCK_ITEMS = 1024;

/** Lists of at most this length are sorted at once. */
const RUN_ITEMS = 4096;

export type Compare<T> = (left: T, right: T) => number;

/** True if no item is less than the one before it. */
export function* isSorted<T>(items: readonly T[], compare: Compare<T>): Generator<void, boolean> {
  for (let at = 1; at < items.length; at++) {
    if (compare(items[at - 1] as T, items[at] as T) > 0) return false;
    if (at % RUN_ITEMS === 0) yield;
  }
  return true;
}

/** A sorted copy; equal items keep their order. A merge sort whose runs are sorted natively. */
export function* sorted<T>(items: readonly T[], compare: Compare<T>): Generator<void, T[]> {
  if (items.length <= RUN_ITEMS) return [...items].sort(compare);
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += RUN_ITEMS) {
    runs.push(items.slice(start, start + RUN_ITEMS).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left, right] = [runs[at] ?? [], runs[at + 1]];
      merged.push(right === undefined ? left : yield* merge(left, right, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(left: readonly T[], right: readonly T[], compare: Compare<T>): Generator<void, T[]> {
  const merged: T[] = [];
  let [nextLeft, nextRight] = [0, 0];
  const end = left.length + right.length;
  while (merged.length < end) {
    const [first, second] = [left[nextLeft] as T, right[nextRight] as T];
    const isRight = nextLeft === left.length || (nextRight < right.length && compare(second, first) < 0);
    merged.push(isRight ? second : first);
    if (isRight) nextRight += 1;
    else nextLeft += 1;
    if (merged.length % RUN_ITEMS === 0) yield;
  }
  return merged;
}

/** Maps each item. */
export function* mapped<T, U>(items: Iterable<T>, change: (item: T) => U): Generator<void, U[]> {
  const changed: U[] = [];
  for (const item of items) {
    changed.push(change(item));
    if (changed.length % BLOCK_ITEMS === 0) yield;
  }
  return changed;
}

/** The accepted items. */
export function* filtered<T>(items: Iterable<T>, accept: (item: T) => boolean): Generator<void, T[]> {
  const accepted: T[] = [];
  let seen = 0;
  for (const item of items) {
    if (accept(item)) accepted.push(item);
    seen += 1;
    if (seen % BLOCK_ITEMS === 0) yield;
  }
  return accepted;
}
