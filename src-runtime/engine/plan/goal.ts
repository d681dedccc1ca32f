/** What is asked of a condition outside rules: the distinct values of some of its variables. */

import type { Condition, Expression } from '../../artifact/types.js';
import { variablesOf } from './variables.js';

export interface Goal extends Condition {
  /** The variables that solutions tell; all where it does not say. */
  readonly wanted?: Condition['variables'];
}

export function wantedOf({ wanted, variables }: Goal): Condition['variables'] {
  return wanted ?? variables;
}

/** Solutions that tell what these expressions read: those that differ in nothing else are one. */
export function goalFor(condition: Condition, expressions: readonly Expression[]): Goal {
  const read = new Set<string>();
  for (const expression of expressions) variablesOf(expression, read);
  const wanted = condition.variables.filter(({ name }) => read.has(name));
  return wanted.length === condition.variables.length ? condition : { ...condition, wanted };
}
