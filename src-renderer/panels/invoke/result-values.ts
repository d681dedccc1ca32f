/** The scalar values of a result, each with its path, for *Set variable…*. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { pathOf } from '../../domain/result/json-tree-model.js';
import type { Variables } from '../../model/calls/variables.js';
import { isEntity } from '../../model/facts/labels.js';
import { shortName } from '../../model/facts/locations.js';

interface ResultValue {
  /** Path in the result, such as `result[0].$id`. */
  readonly path: string;
  readonly text: string;
}

/** A longer list is too long to look through. */
const VALUES_MAX = 2_000;

/** Texts, numbers and booleans in document order, without `$meta`. */
export function resultValues(result: JsonValue): ResultValue[] {
  const found: ResultValue[] = [];
  const visit = (value: JsonValue, path: string): void => {
    if (found.length === VALUES_MAX || value === null) return;
    if (typeof value === 'object') {
      for (const [key, member] of Object.entries(value)) {
        if (key !== '$meta') visit(member as JsonValue, pathOf(path, key, value));
      }
    } else found.push({ path, text: String(value) });
  };
  visit(result, 'result');
  return found;
}

/** A name for a variable set from the result: the concept of its value, numbered if `taken` has the name. */
export function variableName(result: JsonValue, taken: Variables): string {
  const stem = stemOf(result);
  let name = stem;
  for (let number = 2; Object.hasOwn(taken, name); number++) name = `${stem}${number}`;
  return name;
}

function stemOf(result: JsonValue): string {
  const first = Array.isArray(result) ? result[0] : result;
  if (first === undefined || !isEntity(first)) return 'value';
  const concept = shortName(first.$meta.type);
  return concept.charAt(0).toLowerCase() + concept.slice(1);
}
