/** Finds recursion that computes new values without a bound, and so may not terminate. */

import type { Session } from '../names/environment.js';
import { report } from '../names/environment.js';
import { ELEMENT_AT, JOINED_LISTS } from '../program/built-ins.js';
import type { CheckedClause, CheckedRule, Constant, Expression, Literal, Variable } from '../program/checked.js';
import type { PredicateSymbol } from '../program/symbols.js';
import { isScalar, type Type } from '../program/types.js';
import { eachVariable, partsOf, partsOfLiteral, predicatesOf } from '../program/walk.js';

/**
 * Warns of each clause of a recursive rule whose head has a computed value that no comparison bounds and that comes back to the
 * clause, where the next value is computed from it. Does not warn if the head has a bounded value that changes by a step in each
 * round, since that ends the recursion.
 */
export function warnOfGrowingRecursion(session: Session, rules: readonly CheckedRule[]): void {
  const needs = new Map<PredicateSymbol, Set<PredicateSymbol>>();
  for (const { symbol, clauses } of rules) needs.set(symbol, new Set(clauses.flatMap(predicatesOf)));
  const clausesOf = new Map<PredicateSymbol, readonly CheckedClause[]>();
  for (const { symbol, clauses } of rules) clausesOf.set(symbol, clauses);
  for (const { symbol, clauses } of rules) {
    // A least or greatest value may be computed: only better ones are kept.
    const isKept = symbol.kind === 'derive' && symbol.endpoints.at(-1)?.keeps !== undefined;
    for (const clause of clauses) {
      const kept = isKept ? clause.head.at(-1) : null;
      const made = clause.head.filter((term) => term !== kept && isComputed(clause, term));
      if (made.every((term) => isBounded(clause, term))) continue;
      // Deciding whether a rule is recursive walks all its dependencies, so it is only done for few.
      const isRecursive = recursionWith(needs, symbol);
      const ends = (term: Expression) =>
        isBounded(clause, term) || !feedsItself(clausesOf, isRecursive, clause, clause.head.indexOf(term));
      const found = made.find((term) => !ends(term));
      if (found === undefined || made.some((term) => isStep(clause, term, isRecursive) && ends(term))) continue;
      const name = found.kind === 'variable' ? found.variable.name : 'a value';
      report(
        session,
        'W0501',
        found.span,
        `recursive ${symbol.name} computes new values of "${name}" without a bound`,
        {
          hint: `Add a comparison that bounds it${exampleOf(found.type, name)}.`,
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

/** Whether a predicate is in one recursion with `symbol`. */
function recursionWith(
  needs: ReadonlyMap<PredicateSymbol, ReadonlySet<PredicateSymbol>>,
  symbol: PredicateSymbol,
): (predicate: PredicateSymbol) => boolean {
  const known = new Map<PredicateSymbol, boolean>();
  return (predicate) => {
    const is = known.get(predicate) ?? reaches(needs, predicate, symbol);
    known.set(predicate, is);
    return is;
  };
}

/** A column of a tuple in a body. */
interface Source {
  readonly atom: Literal & { readonly kind: 'atom' };
  readonly column: number;
}

/** Whether values of a column of the head reach the clause again, without something that bounds them on the way. */
function feedsItself(
  clausesOf: ReadonlyMap<PredicateSymbol, readonly CheckedClause[]>,
  isRecursive: (predicate: PredicateSymbol) => boolean,
  clause: CheckedClause,
  column: number,
): boolean {
  const seen = new Map<CheckedClause, Set<number>>();
  const pending = sourcesOf(clause, column, isRecursive);
  for (const { atom, column: at } of pending) {
    for (const next of clausesOf.get(atom.predicate) ?? []) {
      if (!mayGive(next, atom)) continue;
      if (next === clause && at === column) return true;
      const columns = seen.get(next) ?? new Set();
      seen.set(next, columns);
      if (columns.has(at)) continue;
      columns.add(at);
      pending.push(...sourcesOf(next, at, isRecursive));
    }
  }
  return false;
}

/** Where the values of a head's column come from in the recursion, without those that something else bounds. */
function sourcesOf(
  { head, condition: { literals } }: CheckedClause,
  column: number,
  isRecursive: (predicate: PredicateSymbol) => boolean,
): Source[] {
  const bounded = new Set<Variable>();
  for (const literal of literals) {
    if (literal.kind === 'test') for (const variable of orderedIn(literal.condition)) bounded.add(variable);
    if (literal.kind !== 'atom' || isRecursive(literal.predicate)) continue;
    for (const arg of literal.args) if (arg?.kind === 'variable') bounded.add(arg.variable);
  }
  const sources: Source[] = [];
  const variables = new Set<Variable>();
  eachVariable(head[column] as Expression, (variable) => variables.add(variable));
  for (const variable of variables) {
    if (bounded.has(variable)) continue;
    for (const literal of literals) {
      if (literal.kind === 'atom') {
        const at = literal.args.findIndex((arg) => arg?.kind === 'variable' && arg.variable === variable);
        if (at >= 0) sources.push({ atom: { ...literal, kind: 'atom' }, column: at });
      }
      const isSource = (literal.kind === 'let' || literal.kind === 'each') && literal.variable === variable;
      if (isSource) for (const part of partsOfLiteral(literal)) eachVariable(part, (read) => variables.add(read));
    }
  }
  return sources;
}

/** False if a constant in the head differs from one in the tuple. */
function mayGive(clause: CheckedClause, { args }: Source['atom']): boolean {
  return clause.head.every((term, column) => {
    const arg = args[column];
    const made = constantOf(clause, term);
    return arg?.kind !== 'constant' || made === undefined || made === arg.value || isScalar(arg.type, 'Decimal');
  });
}

function constantOf({ condition: { literals } }: CheckedClause, term: Expression): Constant | undefined {
  if (term.kind === 'constant') return term.value;
  const value =
    term.kind === 'variable'
      ? literals.find((each) => each.kind === 'let' && each.variable === term.variable)
      : undefined;
  return value?.kind === 'let' && value.value.kind === 'constant' ? value.value.value : undefined;
}

/** Whether a head term is computed with `let`, and not bound by a tuple. */
function isComputed({ condition: { literals } }: CheckedClause, term: Expression): boolean {
  const inner = term.kind === 'convert' ? term.operand : term;
  if (inner.kind !== 'variable') return false;
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

/** Whether the expression computes values that no fact has. Aggregates in recursion are refused elsewhere. */
function computes(expression: Expression): boolean {
  const makes = ['arithmetic', 'concat', 'builtIn', 'call'].includes(expression.kind);
  const name =
    expression.kind === 'arithmetic' ? expression.operator : expression.kind === 'builtIn' ? expression.name : '';
  return (makes && !SHRINKING.has(name)) || partsOf(expression).some(computes);
}

/** Functions and operators with finitely many results, however often they are applied to values and to each other's results. */
const SHRINKING: ReadonlySet<string> = new Set([
  ...['first', 'last', 'slice', 'split', 'substring', 'trim', 'capture', 'lower', 'upper', ELEMENT_AT],
  ...['abs', 'ceil', 'floor', 'div', 'mod', 'min', 'max', 'bitAnd', 'bitOr', 'bitXor', 'indexOf', 'length'],
]);

/** Whether each round adds a constant to a value of the recursion, subtracts one, or makes a text or list longer. */
function isStep(
  { condition: { literals } }: CheckedClause,
  term: Expression,
  isRecursive: (predicate: PredicateSymbol) => boolean,
): boolean {
  const comesBack = (part: Expression) =>
    part.kind === 'variable' &&
    literals.some((each) => each.kind === 'atom' && isRecursive(each.predicate) && mentions(each, part.variable));
  const inner = term.kind === 'convert' ? term.operand : term;
  if (inner.kind !== 'variable') return false;
  return literals.some((literal) => {
    if (literal.kind !== 'let' || literal.variable !== inner.variable) return false;
    const { value } = literal;
    if (!partsOf(value).some(comesBack)) return false;
    if (value.kind === 'builtIn' && value.name === 'append') return true;
    if (value.kind === 'builtIn' && value.name === JOINED_LISTS)
      return value.args.some((part) => part.kind === 'list' && part.items.length > 0);
    if (value.kind === 'concat') return value.operands.some((part) => part.kind === 'constant' && part.value !== '');
    if (value.kind !== 'arithmetic' || (value.operator !== '+' && value.operator !== '-')) return false;
    const { left, right } = value;
    return [left, right].some((part) => part.kind === 'constant' && Number(part.value) !== 0);
  });
}

function isBounded({ condition: { literals } }: CheckedClause, term: Expression): boolean {
  const mentioned = new Set<Variable>();
  for (const literal of literals) {
    if (literal.kind === 'test') eachVariable(literal.condition, (variable) => mentioned.add(variable));
  }
  let bounded = false;
  eachVariable(term, (variable) => {
    bounded ||= mentioned.has(variable);
  });
  return bounded;
}

/** The variables of the sides of an ordering or equality, as in `n < 10`, `length(l) < 10` and `n + 1 <= m`. */
function orderedIn(condition: Expression): Variable[] {
  if (condition.kind === 'and') return condition.operands.flatMap(orderedIn);
  if (condition.kind !== 'compare' || condition.operator === '!=') return [];
  return [condition.left, condition.right].flatMap(addends);
}

function addends(side: Expression): Variable[] {
  if (side.kind === 'variable') return [side.variable];
  const isSum = side.kind === 'arithmetic' && (side.operator === '+' || side.operator === '-');
  const isLength = side.kind === 'builtIn' && side.name === 'length';
  return isSum || isLength || side.kind === 'convert' ? partsOf(side).flatMap(addends) : [];
}
