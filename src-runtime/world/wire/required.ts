/** Finds the values that the message of a failed `require` may use. */

import type { Condition, Expression, Literal } from '../../artifact/types.js';
import type { Deadline } from '../../base/ports.js';
import {
  type Bindings,
  branchesOf,
  EvaluationFault,
  type ExpressionContext,
  firstSolution,
  type View,
} from '../../engine/index.js';

/** Bindings of the longest prefix of the body that can be satisfied, without its tests, which are what usually fails. Other names are null. */
export async function bindingsOfMessage(
  view: View,
  { condition, message }: { readonly condition: Condition; readonly message: Expression },
  bindings: Bindings,
  expressionContext: ExpressionContext,
  deadline: Deadline,
): Promise<Bindings> {
  const own = condition.variables.filter(({ name }) => !Object.hasOwn(bindings, name) && mentions(message, name));
  if (own.length === 0) return bindings;
  const branches = branchesOf(condition);
  if (branches.length > 1) {
    // The alternative that binds the most of them.
    let best = bindings;
    for (const branch of branches) {
      const found = await bindingsOfMessage(
        view,
        { condition: branch, message },
        bindings,
        expressionContext,
        deadline,
      );
      const bound = own.filter(({ name }) => (found[name]?.value ?? null) !== null).length;
      if (best === bindings || bound > own.filter(({ name }) => (best[name]?.value ?? null) !== null).length)
        best = found;
    }
    return best;
  }
  const solutionOf = async (literals: readonly Literal[]) => {
    const bound = new Set(literals.flatMap(namesIn));
    const variables = condition.variables.filter(({ name }) => bound.has(name));
    return firstSolution(view, { variables, literals }, bindings, expressionContext, deadline);
  };
  let kept: readonly Literal[] = [];
  let found: Awaited<ReturnType<typeof solutionOf>>;
  let left = condition.literals.filter(({ op }) => op === 'atom' || op === 'let' || op === 'each');
  for (let before = -1; before !== kept.length; ) {
    before = kept.length;
    const failing: Literal[] = [];
    for (const literal of left) {
      const next = await unlessFaulty(solutionOf([...kept, literal]));
      if (next === undefined) failing.push(literal);
      else [kept, found] = [[...kept, literal], next];
    }
    left = failing;
  }
  return {
    ...bindings,
    ...Object.fromEntries(own.map(({ name, type }) => [name, { type, value: found?.[name] ?? null }])),
  };
}

/** Undefined if a literal needs a name that another one binds, or fails to evaluate alone. */
async function unlessFaulty<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EvaluationFault) return undefined;
    throw error;
  }
}

function namesIn(literal: Literal): string[] {
  if (literal.op === 'let' || literal.op === 'each') return [literal.variable];
  if (literal.op !== 'atom') return [];
  return literal.args.flatMap((term) => (term?.op === 'variable' ? [term.name] : []));
}

function mentions(node: unknown, name: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { op, name: own } = node as { readonly op?: unknown; readonly name?: unknown };
  return (op === 'variable' && own === name) || Object.values(node).some((part) => mentions(part, name));
}
