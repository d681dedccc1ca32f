/**
 * Alternatives of a body: `(a(x) or b(x)), c(x)` means the same as a clause with a(x) and a clause with b(x). A body is
 * checked once for each combination of its alternatives.
 */

import type { Span } from '../../../base/span.js';
import type * as syntax from '../../ast.js';
import type { Branch, Environment } from '../names/environment.js';
import { report } from '../names/environment.js';
import { lookup } from '../names/names.js';
import { eachNameInBody } from '../names/occurrences.js';
import { isClass, isPredicate } from '../program/symbols.js';

/** A conjunction without alternatives. */
export interface Combination {
  readonly literals: readonly syntax.Literal[];
  /** The alternatives that it consists of, in source order. */
  readonly branches: readonly Branch[];
}

/** More combinations would make as many clauses. */
const COMBINATIONS_MAX = 256;

/** At least one. A body without alternatives is its only combination. */
export function combinationsOf(env: Environment, body: syntax.Body): readonly Combination[] {
  const combinations = product(body.literals.map((literal) => alternativesOfLiteral(env, literal)));
  if (combinations.length <= COMBINATIONS_MAX) return combinations;
  report(env.session, 'E0410', body.span, `the alternatives have more than ${COMBINATIONS_MAX} combinations`, {
    hint: 'Derive a relation for some of them, with a clause for each alternative.',
  });
  return combinations.slice(0, 1);
}

const NOTHING: Combination = { literals: [], branches: [] };

/** A condition at the top of a body, where only parentheses join tuples. */
function alternativesOfLiteral(env: Environment, literal: syntax.Literal): readonly Combination[] {
  if (literal.kind === 'not') return negated(env, literal.operand) ?? [alone(literal)];
  if (literal.kind !== 'holds') return [alone(literal)];
  const { expression } = literal;
  const isInParentheses = literal.span.start.offset < expression.span.start.offset;
  return (
    ((isInParentheses || joinsClasses(env, expression)) && alternativesOf(env, literal.expression)) || [alone(literal)]
  );
}

/** In a request `Airport(x) and …` tests a value. In a rule it would bind x, which a comma says better. */
function joinsClasses(env: Environment, node: syntax.Expression): boolean {
  if (env.place !== 'request' || node.kind !== 'and') return false;
  return node.operands.every((operand) => {
    const symbol = operand.kind === 'call' ? lookup(env.session, env.module, operand.callee) : undefined;
    return symbol === undefined || isClass(symbol) || !isPredicate(symbol);
  });
}

function alone(literal: syntax.Literal): Combination {
  return { literals: [literal], branches: [] };
}

/** Undefined for an expression without tuples, which is a test. */
function alternativesOf(env: Environment, node: syntax.Expression): readonly Combination[] | undefined {
  if (!joinsTuples(env, node)) return undefined;
  const within = (operand: syntax.Expression) => alternativesOf(env, operand) ?? [alone(literalOf(operand))];
  switch (node.kind) {
    case 'group':
      return either(
        node.alternatives,
        node.alternatives.map((body) => product(body.literals.map((literal) => alternativesInGroup(env, literal)))),
      );
    case 'or':
      return either(node.operands.map(bodyOf), node.operands.map(within));
    case 'and':
      return product(node.operands.map(within));
    case 'not':
      return negated(env, node.operand);
    default:
      return undefined;
  }
}

function alternativesInGroup(env: Environment, literal: syntax.Literal): readonly Combination[] {
  if (literal.kind !== 'holds') return alternativesOfLiteral(env, literal);
  return alternativesOf(env, literal.expression) ?? [alone(literal)];
}

/**
 * `not (a(x) or b(x))` is `not a(x), not b(x)`: a negated tuple binds nothing. Undefined if the operand joins no tuples,
 * or binds variables.
 */
function negated(env: Environment, node: syntax.Expression): readonly Combination[] | undefined {
  if (!joinsTuples(env, node) || node.kind === 'not') return undefined;
  const within = (operand: syntax.Expression): readonly Combination[] => {
    if (operand.kind === 'not') return alternativesOf(env, operand.operand) ?? [alone(literalOf(operand.operand))];
    return negated(env, operand) ?? [alone({ kind: 'not', operand, span: operand.span })];
  };
  if (node.kind === 'or') return product(node.operands.map(within));
  if (node.kind === 'and') return either(node.operands.map(bodyOf), node.operands.map(within));
  if (node.kind !== 'group') return undefined;
  const bodies = node.alternatives.map(({ literals }) => literals.flatMap((literal) => expressionOf(literal) ?? []));
  if (bodies.some((operands, i) => operands.length < (node.alternatives[i]?.literals.length ?? 0))) return undefined;
  return product(bodies.map((operands) => either(operands.map(bodyOf), operands.map(within))));
}

/** Whether it is a disjunction, conjunction or negation of conditions, at least one of which is a tuple. */
function joinsTuples(env: Environment, node: syntax.Expression): boolean {
  switch (node.kind) {
    case 'group':
      return true;
    case 'and':
    case 'or':
      return node.operands.some((operand) => isTuple(env, operand) || joinsTuples(env, operand));
    case 'not':
      return joinsTuples(env, node.operand);
    default:
      return false;
  }
}

/** A tuple or class, `not` before it included. */
export function isTuple(env: Environment, node: syntax.Expression): boolean {
  const call = node.kind === 'not' ? node.operand : node;
  const symbol = call.kind === 'call' ? lookup(env.session, env.module, call.callee) : undefined;
  return symbol !== undefined && isPredicate(symbol);
}

function either(bodies: readonly syntax.Body[], alternatives: readonly (readonly Combination[])[]): Combination[] {
  const names = bodies.map((body) => {
    const found = new Set<string>();
    eachNameInBody(body, (name) => found.add(name));
    return found;
  });
  const all = new Set(names.flatMap((each) => [...each]));
  return alternatives.flatMap((combinations, i) => {
    const branch = { span: bodies[i]?.span as Span, names: names[i] ?? all, others: all };
    return combinations.map(({ literals, branches }) => ({ literals, branches: [branch, ...branches] }));
  });
}

/** One more than the most, all alike, if there are more. */
function product(factors: readonly (readonly Combination[])[]): readonly Combination[] {
  const firsts = joined(factors.flatMap(([first]) => first ?? []));
  const count = factors.reduce((total, { length }) => total * length, 1);
  // Most bodies have no alternatives, and some have thousands of conditions.
  if (count === 1) return [firsts];
  if (count > COMBINATIONS_MAX) return new Array<Combination>(COMBINATIONS_MAX + 1).fill(firsts);
  let found: readonly Combination[] = [NOTHING];
  for (const factor of factors) {
    found = found.flatMap((first) => factor.map((second) => joined([first, second])));
  }
  return found;
}

function joined(combinations: readonly Combination[]): Combination {
  return {
    literals: combinations.flatMap(({ literals }) => literals),
    branches: combinations.flatMap(({ branches }) => branches),
  };
}

function bodyOf(operand: syntax.Expression): syntax.Body {
  return { literals: [literalOf(operand)], span: operand.span };
}

function literalOf(operand: syntax.Expression): syntax.Literal {
  const { span } = operand;
  if (operand.kind === 'not') return { kind: 'not', operand: operand.operand, span };
  return { kind: 'holds', expression: operand, span };
}

function expressionOf(literal: syntax.Literal): syntax.Expression | undefined {
  if (literal.kind === 'holds') return literal.expression;
  return literal.kind === 'not' ? { kind: 'not', operand: literal.operand, span: literal.span } : undefined;
}
