/** Which elements of two lists stand for one another, so that what came or went in the midst of one does not shift all behind it. */

import { diffArrays } from 'diff';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { isEntity } from '../../../model/facts/labels.js';

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

/** Lists with more elements that are not in both take too long. */
const EDITS_MAX = 1_000;

/** The places of a longest common subsequence; none where that is too far to seek. */
function sameElements(before: string[], now: string[]): [number, number][] {
  const same: [number, number][] = [];
  let [left, right] = [0, 0];
  for (const { added, removed, count } of diffArrays(before, now, { maxEditLength: EDITS_MAX }) ?? []) {
    if (!added && !removed) for (let at = 0; at < count; at += 1) same.push([left + at, right + at]);
    if (!added) left += count;
    if (!removed) right += count;
  }
  return same;
}
