/** Checks that the aggregated expression has one value per binding. It may vary with unlisted variables. */

import type { Environment } from '../names/environment.js';
import { report } from '../names/environment.js';
import type { Condition, Expression, Literal, Variable } from '../program/checked.js';
import { branchesOf, eachVariable } from '../program/walk.js';

/**
 * Warns of a value that reads an inner variable which is neither listed nor determined by the listed variables and the group. Only
 * the least of its values would count, silently.
 */
export function warnOfUndeterminedValue(
  env: Environment,
  value: Expression,
  listed: readonly Variable[],
  condition: Condition,
): void {
  const [{ variables, literals } = condition] = branchesOf(condition);
  const open = new Set(variables);
  for (const variable of listed) open.delete(variable);
  for (let before = -1; before !== open.size; ) {
    before = open.size;
    for (const literal of literals) for (const variable of determinedBy(literal, open)) open.delete(variable);
  }
  let isReported = false;
  eachVariable(value, ({ name, type }, span) => {
    const isOpen = [...open].some((variable) => variable.name === name);
    if (!isOpen || isReported || type.kind === 'error') return;
    isReported = true;
    const names = listed.map((variable) => variable.name).join(', ');
    report(
      env.session,
      'W0404',
      span,
      `"${name}" may have several values for one ${names}, and only the least counts`,
      {
        hint: `List it after \`for\` too: \`for ${names}, ${name} where …\`.`,
        remedies: [{ kind: 'list', listed: listed.map((variable) => variable.name) }],
      },
    );
  });
}

/** The open variables that a literal determines if all other variables are known. */
function determinedBy(literal: Literal, open: ReadonlySet<Variable>): readonly Variable[] {
  const isGiven = (expression: Expression | null): boolean => {
    let all = expression !== null;
    if (expression !== null) eachVariable(expression, (variable) => (all &&= !open.has(variable)));
    return all;
  };
  const settles = (side: Expression, other: Expression): readonly Variable[] => {
    const variable = side.kind === 'variable' ? side.variable : individualOf(side);
    return variable !== undefined && isGiven(other) ? [variable] : [];
  };
  switch (literal.kind) {
    case 'let':
      return isGiven(literal.value) ? [literal.variable] : [];
    case 'test': {
      const { condition } = literal;
      if (condition.kind !== 'compare' || condition.operator !== '==') return [];
      return [...settles(condition.left, condition.right), ...settles(condition.right, condition.left)];
    }
    case 'atom': {
      if (literal.predicate.kind !== 'relation') return [];
      return literal.predicate.endpoints.flatMap(({ functional }, at) => {
        const arg = literal.args[at];
        if (!functional || arg?.kind !== 'variable') return [];
        return literal.args.every((other, index) => index === at || isGiven(other)) ? [arg.variable] : [];
      });
    }
    default:
      return [];
  }
}

/** The variable whose unique field the expression reads. The value of the field determines the individual. */
function individualOf(expression: Expression): Variable | undefined {
  if (expression.kind !== 'field' || !expression.field.unique || expression.of.kind !== 'variable') return undefined;
  return expression.of.variable;
}
