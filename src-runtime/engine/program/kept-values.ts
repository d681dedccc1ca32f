/** Which relations keep a least or greatest value, and what depends on values that better ones replace. */

import type { Clause, Expression } from '../../artifact/types.js';
import type { Component, EngineProgram } from './program.js';

export function isKept(program: EngineProgram, path: string): boolean {
  return program.relations.get(path)?.endpoints.at(-1)?.keeps !== undefined;
}

/**
 * True if every better value makes all values better that are derived from it. Then nothing depends on a value that a
 * better one has replaced.
 */
export function isStrict(program: EngineProgram, component: Component): boolean {
  const known = STRICT.get(component) ?? areStrict(program, component);
  STRICT.set(component, known);
  return known;
}

const STRICT = new WeakMap<Component, boolean>();

function areStrict(program: EngineProgram, component: Component): boolean {
  const isMember = (path: string): boolean => component.paths.includes(path);
  return component.paths.every(
    (path) =>
      isKept(program, path) &&
      program.clausesOf(path).every((clause) => isStrictClause(program, path, clause, isMember)),
  );
}

function isStrictClause(
  program: EngineProgram,
  path: string,
  { head, condition }: Clause,
  isMember: (path: string) => boolean,
): boolean {
  const values = new Set<string>();
  for (const literal of condition.literals) {
    if (literal.op !== 'atom' || !isMember(literal.relation)) continue;
    const value = literal.args.at(-1);
    if (value?.op !== 'variable') return false;
    values.add(value.name);
  }
  if (values.size === 0) return true;
  const isInt = isIntType(program.relations.get(path)?.endpoints.at(-1)?.type);
  const used = new Set<string>();
  const follows = (expression: Expression): boolean => {
    if (expression.op === 'variable') {
      used.add(expression.name);
      if (values.has(expression.name)) return true;
      const own = condition.literals.find((each) => each.op === 'let' && each.variable === expression.name);
      return own?.op !== 'let' || follows(own.value);
    }
    if (expression.op === 'constant') return true;
    // A Decimal is rounded, so that sums may be equal.
    return isInt && expression.op === 'arithmetic' && expression.operator === '+'
      ? follows(expression.left) && follows(expression.right)
      : false;
  };
  const value = head.at(-1);
  if (value === undefined || !follows(value)) return false;
  if ([...values].some((name) => !used.has(name))) return false;
  // A test of the value may hold for several of them.
  return condition.literals.every((literal) => {
    if (literal.op === 'atom') return true;
    const own = literal.op === 'let' && used.has(literal.variable);
    return own || ![...values].some((name) => JSON.stringify(literal).includes(`"name":${JSON.stringify(name)}`));
  });
}

function isIntType(type: { readonly kind: string; readonly name?: unknown } | undefined): boolean {
  return type?.kind === 'scalar' && type.name === 'Int';
}

/** True if no clause reads two facts of the component. */
export function isLinear(program: EngineProgram, { paths }: Component): boolean {
  return paths.every((path) =>
    program.clausesOf(path).every(({ condition }) => {
      const own = condition.literals.filter((literal) => literal.op === 'atom' && paths.includes(literal.relation));
      return own.length < 2;
    }),
  );
}
