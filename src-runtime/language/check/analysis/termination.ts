/** Finds recursion that computes new values without a bound, and so may not terminate. */

import type { Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import { ELEMENT_AT, JOINED_LISTS } from '../program/built-ins.js';
import type { CheckedClause, CheckedRule, Expression, Literal, Variable } from '../program/checked.js';
import type { PredicateSymbol } from '../program/symbols.js';
import type { Type } from '../program/types.js';
import { eachVariable, partsOf, partsOfLiteral, predicatesOf } from '../program/walk.js';

/**
 * Warns of each clause of a recursive rule whose head has a computed value without a bound: a comparison, or a relation outside
 * the recursion that has the values it is computed from. Does not warn if the head has a bounded value that changes by a step in
 * each round, since that ends the recursion.
 */
export function warnOfGrowingRecursion(session: Session, rules: readonly CheckedRule[]): void {
  const needs = new Map<PredicateSymbol, Set<PredicateSymbol>>();
  for (const { symbol, clauses } of rules) needs.set(symbol, new Set(clauses.flatMap(predicatesOf)));
  for (const { symbol, clauses } of rules) {
    for (const clause of clauses) {
      // Deciding whether a rule is recursive walks all its dependencies, so it is only done for few.
      const kept = symbol.kind === 'derive' && symbol.endpoints.at(-1)?.keeps !== undefined ? clause.head.at(-1) : null;
      // A least or greatest value may be computed: only better ones are kept.
      const made = clause.head.filter((term) => term !== kept && isComputed(clause, term));
      if (made.every((term) => isBounded(clause, term))) continue;
      const recursive = new Set(predicatesOf(clause).filter((predicate) => reaches(needs, predicate, symbol)));
      if (recursive.size === 0) continue;
      const ends = (term: Expression) => isBounded(clause, term) || isMadeOfBounded(clause, term, recursive);
      const growing = made.find((term) => !ends(term));
      if (growing === undefined || made.some((term) => isStep(clause, term, recursive) && ends(term))) continue;
      const name = growing.kind === 'variable' ? growing.variable.name : 'a value';
      report(
        session,
        'W0501',
        growing.span,
        `recursive ${symbol.name} computes new values of "${name}" without a bound`,
        {
          hint: `Add a comparison that bounds it${exampleOf(growing.type, name)}.`,
        },
      );
    }
  }
}

function exampleOf(type: Type, name: string): string {
  const examples = {
    Bool: undefined,
    Int: `${name} < 1000`,
    Decimal: `${name} < 1000`,
    Text: `length(${name}) < 1000`,
    Date: `${name} < date "2100-01-01"`,
    DateTime: `${name} < datetime "2100-01-01T00:00:00Z"`,
  };
  const example =
    type.kind === 'scalar' ? examples[type.name] : type.kind === 'list' ? `length(${name}) < 100` : undefined;
  return example === undefined ? '' : `, e.g. \`${example}\``;
}

/** Whether a predicate needs another one, directly or through others. */
export function reaches(
  needs: ReadonlyMap<PredicateSymbol, ReadonlySet<PredicateSymbol>>,
  start: PredicateSymbol,
  end: PredicateSymbol,
): boolean {
  const seen = new Set<PredicateSymbol>([start]);
  for (const at of seen) {
    if (at === end) return true;
    for (const next of needs.get(at) ?? []) seen.add(next);
  }
  return false;
}

/** Whether a head term is computed with `let`, and not bound by a tuple. */
function isComputed(clause: CheckedClause, term: Expression): boolean {
  const inner = term.kind === 'convert' ? term.operand : term;
  if (inner.kind !== 'variable') return false;
  const { literals } = clause.condition;
  const seen = new Set<Variable>([inner.variable]);
  for (const variable of seen) {
    if (literals.some((literal) => mentions(literal, variable))) continue;
    for (const literal of literals) {
      if (literal.kind !== 'let' || literal.variable !== variable) continue;
      if (computes(literal.value)) return true;
      eachVariable(literal.value, (read) => seen.add(read));
    }
  }
  return false;
}

function mentions(literal: Literal, variable: Variable): boolean {
  if (literal.kind === 'each') return literal.variable === variable;
  return literal.kind === 'atom' && literal.args.some((arg) => arg?.kind === 'variable' && arg.variable === variable);
}

/** Functions whose results are parts of their arguments, or one of finitely many values that these allow. */
const SHRINKING: ReadonlySet<string> = new Set([
  ...['first', 'last', 'slice', 'substring', 'trim', 'split', 'capture', ELEMENT_AT],
  ...['min', 'max', 'bitAnd', 'bitOr', 'bitXor', 'length', 'lower', 'upper', 'floor', 'ceil'],
]);

/** Whether the expression computes values that no fact has. Aggregates in recursion are refused elsewhere. */
function computes(expression: Expression): boolean {
  const { kind } = expression;
  const makes =
    (kind === 'arithmetic' && expression.operator !== 'div' && expression.operator !== 'mod') ||
    (kind === 'builtIn' && !SHRINKING.has(expression.name)) ||
    ['negate', 'concat', 'call'].includes(kind);
  return makes || partsOf(expression).some(computes);
}

/** Whether each round adds a constant to a value of the recursion, subtracts one, or makes a text or list longer. */
function isStep(clause: CheckedClause, term: Expression, recursive: ReadonlySet<PredicateSymbol>): boolean {
  const inner = term.kind === 'convert' ? term.operand : term;
  if (inner.kind !== 'variable') return false;
  const { literals } = clause.condition;
  const isRecursive = (variable: Variable) =>
    literals.some(
      (literal) => literal.kind === 'atom' && recursive.has(literal.predicate) && mentions(literal, variable),
    );
  return literals.some((literal) => {
    if (literal.kind !== 'let' || literal.variable !== inner.variable) return false;
    const { value } = literal;
    if (!partsOf(value).some((part) => part.kind === 'variable' && isRecursive(part.variable))) return false;
    if (value.kind === 'builtIn' && value.name === 'append') return true;
    if (value.kind === 'builtIn' && value.name === JOINED_LISTS)
      return value.args.some((part) => part.kind === 'list' && part.items.length > 0);
    if (value.kind === 'concat') return value.operands.some((part) => part.kind === 'constant' && part.value !== '');
    if (value.kind !== 'arithmetic' || (value.operator !== '+' && value.operator !== '-')) return false;
    const { left, right } = value;
    return [left, right].some((part) => part.kind === 'constant' && Number(part.value) !== 0);
  });
}

function isBounded(clause: CheckedClause, term: Expression): boolean {
  const mentioned = new Set<Variable>();
  for (const literal of clause.condition.literals) {
    if (literal.kind === 'test') eachVariable(literal.condition, (variable) => mentioned.add(variable));
  }
  let bounded = false;
  eachVariable(term, (variable) => {
    bounded ||= mentioned.has(variable);
  });
  return bounded;
}

/**
 * Whether each recursive variable from which the value is computed is bounded: by a comparison, as in `n(y), y < 10, let x = y + 1`,
 * or by a tuple of a relation outside the recursion, as in `n(y), option(y), let x = y + 1`.
 */
function isMadeOfBounded(clause: CheckedClause, term: Expression, recursive: ReadonlySet<PredicateSymbol>): boolean {
  const { literals } = clause.condition;
  const sources = new Set<Variable>();
  eachVariable(term, (variable) => sources.add(variable));
  const bounded = new Set<Variable>();
  for (const literal of literals) {
    if (literal.kind === 'test') for (const variable of orderedIn(literal.condition)) bounded.add(variable);
    if (literal.kind !== 'atom' || recursive.has(literal.predicate)) continue;
    for (const arg of literal.args) if (arg?.kind === 'variable') bounded.add(arg.variable);
  }
  for (const variable of sources) {
    if (bounded.has(variable)) continue;
    for (const literal of literals) {
      if (literal.kind === 'atom' && recursive.has(literal.predicate) && mentions(literal, variable)) return false;
      const isSource = (literal.kind === 'let' || literal.kind === 'each') && literal.variable === variable;
      if (isSource) for (const part of partsOfLiteral(literal)) eachVariable(part, (read) => sources.add(read));
    }
  }
  return true;
}

/** The variables that are a whole side of an ordering or equality, or whose length is. */
function orderedIn(condition: Expression): Variable[] {
  if (condition.kind === 'and') return condition.operands.flatMap(orderedIn);
  if (condition.kind !== 'compare' || condition.operator === '!=') return [];
  return [condition.left, condition.right].flatMap((side) => {
    const measured = side.kind === 'builtIn' && side.name === 'length' ? (side.args[0] ?? side) : side;
    return measured.kind === 'variable' ? [measured.variable] : [];
  });
}
