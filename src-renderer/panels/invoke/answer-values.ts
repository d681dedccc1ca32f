/** The single values of an answer, each with its path, as variables can be set from them. */

import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { pathOf } from '../../domain/result/json-tree-model.js';
import type { Variables } from '../../model/calls/variables.js';
import { isEntity } from '../../model/facts/labels.js';
import { shortName } from '../../model/facts/locations.js';

interface AnswerValue {
  /** From the result: `result[0].$id`. */
  readonly path: string;
  readonly text: string;
}

/** More are not offered: nobody looks through them. */
const VALUES_MAX = 2_000;

/** Texts, numbers and truth values, in the order in which they stand; what an entity is, its `$meta`, is left out. */
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

/** What a variable that is set from the answer may be called: after the concept of what it holds, and not as one of `taken`. */
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
