/** The scalar values of a result, each with its path, for *Set variable…*. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { pathOf } from '../../domain/result/json-tree-model.js';
import type { Variables } from '../../model/calls/variables.js';
import { isEntity } from '../../model/facts/labels.js';
import { shortName } from '../../model/facts/locations.js';

interface AnswerValue {
  /** Path in the result, such as `result[0].$id`. */
  readonly path: string;
  readonly text: string;
}

/** Nobody looks through a longer list. */
const VALUES_MAX = 2_000;

/** Texts, numbers and booleans in document order, without `$meta`. */
export function answerValues(answer: JsonValue): AnswerValue[] {
  const found: AnswerValue[] = [];
  const visit = (value: JsonValue, path: string): void => {
    if (found.length === VALUES_MAX || value === null) return;
    if (typeof value === 'object') {
      for (const [key, member] of Object.entries(value)) {
        if (key !== '$meta') visit(member as JsonValue, pathOf(path, key, value));
      }
    } else found.push({ path, text: String(value) });
  };
  visit(answer, 'result');
  return found;
}

/** A name for a variable set from the result: the concept of its value, numbered if `taken` has the name. */
export function namedAfter(answer: JsonValue, taken: Variables): string {
  const stem = stemOf(answer);
  let name = stem;
  for (let number = 2; Object.hasOwn(taken, name); number++) name = `${stem}${number}`;
  return name;
}

function stemOf(answer: JsonValue): string {
  const first = Array.isArray(answer) ? answer[0] : answer;
  if (first === undefined || !isEntity(first)) return 'value';
  const concept = shortName(first.$meta.type);
  return concept.charAt(0).toLowerCase() + concept.slice(1);
}
