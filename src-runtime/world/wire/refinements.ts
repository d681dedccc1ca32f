/** Refinements: what must hold of a field's or parameter's value beyond its type. */

import { expressionText } from '../../artifact/expression-text.js';
import type { Expression, Type } from '../../artifact/types.js';
import { evaluatePure, type Program, type Value } from '../../engine/index.js';

/** The refinement as text where the value breaks it, undefined where it holds. Throws EvaluationFault. */
export function brokenRefinement(
  program: Program,
  refinement: Expression,
  type: Type,
  value: Value,
): string | undefined {
  const holds = evaluatePure(program, refinement, { value: { type, value } });
  return holds === true ? undefined : expressionText(refinement);
}
