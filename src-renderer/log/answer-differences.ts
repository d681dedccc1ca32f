/** How the answer to a request that was sent again differs from the one that it got first. */

import type { JsonValue } from '../../src-runtime/api/schemas.js';
import { pathOf } from '../components/json-tree-model.js';

export interface AnswerDifference {
  /** Such as `$.result[2].rent`. */
  readonly path: string;
  /** Absent where only the other answer has the place. */
  readonly before?: JsonValue;
  readonly now?: JsonValue;
}

/**
 * In the order in which the first answer has them. The id of the request and the times of events are never the same twice, and
 * a dry run has no number of a transaction: none of that is a difference.
 */
export function answerDifferences(before: JsonValue, now: JsonValue): AnswerDifference[] {
  const found: AnswerDifference[] = [];
  compare('$', before, now, found);
  return found;
}

function compare(
  path: string,
  before: JsonValue | undefined,
  now: JsonValue | undefined,
  found: AnswerDifference[],
): void {
  if (isOfTheMoment(path, now)) return;
  const [left, right] = [membersOf(before), membersOf(now)];
  if (left === undefined || right === undefined || Array.isArray(before) !== Array.isArray(now)) {
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

function membersOf(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> | undefined {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
}
