/** A query of a condition outside rules: the distinct values of some of its variables. */

import type { Condition, Expression } from '../../artifact/types.js';
import { variablesOf } from './variables.js';

export interface Goal extends Condition {
  /** The variables that solutions have; all by default. */
  readonly wanted?: Condition['variables'];
}

export function wantedOf({ wanted, variables }: Goal): Condition['variables'] {
  return wanted ?? variables;
}

/** A goal with only those variables that these expressions read. Solutions that differ in others are merged. */
export function goalFor(condition: Condition, expressions: readonly Expression[]): Goal {
  const read = new Set<string>();
  for (const expression of expressions) variablesOf(expression, read);
  const wanted = condition.variables.filter(({ name }) => read.has(name));
  return wanted.length === condition.variables.length ? condition : { ...condition, wanted };
}
