/** Walks checked expressions: direct parts, and every variable that is read. */

import type { Span } from '../../../base/span.js';
import type { CheckedClause, Condition, Expression, Literal, Variable } from './checked.js';
import type { PredicateSymbol } from './symbols.js';

/** The direct parts of an expression, the literals of an aggregate's body not included. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'field':
    case 'member':
      return [expression.of];
    case 'compare':
    case 'arithmetic':
    case 'coalesce':
      return [expression.left, expression.right];
    case 'and':
    case 'or':
    case 'concat':
      return expression.operands;
    case 'not':
    case 'exists':
    case 'convert':
    case 'negate':
      return [expression.operand];
    case 'if':
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case 'match':
      return [expression.subject, ...expression.cases.map((branch) => branch.value)];
    case 'builtIn':
    case 'call':
      return expression.args;
    case 'list':
      return expression.items;
    case 'record':
      return expression.fields.map((field) => field.value);
    case 'range':
      return expression.step === null
        ? [expression.from, expression.to]
        : [expression.from, expression.to, expression.step];
    case 'aggregate':
      return expression.value === null ? [] : [expression.value];
    default:
      return [];
  }
}

/** The direct parts of a literal. */
export function partsOfLiteral(literal: Literal): readonly Expression[] {
  switch (literal.kind) {
    case 'atom':
    case 'absent':
      return literal.args.flatMap((arg) => (arg === null ? [] : [arg]));
    case 'let':
      return [literal.value];
    case 'each':
      return [literal.source];
    case 'test':
      return [literal.condition];
    case 'either':
      return literal.branches.flatMap(({ literals }) => literals.flatMap(partsOfLiteral));
  }
}

/** Every variable that an expression reads, those inside aggregates included but not the ones an aggregate makes. */
export function eachVariable(expression: Expression, visit: (variable: Variable, span: Span) => void): void {
  if (expression.kind === 'variable') visit(expression.variable, expression.span);
  if (expression.kind === 'aggregate') {
    const own = new Set([
      ...expression.over,
      ...branchesOf(expression.condition).flatMap(({ variables }) => variables),
    ]);
    const outer = (variable: Variable, span: Span) => {
      if (!own.has(variable)) visit(variable, span);
    };
    for (const part of partsOf(expression)) eachVariable(part, outer);
    eachVariableOfCondition(expression.condition, outer);
    return;
  }
  for (const part of partsOf(expression)) eachVariable(part, visit);
}

function eachVariableOfCondition(condition: Condition, visit: (variable: Variable, span: Span) => void): void {
  for (const literal of condition.literals) {
    for (const part of partsOfLiteral(literal)) eachVariable(part, visit);
    if (literal.kind === 'let' || literal.kind === 'each') visit(literal.variable, literal.span);
    if (literal.kind === 'either') for (const branch of literal.branches) eachVariableOfCondition(branch, visit);
  }
}

/** The conjunctions of which one holds. */
export function branchesOf(condition: Condition): readonly Condition[] {
  const [only] = condition.literals;
  return only?.kind === 'either' ? only.branches : [condition];
}

/** The relations of its own literals, without those of aggregates. */
export function predicatesOf(clause: CheckedClause): PredicateSymbol[] {
  return clause.condition.literals.flatMap((literal) => (literal.kind === 'atom' ? [literal.predicate] : []));
}
