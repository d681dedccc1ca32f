/** Differences between two JSON bodies by path. */

import { diffArrays } from 'diff';
import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { pathOf } from '../../../domain/result/json-tree-model.js';
import { isEntity } from '../../../model/facts/labels.js';

export interface BodyDifference {
  /** A path such as `$.result[2].rent`: in the first body, or in the second if only that has it. */
  readonly path: string;
  /** Absent if only the other body has the path. */
  readonly before?: JsonValue;
  readonly now?: JsonValue;
}

/**
 * In the order of the first body; undefined means no body. Ignores values that always differ: request ids, times of events, and
 * the transaction number of a dry run.
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

/** Members of an object; none for a list. */
function membersOf(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? new Map(Object.entries(value)) : undefined;
}

/** Indexes of one element in both lists; undefined where missing. */
type ElementPair = readonly [before: number | undefined, now: number | undefined];

/**
 * Aligns two lists by a longest common subsequence. Individuals match by id, other elements by value. Unmatched elements between
 * two matches are paired as changed.
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

/** Lists with more unmatched elements take too long. */
const EDITS_MAX = 1_000;

/** Indexes of a longest common subsequence; empty if it is too expensive. */
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
