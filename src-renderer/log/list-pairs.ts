/** Which elements of two lists stand for one another, so that what came or went in the midst of one does not shift all behind it. */

import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { isEntity } from '../data/labels.js';

/** The places of one element in both lists; undefined in the list that has none of it. */
export type ElementPair = readonly [before: number | undefined, now: number | undefined];

/**
 * In the order of both lists. An individual is itself whatever became of its fields, any other element is known by all of it. As
 * many as can be without crossing are paired by that; what is left between them is taken as changed, place by place.
 */
export function elementPairs(before: readonly JsonValue[], now: readonly JsonValue[]): ElementPair[] {
  const pairs: ElementPair[] = [];
  let [left, right] = [0, 0];
  const fillUpTo = (leftEnd: number, rightEnd: number): void => {
    for (; left < leftEnd && right < rightEnd; left += 1, right += 1) {
      if (isEntity(before[left]) && isEntity(now[right])) pairs.push([left, undefined], [undefined, right]);
      else pairs.push([left, right]);
    }
    for (; left < leftEnd; left += 1) pairs.push([left, undefined]);
    for (; right < rightEnd; right += 1) pairs.push([undefined, right]);
  };
  for (const [sameLeft, sameRight] of sameElements(before.map(keyOf), now.map(keyOf))) {
    fillUpTo(sameLeft, sameRight);
    pairs.push([left, right]);
    left += 1;
    right += 1;
  }
  fillUpTo(before.length, now.length);
  return pairs;
}

function keyOf(element: JsonValue): string {
  return isEntity(element) ? element.$id : JSON.stringify(element);
}

/** A table of more cells than this takes too long; only the ends of such lists are paired by what they are. */
const CELLS_MAX = 4_000_000;

/** The places of a longest common subsequence, by the textbook's table over what lies between a common beginning and end. */
function sameElements(before: readonly string[], now: readonly string[]): [number, number][] {
  const shorter = Math.min(before.length, now.length);
  let start = 0;
  while (start < shorter && before[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const same: [number, number][] = [];
  for (let at = 0; at < start; at += 1) same.push([at, at]);
  for (const [left, right] of sameBetween(
    before.slice(start, before.length - end),
    now.slice(start, now.length - end),
  )) {
    same.push([start + left, start + right]);
  }
  for (let at = end; at > 0; at -= 1) same.push([before.length - at, now.length - at]);
  return same;
}

function sameBetween(before: readonly string[], now: readonly string[]): [number, number][] {
  const width = now.length + 1;
  if ((before.length + 1) * width > CELLS_MAX) return [];
  /** How long the longest is of what begins at both places. */
  const lengths = new Uint16Array((before.length + 1) * width);
  const lengthAt = (left: number, right: number): number => lengths[left * width + right] ?? 0;
  for (let left = before.length - 1; left >= 0; left -= 1) {
    for (let right = now.length - 1; right >= 0; right -= 1) {
      lengths[left * width + right] =
        before[left] === now[right]
          ? lengthAt(left + 1, right + 1) + 1
          : Math.max(lengthAt(left + 1, right), lengthAt(left, right + 1));
    }
  }
  const same: [number, number][] = [];
  let [left, right] = [0, 0];
  while (left < before.length && right < now.length) {
    if (before[left] === now[right]) {
      same.push([left, right]);
      left += 1;
      right += 1;
    } else if (lengthAt(left + 1, right) >= lengthAt(left, right + 1)) left += 1;
    else right += 1;
  }
  return same;
}
