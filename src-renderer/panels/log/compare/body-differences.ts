/** How one JSON body differs from another, place by place: two answers to one request, or what any two requests asked and got. */

import { diffArrays } from 'diff';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { pathOf } from '../../../domain/result/json-tree-model.js';
import { isEntity } from '../../../model/facts/labels.js';

export interface BodyDifference {
  /** Such as `$.result[2].rent`: where the first has it, and where only the second has it, there. */
  readonly path: string;
  /** Absent where only the other has the place. */
  readonly before?: JsonValue;
  readonly now?: JsonValue;
}

/**
 * In the order in which the first has them; undefined is no body. The id of the request and the times of events are never the
 * same twice, and a dry run has no number of a transaction: none of that is a difference.
 */
export function bodyDifferences(before: JsonValue | undefined, now: JsonValue | undefined): BodyDifference[] {
  const found: BodyDifference[] = [];
  compare('$', before, now, found);
  return found;
}

function compare(
  path: string,
  before: JsonValue | undefined,
  now: JsonValue | undefined,
  found: BodyDifference[],
): void {
  if (isOfTheMoment(path, now)) return;
  if (Array.isArray(before) && Array.isArray(now)) {
    for (const [left, right] of elementPairs(before, now)) {
      compare(`${path}[${left ?? right}]`, valueAt(before, left), valueAt(now, right), found);
    }
    return;
  }
  const [left, right] = [membersOf(before), membersOf(now)];
  if (left === undefined || right === undefined) {
    if (before === now) return;
    found.push({ path, ...(before !== undefined && { before }), ...(now !== undefined && { now }) });
    return;
  }
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    compare(pathOf(path, name, before), left.get(name), right.get(name), found);
  }
}

function isOfTheMoment(path: string, now: JsonValue | undefined): boolean {
  return path === '$.requestId' || /\bevents\[\d+\]\.at$/.test(path) || (now === null && /\.txn$/.test(path));
}

function valueAt(list: readonly JsonValue[], index: number | undefined): JsonValue | undefined {
  return index === undefined ? undefined : list[index];
}

/** Of an object that is no list. */
function membersOf(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? new Map(Object.entries(value)) : undefined;
}

/** The places of one element in both lists; undefined in the list that has none of it. */
type ElementPair = readonly [before: number | undefined, now: number | undefined];

/**
 * In the order of both lists. An individual is itself whatever became of its fields, any other element is known by all of it. As
 * many as can be without crossing are paired by that; what is left between them is taken as changed, place by place.
 */
function elementPairs(before: readonly JsonValue[], now: readonly JsonValue[]): ElementPair[] {
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
