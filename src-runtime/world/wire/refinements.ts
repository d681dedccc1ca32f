/** Checks refinements: conditions on the value of a field or parameter. */

import { expressionText } from '../../artifact/expression-text.js';
import type { Expression, Type } from '../../artifact/types.js';
import { evaluatePure, type Program, type Value } from '../../engine/index.js';

/** The text of the refinement that the value breaks; undefined if it fits. Throws EvaluationFault. */
export function brokenRefinement(
  program: Program,
  refinement: Expression,
  type: Type,
  value: Value,
): string | undefined {
  const holds = evaluatePure(program, refinement, { value: { type, value } });
  return holds === true ? undefined : expressionText(refinement);
}
