/** How one JSON body differs from another, place by place: two answers to one request, or what any two requests asked and got. */

import type { JsonValue } from '../../../../src-runtime/api/schemas/schemas.js';
import { pathOf } from '../../../domain/result/json-tree-model.js';
import { elementPairs } from './list-pairs.js';

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
