/** To which variables of a clause whoever asks why a tuple does not hold can give values. */

import type { Clause } from '../../artifact/types.js';
import { isComposite } from '../plan/expressions.js';
import { isHidden } from '../plan/normalise.js';
import { engineProgram } from '../program/program.js';
import type { GivenVariable, Program } from '../types.js';

/** What can be given; undefined where there is no such clause. Throws EvaluationFault where the rule cannot be decoded. */
export function givenVariables(program: Program, path: string, clause: number): readonly GivenVariable[] | undefined {
  const engine = engineProgram(program);
  const found = engine.isRule(path) ? engine.clausesOf(path)[clause] : undefined;
  return found && variablesOf(found);
}

/** Those of the source whose values are codes. */
export function variablesOf({ condition }: Clause): readonly GivenVariable[] {
  return condition.variables.filter(({ name, type }) => !isHidden(name) && !isComposite(type));
}
